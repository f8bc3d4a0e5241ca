import type { RequestInput } from '../../shared/contract/index.ts'
import { type Cluster, DEFAULT_LIMITS } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { isSameJson } from '../../shared/domain/is-same-json.ts'
import { DEFAULT_MAINTENANCE_API } from '../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../shared/domain/roles.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type ChooseOptions, chooseCloud, chooseKubeconfig } from './choose-files.ts'
import type { Registry } from './registry.ts'

export const OPENSTACK_NAMESPACE = 'openstack'
/** Every cluster has it, and it contains no Leases of Kubernetes itself, which a role in kube-system could overwrite. */
export const LEASE_NAMESPACE = 'default'

interface AddClusterOptions extends ChooseOptions {
  readonly registry: Registry
}

/** Registers a cluster with usable files, stored as absolute paths: a later switch of context or directory changes nothing. */
export async function addCluster(
  input: RequestInput<'cluster.add'>,
  options: AddClusterOptions,
): Promise<Result<Cluster>> {
  const kubeconfig = await chooseKubeconfig(input.kubeconfig, options)
  if (!kubeconfig.ok) return kubeconfig
  const cloud = await chooseCloud(input.cloud, options)
  if (!cloud.ok) return cloud
  const maintenanceApi = { ...DEFAULT_MAINTENANCE_API, ...given(input.maintenanceApi) }
  const without = refusalWithoutCloud({ name: input.name, cloud: cloud.value, maintenanceApi })
  if (without !== null) return failed(without)
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
    maintenanceApi,
    roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ...given(input.roleMaintenance) },
  })
}

type Change = RequestInput<'cluster.update'>['change']

/** A cluster after a change: changed files become absolute paths and must be usable now, as when adding. */
export async function changedCluster(
  before: Cluster,
  change: Change,
  options: ChooseOptions,
): Promise<Result<Cluster>> {
  const kubeconfig =
    change.kubeconfig === undefined || isSameJson(change.kubeconfig, before.kubeconfig)
      ? ok(before.kubeconfig)
      : await chooseKubeconfig(change.kubeconfig, options)
  if (!kubeconfig.ok) return kubeconfig
  const cloud =
    change.cloud === undefined || isSameJson(change.cloud, before.cloud)
      ? ok(before.cloud)
      : await chooseCloud(change.cloud, options)
  if (!cloud.ok) return cloud
  const after: Cluster = { ...before, ...given(change), kubeconfig: kubeconfig.value, cloud: cloud.value }
  // A cluster that already has this problem may still change its other settings.
  const without = refusalWithoutCloud(before) === null ? refusalWithoutCloud(after) : null
  return without === null ? ok(after) : failed(without)
}

/** Why a console without a cloud cannot answer for OpenStack: it would release nodes whose instances it never saw; null if it can. */
function refusalWithoutCloud({
  name,
  cloud,
  maintenanceApi: { controllers },
}: Pick<Cluster, 'name' | 'cloud' | 'maintenanceApi'>): Failure | null {
  if (cloud !== null || controllers.openstack !== 'console') return null
  return refusal('bad-input', because('ControllersWithoutCloud', { cluster: name }), { target: `cluster/${name}` })
}

/** Whether a change concerns how a cluster is reached: then no work may run over the old way. */
export function isReachedAnotherWay(before: Cluster, after: Cluster): boolean {
  return (
    !isSameJson(before.kubeconfig, after.kubeconfig) ||
    !isSameJson(before.cloud, after.cloud) ||
    before.leaseNamespace !== after.leaseNamespace ||
    !isSameJson(before.roleMaintenance.juju, after.roleMaintenance.juju)
  )
}

/** Stores a changed cluster; writes only the differences, so that a concurrent change is not undone. */
export function keepChanged(registry: Registry, before: Cluster, after: Cluster): Result<Cluster> {
  const { name: _name, addedAt: _addedAt, ...settings } = after
  const earlier: Readonly<Record<string, unknown>> = before
  return registry.update(
    before.name,
    Object.fromEntries(Object.entries(settings).filter(([key, value]) => !isSameJson(value, earlier[key]))),
  )
}

function given<T extends object>(values: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
