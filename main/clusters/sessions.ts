import type { Cluster } from '../../shared/domain/cluster.ts'
import { seconds } from '../../shared/domain/durations.ts'
import type { Failure } from '../../shared/domain/failure.ts'
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
const BELIEVE_REFUSAL_MS = seconds(30)

interface Held {
  /** The settings that the session was opened with: when the operator changes them, a new session opens. */
  readonly way: string
  kubernetes: Promise<Result<KubernetesConnection>> | null
  openstack: Promise<Result<OpenStackConnection>> | null
  refusedAt: number | null
  juju: JujuConnection | null
}

/** One session per cluster, opened on first use with the files of that moment: later changes of context do not affect it. */
export function createSessions(options: SessionsOptions): Sessions {
  const { registry, clock } = options
  const log = options.log.child('clusters')
  const held = new Map<string, Held>()

  function holdingOf(cluster: Cluster): Held {
    const way = JSON.stringify([
      cluster.kubeconfig,
      cluster.cloud,
      cluster.leaseNamespace,
      cluster.roleMaintenance.juju,
    ])
    const known = held.get(cluster.name)
    if (known?.way === way) return known
    if (known !== undefined) closeHeld(known)
    const fresh: Held = { way, kubernetes: null, openstack: null, refusedAt: null, juju: null }
    held.set(cluster.name, fresh)
    return fresh
  }

  async function kubernetesOf(cluster: Cluster, holding: Held): Promise<Result<KubernetesConnection>> {
    holding.kubernetes ??= options.connectKubernetes(cluster, plugin => registry.isConsented(plugin.fingerprint))
    const opening = holding.kubernetes
    const opened = await opening.catch(fault => {
      if (holding.kubernetes === opening) holding.kubernetes = null
      throw fault
    })
    if (!opened.ok && holding.kubernetes === opening) holding.kubernetes = null
    return opened
  }

  async function openstackOf(cluster: Cluster, holding: Held): Promise<Result<OpenStackConnection> | null> {
    const { cloud } = cluster
    if (cloud === null) return null
    const refused = holding.refusedAt !== null && clock.now() - holding.refusedAt < BELIEVE_REFUSAL_MS
    if (!refused && holding.refusedAt !== null) {
      holding.openstack = null
      holding.refusedAt = null
    }
    holding.openstack ??= login(cloud)
    const opening = holding.openstack
    const opened = await opening.catch(fault => {
      if (holding.openstack === opening) holding.openstack = null
      throw fault
    })
    if (!opened.ok && holding.openstack === opening) {
      if (opened.failure.code === 'unauthenticated') holding.refusedAt ??= clock.now()
      else holding.openstack = null
    }
    return opened
  }

  function jujuOf({ roleMaintenance: { juju } }: Cluster, holding: Held): JujuConnection | null {
    if (juju === null) return null
    holding.juju ??= options.connectJuju(() => options.resolveJuju(juju))
    return holding.juju
  }

  async function login(source: NonNullable<Cluster['cloud']>): Promise<Result<OpenStackConnection>> {
    const cloud = await options.resolveCloud(source)
    return cloud.ok ? options.connectOpenStack(cloud.value, registry.isEndpointAgreed) : cloud
  }

  return {
    open: async name => {
      const found = registry.get(name)
      if (!found.ok) return found
      const cluster = found.value
      const holding = holdingOf(cluster)
      const [kubernetes, openstack] = await Promise.all([kubernetesOf(cluster, holding), openstackOf(cluster, holding)])
      const openstackFailure: Failure | null = openstack === null || openstack.ok ? null : openstack.failure
      if (!kubernetes.ok) {
        log.warn('kubernetes session failed', { cluster: name, code: kubernetes.failure.code })
        return kubernetes
      }
      if (openstackFailure !== null) {
        log.warn('openstack session failed', { cluster: name, code: openstackFailure.code })
      }
      return ok({
        cluster,
        kubernetes: kubernetes.value,
        openstack: openstack?.ok ? openstack.value : null,
        openstackFailure,
        juju: jujuOf(cluster, holding),
      })
    },
    openKubernetes: async name => {
      const found = registry.get(name)
      return found.ok ? kubernetesOf(found.value, holdingOf(found.value)) : found
    },
    forget: name => {
      const known = held.get(name)
      held.delete(name)
      if (known !== undefined) closeHeld(known)
    },
    closeAll: () => {
      for (const known of held.values()) closeHeld(known)
      held.clear()
    },
  }
}

/** Also closes a session that is still opening, as soon as it is open. */
function closeHeld(holding: Held): void {
  holding.juju?.close()
  for (const opening of [holding.kubernetes, holding.openstack]) {
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
