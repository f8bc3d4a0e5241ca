import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import { type Cluster, strategyOf } from '../../shared/domain/cluster.ts'
import type { Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import type { ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import type { Registry } from './registry.ts'
import type { ConnectOpenStack, OpenStackConnection, PolicyAnswer } from './session-ports.ts'
import { broken, clockItem, doubtful, fine, missing, skipped } from './test-item.ts'

/** Below 2.53 compute services have no stable ids (domain.md C.4); tags came earlier, with 2.26. */
const NEEDED_MINOR = 53

/** What procedures ask of each service, for the operator. */
const NEEDED_SERVICES = [
  ['compute', 'Nova', 'compute services and instances'],
  ['network', 'Neutron', 'the agents of a node on its way back'],
  ['placement', 'Placement', 'what the other hosts have room for'],
] as const

/** What the OpenStack half of a test needs. */
export interface OpenStackTestOptions {
  readonly cluster: Cluster
  readonly resolveCloud: (source: NonNullable<Cluster['cloud']>) => Promise<Result<ResolvedCloud>>
  readonly connectOpenStack: ConnectOpenStack
  readonly registry: Pick<Registry, 'isEndpointAgreed'>
  readonly signal?: AbortSignal | undefined
}

/** Tests the way to the cloud step by step; what leans on a step that failed is skipped and says so. */
export async function testOpenStack(options: OpenStackTestOptions): Promise<readonly ClusterTestItem[]> {
  const { cluster } = options
  if (cluster.cloud === null) {
    return [skipped('openstack', 'cloud', 'This cluster was added without a cloud: compute nodes cannot be emptied.')]
  }
  const { path, cloud: name } = cluster.cloud
  const cloud = await options.resolveCloud(cluster.cloud)
  if (!cloud.ok) {
    return [
      broken('openstack', 'clouds.yaml', cloud.failure, 'Correct the file, then test again.'),
      notAsked('its settings cannot be used'),
    ]
  }
  const settings = fine('openstack', 'clouds.yaml', `Cloud ${name} in ${path}${regionWords(cloud.value)}.`)
  const opened = await options.connectOpenStack(cloud.value, options.registry.isEndpointAgreed)
  if (!opened.ok) {
    const remedy =
      opened.failure.code === 'unauthenticated'
        ? `Correct the credentials of cloud ${name} in ${path} or its secure.yaml.`
        : 'Check that Keystone can be reached from here; the message says what was tried.'
    return [settings, broken('openstack', 'Keystone', opened.failure, remedy), notAsked('nobody is logged in')]
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

/** Each address of the catalogue that a token goes to only with the operator's word. */
function endpointItems(
  connection: OpenStackConnection,
  { cluster, registry }: OpenStackTestOptions,
): readonly ClusterTestItem[] {
  return connection.foreignEndpoints().map(endpoint => {
    const { service, origin, keystone } = endpoint
    const name = `address: ${service}`
    const where = `The catalogue has ${service} at ${origin}, Keystone is at ${keystone}`
    return registry.isEndpointAgreed(endpoint)
      ? fine('openstack', name, `${where}; it was agreed that a token goes there.`)
      : missing(
          'openstack',
          name,
          `${where}: another host, or without its encryption. No token goes there until you agree.`,
          `If that is your ${service}: \`lockkeeper cluster consent ${cluster.name}\` once the cluster is added, or name the address in clouds.yaml (${service.replaceAll('-', '_')}_endpoint_override).`,
        )
  })
}

function regionWords(cloud: ResolvedCloud): string {
  return cloud.regionName === null ? ', any region' : `, region ${cloud.regionName}`
}

function notAsked(why: string): ClusterTestItem {
  return skipped('openstack', 'services', `Not asked: ${why}.`)
}

async function testConnection(
  connection: OpenStackConnection,
  cluster: Cluster,
  cloud: ResolvedCloud,
  signal: AbortSignal | undefined,
): Promise<readonly ClusterTestItem[]> {
  const { userName, projectName, roles } = connection.identity()
  const who = `user ${userName}${projectName === null ? '' : ` in project ${projectName}`}`
  const items: ClusterTestItem[] = [
    fine('openstack', 'Keystone', `Logged in as ${who}.`),
    ...connection.warnings.map(warning =>
      doubtful(
        'openstack',
        warning.code,
        warning.message,
        'Name the certificate authority with cacert, and use an https auth_url.',
      ),
    ),
    projectName === null
      ? doubtful(
          'openstack',
          'roles',
          `The login of user ${userName} is for no project (roles: ${roles.join(', ') || 'none'}): newer Novas and Placement refuse it, whatever its roles.`,
          'Name a project in clouds.yaml: project_name instead of system_scope or domain_name.',
        )
      : roles.includes('admin')
        ? fine('openstack', 'roles', `Roles: ${roles.join(', ')}.`)
        : doubtful(
            'openstack',
            'roles',
            `Roles of ${who}: ${roles.join(', ') || 'none'}. Most clouds ask for admin to move the instances of others.`,
            'Use credentials with the role admin, or see below what the policy of this cloud allows.',
          ),
  ]
  for (const [service, label, needed] of NEEDED_SERVICES) {
    items.push(
      connection.has(service)
        ? fine('openstack', `catalogue: ${service}`, `The catalogue has ${label}.`)
        : missing(
            'openstack',
            `catalogue: ${service}`,
            `The catalogue has no ${cloud.interface} address of ${label}${regionWords(cloud)}; it is asked for ${needed}.`,
            'Correct region_name and interface in clouds.yaml, or have the endpoint added to the catalogue.',
          ),
    )
  }
  const services = connection.has('compute') ? ['Keystone', 'Nova'] : ['Keystone']
  const clocks = await connection.clocks(signal)
  items.push(...services.map(server => clockItem(server, clocks)))
  if (!connection.has('compute'))
    return [...items, skipped('openstack', 'policy', 'Not asked: the catalogue has no Nova.')]
  const version = await connection.microversion('compute', signal)
  if (!version.ok) {
    const remedy = `Nova must speak microversion 2.${NEEDED_MINOR} or newer (Pike, 2017); see the message.`
    return [
      ...items,
      broken('openstack', 'Nova', version.failure, remedy),
      skipped('openstack', 'policy', 'Not asked: Nova cannot be spoken to.'),
    ]
  }
  items.push(microversionItem(version.value))
  const policies = await connection.probePolicies(signal)
  if (!policies.ok) {
    return [...items, broken('openstack', 'policy', policies.failure, 'Test again; the message says what went wrong.')]
  }
  return [
    ...items,
    ...policies.value.map(policyItem),
    ...(await watcherItems(connection, cluster, signal)),
    ...(await masakariItems(connection, signal)),
  ]
}

/** Masakari, where the cloud has it: a maintenance goes on without it, at the risk that it takes a reboot for a failure. */
async function masakariItems(
  connection: OpenStackConnection,
  signal: AbortSignal | undefined,
): Promise<readonly ClusterTestItem[]> {
  const name = 'catalogue: instance-ha'
  if (!connection.has('instance-ha')) return []
  const policies = await connection.probeMasakariPolicies(signal)
  if (!policies.ok) {
    return [doubtful('openstack', name, policies.failure.message, because('MasakariUnprobed').message)]
  }
  return [
    fine('openstack', name, because('MasakariInCatalogue').message),
    ...policies.value.map(answer =>
      answer.allowed === false
        ? doubtful('permissions', answer.rule, answer.message, because('MasakariUntold').message)
        : policyItem(answer),
    ),
  ]
}

/** Watcher, where it is what empties the compute nodes of this cluster. */
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
        'The catalogue has no Watcher, and compute nodes of this cluster are emptied by it.',
        `Enable Watcher, or \`lockkeeper cluster set ${cluster.name} --strategy nova\`.`,
      ),
    ]
  }
  const version = await connection.microversion('infra-optim', signal)
  if (!version.ok) return [broken('openstack', 'Watcher', version.failure, 'Is watcher-api running?')]
  const spoken =
    version.value === null ? '' : ` and is spoken to with API ${version.value.major}.${version.value.minor}`
  const items = [fine('openstack', name, `The catalogue has Watcher, which empties compute nodes${spoken}.`)]
  const policies = await connection.probeWatcherPolicies(signal)
  return policies.ok
    ? [...items, ...policies.value.map(policyItem)]
    : [...items, broken('openstack', 'Watcher', policies.failure, 'Test again; the message says what went wrong.')]
}

function microversionItem(version: { readonly major: number; readonly minor: number } | null): ClusterTestItem {
  const enough = version !== null && version.major === 2 && version.minor >= NEEDED_MINOR
  if (version === null || !enough) {
    const told = version === null ? 'no microversion' : `microversion ${version.major}.${version.minor}`
    return broken(
      'openstack',
      'Nova',
      { message: `Nova speaks ${told}; 2.${NEEDED_MINOR} is needed.` },
      'This cloud is too old for Lockkeeper, or clouds.yaml limits the version.',
    )
  }
  return fine(
    'openstack',
    'Nova',
    `Nova is spoken to with microversion ${version.major}.${version.minor} (services by id need 2.53, tags 2.26).`,
  )
}

function policyItem({ need, rule, allowed, message }: PolicyAnswer): ClusterTestItem {
  if (allowed === true) return fine('permissions', rule, message)
  if (allowed === 'unknown') {
    return doubtful(
      'permissions',
      rule,
      message,
      `If a run fails when it is to ${need}, have the rule ${rule} allow it.`,
    )
  }
  return missing(
    'permissions',
    rule,
    message,
    `Use credentials with the needed role, or have the rule ${rule} widened.`,
  )
}
