import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { instancePolicy, shownAction } from '../../../shared/domain/instance-policy.ts'
import { tagOf } from '../../../shared/domain/instance-tags.ts'

/** How many instances of a host would be treated in another way under another mode of it, and how. */
export interface ModePreview {
  readonly total: number
  readonly changes: readonly {
    readonly from: InstanceView['action']
    readonly to: InstanceView['action']
    readonly count: number
  }[]
}

/** What a mode would change for the instances of its host; their states and their owners' marks decide first (docs/domain.md A.6). */
export function previewMode(instances: Iterable<InstanceView>, hostMode: string | null): ModePreview {
  const counts = new Map<string, ModePreview['changes'][number]>()
  let total = 0
  for (const { action: from, marks, vmState, powerState, taskState, status, locked } of instances) {
    total += 1
    const { action } = instancePolicy({
      hostMode,
      tags: marks.map(tagOf),
      vmState,
      powerState,
      taskState,
      status,
      locked,
    })
    const to = shownAction(action, { status, taskState })
    if (to === from) continue
    const key = `${from} ${to}`
    counts.set(key, { from, to, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return { total, changes: [...counts.values()].sort((a, b) => b.count - a.count) }
}
