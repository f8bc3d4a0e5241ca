import { assertNever } from '../domain/must.ts'
import type { RunLeft } from '../domain/run-left.ts'

/** Why a run that has not ended has no console. */
export function leftWords(left: RunLeft): string {
  switch (left.code) {
    case 'Detached':
      return `${left.by} detached from it`
    case 'HandingOver':
      return `${left.by} hands it over`
    case 'LeaseNotTaken':
      return `The lease of ${left.node} could not be taken: ${left.cause}`
    case 'LeaseLost':
      return `The lease of ${left.node} was lost, so no more steps started. ${left.cause}`
    case 'HandOverFailed':
      return `It was not handed over. ${left.cause}`
    case 'HandOverOpen':
      return `It was being handed over as MaintenanceRun ${left.object}, in namespace ${left.namespace} of ${left.cluster}. Resume it, or hand it over again: Lockkeeper then checks whether a runner has it.`
    case 'JournalRefused':
      return `It stopped because the journal could not be written. ${left.cause}`
    case 'RecordDamaged':
      return left.cause
    case 'Other':
      return left.text
    default:
      return assertNever(left, 'why a run was left')
  }
}
