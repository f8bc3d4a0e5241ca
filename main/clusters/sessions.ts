import type { Cluster } from '../../shared/domain/cluster.ts'
import { seconds } from '../../shared/domain/durations.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { JujuAccess } from '../../shared/domain/role-maintenance.ts'
import type { ResolvedJuju } from '../adapters/juju/resolved-juju.ts'
import type { ResolvedCloud } from '../adapters/openstack/resolved-cloud.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { Registry } from './registry.ts'
import type {
  ClusterSession,
  ConnectJuju,
  ConnectKubernetes,
  ConnectOpenStack,
  JujuConnection,
  KubernetesConnection,
  OpenStackConnection,
} from './session-ports.ts'

export interface Sessions {
  /** Opens the session of a cluster, or returns the open one; retries earlier failures. */
  open(name: string): Promise<Result<ClusterSession>>
  /** The same for its Kubernetes alone, without a login to its cloud. */
  openKubernetes(name: string): Promise<Result<KubernetesConnection>>
  /** Closes the session of one cluster; the next use opens a new one. */
  forget(name: string): void
  closeAll(): void
}

interface SessionsOptions {
  readonly registry: Registry
  readonly connectKubernetes: ConnectKubernetes
  readonly connectOpenStack: ConnectOpenStack
  readonly resolveCloud: (source: NonNullable<Cluster['cloud']>) => Promise<Result<ResolvedCloud>>
  readonly connectJuju: ConnectJuju
  readonly resolveJuju: (access: JujuAccess) => Promise<Result<ResolvedJuju>>
  readonly clock: Clock
  readonly log: Logger
}

/** Keystone may lock an account after a few wrong passwords, so a refusal is remembered for a while. */
const REFUSAL_VALID_MS = seconds(30)

interface OpenSession {
  /** The settings that the session was opened with: when the operator changes them, a new session opens. */
  readonly settings: string
  kubernetes: Promise<Result<KubernetesConnection>> | null
  openstack: Promise<Result<OpenStackConnection>> | null
  refusedAt: number | null
  juju: JujuConnection | null
}

interface SessionsState extends SessionsOptions {
  readonly sessions: Map<string, OpenSession>
}

/** One session per cluster, opened on first use with the files of that moment: later changes of context do not affect it. */
export function createSessions(options: SessionsOptions): Sessions {
  const { registry } = options
  const state: SessionsState = { ...options, log: options.log.child('clusters'), sessions: new Map() }
  return {
    open: async name => {
      const found = registry.get(name)
      return found.ok ? openSession(state, found.value) : found
    },
    openKubernetes: async name => {
      const found = registry.get(name)
      return found.ok ? kubernetesOf(state, found.value, sessionOf(state, found.value)) : found
    },
    forget: name => {
      const known = state.sessions.get(name)
      state.sessions.delete(name)
      if (known !== undefined) closeSession(known)
    },
    closeAll: () => {
      for (const known of state.sessions.values()) closeSession(known)
      state.sessions.clear()
    },
  }
}

async function openSession(state: SessionsState, cluster: Cluster): Promise<Result<ClusterSession>> {
  const session = sessionOf(state, cluster)
  const [kubernetes, openstack] = await Promise.all([
    kubernetesOf(state, cluster, session),
    openstackOf(state, cluster, session),
  ])
  const openstackFailure = openstack === null || openstack.ok ? null : openstack.failure
  if (!kubernetes.ok) {
    state.log.warn('kubernetes session failed', { cluster: cluster.name, code: kubernetes.failure.code })
    return kubernetes
  }
  if (openstackFailure !== null) {
    state.log.warn('openstack session failed', { cluster: cluster.name, code: openstackFailure.code })
  }
  return ok({
    cluster,
    kubernetes: kubernetes.value,
    openstack: openstack?.ok ? openstack.value : null,
    openstackFailure,
    juju: jujuOf(state, cluster, session),
  })
}

/** The known session of a cluster, or a new one if its settings changed. */
function sessionOf({ sessions }: SessionsState, cluster: Cluster): OpenSession {
  const { kubeconfig, cloud, leaseNamespace, roleMaintenance } = cluster
  const settings = JSON.stringify([kubeconfig, cloud, leaseNamespace, roleMaintenance.juju])
  const known = sessions.get(cluster.name)
  if (known?.settings === settings) return known
  if (known !== undefined) closeSession(known)
  const fresh: OpenSession = { settings, kubernetes: null, openstack: null, refusedAt: null, juju: null }
  sessions.set(cluster.name, fresh)
  return fresh
}

async function kubernetesOf(
  { connectKubernetes, registry }: SessionsState,
  cluster: Cluster,
  session: OpenSession,
): Promise<Result<KubernetesConnection>> {
  session.kubernetes ??= connectKubernetes(cluster, plugin => registry.isConsented(plugin.fingerprint))
  const opening = session.kubernetes
  const opened = await opening.catch(fault => {
    if (session.kubernetes === opening) session.kubernetes = null
    throw fault
  })
  if (!opened.ok && session.kubernetes === opening) session.kubernetes = null
  return opened
}

async function openstackOf(
  state: SessionsState,
  { cloud }: Cluster,
  session: OpenSession,
): Promise<Result<OpenStackConnection> | null> {
  const { clock } = state
  if (cloud === null) return null
  const refused = session.refusedAt !== null && clock.now() - session.refusedAt < REFUSAL_VALID_MS
  if (!refused && session.refusedAt !== null) {
    session.openstack = null
    session.refusedAt = null
  }
  session.openstack ??= login(state, cloud)
  const opening = session.openstack
  const opened = await opening.catch(fault => {
    if (session.openstack === opening) session.openstack = null
    throw fault
  })
  if (!opened.ok && session.openstack === opening) {
    if (opened.failure.code === 'unauthenticated') session.refusedAt ??= clock.now()
    else session.openstack = null
  }
  return opened
}

function jujuOf(
  { connectJuju, resolveJuju }: SessionsState,
  { roleMaintenance: { juju } }: Cluster,
  session: OpenSession,
): JujuConnection | null {
  if (juju === null) return null
  session.juju ??= connectJuju(() => resolveJuju(juju))
  return session.juju
}

async function login(
  { resolveCloud, connectOpenStack, registry }: SessionsState,
  source: NonNullable<Cluster['cloud']>,
): Promise<Result<OpenStackConnection>> {
  const cloud = await resolveCloud(source)
  return cloud.ok ? connectOpenStack(cloud.value, registry.isEndpointAgreed) : cloud
}

/** Also closes a session that is still opening, as soon as it is open. */
function closeSession(session: OpenSession): void {
  session.juju?.close()
  for (const opening of [session.kubernetes, session.openstack]) {
    opening?.then(
      opened => {
        if (opened.ok) opened.value.close()
      },
      () => {
        // The caller that opened it received the failure.
      },
    )
  }
}
