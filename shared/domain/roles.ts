import { z } from 'zod'

/** What a node does in the cloud. A node may have several roles. */
export const NodeRole = z.enum(['control', 'gateway', 'compute', 'storage'])
export type NodeRole = z.infer<typeof NodeRole>

/**
 * Which node labels mean which role, per cluster: `key` alone matches any value, `key=value` matches exactly.
 * A node has the role when any of its labels matches.
 */
export const RoleLabelRules = z.strictObject({
  control: z.array(z.string()),
  gateway: z.array(z.string()),
  compute: z.array(z.string()),
  storage: z.array(z.string()),
})
export type RoleLabelRules = z.infer<typeof RoleLabelRules>

/** Kubernetes' own labels of a node that runs its control plane: they say nothing about OpenStack. */
const KUBERNETES_CONTROL = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'] as const

/** Defaults of domain.md A.10 (Rockoon settings), with Kubernetes' own control-plane labels beside them. */
export const DEFAULT_ROLE_LABELS: RoleLabelRules = {
  control: ['openstack-control-plane=enabled', ...KUBERNETES_CONTROL],
  gateway: ['openstack-gateway=enabled'],
  compute: ['openstack-compute-node=enabled'],
  storage: ['ceph_role_osd=true', 'role=ceph-osd-node'],
}

/** The roles of a node with these labels, in the order control, gateway, compute, storage. */
export function rolesOf(labels: Readonly<Record<string, string>>, rules: RoleLabelRules): readonly NodeRole[] {
  return NodeRole.options.filter(role => labelsOfRole(labels, role, rules).length > 0)
}

/**
 * What OpenStack has on a node with these labels (domain.md A.10): storage alone is no role of it, and Kubernetes' own control plane is none
 * either, unless the settings name no other label for OpenStack's.
 */
export function openstackRolesOf(
  labels: Readonly<Record<string, string>>,
  rules: RoleLabelRules,
): readonly Exclude<NodeRole, 'storage'>[] {
  const isKubernetes = (rule: string) => KUBERNETES_CONTROL.some(own => rule === own || rule.startsWith(`${own}=`))
  const own = rules.control.filter(rule => !isKubernetes(rule))
  const reported = rolesOf(labels, { ...rules, control: own.length === 0 ? rules.control : own })
  return (['control', 'gateway', 'compute'] as const).filter(role => reported.includes(role))
}

/** The rules of a role that the labels of a node meet, as they are written in the settings of the cluster. */
export function labelsOfRole(
  labels: Readonly<Record<string, string>>,
  role: NodeRole,
  rules: RoleLabelRules,
): readonly string[] {
  return rules[role].filter(rule => matches(labels, rule))
}

function matches(labels: Readonly<Record<string, string>>, rule: string): boolean {
  const at = rule.indexOf('=')
  if (at < 0) return Object.hasOwn(labels, rule)
  return labels[rule.slice(0, at)] === rule.slice(at + 1)
}
