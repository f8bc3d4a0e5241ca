import type { AskedRun, AskedRuns, RunnerOfRun, RunnerStanding } from '../contract/index.ts'
import { instantWords } from '../grammar/times.ts'

/** Where a run is driven, after `driven by` or alone: `in the cluster (runner lockkeeper-runner-0)`. */
export function whereDriven({ name }: Pick<RunnerOfRun, 'name'>): string {
  return `in the cluster (runner ${name})`
}

/** How old what is shown of such a run is; null: it is heard just now. */
export function notConnected({ connected, asOf }: RunnerOfRun): string | null {
  return connected ? null : `as of ${instantWords(asOf)}, not connected`
}

/** How this console stands with a runner, in a sentence. */
export function standingOfRunner({ name, namespace, by, connection }: RunnerStanding): string {
  const who = name === null ? `Runner of ${by}` : `Runner ${name} (namespace ${namespace} of ${by})`
  switch (connection.kind) {
    case 'connected':
      return `${who}: connected.`
    case 'lost':
      return connection.asOf === null
        ? `${who}: not connected. ${connection.why}`
        : `${who}: not connected, its runs are as of ${instantWords(connection.asOf)}. ${connection.why}`
    case 'absent':
      return `${who}: ${connection.why}`
  }
}

/** What a MaintenanceRun asks for: `enter cmp-01 of lab`, or to go on with a run that does so. */
export function askedSubject({
  kind,
  node,
  cluster,
  handedOver,
}: Pick<AskedRun, 'kind' | 'node' | 'cluster' | 'handedOver'>): string {
  if (kind === null || cluster === null) return 'what is asked cannot be read here'
  const work = node === null ? `${kind} of ${cluster}` : `${kind} ${node} of ${cluster}`
  return handedOver === null ? work : `${work}, handed over in the middle`
}

/** Where a MaintenanceRun stands, in a word or two; `Aborted` before anything was begun is withdrawn. */
export function askedStanding({ phase, runId }: Pick<AskedRun, 'phase' | 'runId'>): string {
  if (phase === null) return 'not known'
  return phase === 'Aborted' && runId === null ? 'Withdrawn' : phase
}

/** That MaintenanceRuns of a place could not be read: what is listed may not be all that was asked for. */
export function unreadAsked({ by, namespace, why }: AskedRuns['unread'][number]): string {
  return `What was asked for in namespace ${namespace} of ${by}, and not begun, could not be read: there may be more. ${why}`
}
