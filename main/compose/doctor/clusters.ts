import type { ClusterTestItem, ClusterTestReport } from '../../../shared/contract/cluster.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { CONTROLLERS_LEASE, nodeOfLease } from '../../../shared/domain/lease-name.ts'
import type { LeaseState } from '../../../shared/domain/lease-state.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Values } from '../../../shared/words/steps/coded.ts'
import type { Clusters } from '../../clusters/clusters.ts'
import type { LeasePort } from '../../ports/leases.ts'
import { type Finding, type Findings, findingsAbout } from './finding.ts'
import type { ExaminedJournal } from './journal.ts'

export interface ClustersOptions {
  readonly clusters: Pick<Clusters, 'list' | 'test' | 'inspectKubeconfig'>
  /** Opens a session for the Leases of a cluster and closes it afterwards. */
  readonly withLeases: <T>(cluster: Cluster, work: (leases: LeasePort) => Promise<T>) => Promise<Result<T>>
  readonly journal: ExaminedJournal
}

/** The results of `cluster test` in short (passed checks share a line per subject), and leftover Leases. */
export async function examineCluster(cluster: Cluster, options: ClustersOptions): Promise<readonly Finding[]> {
  const say = findingsAbout(`cloud ${cluster.name}`)
  const tested = await options.clusters.test(cluster.name)
  if (!tested.ok) return [say.failed('test', tested.failure)]
  const answers = tested.value.items.some(
    ({ name, outcome }) => name === 'API server' && ['ok', 'warning'].includes(outcome),
  )
  return [
    ...testFindings(tested.value, cluster, say),
    ...(answers
      ? await leaseFindings(cluster, options, say)
      : [say.cannotTell('Leases', because('LeasesNotLookedFor'))]),
  ]
}

/** Granted rights are counted in one line; each missing right has its own. */
function testFindings(report: ClusterTestReport, cluster: Cluster, say: Findings): readonly Finding[] {
  const found = report.items.flatMap(item => findingOf(item, cluster, say))
  const rights = report.items.filter(({ area }) => area === 'permissions')
  const held = rights.filter(({ outcome }) => outcome === 'ok').length
  return held === 0
    ? found
    : [
        ...found,
        held === rights.length
          ? say.fine('rights', because('RightsAllThere', { rights: held }))
          : say.attention(
              'rights',
              because('RightsPartlyThere', { held, rights: rights.length }),
              because('GrantRightsNext', { cluster: cluster.name }),
            ),
      ]
}

function findingOf(item: ClusterTestItem, cluster: Cluster, say: Findings): readonly Finding[] {
  const { area, name, outcome } = item
  const seen = coded(item.message, item.code, item.values)
  const next = item.remedy === null ? null : coded(item.remedy, item.remedyCode, item.remedyValues)
  switch (outcome) {
    case 'ok':
      return area === 'permissions' ? [] : [say.fine(name, seen)]
    case 'warning':
      return [say.attention(name, seen, next)]
    case 'missing':
    case 'failed':
      return [say.broken(name, seen, next)]
    case 'skipped':
      // The operator said that this cluster has no cloud.
      return area === 'openstack' && cluster.cloud === null
        ? [say.fine('cloud', because('ClusterWithoutCloud'))]
        : [say.cannotTell(name, seen)]
  }
}

/** One reading of a Lease cannot show whether its holder lives (decision 0026), but the journal here knows which runs have ended or were left. */
async function leaseFindings(
  cluster: Cluster,
  { withLeases, journal }: ClustersOptions,
  say: Findings,
): Promise<readonly Finding[]> {
  const held = await withLeases(cluster, async leases => {
    const all = await leases.all()
    if (!all.ok) return all.failure
    const holders: { readonly name: string; readonly by: LeaseState }[] = []
    for (const [name, { held: isHeld }] of all.value) {
      if (!isHeld) continue
      const holder = await leases.holder(name)
      if (!holder.ok) return holder.failure
      if (holder.value !== null) holders.push({ name, by: holder.value })
    }
    return holders
  })
  if (!held.ok) return [say.cannotTell('Leases', findingIn(held.failure))]
  if ('code' in held.value) return [say.cannotTell('Leases', findingIn(held.value))]
  if (held.value.length === 0) return [say.fine('Leases', because('LeasesFree'))]
  return held.value.map(({ name, by }) => leaseFinding(name, by, journal, say))
}

function leaseFinding(name: string, by: LeaseState, journal: ExaminedJournal, say: Findings): Finding {
  const runId = by.runId ?? ''
  const held = {
    node: nodeOfLease(name) ?? null,
    run: runId,
    operator: by.operator ?? null,
    machine: by.machine ?? null,
  }
  const lease = `Lease ${name}`
  if (name === CONTROLLERS_LEASE) {
    return say.fine(lease, because('LeaseOfControllers', { operator: held.operator, machine: held.machine }))
  }
  const open = journal.openRuns?.find(({ id }) => id === runId)
  if (open !== undefined) {
    return open.isDriven
      ? say.fine(lease, because('LeaseHolderUnderWay', held))
      : say.attention(lease, because('LeaseHolderUndriven', held), because('ResumeOrAbortNext', { run: runId }))
  }
  return journal.hasEnded(runId)
    ? say.attention(lease, because('LeaseHolderOver', held), because('NothingToDoForLease'))
    : say.cannotTell(lease, because('LeaseHolderNotKnown', held), because('AskHolderNext'))
}

/** A text, with its code if it has one. */
function coded(message: string, code?: string, values: Values = {}) {
  return code === undefined ? { message } : { code, values, message }
}

/** The contexts that kubectl would use, and whether they run credential commands; runs none of them. */
export async function examineKubeconfig(options: Pick<ClustersOptions, 'clusters'>): Promise<readonly Finding[]> {
  const { fine, attention, cannotTell } = findingsAbout('kubeconfig')
  const read = await options.clusters.inspectKubeconfig([])
  if (!read.ok) {
    return read.failure.code === 'not-found'
      ? [fine('contexts', because('NoKubeconfigHere'))]
      : [cannotTell('contexts', findingIn(read.failure))]
  }
  const { paths, contexts } = read.value
  const running = contexts.filter(({ execPlugin }) => execPlugin !== null)
  const asked = running.filter(({ execPlugin }) => execPlugin?.consented === false)
  const kubeconfigs = { contexts: contexts.length, paths }
  if (asked.length > 0) {
    const commands = [...new Set(asked.map(({ name, execPlugin }) => `${name} (${execPlugin?.command ?? ''})`))]
    return [attention('contexts', because('CommandsNotAgreed', { ...kubeconfigs, commands }), because('ConsentNext'))]
  }
  return [
    fine(
      'contexts',
      running.length === 0
        ? because('NoCommandsRun', kubeconfigs)
        : because('CommandsAgreed', { ...kubeconfigs, running: running.length }),
    ),
  ]
}
