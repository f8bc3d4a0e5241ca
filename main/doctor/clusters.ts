import type { ClusterTestItem, ClusterTestReport } from '../../shared/contract/cluster.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { nodeOfLease } from '../../shared/domain/lease-name.ts'
import type { LeaseStanding } from '../../shared/domain/lease-standing.ts'
import type { Result } from '../../shared/domain/result.ts'
import { counted, listed } from '../../shared/grammar/counts.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { LeasePort } from '../ports/leases.ts'
import { type Finding, type Findings, findingsAbout } from './finding.ts'
import type { ExaminedJournal } from './journal.ts'

/** What is asked about clusters. */
export interface ClustersOptions {
  readonly clusters: Pick<Clusters, 'list' | 'test' | 'inspectKubeconfig'>
  /** The Leases of a cluster, by a session that is closed afterwards. */
  readonly withLeases: <T>(cluster: Cluster, work: (leases: LeasePort) => Promise<T>) => Promise<Result<T>>
  readonly journal: ExaminedJournal
}

/** What `cluster test` proves of a cluster, told briefly: what holds in a line for each subject, all else as it is; and Leases left behind. */
export async function examineCluster(cluster: Cluster, options: ClustersOptions): Promise<readonly Finding[]> {
  const say = findingsAbout(`cluster ${cluster.name}`)
  const tested = await options.clusters.test(cluster.name)
  if (!tested.ok) return [say.broken('test', tested.failure, null)]
  const answers = tested.value.items.some(
    ({ name, outcome }) => name === 'API server' && ['ok', 'warning'].includes(outcome),
  )
  return [
    ...testFindings(tested.value, cluster, say),
    ...(answers
      ? await leaseFindings(cluster, options, say)
      : [say.cannotTell('Leases', 'Leases left behind could not be looked for: the API server was not heard.')]),
  ]
}

/** How many rights hold is told once; each that does not by itself. */
function testFindings(report: ClusterTestReport, cluster: Cluster, say: Findings): readonly Finding[] {
  const found = report.items.flatMap(item => findingOf(item, cluster, say))
  const rights = report.items.filter(({ area }) => area === 'permissions')
  const held = rights.filter(({ outcome }) => outcome === 'ok').length
  return held === 0
    ? found
    : [
        ...found,
        held === rights.length
          ? say.fine('rights', `All ${counted(held, 'right')} that a maintenance needs of Kubernetes are there.`)
          : say.attention(
              'rights',
              `${held} of ${counted(rights.length, 'right')} are there.`,
              `\`lockkeeper cluster test ${cluster.name}\` prints the manifest that grants the others.`,
            ),
      ]
}

function findingOf(item: ClusterTestItem, cluster: Cluster, say: Findings): readonly Finding[] {
  const { area, outcome, message, remedy } = item
  const name = item.name
  switch (outcome) {
    case 'ok':
      return area === 'permissions' ? [] : [say.fine(name, message)]
    case 'warning':
      return [say.attention(name, message, remedy)]
    case 'missing':
    case 'failed':
      return [say.broken(name, message, remedy)]
    case 'skipped':
      // That there is no cloud is the operator's own word.
      return area === 'openstack' && cluster.cloud === null
        ? [say.fine('cloud', 'It was added without a cloud: there are no instances to look after.')]
        : [say.cannotTell(name, message)]
  }
}

/** Whether its holder lives can be told of no Lease by looking once (decision 0026): the journal here says which run is over or left. */
async function leaseFindings(
  cluster: Cluster,
  { withLeases, journal }: ClustersOptions,
  say: Findings,
): Promise<readonly Finding[]> {
  const held = await withLeases(cluster, async leases => {
    const all = await leases.all()
    if (!all.ok) return all.failure
    const holders: { readonly name: string; readonly by: LeaseStanding }[] = []
    for (const [name, { held: isHeld }] of all.value) {
      if (!isHeld) continue
      const holder = await leases.holder(name)
      if (!holder.ok) return holder.failure
      if (holder.value !== null) holders.push({ name, by: holder.value })
    }
    return holders
  })
  if (!held.ok) return [say.cannotTell('Leases', held.failure.message)]
  if ('code' in held.value) return [say.cannotTell('Leases', held.value.message)]
  if (held.value.length === 0) return [say.fine('Leases', 'Nobody holds a node.')]
  return held.value.map(({ name, by }) => leaseFinding(name, by, journal, say))
}

function leaseFinding(name: string, by: LeaseStanding, journal: ExaminedJournal, say: Findings): Finding {
  const what = nodeOfLease(name) ?? 'the cluster as a whole'
  const runId = by.runId ?? ''
  const who = [by.operator, by.machine].filter(word => word != null && word !== '')
  const holder = `run ${runId === '' ? '(not named)' : runId}${who.length === 0 ? '' : ` of ${who.join(' on ')}`}`
  const open = journal.openRuns?.find(({ id }) => id === runId)
  if (open !== undefined) {
    return open.isDriven
      ? say.fine(`Lease ${name}`, `${what} is held by ${holder}, which is under way.`)
      : say.attention(
          `Lease ${name}`,
          `${what} is still held by ${holder}, which nobody drives.`,
          `\`lockkeeper run resume ${runId}\` goes on, \`lockkeeper run abort ${runId}\` ends it and gives the node back.`,
        )
  }
  if (journal.isOver(runId)) {
    return say.attention(
      `Lease ${name}`,
      `${what} is still held by ${holder}, which is over: it was left behind.`,
      'Nothing needs to be done: the next run takes it once it was seen unchanged for as long as it lasts.',
    )
  }
  return say.cannotTell(
    `Lease ${name}`,
    `${what} is held by ${holder}, which this journal does not know to be over. Whether somebody drives it only watching it tells.`,
    'Ask them, or begin a plan for it: that watches the Lease for as long as it lasts.',
  )
}

/** What kubectl would use here, and whether it runs a command for its credentials; it is read, and nothing is run. */
export async function examineKubeconfig(options: Pick<ClustersOptions, 'clusters'>): Promise<readonly Finding[]> {
  const { fine, attention, cannotTell } = findingsAbout('kubeconfig')
  const read = await options.clusters.inspectKubeconfig([])
  if (!read.ok) {
    return read.failure.code === 'not-found'
      ? [fine('contexts', 'There is no kubeconfig where kubectl looks for one.')]
      : [cannotTell('contexts', read.failure.message)]
  }
  const { paths, contexts } = read.value
  const running = contexts.filter(({ execPlugin }) => execPlugin !== null)
  const asked = running.filter(({ execPlugin }) => execPlugin?.consented === false)
  const message = `${counted(contexts.length, 'context')} in ${listed(paths)}.`
  if (asked.length > 0) {
    const commands = [...new Set(asked.map(({ name, execPlugin }) => `${name} (${execPlugin?.command ?? ''})`))]
    return [
      attention(
        'contexts',
        `${message} Of ${listed(commands)} a command is run for credentials, to which nobody agreed yet; it was not run.`,
        'You are shown the command and asked when such a cluster is added or used; `lockkeeper cluster consent NAME` does it at once.',
      ),
    ]
  }
  return [
    fine(
      'contexts',
      running.length === 0
        ? `${message} None runs a command for credentials.`
        : `${message} You agreed to the commands that ${counted(running.length, 'context')} of them run.`,
    ),
  ]
}
