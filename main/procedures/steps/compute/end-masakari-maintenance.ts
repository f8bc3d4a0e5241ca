import type { Failure } from '../../../../shared/domain/failure.ts'
import { MASAKARI_ANNOTATION } from '../../../../shared/domain/masakari.ts'
import { MASAKARI_CLEAR_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { isPassing } from '../../../runs/engine/transient-retry.ts'
import { applied, asks, cannotVerify, done, fails, holds, ready, refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { noteRun } from '../general/run-notes.ts'
import { readComputeService } from './compute-service.ts'
import { askMasakari, MASAKARI_CHOICES, masakariStep } from './masakari-host.ts'

/** Masakari watches the node again: clears on_maintenance only where a run of Lockkeeper set it. */
export const endMasakariMaintenance = masakariStep({
  kind: 'end-masakari-maintenance',
  ...stepText('end-masakari-maintenance'),
  verifyEarly: false,
  check: ({ node, host: failover, note, evidence }) => {
    if (!failover.ok) {
      const warnings = [found('OnMaintenanceNotKnown', { node, cause: failover.failure.message })]
      return note === null
        ? done(found('MasakariNotAsked', { node }), { warnings })
        : ready(found('OnMaintenanceToClear', { node }), { warnings })
    }
    if (note !== null) {
      const isSet = failover.value?.onMaintenance === true
      return ready(found('OnMaintenanceToClear', { node }), {
        evidence,
        effects: isSet
          ? [
              {
                kind: 'change',
                target: `on_maintenance of ${failover.value.host}`,
                from: 'true',
                to: 'false',
              },
            ]
          : [],
      })
    }
    if (failover.value === null) return done(found('MasakariHasNoHost', { node }))
    const { host, segmentName: segment, onMaintenance } = failover.value
    if (!onMaintenance) return done(found('MasakariWatches', { host, segment }), { evidence })
    const warnings = [found('OnMaintenanceStays', { host, segment })]
    return done(found('OnMaintenanceOfSomebody', { host }), { evidence, warnings })
  },
  apply: async ({ node, host: failover, note }, ctx) => {
    if (!failover.ok) return notEnded(node, failover.failure)
    if (note === null) {
      return applied(
        failover.value?.onMaintenance === true
          ? found('OnMaintenanceOfSomebody', { host: failover.value.host })
          : found('MasakariNoteRemoved', { node }),
      )
    }
    const host = failover.value
    if (host?.onMaintenance === true) {
      const unfinished = await clear(node, host, ctx)
      if (unfinished !== null) return unfinished
    }
    const removed = await noteRun(node, MASAKARI_ANNOTATION, null, ctx)
    if (!removed.ok) return { kind: 'failed', failure: removed.failure }
    return applied(
      host?.onMaintenance === true
        ? found('OnMaintenanceCleared', { host: host.host })
        : found('MasakariNoteRemoved', { node }),
    )
  },
  verify: ({ node, host: failover, note, evidence }, ctx) => {
    if (note !== null) return fails(fault('MasakariStillNoted', { node }), evidence)
    if (!failover.ok) {
      return isClearedHere(ctx)
        ? cannotVerify(thing('MasakariHost', { node }), failover.failure)
        : holds(found('MasakariNotAsked', { node }), [])
    }
    if (failover.value === null) return holds(found('MasakariHasNoHost', { node }), [])
    const { host, segmentName: segment, onMaintenance } = failover.value
    if (!onMaintenance) return holds(found('MasakariWatches', { host, segment }), evidence)
    if (isClearedHere(ctx)) return fails(fault('OnMaintenanceStillSet', { host, segment }), evidence)
    return holds(found('OnMaintenanceOfSomebody', { host }), evidence)
  },
})

/** Whether this step, and no one else, cleared it. */
function isClearedHere(ctx: MaintenanceContext): boolean {
  return ctx.history().some(({ fact }) => fact === MASAKARI_CLEAR_REQUESTED)
}

/** Returns null once cleared. Masakari would take a host without the flag whose nova-compute is down for failed. */
async function clear(
  node: string,
  failover: Parameters<typeof askMasakari>[0],
  ctx: MaintenanceContext,
): Promise<ApplyAnswer | null> {
  const service = await readComputeService(node, ctx)
  if (!service.ok) return { kind: 'failed', failure: service.failure }
  const { host, segmentName: segment, id } = failover
  if (service.value.state !== 'up') {
    const down = fault('ComputeNotUpForMasakari', { host })
    return { kind: 'failed', failure: refusal('conflict', down, { target: `nova-compute/${host}` }) }
  }
  ctx.announce(MASAKARI_CLEAR_REQUESTED, `masakari-host/${host}`, { id, segment })
  const reported = await askMasakari(failover, false, ctx)
  if (reported.kind === 'told') return null
  if (reported.kind === 'stopped') return reported
  return reported.kind === 'failed'
    ? notEnded(node, reported.failure)
    : asks(fault('MasakariStillBusy', { host, segment }), MASAKARI_CHOICES)
}

/** The engine retries a transient failure; otherwise the operator may continue without it. */
function notEnded(node: string, failure: Failure): ApplyAnswer {
  if (isPassing(failure)) return { kind: 'failed', failure }
  return asks(fault('MasakariNotEnded', { node, cause: failure.message }), MASAKARI_CHOICES)
}
