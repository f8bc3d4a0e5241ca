import type { RunnerOfRun, RunnerStanding } from '../contract/index.ts'
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
