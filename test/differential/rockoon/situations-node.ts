import { deployment, type KubeObject, object, type Situation } from './situation.ts'

type Role = 'control' | 'gateway' | 'compute'

const LABELS: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
  control: { 'openstack-control-plane': 'enabled' },
  gateway: { 'openstack-gateway': 'enabled' },
  compute: { 'openstack-compute-node': 'enabled' },
}

/** A node that is Ready. */
export const node = (name: string, roles: readonly Role[], readiness = 'True'): KubeObject =>
  object('Node', name, {
    meta: { labels: Object.assign({}, ...roles.map(role => LABELS[role])), annotations: {} },
    status: { conditions: [{ type: 'Ready', status: readiness }], nodeInfo: {}, addresses: [] },
  })

/** The lock of a node, begun or not, with the release it names. */
export function lockOf(
  name: string,
  state: 'active' | 'inactive',
  inner: 'active' | 'inactive' | null,
  release: string | null,
): KubeObject {
  return object('NodeWorkloadLock', `openstack-${name}`, {
    meta: { annotations: inner === null ? {} : { inner_state: inner } },
    spec: { controllerName: 'openstack', nodeName: name, nodeDeletionRequestSupported: true },
    status: { state, ...(release === null ? {} : { release }) },
  })
}

interface Other {
  readonly roles: readonly Role[]
  readonly inner: 'active' | 'inactive' | null
  readonly state: 'active' | 'inactive'
  readonly zone?: string
}

const begun = (...roles: readonly Role[]): Other => ({ roles, inner: 'active', state: 'inactive' })
const OTHERS: Readonly<Record<string, readonly Other[]>> = {
  'no other node': [],
  'a control node begun': [begun('control')],
  'a gateway begun': [begun('gateway')],
  'a compute node begun': [begun('compute')],
  'a node without a role begun': [begun()],
  'a control node that is a compute node too begun': [begun('control', 'compute')],
  'two compute nodes begun': [begun('compute'), begun('compute')],
  'a gateway and a compute node begun': [begun('gateway'), begun('compute')],
  'a compute node that was brought back': [{ roles: ['compute'], inner: 'inactive', state: 'active' }],
  'a compute node inactive, not marked as begun': [{ roles: ['compute'], inner: null, state: 'inactive' }],
  'a compute node that nobody asked for': [{ roles: ['compute'], inner: null, state: 'active' }],
}

const TARGETS: Readonly<Record<string, readonly Role[]>> = {
  'a control node': ['control'],
  'a gateway': ['gateway'],
  'a compute node': ['compute'],
  'a control node that is a compute node too': ['control', 'compute'],
  'a node without a role': [],
}

const LIMITS = {
  'one of each': [1, 1],
  'two compute nodes': [2, 1],
  'two gateways': [1, 2],
  'thirty of each': [30, 30],
} as const

interface Parts {
  readonly roles: readonly Role[]
  readonly others: readonly Other[]
  readonly limits: readonly [compute: number, gateway: number]
  readonly isZoneAware?: boolean
  readonly zones?: Readonly<Record<string, string>>
  readonly own?: 'active' | 'inactive' | null
  readonly state?: 'active' | 'inactive'
  readonly release?: string
  readonly asked?: string | null
  readonly locked?: string | null
  readonly isDeployed?: boolean
  /** What the names of the other nodes begin with: API servers list by name. */
  readonly prefix?: string
}

function situation(name: string, parts: Parts): Situation {
  const { release = 'm2', asked = 'm2', locked = 'm2', own = null, state = 'active', prefix = 'first' } = parts
  const others = parts.others.map((other, at) => ({ ...other, name: `${prefix}-${at + 1}` }))
  return {
    name: `node: ${name}`,
    handler: 'node_maintenance_request_change_handler',
    request: object('NodeMaintenanceRequest', 'one', {
      spec: { nodeName: 'one', scope: 'drain', ...(asked === null ? {} : { release: asked }) },
    }),
    lock: ['NodeWorkloadLock', 'openstack-one'],
    objects: [
      node('one', parts.roles),
      // Nova has services somewhere: a cloud without any is another question.
      node('spare', ['compute']),
      lockOf('one', state, own, locked),
      ...others.flatMap(other => [node(other.name, other.roles), lockOf(other.name, other.state, other.inner, 'm2')]),
      ...((parts.isDeployed ?? true) ? [deployment(['compute'])] : []),
    ],
    release,
    conf: {
      nwl_parallel_max_compute: parts.limits[0],
      nwl_parallel_max_gateway: parts.limits[1],
      respect_nova_az: parts.isZoneAware ?? false,
    },
    zones: parts.zones ?? {},
  }
}

/** Which nodes may start: roles, nodes that have started, limits, zones, releases. */
export const NODE: readonly Situation[] = [
  ...Object.entries(TARGETS).flatMap(([target, roles]) =>
    Object.entries(OTHERS).flatMap(([beside, others]) =>
      Object.entries(LIMITS).map(([limit, limits]) =>
        situation(`${target}; ${beside}; at most ${limit}`, { roles, others, limits }),
      ),
    ),
  ),
  ...Object.entries(TARGETS).flatMap(([target, roles]) =>
    Object.entries(OTHERS).map(([beside, others]) =>
      situation(`${target} that has started already; ${beside}`, { roles, others, limits: [1, 1], own: 'active' }),
    ),
  ),
  ...[true, false].flatMap(isZoneAware =>
    Object.entries({ 'of the same zone': 'az1', 'of another zone': 'az2' }).flatMap(([where, zone]) =>
      Object.entries(TARGETS).flatMap(([target, roles]) =>
        (['compute', 'control'] as const).flatMap(role =>
          Object.entries({ first: 'listed before it', other: 'listed after it' }).map(([prefix, listed]) =>
            situation(
              `${target}; a ${role} node ${where} begun, ${listed}; zones ${isZoneAware ? '' : 'do not '}count`,
              {
                roles,
                others: [begun(role)],
                limits: [30, 30],
                isZoneAware,
                prefix,
                zones: { one: 'az1', [`${prefix}-1`]: zone },
              },
            ),
          ),
        ),
      ),
    ),
  ),
  ...Object.entries({
    'of its release': ['m2', 'm2', 'm2'],
    'without a release': ['m2', null, 'm2'],
    'of another release': ['m2', 'm1', 'm2'],
    'of its release, the lock of another': ['m2', 'm2', 'm1'],
    'of its release, the lock without one': ['m2', 'm2', null],
    'of a release, none set here': ['', 'm2', null],
    'without a release, none set here': ['', null, null],
  } as const).flatMap(([name, [release, asked, locked]]) =>
    (['active', 'inactive'] as const).flatMap(state =>
      [true, false].map(isDeployed =>
        situation(`asked ${name}; lock ${state}; ${isDeployed ? 'deployed' : 'no deployment'}`, {
          roles: ['compute'],
          others: [],
          limits: [1, 1],
          release,
          asked,
          locked,
          state,
          own: state === 'inactive' ? 'active' : null,
          isDeployed,
        }),
      ),
    ),
  ),
]
