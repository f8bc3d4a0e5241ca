import { counted, someOf } from '../grammar/counts.ts'
import type { BatchNode } from './batch-ground.ts'
import type { BatchProblem } from './batches.ts'
import { instancePolicy } from './instance-policy.ts'
import type { Instance } from './openstack.ts'

/**
 * Instances of a batch that no maintenance can handle yet, such as one in ERROR: there is room for the others, and the plan of their node is blocked until
 * somebody looked after these. Null: there is none.
 */
export function blockedInBatch(
  {
    instances,
    nodes,
  }: {
    readonly instances: readonly Instance[] | null
    readonly nodes: readonly Pick<BatchNode, 'name' | 'host' | 'hostMode'>[]
  },
  batch: readonly string[],
): BatchProblem | null {
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
  const those = counted(blocked.length, 'instance is', 'instances are')
  return {
    rule: 'instance-blocked',
    weight: 'soft',
    nodes: [...new Set(blocked.map(({ node }) => node))],
    words: `${those} blocked, and so is the plan of the node: ${someOf(blocked.map(({ name, node }) => `${name} on ${node}`))}.`,
  }
}
