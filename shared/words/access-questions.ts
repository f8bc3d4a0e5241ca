import type { AccessQuestion } from '../domain/kubernetes.ts'

/** `create pods/eviction`, `get leases.coordination.k8s.io in namespace default` */
export function permissionWords({ verb, group, resource, subresource, namespace }: AccessQuestion): string {
  const what = `${resource}${subresource === undefined ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`
  return `${verb} ${what}${namespace === undefined ? '' : ` in namespace ${namespace}`}`
}
