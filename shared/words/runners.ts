import type { AskedRun, AskedRuns, RunnerOfRun, RunnerStatus } from '../contract/index.ts'
import { instantWords } from '../grammar/times.ts'

/** Where a run runs, after `runs` or alone: `in the cloud (runner lockkeeper-runner-0)`. */
export function whereDriven({ name }: Pick<RunnerOfRun, 'name'>): string {
  return `in the cloud (runner ${name})`
}

/** A name that no admission of the cloud proves: anyone who may create these objects could have written it. */
export function byOwnWord(name: string): string {
  return `${name} (unverified)`
}

/** Why a run has ended whose runner and journal no longer exist, and the advice. */
export function runnerGoneWords(gone: {
  readonly runner: string
  /** Null if unknown whether it started. */
  readonly runId: string | null
  readonly lastSeq: number
  /** The last message of its status. */
  readonly last: string
  readonly endedAt: string
}): string {
  const { runner, runId, lastSeq, last, endedAt } = gone
  const begun =
    runId === null
      ? 'It is unknown whether it started.'
      : `Its run ${runId} stopped after event ${lastSeq}; its last message was: ${last.slice(0, 600)}`
  return `Its runner ${runner} no longer exists, and neither does its journal (fewer replicas, or another volume), so the run does not continue. ${begun} Check its nodes, and plan the rest again (\`lockkeeper leave\` brings a node back). Or bring that pod back with its volume, and resume the run with a control. Ended at ${instantWords(endedAt)}.`
}

/** The age of the state of such a run; null if it is live. */
export function notConnected({ connected, asOf }: RunnerOfRun): string | null {
  return connected ? null : `as of ${instantWords(asOf)}, not connected`
}

/** The connection to a runner, in a sentence. */
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

/** The work of a MaintenanceRun: `enter cmp-01 of lab`, also if it continues a run. */
export function askedSubject({
  kind,
  node,
  cluster,
  handedOver,
}: Pick<AskedRun, 'kind' | 'node' | 'cluster' | 'handedOver'>): string {
  if (kind === null || cluster === null) return 'a request that this version cannot read'
  const work = node === null ? `${kind} of ${cluster}` : `${kind} ${node} of ${cluster}`
  return handedOver === null ? work : `${work}, handed over while running`
}

/** The phase of a MaintenanceRun in a word or two; `Aborted` before the start is `Withdrawn`. */
export function askedRunWords({ phase, runId }: Pick<AskedRun, 'phase' | 'runId'>): string {
  if (phase === null) return 'unknown'
  return phase === 'Aborted' && runId === null ? 'Withdrawn' : phase
}

/** MaintenanceRuns that could not be read, so that the list may be incomplete. */
export function unreadAsked({ by, namespace, why }: AskedRuns['unread'][number]): string {
  return `The MaintenanceRuns in namespace ${namespace} of ${by} that have not started could not be read, so the list may be incomplete. ${why}`
}
