import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import { type Cluster, strategyOf } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import type { ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import type { Registry } from './registry.ts'
import type { ConnectOpenStack, OpenStackConnection, PolicyAnswer } from './session-ports.ts'
import { broken, clockItem, doubtful, failedBy, fine, missing, skipped } from './test-item.ts'

/** Below 2.53 compute services have no stable ids (domain.md C.4); tags came earlier, with 2.26. */
const NEEDED_MINOR = 53

const NEEDED_SERVICES = [
  ['compute', 'Nova'],
  ['network', 'Neutron'],
  ['placement', 'Placement'],
] as const

export interface OpenStackTestOptions {
  readonly cluster: Cluster
  readonly resolveCloud: (source: NonNullable<Cluster['cloud']>) => Promise<Result<ResolvedCloud>>
  readonly connectOpenStack: ConnectOpenStack
  readonly registry: Pick<Registry, 'isEndpointAgreed'>
  readonly signal?: AbortSignal | undefined
}

/** Tests the connection to the cloud step by step; steps after a failed one are skipped and say so. */
export async function testOpenStack(options: OpenStackTestOptions): Promise<readonly ClusterTestItem[]> {
  const { cluster } = options
  if (cluster.cloud === null) {
    return [skipped('openstack', 'cloud', because('TestedWithoutCloud'))]
  }
  const { path, cloud: name } = cluster.cloud
  const cloud = await options.resolveCloud(cluster.cloud)
  if (!cloud.ok) {
    return [
      broken('openstack', 'clouds.yaml', failedBy(cloud.failure), because('RemedyCorrectCloudsFile')),
      skipped('openstack', 'services', because('NotAskedWithoutCloudSettings')),
    ]
  }
  const read = { cloud: name, file: path, region: cloud.value.regionName }
  const settings = fine('openstack', 'clouds.yaml', because('CloudSettingsRead', read))
  const opened = await options.connectOpenStack(cloud.value, options.registry.isEndpointAgreed)
  if (!opened.ok) {
    const remedy =
      opened.failure.code === 'unauthenticated'
        ? because('RemedyCorrectCloudCredentials', { cloud: name, file: path })
        : because('RemedyReachKeystone')
    return [
      settings,
      broken('openstack', 'Keystone', failedBy(opened.failure), remedy),
      skipped('openstack', 'services', because('NotAskedWithoutLogin')),
    ]
  }
  try {
    return [
      settings,
      ...endpointItems(opened.value, options),
      ...(await testConnection(opened.value, cluster, cloud.value, options.signal)),
    ]
  } finally {
    opened.value.close()
  }
}

/** Each address of the catalogue that receives a token only with the operator's approval. */
function endpointItems(
  connection: OpenStackConnection,
  { cluster, registry }: OpenStackTestOptions,
): readonly ClusterTestItem[] {
  return connection.foreignEndpoints().map(endpoint => {
    const { service, origin, keystone } = endpoint
    const name = `address: ${service}`
    const foreign = { service, origin, keystone }
    return registry.isEndpointAgreed(endpoint)
      ? fine('openstack', name, because('AddressAgreed', foreign))
      : missing(
          'openstack',
          name,
          because('AddressNotAgreed', foreign),
          because('RemedyAgreeToAddress', { cluster: cluster.name, service }),
        )
  })
}

async function testConnection(
  connection: OpenStackConnection,
  cluster: Cluster,
  cloud: ResolvedCloud,
  signal: AbortSignal | undefined,
): Promise<readonly ClusterTestItem[]> {
  const { userName, projectName, roles } = connection.identity()
  const login = { user: userName, project: projectName }
  const items: ClusterTestItem[] = [
    fine('openstack', 'Keystone', because('LoggedIn', login)),
    ...connection.warnings.map(warning =>
      doubtful('openstack', warning.code, { message: warning.message }, because('RemedyNameCertificateAuthority')),
    ),
    projectName === null
      ? doubtful(
          'openstack',
          'roles',
          because('LoginHasNoProject', { user: userName, roles }),
          because('RemedyNameProject'),
        )
      : roles.includes('admin')
        ? fine('openstack', 'roles', because('LoginIsAdmin', { roles }))
        : doubtful('openstack', 'roles', because('LoginIsNoAdmin', { ...login, roles }), because('RemedyUseAdmin')),
  ]
  for (const [service, label] of NEEDED_SERVICES) {
    items.push(
      connection.has(service)
        ? fine('openstack', `catalogue: ${service}`, because('ServiceInCatalogue', { service: label }))
        : missing(
            'openstack',
            `catalogue: ${service}`,
            because('ServiceNotInCatalogue', {
              service: label,
              interface: cloud.interface,
              region: cloud.regionName,
              needed: service,
            }),
            because('RemedyCorrectCatalogue'),
          ),
    )
  }
  const services = connection.has('compute') ? ['Keystone', 'Nova'] : ['Keystone']
  const clocks = await connection.clocks(signal)
  items.push(...services.map(server => clockItem(server, clocks)))
  if (!connection.has('compute')) return [...items, skipped('openstack', 'policy', because('NotAskedWithoutNova'))]
  const version = await connection.microversion('compute', signal)
  if (!version.ok) {
    const remedy = because('RemedyNewerNova', { neededMinor: NEEDED_MINOR })
    return [
      ...items,
      broken('openstack', 'Nova', failedBy(version.failure), remedy),
      skipped('openstack', 'policy', because('NotAskedNovaUnspoken')),
    ]
  }
  items.push(microversionItem(version.value))
  const policies = await connection.probePolicies(signal)
  if (!policies.ok) {
    return [...items, broken('openstack', 'policy', failedBy(policies.failure), remedyOf(policies.failure))]
  }
  return [
    ...items,
    ...policies.value.map(policyItem),
    ...(await watcherItems(connection, cluster, signal)),
    ...(await masakariItems(connection, signal)),
  ]
}

function remedyOf({ code }: Failure) {
  return because(code === 'unauthenticated' ? 'RemedyRenewCloudLogin' : 'RemedyTestAgain')
}

/** Masakari, if the cloud has it: a maintenance continues without it, at the risk that Masakari treats a reboot as a failure. */
async function masakariItems(
  connection: OpenStackConnection,
  signal: AbortSignal | undefined,
): Promise<readonly ClusterTestItem[]> {
  const name = 'catalogue: instance-ha'
  if (!connection.has('instance-ha')) return []
  const policies = await connection.probeMasakariPolicies(signal)
  if (!policies.ok) {
    return [doubtful('openstack', name, failedBy(policies.failure), because('MasakariUnprobed'))]
  }
  return [
    fine('openstack', name, because('MasakariInCatalogue')),
    ...policies.value.map(answer =>
      answer.allowed === false
        ? doubtful('permissions', answer.rule, answer, because('MasakariUntold'))
        : policyItem(answer),
    ),
  ]
}

async function watcherItems(
  connection: OpenStackConnection,
  cluster: Cluster,
  signal: AbortSignal | undefined,
): Promise<readonly ClusterTestItem[]> {
  if (strategyOf(cluster) !== 'watcher') return []
  const name = 'catalogue: infra-optim'
  if (!connection.has('infra-optim')) {
    return [
      missing(
        'openstack',
        name,
        because('WatcherNotInCatalogue'),
        because('RemedyEnableWatcher', { cluster: cluster.name }),
      ),
    ]
  }
  const version = await connection.microversion('infra-optim', signal)
  if (!version.ok) return [broken('openstack', 'Watcher', failedBy(version.failure), because('RemedyLookAtWatcher'))]
  const spoken = version.value === null ? null : { major: version.value.major, minor: version.value.minor }
  const items = [fine('openstack', name, because('WatcherInCatalogue', { version: spoken }))]
  const policies = await connection.probeWatcherPolicies(signal)
  return policies.ok
    ? [...items, ...policies.value.map(policyItem)]
    : [...items, broken('openstack', 'Watcher', failedBy(policies.failure), remedyOf(policies.failure))]
}

function microversionItem(version: { readonly major: number; readonly minor: number } | null): ClusterTestItem {
  const enough = version !== null && version.major === 2 && version.minor >= NEEDED_MINOR
  if (version === null || !enough) {
    const spoken = version === null ? null : { major: version.major, minor: version.minor }
    const tooOld = because('NovaTooOld', { version: spoken, neededMinor: NEEDED_MINOR })
    return broken('openstack', 'Nova', tooOld, because('RemedyNovaTooOld'))
  }
  return fine('openstack', 'Nova', because('NovaSpoken', { major: version.major, minor: version.minor }))
}

function policyItem({ need, rule, allowed, ...reported }: PolicyAnswer): ClusterTestItem {
  if (allowed === true) return fine('permissions', rule, reported)
  if (allowed === 'unknown') {
    return doubtful('permissions', rule, reported, because('RemedyAllowRule', { need, rule }))
  }
  return missing('permissions', rule, reported, because('RemedyWidenRule', { rule }))
}
