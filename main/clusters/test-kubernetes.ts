import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import { API_SERVER } from '../../shared/domain/clock-skew.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import type { AccessQuestion } from '../../shared/domain/kubernetes.ts'
import type { ContextDescription } from '../adapters/kubernetes/describe-contexts.ts'
import type { Registry } from './registry.ts'
import type { ConnectKubernetes, DescribeContexts, KubernetesConnection } from './session-ports.ts'
import { broken, clockItem, doubtful, fine, missing, skipped } from './test-item.ts'

/** Older API servers are not tested with Lockkeeper; 1.20 is the oldest that is. */
const OLDEST_MINOR = 20

/** What the Kubernetes half of a test came to: its answers, and the permissions that were refused. */
interface KubernetesTest {
  readonly items: readonly ClusterTestItem[]
  readonly refused: readonly AccessQuestion[]
  readonly user: string | null
}

/** What the Kubernetes half of a test needs. */
export interface KubernetesTestOptions {
  readonly cluster: Cluster
  /** False for files that are tried out before their cluster is added: then there is no command to name it by. */
  readonly isRegistered: boolean
  readonly registry: Pick<Registry, 'isConsented'>
  readonly describeContexts: DescribeContexts
  readonly connectKubernetes: ConnectKubernetes
  readonly accessQuestions: (cluster: Cluster) => readonly AccessQuestion[]
  readonly signal?: AbortSignal | undefined
}

/** Tests the way to Kubernetes step by step; what leans on a step that failed is skipped and says so. */
export async function testKubernetes(options: KubernetesTestOptions): Promise<KubernetesTest> {
  const { cluster, registry, isRegistered } = options
  const context = await readContext(options)
  if (context.description === null) return rest([context.item], 'the kubeconfig cannot be used', null)
  const { execPlugin, user } = context.description
  const consented = execPlugin === null || registry.isConsented(execPlugin.fingerprint)
  const items = [context.item]
  if (execPlugin !== null) {
    items.push(
      consented
        ? fine('kubernetes', 'exec plugin', `You agreed that ${execPlugin.command} is run for credentials.`)
        : missing(
            'kubernetes',
            'exec plugin',
            `${execPlugin.file} asks to run ${execPlugin.command} for credentials, and nobody has agreed to that yet.`,
            isRegistered
              ? `Look at the command and agree to it with \`lockkeeper cluster consent ${cluster.name}\`.`
              : 'Look at the command and agree to it, then try again.',
          ),
    )
  }
  if (!consented) return rest(items, 'its credentials come from a command that was not agreed to', user)
  const opened = await options.connectKubernetes(cluster, plugin => registry.isConsented(plugin.fingerprint))
  if (!opened.ok) {
    items.push(broken('kubernetes', 'session', opened.failure, 'Correct the kubeconfig, then test again.'))
    return rest(items, 'no session could be opened', user)
  }
  try {
    return await testConnection(opened.value, items, user, options)
  } finally {
    opened.value.close()
  }
}

async function readContext({ cluster, isRegistered, describeContexts }: KubernetesTestOptions): Promise<{
  readonly item: ClusterTestItem
  readonly description: ContextDescription | null
}> {
  const { paths, context } = cluster.kubeconfig
  const again = isRegistered
    ? `Correct it there, or add the cluster anew with \`lockkeeper cluster remove ${cluster.name}\` and \`lockkeeper cluster add\`.`
    : 'Correct it there, or choose another context.'
  const described = await describeContexts(paths)
  if (!described.ok) return { item: broken('kubernetes', 'kubeconfig', described.failure, again), description: null }
  const found = described.value.find(each => each.name === context)
  if (found === undefined) {
    const names = described.value.map(each => each.name).join(', ') || 'none'
    const message = `${paths.join(', ')} no longer has the context ${context}. Contexts there: ${names}.`
    return { item: broken('kubernetes', 'kubeconfig', { message }, again), description: null }
  }
  const message = `Context ${context} in ${found.file}: cluster ${found.cluster} at ${found.host ?? 'no usable address'}, user ${found.user ?? 'none'} by ${found.credentials}.`
  return { item: fine('kubernetes', 'kubeconfig', message), description: found }
}

