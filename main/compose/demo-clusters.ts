import { DEFAULT_LIMITS } from '../../shared/domain/cluster.ts'
import type { Trouble } from '../../shared/domain/demo-troubles.ts'
import type { Result } from '../../shared/domain/result.ts'
import { DEFAULT_ROLE_LABELS } from '../../shared/domain/roles.ts'
import type { Registry } from '../clusters/registry.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { DemoClouds } from '../ports/demo-clouds.ts'
import { startDemoClouds } from '../wings/simulators/door.ts'

/** What else the demo does from its start. */
export interface DemoWish {
  readonly troubles?: readonly Trouble[]
  /** The LCM of demo-mosk starts its update at once. */
  readonly update?: boolean
}

/** Starts the embedded clouds in this process and registers them (--demo). */
export async function addDemoClusters(
  directory: string,
  registry: Registry,
  clock: Clock,
  { troubles = [], update = false }: DemoWish = {},
): Promise<Result<DemoClouds>> {
  const demo = await startDemoClouds({
    clock,
    directory,
    edge: true,
    troubles,
    mosk: { controllers: true, lcm: update ? 'commenced' : 'waits' },
    sunbeam: {},
  })
  if (!demo.ok) return demo
  for (const cluster of demo.value.clusters) {
    registry.add({
      name: cluster.name,
      flavour: cluster.flavour,
      kubeconfig: { paths: [cluster.kubeconfigPath], context: cluster.context },
      cloud: { path: cluster.cloudsYamlPath, cloud: cluster.cloud },
      roleLabels: DEFAULT_ROLE_LABELS,
      limits: DEFAULT_LIMITS,
      openstackNamespace: 'openstack',
      leaseNamespace: 'default',
      production: cluster.production,
      colour: null,
      maintenanceApi: cluster.maintenanceApi,
      roleMaintenance: cluster.roleMaintenance,
    })
  }
  return demo
}
