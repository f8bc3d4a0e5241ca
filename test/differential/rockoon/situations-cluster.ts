import { deployment, ITS_VERSION, type KubeObject, object, type Situation } from './situation.ts'

const LOCK = 'openstack-osh'
const SERVICES = ['identity', 'compute', 'networking', 'database']

type Health = Readonly<Record<string, Readonly<Record<string, object>>>>
const part = (status: string) => ({ status, generation: 1 })

/** The health of all services, with one of them as it is named. */
function healthWith(application: string, parts: Readonly<Record<string, object>> | null): Health {
  const well = {
    keystone: { api: part('Ready') },
    nova: { 'api-osapi': part('Ready'), 'compute-default': part('Ready') },
    neutron: { server: part('Ready') },
    mariadb: { server: part('Ready') },
  }
  const { [application]: _, ...others } = well as Health
  return parts === null ? others : { ...others, [application]: parts }
}

/** Every health of one application next to others that are well. */
const HEALTHS: Readonly<Record<string, Health | null>> = {
  'all Ready': healthWith('keystone', { api: part('Ready') }),
  'one Unhealthy': healthWith('nova', { 'api-osapi': part('Ready'), 'compute-default': part('Unhealthy') }),
  'one Progressing': healthWith('nova', { 'api-osapi': part('Ready'), 'compute-default': part('Progressing') }),
  'one Unknown': healthWith('nova', { 'api-osapi': part('Ready'), 'compute-default': part('Unknown') }),
  'one without a status': healthWith('nova', { 'api-osapi': part('Ready'), 'compute-default': { generation: 1 } }),
  'one in small letters': healthWith('nova', { 'api-osapi': part('ready') }),
  'all Unhealthy': {
    keystone: { api: part('Unhealthy') },
    nova: { api: part('Unhealthy') },
    neutron: { server: part('Unhealthy') },
    mariadb: { server: part('Unhealthy') },
  },
  'a service without components': healthWith('keystone', {}),
  'a service of OpenStack missing': healthWith('keystone', null),
  'the database missing': healthWith('mariadb', null),
  'all services but one missing': { nova: { api: part('Ready') } },
  'no service at all': {},
  'no health': null,
  'an application beside the services Ready': {
    ...healthWith('keystone', { api: part('Ready') }),
    etcd: { etcd: part('Ready') },
  },
  'an application beside the services Unhealthy': {
    ...healthWith('keystone', { api: part('Ready') }),
    etcd: { etcd: part('Unhealthy') },
  },
}

const STATES = ['APPLIED', 'APPLYING', 'WAITING', 'DELETING', 'FAILED', '', null] as const

/** Releases of the controller, of the request, of the cluster's lock and of the deployment's status. */
const RELEASES = {
  'all of one release': ['m2', 'm2', 'm2', 'm2'],
  'a request without a release': ['m2', null, 'm2', 'm2'],
  'a request of another release': ['m2', 'm1', 'm2', 'm2'],
  'a lock of another release': ['m2', 'm2', 'm1', 'm2'],
  'a lock without a release': ['m2', 'm2', null, 'm2'],
  'a status of another release': ['m2', 'm2', 'm2', 'm1'],
  'a status without a release': ['m2', 'm2', 'm2', null],
  'no release set here, one asked for': ['', 'm2', null, null],
  'no release anywhere': ['', null, null, null],
} as const

interface Parts {
  readonly health: Health | null
  readonly state: string | null
  readonly releases: (typeof RELEASES)[keyof typeof RELEASES]
  readonly locked?: 'active' | 'inactive'
  readonly version?: string
  readonly services?: readonly string[]
  /** What of the deployment and its status is there. */
  readonly there?: 'both' | 'deployment' | 'nothing' | 'empty status'
}