async function testConnection(
  connection: KubernetesConnection,
  before: readonly ClusterTestItem[],
  user: string | null,
  { cluster, accessQuestions, signal }: KubernetesTestOptions,
): Promise<KubernetesTest> {
  const version = await connection.version(signal)
  if (!version.ok) {
    const item = broken(
      'kubernetes',
      'API server',
      version.failure,
      `Check that ${connection.host} can be reached from here and that the credentials are still good.`,
    )
    return rest([...before, item], 'the API server did not answer', user)
  }
  const questions = accessQuestions(cluster)
  const [eviction, access, clocks] = await Promise.all([
    connection.evictionVersion(signal),
    connection.port.reviewAccess(questions, signal),
    connection.clocks(signal),
  ])
  const items = [
    ...before,
    versionItem(connection.host, version.value.gitVersion),
    ...tlsItems(connection),
    eviction.ok
      ? evictionItem(eviction.value)
      : broken('kubernetes', 'eviction', eviction.failure, 'Test again; draining needs to know it.'),
    clockItem(API_SERVER, clocks),
  ]
  if (!access.ok) {
    const item = broken(
      'permissions',
      'access reviews',
      access.failure,
      'Every user may usually ask what it may do; allow it again.',
    )
    return { items: [...items, item], refused: [], user }
  }
  const answers = access.value.map(answer =>
    answer.allowed
      ? fine('permissions', permission(answer.question), 'Allowed.')
      : missing(
          'permissions',
          permission(answer.question),
          `These credentials may not ${permission(answer.question)}${answer.reason === '' ? '' : ` (${answer.reason})`}.`,
          'Apply the manifest at the end of this test, or resources/rbac/lockkeeper-operator.yaml, with an account that may.',
        ),
  )
  const refused = access.value.filter(answer => !answer.allowed).map(answer => answer.question)
  return { items: [...items, ...answers], refused, user }
}

function versionItem(host: string, gitVersion: string): ClusterTestItem {
  const minor = /^v?1\.(\d+)/.exec(gitVersion)?.[1]
  const message = `${host} answers; it is Kubernetes ${gitVersion}.`
  return minor !== undefined && Number(minor) >= OLDEST_MINOR
    ? fine('kubernetes', 'API server', message)
    : doubtful(
        'kubernetes',
        'API server',
        message,
        `Lockkeeper is tested with Kubernetes 1.${OLDEST_MINOR} and newer: try it on a node that matters little first.`,
      )
}

function tlsItems({ warnings }: KubernetesConnection): readonly ClusterTestItem[] {
  return warnings.map(warning =>
    doubtful(
      'kubernetes',
      warning.code,
      warning.message,
      warning.code === 'tls-not-verified'
        ? 'Put the certificate authority of the cluster into the kubeconfig instead of insecure-skip-tls-verify.'
        : 'Use an https address of the API server.',
    ),
  )
}

function evictionItem(version: 'policy/v1' | 'policy/v1beta1' | null): ClusterTestItem {
  return version === null
    ? doubtful(
        'kubernetes',
        'eviction',
        'The API server has no Eviction API: pods are deleted, and budgets do not guard them.',
        'Look at the pods of a plan yourself before you confirm it.',
      )
    : fine('kubernetes', 'eviction', `Pods are evicted by ${version}; budgets guard them.`)
}

/** A permission as an operator reads it: `create pods/eviction`, `get leases.coordination.k8s.io in namespace default`. */
function permission({ verb, group, resource, subresource, namespace }: AccessQuestion): string {
  const what = `${resource}${subresource === undefined ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`
  return `${verb} ${what}${namespace === undefined ? '' : ` in namespace ${namespace}`}`
}

function rest(items: readonly ClusterTestItem[], why: string, user: string | null): KubernetesTest {
  const names = [
    ['clock', 'clock of the API server'],
    ['permissions', 'permissions'],
  ] as const
  return {
    items: [...items, ...names.map(([area, name]) => skipped(area, name, `Not asked: ${why}.`))],
    refused: [],
    user,
  }
}
