import type { RequestInput } from '../../shared/contract/index.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { type ChooseOptions, chooseCloud, chooseKubeconfig } from './choose-files.ts'
import { given } from './given.ts'
import type { Registry } from './registry.ts'

type Change = RequestInput<'cluster.update'>['change']

/** A cluster as it would be after a change: files that are changed are fixed as absolute paths and must be usable now, as when adding. */
export async function changedCluster(
  before: Cluster,
  change: Change,
  options: ChooseOptions,
): Promise<Result<Cluster>> {
  const kubeconfig =
    change.kubeconfig === undefined || same(change.kubeconfig, before.kubeconfig)
      ? ok(before.kubeconfig)
      : await chooseKubeconfig(change.kubeconfig, options)
  if (!kubeconfig.ok) return kubeconfig
  const cloud =
    change.cloud === undefined || same(change.cloud, before.cloud)
      ? ok(before.cloud)
      : await chooseCloud(change.cloud, options)
  if (!cloud.ok) return cloud
  return ok({ ...before, ...given(change), kubeconfig: kubeconfig.value, cloud: cloud.value })
}

/** Whether a change is about how a cluster is reached, so that nothing may be under way over the old way. */
export function isReachedAnotherWay(before: Cluster, after: Cluster): boolean {
  return (
    !same(before.kubeconfig, after.kubeconfig) ||
    !same(before.cloud, after.cloud) ||
    before.leaseNamespace !== after.leaseNamespace ||
    !same(before.roleMaintenance.juju, after.roleMaintenance.juju)
  )
}

/** Keeps a changed cluster; only what differs is written, so that a change made elsewhere meanwhile is not undone. */
export function keepChanged(registry: Registry, before: Cluster, after: Cluster): Result<Cluster> {
  const { name: _name, addedAt: _addedAt, ...settings } = after
  const earlier: Readonly<Record<string, unknown>> = before
  return registry.update(
    before.name,
    Object.fromEntries(Object.entries(settings).filter(([key, value]) => !same(value, earlier[key]))),
  )
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
