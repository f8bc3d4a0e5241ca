import type { Cluster } from '../../shared/domain/cluster.ts'
import type { InstanceView } from '../../shared/domain/cluster-view.ts'
import type { HardGroup } from '../../shared/domain/group-hosts.ts'
import { shownAction } from '../../shared/domain/instance-policy.ts'
import { markedActions } from '../../shared/domain/instance-tags.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { Instance } from '../../shared/domain/openstack.ts'
import { usualPolicyOf } from '../procedures/steps/compute/classify-instances.ts'

/** An instance as the screens draw it; `node` is the one with its host, null: none. */
export function projectInstance(
  instance: Instance,
  node: ClusterNode | null,
  cluster: Pick<Cluster, 'flavour' | 'roleMaintenance'>,
  groups: readonly HardGroup[] = [],
): InstanceView {
  const policy = usualPolicyOf(instance, node ?? { annotations: {} }, cluster)
  const { flavor } = instance
  return {
    id: instance.id,
    name: instance.name,
    projectId: instance.projectId,
    host: instance.host,
    node: node?.name ?? null,
    zone: instance.availabilityZone,
    status: instance.status,
    taskState: instance.taskState,
    vmState: instance.vmState,
    powerState: instance.powerState,
    action: shownAction(policy.action, instance),
    actionSource: policy.source,
    actionReason: policy.reason,
    remedy: policy.remedy,
    warnings: [...policy.warnings],
    marks: [...markedActions(instance.tags)],
    flavor:
      flavor === null
        ? null
        : {
            name: flavor.name,
            vcpus: flavor.vcpus,
            ramMib: flavor.ramMib,
            diskGib: flavor.diskGib,
            ephemeralGib: flavor.ephemeralGib,
          },
    volumes: instance.volumeIds.length,
    locked: instance.locked,
    ...(instance.pinnedZone === undefined ? {} : { pinnedZone: instance.pinnedZone }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    updatedAt: instance.updatedAt,
  }
}
