import type { CephOsd } from '../../../../shared/domain/ceph.ts'
import { minutes } from '../../../../shared/domain/durations.ts'
import { OSDS_START_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { exitMicroCeph } from './noout-changes.ts'
import { areWord, countedOsds, osdEvidence, osdNames, readStorageNode } from './storage-node.ts'
import { waitForOsds } from './storage-wait.ts'

/** An OSD that is not up by then needs a person. */
const LIMIT_MS = minutes(10)
const ADVICE =
  'Look at the logs of the OSDs and retry, skip (a disk that was broken before need not come back), or abort.'

/** The node's OSDs run and hold data again (seed 004, storage role, "Activate OSDs"). */
export const startOsds: Step<MaintenanceWorld> = {
  kind: 'start-osds',
  role: 'storage',
  risk: 'reversible',
  why: 'While OSDs are away, every write has fewer copies.',
  title: input => `Start the OSDs of ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: minutes(15),
  verifyEveryMs: 2_000,
  undo: 'Stop the OSDs again.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) return cannotAsk(`The OSDs of ${node}`, read.failure)
    const { own } = read.value
    const seen = [osdEvidence(node, own, ctx)]
    const down = own.filter(osd => !osd.up)
    const warnings = outWarnings(own)
    if (down.length === 0) {
      return done(
        own.length === 0 ? `Ceph has no OSDs on ${node}.` : `${osdNames(own)} of ${node} ${areWord(own)} up.`,
        {
          evidence: seen,
          warnings,
          counted: countedOsds(own),
        },
      )
    }
    return ready(`${osdNames(down)} of ${node} ${areWord(down)} down.`, {
      evidence: seen,
      warnings,
      counted: countedOsds(own),
      effects: down.map(osd => ({ kind: 'change', target: `osd.${osd.id} on ${node}`, from: 'down', to: 'up' })),
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    const down = read.value.own.filter(osd => !osd.up)
    if (down.length > 0) {
      const asked = await askToStart(node, down, ctx)
      if (asked !== null) return asked
    }
    return waitForOsds(node, { state: 'up', limitMs: LIMIT_MS, advice: ADVICE }, ctx)
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) return cannotVerify(`The OSDs of ${node}`, read.failure)
    const { own } = read.value
    const seen = [osdEvidence(node, own, ctx)]
    const down = own.filter(osd => !osd.up)
    if (down.length > 0) {
      return fails(
        `${osdNames(down)} of ${node} ${areWord(down)} down.`,
        'Look at the logs of these OSDs; resume the run to start them again.',
        seen,
      )
    }
    const out = own.filter(osd => !osd.in)
    return holds(
      own.length === 0
        ? `Ceph has no OSDs on ${node}.`
        : `${osdNames(own)} of ${node} ${areWord(own)} up${out.length === 0 ? ' and in' : `; ${osdNames(out)} stay out, as somebody wanted`}.`,
      seen,
    )
  },
}

/** Null when it was asked for. */
async function askToStart(
  node: string,
  down: readonly CephOsd[],
  ctx: MaintenanceContext,
): Promise<ApplyAnswer | null> {
  const { microceph, osds } = ctx.world
  const ids = down.map(osd => osd.id)
  ctx.announce(OSDS_START_REQUESTED, `node/${node}`, { osds: ids })
  if (microceph !== null) {
    const exit = await exitMicroCeph(node, microceph, ctx)
    return exit.ok ? null : { kind: 'failed', failure: exit.failure }
  }
  if (osds === null) return null
  const started = await osds.setRunning(ids, true, ctx.signal)
  return started.ok ? null : { kind: 'failed', failure: started.failure }
}

/** Ceph takes an OSD in again that it put out itself; one that is up and out was put out by hand. */
function outWarnings(own: readonly CephOsd[]): readonly string[] {
  const out = own.filter(osd => osd.up && !osd.in)
  return out.length === 0 ? [] : [`${osdNames(out)} ${areWord(out)} up but out: somebody put them out by hand.`]
}
