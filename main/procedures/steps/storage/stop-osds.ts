import { minutes } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { OSDS_STOP_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { BY_FORCE, blocked, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { microCephFailure } from './noout-changes.ts'
import { areWord, countedOsds, osdEvidence, osdNames, readStorageNode, type StorageNode } from './storage-node.ts'
import { waitForOsds } from './storage-wait.ts'

/** An OSD that is still up by then is kept up by somebody. */
const LIMIT_MS = minutes(5)
const ADVICE =
  "Look who keeps them up (Rook's operator?) and retry, skip (they stay up until the node goes down), or abort."

/** The node's OSDs are stopped and kept so (seed 004, storage role, "Bring the OSDs down"): in order, instead of by the reboot. */
export const stopOsds: Step<MaintenanceWorld> = {
  kind: 'stop-osds',
  role: 'storage',
  risk: 'disruptive',
  why: 'An OSD that is stopped in order leaves no client waiting for it to be found dead.',
  title: input => `Stop the OSDs of ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 600_000,
  verifyEveryMs: 2_000,
  undo: 'Start the OSDs again: the leave procedure does it.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) return cannotAsk(`The OSDs of ${node}`, read.failure)
    const { own } = read.value
    const seen = [osdEvidence(node, own, ctx)]
    if (own.length === 0) return done(`Ceph has no OSDs on ${node}.`, { evidence: seen })
    const { microceph, osds } = ctx.world
    if (microceph === null && osds === null) {
      return blocked(
        [
          {
            code: 'osds-cannot-be-stopped',
            message: `Nothing here can stop the OSDs of ${node}: no MicroCeph, no Rook.`,
            remedy:
              'Make a plan without stopping OSDs, or give --force and stop them yourself when the run asks for it.',
            override: BY_FORCE,
          },
        ],
        { evidence: seen },
      )
    }
    const up = own.filter(osd => osd.up)
    const wanted = await stillWanted(read.value, ctx)
    if (!wanted.ok) return cannotAsk(`The OSD daemons of ${node}`, wanted.failure)
    if (up.length === 0 && wanted.value.length === 0) {
      return done(`${osdNames(own)} of ${node} ${areWord(own)} down already.`, {
        evidence: seen,
        counted: countedOsds(own),
      })
    }
    return ready(`${osdNames(up.length > 0 ? up : own)} of ${node} will be stopped.`, {
      evidence: seen,
      counted: countedOsds(own),
      warnings:
        osds === null
          ? []
          : [
              "Rook's operator may start OSDs again when it reconciles; the last look of the run tells when it did. Scale the operator down to be sure.",
            ],
      effects: up.map(osd => ({ kind: 'change', target: `osd.${osd.id} on ${node}`, from: 'up', to: 'stopped' })),
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    const unsafe = await whyUnsafe(node, read.value, ctx)
    if (unsafe !== null) return unsafe
    const asked = await askToStop(node, read.value, ctx)
    if (asked !== null) return asked
    return waitForOsds(node, { state: 'down', limitMs: LIMIT_MS, advice: ADVICE }, ctx)
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) return cannotVerify(`The OSDs of ${node}`, read.failure)
    const { own } = read.value
    const seen = [osdEvidence(node, own, ctx)]
    const up = own.filter(osd => osd.up)
    if (up.length > 0) {
      return fails(
        `${osdNames(up)} of ${node} ${areWord(up)} up.`,
        'Somebody started them again, perhaps the operator of Rook; find out who before going on.',
        seen,
      )
    }
    const wanted = await stillWanted(read.value, ctx)
    if (!wanted.ok) return cannotVerify(`The OSD daemons of ${node}`, wanted.failure)
    if (wanted.value.length > 0) {
      return fails(
        `The daemons of OSDs ${wanted.value.join(', ')} of ${node} are wanted again, though they are down.`,
        'Somebody scaled them up, perhaps the operator of Rook; resume the run to stop them.',
        seen,
      )
    }
    return holds(
      own.length === 0 ? `Ceph has no OSDs on ${node}.` : `${osdNames(own)} of ${node} ${areWord(own)} down.`,
      seen,
    )
  },
}

/** OSDs whose daemon runs although Ceph may not see it; empty where nobody tells. */
async function stillWanted({ own }: StorageNode, { world, signal }: MaintenanceContext) {
  const ids = own.map(osd => osd.id)
  return world.osds === null || ids.length === 0 ? ({ ok: true, value: [] } as const) : world.osds.running(ids, signal)
}

/** It was safe when the plan was made, and may not be now (docs/domain.md B.1, defect 5: Sunbeam does not look again). */
async function whyUnsafe(node: string, { own }: StorageNode, ctx: MaintenanceContext): Promise<ApplyAnswer | null> {
  const up = own.filter(osd => osd.up)
  if (up.length === 0) return null
  const answer = await ctx.world.ceph.okToStop(
    up.map(osd => osd.id),
    ctx.signal,
  )
  if (!answer.ok) return { kind: 'failed', failure: answer.failure }
  if (answer.value.ok || isOverridden(ctx, 'force')) return null
  return {
    kind: 'question',
    question: `${osdNames(up)} of ${node} ${areWord(up)} not ok to stop any more: ${answer.value.message}. Let Ceph recover and retry, skip (they stay up until the node goes down), or abort.`,
    choices: ['retry', 'skip', 'abort'],
  }
}

/** Null when it was asked for. */
async function askToStop(node: string, { own }: StorageNode, ctx: MaintenanceContext): Promise<ApplyAnswer | null> {
  const ids = own.map(osd => osd.id)
  const { microceph, osds } = ctx.world
  ctx.announce(OSDS_STOP_REQUESTED, `node/${node}`, { osds: ids })
  if (microceph !== null) {
    const entered = await microceph.enterMaintenance(
      node,
      {
        setNoout: !ctx.options.crushRebalancing,
        stopOsds: true,
        checkOnly: false,
        dryRun: false,
        ignoreCheck: false,
        force: isOverridden(ctx, 'force'),
      },
      ctx.signal,
    )
    if (!entered.ok) return failedBy(entered.failure)
    return entered.value.succeeded
      ? null
      : failedBy(microCephFailure(`stop the OSDs of ${node}`, entered.value.message))
  }
  if (osds === null) return null
  const stopped = await osds.setRunning(ids, false, ctx.signal)
  return stopped.ok ? null : failedBy(stopped.failure)
}

function failedBy(failure: Failure): ApplyAnswer {
  return { kind: 'failed', failure }
}
