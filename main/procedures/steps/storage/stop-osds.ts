import { minutes } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { OSDS_STOP_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText } from '../../../../shared/words/step-texts.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { asks } from '../../answers.ts'
import { isOverridden, type MaintenanceContext } from '../../node-input.ts'
import { microCephFailure } from './noout-changes.ts'
import { osdsStep } from './osds-step.ts'
import { idsOf, type StorageNode } from './storage-node.ts'

/** Stops the OSDs in order, not by the reboot, and keeps them stopped (seed 004). */
export const stopOsds = osdsStep({
  kind: 'stop-osds',
  risk: 'disruptive',
  ...stepText('stop-osds'),
  withinMs: minutes(10),
  to: 'down',
  impossible: (node, { microceph, osds }) =>
    microceph !== null || osds !== null ? null : fault('OsdsCannotBeStopped', { node }),
  // A daemon may run although Ceph does not see it.
  keptOtherwise: {
    read: async ({ own }, { world, signal }) =>
      world.osds === null || own.length === 0 ? ok([]) : world.osds.running(idsOf(own), signal),
    fault: (node, osds) => fault('OsdsWantedAgain', { node, osds }),
  },
  warnings: (_read, { osds }, isReady) => (osds === null || !isReady ? [] : [found('RookMayStartOsds')]),
  words: {
    already: (node, { own }) => found('OsdsDownAlready', { node, osds: idsOf(own) }),
    ready: (node, osds) => found('OsdsWillStop', { node, osds }),
    holds: (node, { own }) => found('OsdsDown', { node, osds: idsOf(own) }),
    fails: (node, osds) => fault('OsdsNotDown', { node, osds }),
    awaited: osds => found('OsdsToGoDown', { osds }),
    late: (node, osds) => found('OsdsStillUp', { node, osds }),
    applied: node => found('OsdsStopped', { node }),
    from: 'up',
    into: 'stopped',
  },
  guard: whyUnsafe,
  request: askToStop,
  // After this time something keeps the OSD up.
  limitMs: minutes(5),
})

/** Safe for the plan, perhaps not now (docs/domain.md B.1, defect 5: Sunbeam does not check again). */
async function whyUnsafe(node: string, { own }: StorageNode, ctx: MaintenanceContext): Promise<ApplyAnswer | null> {
  const osds = idsOf(own.filter(osd => osd.up))
  if (osds.length === 0) return null
  const answer = await ctx.world.ceph.okToStop(osds, ctx.signal)
  if (!answer.ok) return failedBy(answer.failure)
  if (answer.value.ok || isOverridden(ctx, 'force')) return null
  const words = found('OsdsNotOkToStopAnyMore', { node, osds, output: answer.value.message })
  return asks(words, ['retry', 'skip', 'abort'])
}

async function askToStop(node: string, { own }: StorageNode, ctx: MaintenanceContext): Promise<ApplyAnswer | null> {
  const ids = idsOf(own)
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
    return entered.value.succeeded ? null : failedBy(microCephFailure(node, 'StopOsds', entered.value.message))
  }
  const stopped = await osds?.setRunning(ids, false, ctx.signal)
  return stopped?.ok === false ? failedBy(stopped.failure) : null
}

function failedBy(failure: Failure): ApplyAnswer {
  return { kind: 'failed', failure }
}
