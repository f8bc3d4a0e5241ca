import { join } from 'node:path'
import { isExempt, proxiesOf } from '../../main/adapters/http/proxies.ts'
import { endpointOf } from '../../main/adapters/openstack/catalogue.ts'
import { openOpenStackSession } from '../../main/adapters/openstack/keystone-session.ts'
import type { ResolvedCloud } from '../../main/adapters/openstack/resolved-cloud.ts'
import { findCloudsFile } from '../../main/clusters/clouds-files.ts'
import { resolveCloud } from '../../main/clusters/clouds-yaml.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import type { SdkAnswer } from './answers.ts'
import { catalogue, type localKeystone } from './local-keystone.ts'
import type { startServers } from './local-servers.ts'
import { type CloudSituation, clear, environmentOf, lay, withoutMarks } from './situations.ts'

/** What counts of a cloud: who logs in where and how, and which addresses the session then uses. Null: nobody logs in. */
interface UsedCloud {
  readonly path: string
  readonly proxy: string | null
  readonly body: unknown
  readonly verify: unknown
  readonly cert: unknown
  readonly microversion: string | null
  readonly endpoints: Readonly<Record<string, string | null>>
}

const SERVICES = ['compute', 'network', 'placement', 'block-storage', 'image', 'infra-optim'] as const

/** What openstacksdk said, in the same form. */
export function usedBySdk({ login, cloud }: SdkAnswer): UsedCloud | null {
  if (login === null || cloud === null) return null
  const whole = (path: unknown) =>
    typeof path === 'string' && !path.startsWith('{{folder}}') ? `{{folder}}/${path}` : path
  return {
    ...login,
    // Requests verifies by default.
    verify: whole(cloud.verify ?? true),
    cert: Array.isArray(cloud.cert) ? cloud.cert.map(whole) : whole(cloud.cert),
    microversion: cloud.computeMicroversion,
    endpoints: Object.fromEntries(SERVICES.map(service => [service, withoutVersion(cloud.endpoints[service] ?? null)])),
  }
}

/** What version of its API a service is asked in is its adapter's matter. */
function withoutVersion(address: string | null): string | null {
  return address === null || address.startsWith('!') ? null : address.replace(/\/+$/, '').replace(/\/v\d+(\.\d+)?$/, '')
}

/** Reads a situation with our readers and logs in as a session does. */
export async function askOurCloud(
  situation: CloudSituation,
  servers: Awaited<ReturnType<typeof startServers>>,
  keystone: ReturnType<typeof localKeystone>,
): Promise<{ readonly used: UsedCloud | null; readonly isDirect: boolean; readonly said: string | null }> {
  const { folder, marks } = lay(situation, servers.marks)
  const environment = environmentOf(situation, folder, marks)
  const places = {
    environment,
    home: join(folder, 'home'),
    currentDirectory: folder,
    siteDirectory: join(folder, 'none'),
  }
  servers.take()
  keystone.taken()
  const refused = (said: string) => ({ used: null, isDirect: false, said: withoutMarks(said, marks) })
  try {
    const path = await findCloudsFile(places)
    if (!path.ok) return refused(path.failure.message)
    const cloud = await resolveCloud({ path: path.value, cloud: situation.cloud }, places)
    if (!cloud.ok) return refused(cloud.failure.message)
    if (isOutOfReach(cloud.value, environment)) return { used: null, isDirect: true, said: null }
    const session = await openOpenStackSession({
      cloud: cloud.value,
      clock: systemClock,
      log: silentLogger,
      environment,
    })
    if (session.ok) session.value.close()
    const login = keystone.taken()[0]
    if (login === undefined) return refused(session.ok ? 'nobody was asked' : session.failure.message)
    const proxy = servers.take().arrivals.find(({ method }) => method === 'POST')?.proxy?.kind ?? null
    const used = { ...login, proxy, ...settingsOf(cloud.value, marks) }
    const said = session.ok ? null : session.failure.message
    return { used: JSON.parse(withoutMarks(JSON.stringify(used), marks)) as UsedCloud, isDirect: false, said }
  } finally {
    clear(folder)
  }
}

function settingsOf(cloud: ResolvedCloud, marks: Readonly<Record<string, string>>) {
  const at = new URL(cloud.authUrl)
  const known = catalogue(`http://${at.host}`).map(({ type, endpoints }) => ({ type, endpoints }))
  const { clientCert } = cloud
  return {
    verify: cloud.insecure ? false : (cloud.caCertPath ?? true),
    cert:
      clientCert === null
        ? null
        : clientCert.keyPath === null
          ? clientCert.certPath
          : [clientCert.certPath, clientCert.keyPath],
    microversion: cloud.computeMaxMicroversion ?? null,
    endpoints: Object.fromEntries(
      SERVICES.map(service => {
        const found = endpointOf(service, known, cloud)
        return [service, found.ok ? withoutVersion(withoutMarks(found.value, marks)) : null]
      }),
    ),
  }
}

/** Hosts that are only there in the collector's network cannot be asked without a proxy. */
function isOutOfReach({ authUrl }: ResolvedCloud, environment: Readonly<Record<string, string>>): boolean {
  if (!URL.canParse(authUrl) || !/example\.test|10\.20\./.test(new URL(authUrl).hostname)) return false
  return isExempt(new URL(authUrl), environment) || proxiesOf(environment).proxyEnv?.HTTP_PROXY === undefined
}
