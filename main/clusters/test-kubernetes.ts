import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import { API_SERVER } from '../../shared/domain/clock-skew.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { AccessQuestion } from '../../shared/domain/kubernetes.ts'
import { permissionWords } from '../../shared/words/access-questions.ts'
import { because } from '../../shared/words/reasons.ts'
import type { ContextDescription } from '../adapters/kubernetes/describe-contexts.ts'
import type { Registry } from './registry.ts'
import type { ConnectKubernetes, DescribeContexts, KubernetesConnection } from './session-ports.ts'
import { broken, clockItem, doubtful, failedBy, fine, missing, skipped } from './test-item.ts'

const OLDEST_MINOR = 20

/** The result of the Kubernetes half of a test: its items, and the refused permissions. */
interface KubernetesTest {
  readonly items: readonly ClusterTestItem[]
  readonly refused: readonly AccessQuestion[]
  readonly user: string | null
}

export interface KubernetesTestOptions {
  readonly cluster: Cluster
  /** False for files that are tested before their cluster is added: then no command can name it. */
  readonly isRegistered: boolean
  readonly registry: Pick<Registry, 'isConsented'>
  readonly describeContexts: DescribeContexts
  readonly connectKubernetes: ConnectKubernetes
  readonly accessQuestions: (cluster: Cluster) => readonly AccessQuestion[]
  readonly signal?: AbortSignal | undefined
}

/** Tests the connection to Kubernetes step by step; steps after a failed one are skipped and say so. */
export async function testKubernetes(options: KubernetesTestOptions): Promise<KubernetesTest> {
  const { cluster, registry, isRegistered } = options
  const context = await readContext(options)
  if (context.description === null) return rest([context.item], 'NotAskedWithoutKubeconfig', null)
  const { execPlugin, user } = context.description
  const consented = execPlugin === null || registry.isConsented(execPlugin.fingerprint)
  const items = [context.item]
  if (execPlugin !== null) {
    items.push(
      consented
        ? fine('kubernetes', 'exec plugin', because('ExecCommandAgreed', { command: execPlugin.command }))
        : missing(
            'kubernetes',
            'exec plugin',
            because('ExecCommandNotAgreed', { file: execPlugin.file, command: execPlugin.command }),
            isRegistered
              ? because('RemedyAgreeToCommand', { cluster: cluster.name })
              : because('RemedyAgreeToCommandFirst'),
          ),
    )
  }
  if (!consented) return rest(items, 'NotAskedWithoutConsent', user)
  const opened = await options.connectKubernetes(cluster, plugin => registry.isConsented(plugin.fingerprint))
  if (!opened.ok) {
    items.push(broken('kubernetes', 'session', failedBy(opened.failure), because('RemedyCorrectKubeconfig')))
    return rest(items, 'NotAskedWithoutSession', user)
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
    ? because('RemedyRegisterAgain', { cluster: cluster.name })
    : because('RemedyChooseContext')
  const described = await describeContexts(paths)
  if (!described.ok)
    return { item: broken('kubernetes', 'kubeconfig', failedBy(described.failure), again), description: null }
  const found = described.value.find(each => each.name === context)
  if (found === undefined) {
    const contexts = described.value.map(each => each.name)
    const gone = because('ContextGone', { files: paths, context, contexts })
    return { item: broken('kubernetes', 'kubeconfig', gone, again), description: null }
  }
  const { file, cluster: kubernetesCluster, host, user, credentials } = found
  const read = because('ContextRead', { context, file, kubernetesCluster, host, user, credentials })
  return { item: fine('kubernetes', 'kubeconfig', read), description: found }
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
      failedBy(version.failure),
      version.failure.code === 'unauthenticated'
        ? because('RemedyRenewKubeconfig')
        : because('RemedyReachApiServer', { host: connection.host }),
    )
    return rest([...before, item], 'NotAskedApiServerSilent', user)
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
      : broken(
          'kubernetes',
          'eviction',
          failedBy(eviction.failure),
          remedyOf(eviction.failure, 'RemedyTestEvictionAgain'),
        ),
    clockItem(API_SERVER, clocks),
  ]
  if (!access.ok) {
    const item = broken(
      'permissions',
      'access reviews',
      failedBy(access.failure),
      remedyOf(access.failure, 'RemedyAllowAccessReviews'),
    )
    return { items: [...items, item], refused: [], user }
  }
  const answers = access.value.map(answer =>
    answer.allowed
      ? fine('permissions', permissionWords(answer.question), because('PermissionGranted', answer.question))
      : missing(
          'permissions',
          permissionWords(answer.question),
          because('PermissionMissing', { ...answer.question, reason: answer.reason }),
          because('RemedyApplyManifest'),
        ),
  )
  const refused = access.value.filter(answer => !answer.allowed).map(answer => answer.question)
  return { items: [...items, ...answers], refused, user }
}

/** What to do about a refused login, whatever was asked; otherwise the remedy of the question. */
function remedyOf({ code }: Failure, otherwise: 'RemedyTestEvictionAgain' | 'RemedyAllowAccessReviews') {
  return because(code === 'unauthenticated' ? 'RemedyRenewKubeconfig' : otherwise)
}

function versionItem(host: string, gitVersion: string): ClusterTestItem {
  const minor = /^v?1\.(\d+)/.exec(gitVersion)?.[1]
  const answers = because('ApiServerAnswers', { host, version: gitVersion })
  return minor !== undefined && Number(minor) >= OLDEST_MINOR
    ? fine('kubernetes', 'API server', answers)
    : doubtful('kubernetes', 'API server', answers, because('RemedyNewerKubernetes', { oldestMinor: OLDEST_MINOR }))
}

function tlsItems({ warnings }: KubernetesConnection): readonly ClusterTestItem[] {
  return warnings.map(warning =>
    doubtful(
      'kubernetes',
      warning.code,
      { message: warning.message },
      because(warning.code === 'tls-not-verified' ? 'RemedyUseCertificateAuthority' : 'RemedyUseHttps'),
    ),
  )
}

function evictionItem(version: 'policy/v1' | 'policy/v1beta1' | null): ClusterTestItem {
  return version === null
    ? doubtful('kubernetes', 'eviction', because('EvictionAbsent'), because('RemedyLookAtPods'))
    : fine('kubernetes', 'eviction', because('EvictionServed', { version }))
}

type NotAsked =
  | 'NotAskedApiServerSilent'
  | 'NotAskedWithoutConsent'
  | 'NotAskedWithoutKubeconfig'
  | 'NotAskedWithoutSession'

function rest(items: readonly ClusterTestItem[], why: NotAsked, user: string | null): KubernetesTest {
  const names = [
    ['clock', `clock of ${API_SERVER}`],
    ['permissions', 'permissions'],
  ] as const
  return {
    items: [...items, ...names.map(([area, name]) => skipped(area, name, because(why)))],
    refused: [],
    user,
  }
}
