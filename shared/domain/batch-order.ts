import type { BatchNode } from './batch-facts.ts'
import type { BatchOptions } from './batches.ts'
import { byName } from './destinations.ts'

/** Control nodes first, as in an update; then zone by zone (`spread`: one node of each zone in turn), and by name. No zone comes last. */
export function batchOrder(nodes: readonly BatchNode[], zones: BatchOptions['zones']): readonly BatchNode[] {
  const ranked = new Map<string, number>()
  const inZone = new Map<string, number>()
  for (const { name, zone } of [...nodes].sort((a, b) => byName(a.name, b.name))) {
    const key = zone ?? ''
    const rank = inZone.get(key) ?? 0
    ranked.set(name, rank)
    inZone.set(key, rank + 1)
  }
  const turn = (node: BatchNode) => (zones === 'spread' ? (ranked.get(node.name) ?? 0) : 0)
  return [...nodes].sort(
    (a, b) =>
      Number(isControl(b)) - Number(isControl(a)) ||
      turn(a) - turn(b) ||
      byZone(a.zone, b.zone) ||
      byName(a.name, b.name),
  )
}

/** An update takes them before all others, in separate batches. */
export function isControl({ roles }: Pick<BatchNode, 'roles'>): boolean {
  return roles.includes('control')
}

function byZone(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return byName(one, other)
}
