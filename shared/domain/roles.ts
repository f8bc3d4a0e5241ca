import { z } from 'zod'

export const NodeRole = z.enum(['control', 'gateway', 'compute', 'storage'])
export type NodeRole = z.infer<typeof NodeRole>

/** `key` matches any value, `key=value` exactly. One matching label gives a node the role. */
export const RoleLabelRules = z.strictObject({
  control: z.array(z.string()),
  gateway: z.array(z.string()),
  compute: z.array(z.string()),
  storage: z.array(z.string()),
})
export type RoleLabelRules = z.infer<typeof RoleLabelRules>

/** They say nothing about OpenStack. */
const KUBERNETES_CONTROL = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'] as const

/** As domain.md A.10 (Rockoon settings), with Kubernetes' own control-plane labels. */
export const DEFAULT_ROLE_LABELS: RoleLabelRules = {
  control: ['openstack-control-plane=enabled', ...KUBERNETES_CONTROL],
  gateway: ['openstack-gateway=enabled'],
  compute: ['openstack-compute-node=enabled'],
  storage: ['ceph_role_osd=true', 'role=ceph-osd-node'],
}

/** In the order control, gateway, compute, storage. */
export function rolesOf(labels: Readonly<Record<string, string>>, rules: RoleLabelRules): readonly NodeRole[] {
  return NodeRole.options.filter(role => labelsOfRole(labels, role, rules).length > 0)
}

/** domain.md A.10: storage alone does not count, nor Kubernetes' own control plane unless the settings name no other label. */
export function openstackRolesOf(
  labels: Readonly<Record<string, string>>,
  rules: RoleLabelRules,
): readonly Exclude<NodeRole, 'storage'>[] {
  const isKubernetes = (rule: string) => KUBERNETES_CONTROL.some(own => rule === own || rule.startsWith(`${own}=`))
  const own = rules.control.filter(rule => !isKubernetes(rule))
  const matched = rolesOf(labels, { ...rules, control: own.length === 0 ? rules.control : own })
  return (['control', 'gateway', 'compute'] as const).filter(role => matched.includes(role))
}

/** As written in the cluster's settings. */
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
