import { minutes } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { OSDS_STOP_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { BY_FORCE } from '../../answers.ts'
import { isOverridden, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { microCephFailure } from './noout-changes.ts'
import { osdsStep } from './osds-step.ts'
import { areWord, osdNames, type StorageNode } from './storage-node.ts'

/** The node's OSDs are stopped and kept so (seed 004, storage role, "Bring the OSDs down"): in order, instead of by the reboot. */
export const stopOsds = osdsStep({
  kind: 'stop-osds',
  risk: 'disruptive',
  why: 'An OSD that is stopped in order leaves no client waiting for it to be found dead.',
  title: input => `Stop the OSDs of ${nodeOf(input)}`,
  withinMs: minutes(10),
  undo: 'Start the OSDs again: the leave procedure does it.',
  to: 'down',
  impossible: (node, { microceph, osds }) =>
    microceph !== null || osds !== null
      ? null
      : {
          code: 'osds-cannot-be-stopped',
          message: `Nothing here can stop the OSDs of ${node}: no MicroCeph, no Rook.`,
          remedy: 'Make a plan without stopping OSDs, or give --force and stop them yourself when the run asks for it.',
          override: BY_FORCE,
        },
  // A daemon may run although Ceph does not see it; where nobody tells, none does.
  keptOtherwise: {
    read: async ({ own }, { world, signal }) =>
      world.osds === null || own.length === 0
        ? ok([])
        : world.osds.running(
            own.map(osd => osd.id),
            signal,
          ),
    remedy: 'Somebody scaled them up, perhaps the operator of Rook; resume the run to stop them.',
  },
  warnings: (_read, { osds }, isReady) =>
    osds === null || !isReady
      ? []
      : [
          "Rook's operator may start OSDs again when it reconciles; the last look of the run tells when it did. Scale the operator down to be sure.",
        ],
  words: {
    already: (node, { own }) => `${osdNames(own)} of ${node} ${areWord(own)} down already.`,
    ready: (node, names) => `${names} of ${node} will be stopped.`,
    holds: (node, { own }) => `${osdNames(own)} of ${node} ${areWord(own)} down.`,
    remedy: 'Somebody started them again, perhaps the operator of Rook; find out who before going on.',
    from: 'up',
    into: 'stopped',
  },
  guard: whyUnsafe,
  ask: askToStop,
  // An OSD that is still up by then is kept up by somebody.
  limitMs: minutes(5),
  advice:
    "Look who keeps them up (Rook's operator?) and retry, skip (they stay up until the node goes down), or abort.",
})

/** It was safe when the plan was made, and may not be now (docs/domain.md B.1, defect 5: Sunbeam does not look again). */
async function whyUnsafe(node: string, { own }: StorageNode, ctx: MaintenanceContext): Promise<ApplyAnswer | null> {
  const up = own.filter(osd => osd.up)
  if (up.length === 0) return null
  const answer = await ctx.world.ceph.okToStop(
    up.map(osd => osd.id),
    ctx.signal,
  )
  if (!answer.ok) return failedBy(answer.failure)
  if (answer.value.ok || isOverridden(ctx, 'force')) return null
  return {
    kind: 'question',
    question: `${osdNames(up)} of ${node} ${areWord(up)} not ok to stop any more: ${answer.value.message}. Let Ceph recover and retry, skip (they stay up until the node goes down), or abort.`,
    choices: ['retry', 'skip', 'abort'],
  }
}

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
  const stopped = await osds?.setRunning(ids, false, ctx.signal)
  return stopped?.ok === false ? failedBy(stopped.failure) : null
}

function failedBy(failure: Failure): ApplyAnswer {
  return { kind: 'failed', failure }
}
