import type { KubeConfig } from '@kubernetes/client-node'
import { connectionSettings } from '../../main/adapters/kubernetes/connection.ts'
import { openCredentials } from '../../main/adapters/kubernetes/credentials.ts'
import { defaultKubeconfigPaths, loadKubeconfig, singleContext } from '../../main/adapters/kubernetes/kubeconfig.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { must } from '../../shared/domain/must.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { KubectlAnswer } from './answers.ts'
import { inOneForm, storedAnswers } from './answers.ts'
import { kubeconfigVariable } from './ask-kubectl.ts'
import { askOurs } from './ask-ours.ts'
import { KUBECONFIGS } from './kubeconfigs/all.ts'
import { startServers } from './local-servers.ts'
import { clear, environmentOf, type KubeconfigSituation, lay, withoutMarks } from './situations.ts'

/**
 * Compares the KubeConfig of @kubernetes/client-node with kubectl: it loads, merges and signs in, and its own
 * VersionApi sends the request. Prints how often it and our reader agree with kubectl, and each difference (figures:
 * docs/decisions/0002).
 * node --disable-warning=ExperimentalWarning test/differential/ask-client-node.ts
 */
const LIMIT_MS = 5_000

type Servers = Awaited<ReturnType<typeof startServers>>
type Asked = Pick<KubectlAnswer, 'outcome' | 'arrival' | 'said'> & { readonly isDirect: boolean }

async function askClientNode(situation: KubeconfigSituation, way: Way, servers: Servers): Promise<Asked> {
  const { folder, marks } = lay(situation, servers.marks)
  const environment = { ...kubeconfigVariable(situation, folder), ...environmentOf(situation, folder, marks) }
  const before = { ...process.env }
  try {
    // It reads the environment of its process.
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, environment)
    const asked = await answerOf(situation, way)
    const { arrivals, contacts } = servers.take()
    const arrival = arrivals[0] ?? null
    const outcome = arrival !== null ? 'arrived' : contacts > 0 ? 'no request came through' : 'nothing was tried'
    return JSON.parse(withoutMarks(JSON.stringify({ ...asked, outcome, arrival }), marks)) as Asked
  } finally {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, before)
    clear(folder)
  }
}

/**
 * How its KubeConfig gets the files: alone, or as one context that our checks accept, with the values that our reader
 * resolved.
 */
type Way = 'alone' | 'behind our checks'

async function answerOf({ context }: KubeconfigSituation, way: Way): Promise<Pick<Asked, 'said' | 'isDirect'>> {
  const { KubeConfig, VersionApi } = await import('@kubernetes/client-node')
  try {
    const config = new KubeConfig()
    if (way === 'alone') config.loadFromDefault()
    else {
      const passed = await passing(config, context ?? null)
      if (!passed.ok) return { said: passed.failure.message, isDirect: false }
    }
    if (way === 'alone' && context !== undefined) config.setCurrentContext(context)
    const cluster = config.getCurrentCluster()
    const host = URL.canParse(cluster?.server ?? '') ? new URL(cluster?.server ?? '').hostname : ''
    if (!cluster?.proxyUrl && /example\.test|10\.20\.|fd00/.test(host)) return { said: null, isDirect: true }
    const asked = config.makeApiClient(VersionApi).getCode()
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), LIMIT_MS).unref())
    await Promise.race([asked, late])
    return { said: null, isDirect: false }
  } catch (error) {
    return { said: error instanceof Error ? error.message : String(error), isDirect: false }
  }
}

/**
 * The requested context with its proxy and its token file; KubeConfig takes these only as an auth-provider. Nothing
 * is read or run yet.
 */
async function passing(config: KubeConfig, wanted: string | null): Promise<Result<void>> {
  const files = await loadKubeconfig(defaultKubeconfigPaths(process.env, process.env.HOME ?? ''))
  if (!files.ok) return files
  const context = singleContext(files.value, wanted)
  if (!context.ok) return context
  const connection = await connectionSettings(context.value, process.env)
  if (!connection.ok) return connection
  const credentials = await openCredentials({
    context: context.value,
    connection: connection.value,
    consent: () => true,
    clock: systemClock,
  })
  if (!credentials.ok) return credentials
  const { cluster, user } = context.value
  const { proxy } = connection.value
  const { tokenFile = null, settings } = user ?? {}
  config.loadFromClusterAndUser(
    { ...must(cluster.settings, 'it has an address'), ...(proxy === null ? {} : { proxyUrl: proxy.href }) },
    {
      name: 'u',
      ...settings,
      ...(tokenFile === null ? {} : { authProvider: { name: 'tokenFile', config: { tokenFile } } }),
    },
  )
  return ok(undefined)
}

function isAsKubectl(name: string, { outcome, arrival, isDirect }: Omit<Asked, 'said'>): boolean {
  const theirs = storedOf[name]
  if (isDirect) return theirs?.outcome === 'arrived' && theirs.arrival?.proxy === null
  const inForm = (of: Pick<Asked, 'outcome' | 'arrival'> | undefined) =>
    JSON.stringify([of?.outcome, inOneForm(of?.arrival ?? null)])
  return inForm({ outcome, arrival }) === inForm(theirs)
}

const storedOf = storedAnswers('kubectl').answers
const servers = await startServers()
// A plugin that it runs may fail after its answer was read.
process.on('unhandledRejection', () => {})
let ours = 0
const its: Record<Way, number> = { alone: 0, 'behind our checks': 0 }
try {
  for (const situation of KUBECONFIGS) {
    servers.take()
    if (isAsKubectl(situation.name, await askOurs(situation, servers))) ours += 1
    for (const way of ['alone', 'behind our checks'] as const) {
      servers.take()
      const asked = await askClientNode(situation, way, servers)
      if (isAsKubectl(situation.name, asked)) its[way] += 1
      else console.log(`${way}: ${situation.name}: ${differenceOf(situation.name, asked)}`)
    }
  }
} finally {
  await servers.close()
}
console.log(`of ${KUBECONFIGS.length} situations as kubectl: ours ${ours}, client-node ${JSON.stringify(its)}`)
process.exit(0)

function differenceOf(name: string, asked: Asked): string {
  const theirs = storedOf[name]
  const arrived: Readonly<Record<string, unknown>> = { ...theirs?.arrival }
  const differing = Object.entries(asked.arrival ?? {}).filter(
    ([field, value]) => field in arrived && JSON.stringify(value) !== JSON.stringify(arrived[field]),
  )
  const said = (asked.said ?? '').replace(/\s+/g, ' ').slice(0, 90)
  const fields = differing.map(([field]) => field).join(', ')
  return `kubectl: ${theirs?.outcome}; client-node: ${asked.outcome} ${fields} ${said}`.trimEnd()
}
