import type { RequestInput } from '../../shared/contract/index.ts'
import { type Cluster, DEFAULT_LIMITS } from '../../shared/domain/cluster.ts'
import { DEFAULT_MAINTENANCE_API } from '../../shared/domain/maintenance-api.ts'
import type { Result } from '../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../shared/domain/roles.ts'
import { type ChooseOptions, chooseCloud, chooseKubeconfig } from './choose-files.ts'
import { given } from './given.ts'
import type { Registry } from './registry.ts'

/** Where the OpenStack pods of MOSK and openstack-helm run. */
export const OPENSTACK_NAMESPACE = 'openstack'
/** There on every cluster, and holds no Leases of Kubernetes' own, which a role in kube-system could overwrite. */
export const LEASE_NAMESPACE = 'default'

/** What adding a cluster needs from around it. */
interface AddClusterOptions extends ChooseOptions {
  readonly registry: Registry
}

/**
 * Registers a cluster. What was left open is decided here once and for all (files, current context, cloud file), as absolute paths, so
 * that nothing follows a later switch of context or directory; both files must be usable as they are now.
 */
export async function addCluster(
  input: RequestInput<'cluster.add'>,
  options: AddClusterOptions,
): Promise<Result<Cluster>> {
  const kubeconfig = await chooseKubeconfig(input.kubeconfig, options)
  if (!kubeconfig.ok) return kubeconfig
  const cloud = await chooseCloud(input.cloud, options)
  if (!cloud.ok) return cloud
  return options.registry.add({
    name: input.name,
    flavour: input.flavour,
    kubeconfig: kubeconfig.value,
    cloud: cloud.value,
    roleLabels: { ...DEFAULT_ROLE_LABELS, ...given(input.roleLabels) },
    limits: { ...DEFAULT_LIMITS, ...given(input.limits) },
    openstackNamespace: input.openstackNamespace ?? OPENSTACK_NAMESPACE,
    leaseNamespace: input.leaseNamespace ?? LEASE_NAMESPACE,
    production: input.production ?? false,
    colour: input.colour ?? null,
    maintenanceApi: { ...DEFAULT_MAINTENANCE_API, ...given(input.maintenanceApi) },
    roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ...given(input.roleMaintenance) },
  })
}
