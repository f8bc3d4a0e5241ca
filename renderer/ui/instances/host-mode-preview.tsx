import { type ReactNode, useMemo } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { type HostMode, instancePolicy, shownAction } from '../../../shared/domain/instance-policy.ts'
import { tagOf } from '../../../shared/domain/instance-tags.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { ACTION_WORDS } from '../../../shared/words/actions.ts'
import { lastOf, useViews } from '../../stores/views.ts'

interface Props {
  readonly cluster: string
  readonly node: string
  /** The mode that is looked at; undefined while none is. */
  readonly mode: HostMode | null | undefined
  readonly stands: string | null
}

/** How many instances a mode would treat in another way than now; its line stays, so that nothing jumps. */
export function HostModePreview({ cluster, node, mode, stands }: Props): ReactNode {
  const instances = useViews(store =>
    mode === undefined || mode === stands ? null : (lastOf(store.byCluster.get(cluster))?.instances ?? null),
  )
  const preview = useMemo(
    () =>
      instances === null || mode === undefined
        ? null
        : previewMode(
            [...instances.values()].filter(instance => instance.node === node),
            mode,
          ),
    [instances, mode, node],
  )
  return (
    <p className="mode-preview" aria-live="polite">
      {preview === null || mode === undefined ? ' ' : previewWords(preview, mode)}
    </p>
  )
}

/** `skip would change 3 of 5 instances: 2 stop with host instead of moving live …`. */
export function previewWords({ total, changes }: ModePreview, mode: HostMode | null): string {
  const name = mode ?? 'not set'
  if (total === 0) return `${name}: no instance is on this host now.`
  const changed = changes.reduce((sum, { count }) => sum + count, 0)
  if (changed === 0) {
    return `${name}: the same for all ${counted(total, 'instance')} of this host; their marks and states decide first.`
  }
  const parts = changes.map(
    ({ from, to, count }) => `${count} “${ACTION_WORDS[to]}” instead of “${ACTION_WORDS[from]}”`,
  )
  return `${name} changes ${changed} of ${counted(total, 'instance')}: ${listed(parts)}.`
}

/** How many instances of a host would be treated in another way under another mode of it, and how. */
interface ModePreview {
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
