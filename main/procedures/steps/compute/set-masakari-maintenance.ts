import type { Failure } from '../../../../shared/domain/failure.ts'
import { MASAKARI_ANNOTATION } from '../../../../shared/domain/masakari.ts'
import { MASAKARI_SET_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { isPassing } from '../../../runs/engine/transient-retry.ts'
import { applied, asks, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { noteRun } from '../general/run-notes.ts'
import { askMasakari, MASAKARI_CHOICES, masakariEvidence, readMasakariHost } from './masakari-host.ts'

/**
 * Sets on_maintenance, with a note for the return, so that Masakari does not take the node for failed (docs/domain.md B.3, F.13). If it is silent: a
 * warning.
 */
export const setMasakariMaintenance: Step<MaintenanceWorld> = {
  kind: 'set-masakari-maintenance',
  role: 'compute',
  risk: 'reversible',
  ...stepText('set-masakari-maintenance'),
  verifyEarly: true,
  withinMs: 600_000,
  verifyEveryMs: 2_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readMasakariHost(node, ctx)
    if (!read.ok) return cannotAsk(thing('MasakariNote', { node }), read.failure)
    const { host: failover, note } = read.value
    if (!failover.ok) {
      const cause = failover.failure.message
      return done(found('MasakariNotAsked', { node }), { warnings: [found('MasakariMayEvacuate', { node, cause })] })
    }
    if (failover.value === null) return done(found('MasakariHasNoHost', { node }))
    const { host, segmentName: segment, onMaintenance } = failover.value
    const seen = masakariEvidence(read.value, ctx)
    if (onMaintenance && note !== null) return done(found('OnMaintenanceSet', { host }), { evidence: seen })
    if (onMaintenance) {
      const warnings = [found('OnMaintenanceStays', { host, segment })]
      return done(found('OnMaintenanceOfSomebody', { host }), { evidence: seen, warnings })
    }
    return ready(found('MasakariWatches', { host, segment }), {
      evidence: seen,
      effects: [{ kind: 'change', target: `on_maintenance of ${host}`, from: 'false', to: 'true' }],
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readMasakariHost(node, ctx)
    if (!read.ok) return failedBy(read.failure)
    const { host: failover, note } = read.value
    if (!failover.ok) return isPassing(failover.failure) ? failedBy(failover.failure) : refused(failover.failure)
    if (failover.value === null) return applied(found('MasakariHasNoHost', { node }))
    const { host, id, segmentName: segment, onMaintenance } = failover.value
    if (onMaintenance) return applied(found(note === null ? 'OnMaintenanceOfSomebody' : 'OnMaintenanceSet', { host }))
    ctx.announce(MASAKARI_SET_REQUESTED, `masakari-host/${host}`, { id, segment })
    // First the note: a run that is killed between the two leaves an unused note, but no flag that nobody clears.
    const noted = await noteRun(node, MASAKARI_ANNOTATION, ctx.runId, ctx)
    if (!noted.ok) return failedBy(noted.failure)
    const reported = await askMasakari(failover.value, true, ctx)
    if (reported.kind === 'stopped') return reported
    if (reported.kind === 'told') return applied(found('OnMaintenanceSet', { host }))
    // It is unknown whether Masakari received it: later steps read the flag.
    if (reported.kind === 'failed' && isPassing(reported.failure)) return reported
    // A flag that appears from here on is someone else's.
    const removed = await noteRun(node, MASAKARI_ANNOTATION, null, ctx)
    if (!removed.ok) return failedBy(removed.failure)
    return reported.kind === 'busy'
      ? asks(fault('MasakariStillBusy', { host, segment }), MASAKARI_CHOICES)
      : refused(reported.failure)
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readMasakariHost(node, ctx)
    if (!read.ok) return cannotVerify(thing('MasakariNote', { node }), read.failure)
    const { host: failover, note } = read.value
    if (!failover.ok) {
      return note === null
        ? holds(found('MasakariNotAsked', { node }), [])
        : cannotVerify(thing('MasakariHost', { node }), failover.failure)
    }
    if (failover.value === null) return holds(found('MasakariHasNoHost', { node }), [])
    const { host, segmentName: segment, onMaintenance } = failover.value
    const seen = masakariEvidence(read.value, ctx)
    if (!onMaintenance) return fails(fault('OnMaintenanceNotSet', { host, segment }), seen)
    return holds(found(note === null ? 'OnMaintenanceOfSomebody' : 'OnMaintenanceSet', { host }), seen)
  },
}

function failedBy(failure: Failure): ApplyAnswer {
  return { kind: 'failed', failure }
}

function refused({ message }: Failure): ApplyAnswer {
  return asks(fault('MasakariRefused', { cause: message }), MASAKARI_CHOICES)
}
