import { connectionSettings } from '../../main/adapters/kubernetes/connection.ts'
import { openCredentials } from '../../main/adapters/kubernetes/credentials.ts'
import { defaultKubeconfigPaths, loadKubeconfig, singleContext } from '../../main/adapters/kubernetes/kubeconfig.ts'
import { createTransport } from '../../main/adapters/kubernetes/transport.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import type { KubectlAnswer } from './answers.ts'
import { kubeconfigVariable } from './ask-kubectl.ts'
import type { startServers } from './local-servers.ts'
import { clear, environmentOf, type KubeconfigSituation, lay, withoutMarks } from './situations.ts'

/**
 * Our answer in kubectl's form; `isDirect`: a host that exists only in the collector's network would be reached
 * without a proxy.
 */
type OwnAnswer = Omit<KubectlAnswer, 'view'> & { readonly isDirect: boolean }

/** Reads a situation with our readers and asks for /version as a session does. Every command that a kubeconfig names may run. */
export async function askOurs(
  situation: KubeconfigSituation,
  servers: Awaited<ReturnType<typeof startServers>>,
): Promise<OwnAnswer> {
  const { folder, marks } = lay(situation, servers.marks)
  servers.take()
  const environment = { ...kubeconfigVariable(situation, folder), ...environmentOf(situation, folder, marks) }
  const path = process.env.PATH
  try {
    // Programs are searched in the PATH of this process.
    process.env.PATH = environment.PATH
    const asked = await answerOf(situation, environment, `${folder}/home`)
    const { arrivals, contacts } = servers.take()
    const arrival = arrivals[0] ?? null
    const outcome = arrival !== null ? 'arrived' : contacts > 0 ? 'no request came through' : 'nothing was tried'
    return JSON.parse(withoutMarks(JSON.stringify({ ...asked, outcome, arrival }), marks)) as OwnAnswer
  } finally {
    process.env.PATH = path
    clear(folder)
  }
}

async function answerOf(
  situation: KubeconfigSituation,
  environment: Readonly<Record<string, string>>,
  home: string,
): Promise<Pick<OwnAnswer, 'said' | 'isDirect'>> {
  const refused = (message: string) => ({ said: message, isDirect: false })
  const config = await loadKubeconfig(defaultKubeconfigPaths(environment, home))
  if (!config.ok) return refused(config.failure.message)
  const context = singleContext(config.value, situation.context ?? null)
  if (!context.ok) return refused(context.failure.message)
  const connection = await connectionSettings(context.value, environment)
  if (!connection.ok) return refused(connection.failure.message)
  const credentials = await openCredentials({
    context: context.value,
    connection: connection.value,
    consent: () => true,
    clock: systemClock,
  })
  if (!credentials.ok) return refused(credentials.failure.message)
  const proof = await credentials.value.proof()
  if (!proof.ok) return refused(proof.failure.message)
  const { proxy, server } = connection.value
  if (proxy === null && /example\.test|10\.20\.|fd00/.test(server.hostname)) return { said: null, isDirect: true }
  const transport = createTransport(connection.value, systemClock)
  try {
    const request = { method: 'GET', path: '/version', headers: {}, body: null, timeoutMs: 5_000 }
    const outcome = await transport.send(request, proof.value)
    return { said: outcome.kind === 'answer' ? null : JSON.stringify(outcome), isDirect: false }
  } finally {
    transport.close()
  }
}
