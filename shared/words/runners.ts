import type { AskedRun, AskedRuns, RunnerOfRun, RunnerStatus } from '../contract/index.ts'
import { instantWords } from '../grammar/times.ts'

/** Where a run is driven, after `driven by` or alone: `in the cluster (runner lockkeeper-runner-0)`. */
export function whereDriven({ name }: Pick<RunnerOfRun, 'name'>): string {
  return `in the cluster (runner ${name})`
}

/**
 * Who asks, where no admission of the cluster proves it: anybody who may create these objects could have written any name.
 */
export function byOwnWord(name: string): string {
  return `${name} (by their own word)`
}

/** Why a run has ended whose journal went away with its runner, and what a person has to do. */
export function runnerGoneWords(gone: {
  readonly runner: string
  /** Null: whether it was begun is not known. */
  readonly runId: string | null
  readonly lastSeq: number
  /** What its status said last. */
  readonly last: string
  readonly endedAt: string
}): string {
  const { runner, runId, lastSeq, last, endedAt } = gone
  const begun =
    runId === null
      ? 'Whether it was begun cannot be told.'
      : `Its run ${runId} stopped where it was, after event ${lastSeq}; last it said: ${last.slice(0, 600)}`
  return `Its runner ${runner} is not there any more, and its journal with it (fewer replicas, or another volume): nobody drives it. ${begun} Look at its nodes, and plan again what is left (\`lockkeeper leave\` brings a node back). Or bring that pod back with its volume, and ask for a resume by a control. Ended at ${instantWords(endedAt)}.`
}

/** How old what is shown of such a run is; null: it is heard just now. */
export function notConnected({ connected, asOf }: RunnerOfRun): string | null {
  return connected ? null : `as of ${instantWords(asOf)}, not connected`
}

/** How this console stands with a runner, in a sentence. */
export function runnerHealthWords({ name, namespace, by, connection }: RunnerStatus): string {
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
export function askedRunWords({ phase, runId }: Pick<AskedRun, 'phase' | 'runId'>): string {
  if (phase === null) return 'not known'
  return phase === 'Aborted' && runId === null ? 'Withdrawn' : phase
}

/** That MaintenanceRuns of a place could not be read: what is listed may not be all that was asked for. */
export function unreadAsked({ by, namespace, why }: AskedRuns['unread'][number]): string {
  return `What was asked for in namespace ${namespace} of ${by}, and not begun, could not be read: there may be more. ${why}`
}
