import type { BoundVolume, ClusterNode, NodeRequirement } from './kubernetes.ts'

/** By the rules of Kubernetes' scheduler: only its own node reaches a local disk. */
export function reachesVolume(node: Pick<ClusterNode, 'name' | 'labels'>, volume: Pick<BoundVolume, 'reach'>): boolean {
  return volume.reach === null || volume.reach.some(term => term.length > 0 && term.every(one => meets(node, one)))
}

function meets(node: Pick<ClusterNode, 'name' | 'labels'>, { key, operator, values }: NodeRequirement): boolean {
  const value = key === 'metadata.name' ? node.name : Object.hasOwn(node.labels, key) ? node.labels[key] : undefined
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0])
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0])
    default:
      return false
  }
}
