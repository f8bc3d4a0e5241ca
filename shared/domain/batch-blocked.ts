import type { BatchNode } from './batch-facts.ts'
import type { FoundProblem } from './batch-rules.ts'
import { instancePolicy } from './instance-policy.ts'
import type { Instance } from './openstack.ts'

/** Instances that no maintenance can handle yet, such as one in ERROR: they block the plan of their node. */
export function blockedInBatch(
  {
    instances,
    nodes,
  }: {
    readonly instances: readonly Instance[] | null
    readonly nodes: readonly Pick<BatchNode, 'name' | 'host' | 'hostMode'>[]
  },
  batch: readonly string[],
): FoundProblem | null {
  const modes = new Map(
    nodes.flatMap(({ name, host, hostMode }) =>
      host !== null && batch.includes(name) ? [[host, { name, hostMode }] as const] : [],
    ),
  )
  const blocked = (instances ?? []).flatMap(instance => {
    const place = modes.get(instance.host ?? '')
    if (place === undefined || instancePolicy({ ...instance, hostMode: place.hostMode }).action !== 'blocked') return []
    return [{ name: instance.name, node: place.name }]
  })
  if (blocked.length === 0) return null
  return {
    rule: 'instance-blocked',
    weight: 'soft',
    nodes: [...new Set(blocked.map(({ node }) => node))],
    breach: { code: 'InstancesBlocked', values: { instances: blocked } },
  }
}
