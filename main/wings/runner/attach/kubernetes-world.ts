import type { Result } from '../../../../shared/domain/result.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { Clusters } from '../../../clusters/clusters.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { KubernetesPort } from '../../../ports/kubernetes.ts'
import { createMaintenanceRuns } from '../kubernetes/maintenance-runs.ts'
import { createPortForward } from '../kubernetes/port-forward.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'
import type { PortForward } from '../ports/port-forward.ts'

/** The Kubernetes part of a cluster, which is enough to reach a runner: without a login to its cloud. */
export interface KubernetesWorld {
  readonly kubernetes: KubernetesPort
  readonly portForward: PortForward
  readonly maintenanceRuns: (namespace: string) => MaintenanceRunsPort
}

/** The registered clusters, and how to reach a runner in them. */
export interface ClustersOfRunners extends Pick<Clusters, 'get' | 'list'> {
  openKubernetes(name: string): Promise<Result<KubernetesWorld>>
}

export function clustersOfRunners(
  clusters: Pick<Clusters, 'get' | 'list' | 'openKubernetes'>,
  clock: Clock,
): ClustersOfRunners {
  return {
    get: clusters.get,
    list: clusters.list,
    openKubernetes: async name => {
      const opened = await clusters.openKubernetes(name)
      if (!opened.ok) return opened
      const { port, session } = opened.value
      return ok({
        kubernetes: port,
        portForward: createPortForward(session),
        maintenanceRuns: namespace => createMaintenanceRuns({ session, namespace, clock }),
      })
    },
  }
}
