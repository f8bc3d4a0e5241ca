import type { Contract, ListedWindow, RunSummary } from '../../../../shared/contract/index.ts'
import type { Cluster } from '../../../../shared/domain/cluster.ts'
import { seconds } from '../../../../shared/domain/durations.ts'
import type { NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { asSentence, counted, listed } from '../../../../shared/grammar/counts.ts'
import { conditionWord } from '../../../../shared/words/conditions.ts'
import { planTitle } from '../../../../shared/words/plans.ts'
import type { CliProcess } from '../process-io.ts'
import { summaryInList } from '../render/gate-words.ts'

/** A greeting waits at most this long for a cluster. */
const WITHIN_MS = seconds(5)

/** The state of a cluster in one line: its nodes, or why it did not answer. Runs no credential command without consent. */
export async function cloudStatusOf(
  cluster: Cluster,
  contract: Contract,
  { clock }: Pick<CliProcess, 'clock'>,
): Promise<string> {
  const settled = new AbortController()
  try {
    return await Promise.race([
      asked(cluster.name, contract),
      clock.sleep(WITHIN_MS, settled.signal).then(() => `no answer within ${WITHIN_MS / 1000} s`),
    ])
  } finally {
    settled.abort()
  }
}

async function asked(name: string, contract: Contract): Promise<string> {
  const plugin = await contract.ask('cluster.exec-plugin', { name })
  if (!plugin.ok) return plugin.failure.message
  if (plugin.value?.consented === false) {
    return `not connected: agree to its credential command first (\`lockkeeper cluster consent ${name}\`)`
  }
  const connected = await contract.ask('cluster.connect', { name })
  if (!connected.ok) return connected.failure.message
  const nodes = await contract.ask('node.list', { cluster: name })
  if (!nodes.ok) return nodes.failure.message
  const { openstack } = connected.value
  return [
    nodesWords(nodes.value.nodes),
    ...(typeof openstack === 'object' ? [`OpenStack does not answer: ${openstack.message}`] : []),
    ...(typeof openstack === 'object' ? [] : nodes.value.unreachable),
  ].join('; ')
}

/** `12 nodes: 10 active, 2 in maintenance`. */
function nodesWords(nodes: readonly NodeSummary[]): string {
  const states = Object.entries(Object.groupBy(nodes, ({ state }) => state)).map(
    ([state, of]) => `${of?.length ?? 0} ${state === 'maintenance' ? 'in maintenance' : state}`,
  )
  return `${counted(nodes.length, 'node')}${states.length === 0 ? '' : `: ${listed(states)}`}`
}

/** What needs you: runs that wait or have no console, and windows past their end. */
export function waitingLines(runs: readonly RunSummary[], windows: readonly ListedWindow[]): readonly string[] {
  return [
    ...runs
      .filter(({ condition: { kind } }) => kind === 'waiting' || kind === 'paused' || kind === 'interrupted')
      .map(run => `Run ${run.id} (${planTitle(run)}) ${isWords(run)}. ${asSentence(summaryInList(run))}`),
    ...windows
      .filter(({ status }) => status === 'over' || status === 'overrunning')
      .map(({ window, status }) =>
        status === 'over'
          ? `Window ${window.id} "${window.title}" of ${window.cluster} has ended. Close it: \`lockkeeper window close ${window.id}\``
          : `Window ${window.id} "${window.title}" of ${window.cluster} is past its end, and its work is still running.`,
      ),
  ]
}

function isWords({ condition }: RunSummary): string {
  const word = conditionWord(condition)
  return condition.kind === 'waiting' ? word : `is ${word}`
}
