import type { Failure } from '../../../../shared/domain/failure.ts'
import { MASAKARI_ANNOTATION } from '../../../../shared/domain/masakari.ts'
import { MASAKARI_CLEAR_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { isPassing } from '../../../runs/engine/transient-retry.ts'
import { applied, asks, cannotAsk, cannotVerify, done, fails, holds, ready, refusal } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { noteRun } from '../general/run-notes.ts'
import { readComputeService } from './compute-service.ts'
import { askMasakari, MASAKARI_CHOICES, masakariEvidence, readMasakariHost } from './masakari-host.ts'

/** Masakari watches the node again: clears on_maintenance only where a run of Lockkeeper set it. */
export const endMasakariMaintenance: Step<MaintenanceWorld> = {
  kind: 'end-masakari-maintenance',
  role: 'compute',
  risk: 'reversible',
  ...stepText('end-masakari-maintenance'),
  verifyEarly: false,
  withinMs: 600_000,
  verifyEveryMs: 2_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readMasakariHost(node, ctx)
    if (!read.ok) return cannotAsk(thing('MasakariNote', { node }), read.failure)
    const { host: failover, note } = read.value
    const seen = masakariEvidence(read.value, ctx)
    if (!failover.ok) {
      const warnings = [found('OnMaintenanceNotKnown', { node, cause: failover.failure.message })]
      return note === null
        ? done(found('MasakariNotAsked', { node }), { warnings })
        : ready(found('OnMaintenanceToClear', { node }), { warnings })
    }
    if (note !== null) {
      const isSet = failover.value?.onMaintenance === true
      return ready(found('OnMaintenanceToClear', { node }), {
        evidence: seen,
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
    if (!onMaintenance) return done(found('MasakariWatches', { host, segment }), { evidence: seen })
    const warnings = [found('OnMaintenanceStays', { host, segment })]
    return done(found('OnMaintenanceOfSomebody', { host }), { evidence: seen, warnings })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readMasakariHost(node, ctx)
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    const { host: failover, note } = read.value
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
      const held = await clear(node, host, ctx)
      if (held !== null) return held
    }
    const removed = await noteRun(node, MASAKARI_ANNOTATION, null, ctx)
    if (!removed.ok) return { kind: 'failed', failure: removed.failure }
    return applied(
      host?.onMaintenance === true
        ? found('OnMaintenanceCleared', { host: host.host })
        : found('MasakariNoteRemoved', { node }),
    )
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readMasakariHost(node, ctx)
    if (!read.ok) return cannotVerify(thing('MasakariNote', { node }), read.failure)
    const { host: failover, note } = read.value
    const seen = masakariEvidence(read.value, ctx)
    if (note !== null) return fails(fault('MasakariStillNoted', { node }), seen)
    if (!failover.ok) {
      return isClearedHere(ctx)
        ? cannotVerify(thing('MasakariHost', { node }), failover.failure)
        : holds(found('MasakariNotAsked', { node }), [])
    }
    if (failover.value === null) return holds(found('MasakariHasNoHost', { node }), [])
    const { host, segmentName: segment, onMaintenance } = failover.value
    if (!onMaintenance) return holds(found('MasakariWatches', { host, segment }), seen)
    if (isClearedHere(ctx)) return fails(fault('OnMaintenanceStillSet', { host, segment }), seen)
    return holds(found('OnMaintenanceOfSomebody', { host }), seen)
  },
}

/** Whether this step, and no one else, cleared it. */
function isClearedHere(ctx: MaintenanceContext): boolean {
  return ctx.history().some(({ fact }) => fact === MASAKARI_CLEAR_REQUESTED)
}

/** Null: cleared. Masakari would take a host without the flag whose nova-compute is down for failed. */
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