function situation(name: string, parts: Parts): Situation {
  const [release, asked, locked, reported] = parts.releases
  const { there = 'both', services = SERVICES, version = ITS_VERSION } = parts
  const osdpl = {
    ...(parts.state === null ? {} : { state: parts.state }),
    ...(reported === null ? {} : { release: reported }),
    controller_version: version,
    fingerprint: 'f',
  }
  const status = {
    osdpl,
    services: Object.fromEntries(services.map(service => [service, { state: 'APPLIED', fingerprint: 'f' }])),
    ...(parts.health === null ? {} : { health: parts.health }),
  }
  const lock = object('ClusterWorkloadLock', LOCK, {
    spec: { controllerName: 'openstack' },
    status: { state: parts.locked ?? 'active', ...(locked === null ? {} : { release: locked }) },
  })
  const own = object('OpenStackDeploymentStatus', 'osh', { meta: { namespace: 'openstack' }, status })
  const deployed: readonly KubeObject[] =
    there === 'nothing'
      ? []
      : there === 'deployment'
        ? [deployment(services)]
        : [deployment(services), there === 'both' ? own : { ...own, status: {} }]
  return {
    name: `cluster: ${name}`,
    handler: 'cluster_maintenance_request_change_handler',
    request: object('ClusterMaintenanceRequest', 'update', {
      spec: { scope: 'os', ...(asked === null ? {} : { release: asked }) },
    }),
    lock: ['ClusterWorkloadLock', LOCK],
    objects: [lock, ...deployed],
    release,
    conf: {},
    zones: {},
  }
}

const well = HEALTHS['all Ready'] ?? null
const one = RELEASES['all of one release']

/** The gate of the cluster: health, state of the deployment and releases, each with each. */
export const CLUSTER: readonly Situation[] = [
  ...Object.entries(HEALTHS).flatMap(([health, of]) =>
    STATES.flatMap(state =>
      Object.entries(RELEASES).map(([name, releases]) =>
        situation(`${health}; ${state === null ? 'no state' : state || 'an empty state'}; ${name}`, {
          health: of,
          state,
          releases,
        }),
      ),
    ),
  ),
  ...Object.entries(RELEASES).flatMap(([name, releases]) => [
    situation(`no deployment; ${name}`, { health: null, state: null, releases, there: 'nothing' }),
    situation(`a deployment without a status object; ${name}`, {
      health: null,
      state: null,
      releases,
      there: 'deployment',
    }),
    situation(`a status object without a status; ${name}`, {
      health: null,
      state: null,
      releases,
      there: 'empty status',
    }),
    situation(`the lock inactive already; ${name}`, { health: well, state: 'APPLIED', releases, locked: 'inactive' }),
  ]),
  ...Object.entries(HEALTHS).map(([health, of]) =>
    situation(`the lock inactive already, ${health}`, {
      health: of,
      state: 'APPLIED',
      releases: one,
      locked: 'inactive',
    }),
  ),
  situation('a status of another version of the controller', {
    health: well,
    state: 'APPLIED',
    releases: one,
    version: '0.9',
  }),
  situation('no services asked for, none there', { health: {}, state: 'APPLIED', releases: one, services: [] }),
  situation('no services asked for, some there', { health: well, state: 'APPLIED', releases: one, services: [] }),
  ...['tempest', 'redis', 'object-storage', 'stepler', 'descheduler', 'ingress'].map(service =>
    situation(`${service} has no separate health`, {
      health: well,
      state: 'APPLIED',
      releases: one,
      services: [...SERVICES, service],
    }),
  ),
  ...[
    'image',
    'block-storage',
    'messaging',
    'memcached',
    'coordination',
    'load-balancer',
    'dns',
    'key-manager',
    'orchestration',
    'dashboard',
    'placement',
    'baremetal',
    'alarming',
    'event',
    'metering',
    'metric',
    'metric-storage',
    'instance-ha',
    'shared-file-system',
    'cloudprober',
    'app-gateway',
    'dynamic-resource-balancer',
  ].map(service =>
    situation(`${service} is requested and missing`, {
      health: well,
      state: 'APPLIED',
      releases: one,
      services: [...SERVICES, service],
    }),
  ),
]
