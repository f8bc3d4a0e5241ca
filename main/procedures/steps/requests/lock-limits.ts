import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import {
  type MaintenanceApiSettings,
  type NodeWorkloadLock,
  originalLabels,
  SEED_COMPUTE_MAX,
} from '../../../../shared/domain/maintenance-api.ts'
import { type NodeRole, openstackRolesOf, type RoleLabelRules } from '../../../../shared/domain/roles.ts'
import type { HeldBack } from '../../../../shared/words/steps/requests-limits.ts'

interface LimitedNode {
  readonly name: string
  readonly roles: readonly NodeRole[]
  /** The zone of its compute service; null if there is no zone, or unknown. */
  readonly zone: string | null
}

const LIMITED_ROLES = ['control', 'gateway', 'compute'] as const

/**
 * Why a node may not begin yet (docs/domain.md A.4). `any`: a role at its limit holds back every node, as Rockoon does; `own`: only nodes of that
 * role.
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

/** `zone` comes from Nova's compute service. */
export function limitedNode(
  node: Pick<ClusterNode, 'name' | 'labels'>,
  rules: RoleLabelRules,
  zone: string | null,
): LimitedNode {
  return { name: node.name, roles: openstackRolesOf(node.labels, rules), zone }
}

/** A node that has begun counts in its roles of now and of when its lock was made; without a known role, in every role. */
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
