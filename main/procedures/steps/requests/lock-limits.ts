import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import {
  type MaintenanceApiSettings,
  type NodeWorkloadLock,
  originalLabels,
  SEED_COMPUTE_MAX,
} from '../../../../shared/domain/maintenance-api.ts'
import { type NodeRole, openstackRolesOf, type RoleLabelRules } from '../../../../shared/domain/roles.ts'
import type { HeldBack } from '../../../../shared/words/steps/requests-limits.ts'

/** A node as the limits see it. */
interface LimitedNode {
  readonly name: string
  readonly roles: readonly NodeRole[]
  /** Availability zone of its compute service; null: no zone, or unknown. */
  readonly zone: string | null
}

/** The roles that the OpenStack Controller counts. */
const LIMITED_ROLES = ['control', 'gateway', 'compute'] as const

/**
 * Why a node may not begin while these have begun, by the limits for each role (docs/domain.md A.4): one controller, gateways and computes as
 * configured, by default one compute. `any`: a role at its limit holds back every node, whatever its own roles, like Rockoon's can_handle_nmr. `own`:
 * only nodes of that role. With respectZone a compute of another zone than the first waits.
 */
export function heldBackByLimits(
  node: LimitedNode,
  begun: readonly LimitedNode[],
  settings: Pick<MaintenanceApiSettings, 'computeMax' | 'gatewayMax' | 'roleLimits' | 'respectZone'>,
): HeldBack | null {
  const others = begun.filter(other => other.name !== node.name)
  const limits = { control: 1, gateway: settings.gatewayMax, compute: settings.computeMax ?? SEED_COMPUTE_MAX } as const
  for (const role of LIMITED_ROLES) {
    if (settings.roleLimits === 'own' && !node.roles.includes(role)) continue
    const holding = others.filter(other => other.roles.includes(role)).map(other => other.name)
    if (holding.length < limits[role]) continue
    return { by: 'role', role, holding, limit: limits[role] }
  }
  const [first] = others.flatMap(({ name, roles, zone }) =>
    roles.includes('compute') && zone !== null ? [{ name, zone }] : [],
  )
  if (settings.respectZone && node.roles.includes('compute') && node.zone !== null && first !== undefined) {
    if (first.zone !== node.zone) {
      return { by: 'zone', zone: node.zone, first: first.name, firstZone: first.zone }
    }
  }
  return null
}

/** A node for the limits, from its labels. `zone` comes from Nova's compute service. */
export function limitedNode(
  node: Pick<ClusterNode, 'name' | 'labels'>,
  rules: RoleLabelRules,
  zone: string | null,
): LimitedNode {
  return { name: node.name, roles: openstackRolesOf(node.labels, rules), zone }
}

/**
 * A node that has begun, by its lock. Its labels may be gone, so it counts in its present roles and in those when its lock was made; a node without
 * any known role counts in every role. `labels`: null where the cluster no longer lists the node.
 */
export function begunNode(
  lock: Pick<NodeWorkloadLock, 'annotations'>,
  { name, labels }: { readonly name: string; readonly labels: ClusterNode['labels'] | null },
  rules: RoleLabelRules,
  zone: string | null,
): LimitedNode {
  const reported = [...openstackRolesOf(labels ?? {}, rules), ...openstackRolesOf(originalLabels(lock), rules)]
  const roles = LIMITED_ROLES.filter(role => reported.includes(role))
  return { name, zone, roles: roles.length > 0 ? roles : LIMITED_ROLES }
}
