import { type ReactNode, useMemo } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import {
  actionOfHostMode,
  HOST_MODES,
  type HostMode,
  instancePolicy,
  shownAction,
} from '../../../shared/domain/instance-policy.ts'
import { tagOf } from '../../../shared/domain/instance-tags.ts'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { ACTION_WORDS, MARK_WORDS } from '../../../shared/words/actions.ts'
import { areInstancesRead, lastOf, useViews } from '../../stores/views.ts'

interface Props {
  readonly cluster: string
  readonly node: string
  /** The mode to preview; undefined if there is none. */
  readonly mode: HostMode | null | undefined
  readonly stands: string | null
}

/** How many instances a mode would treat differently; its line stays, so that nothing jumps. */
export function HostModePreview({ cluster, node, mode, stands }: Props): ReactNode {
  const instances = useViews(store => {
    const live = mode === undefined || mode === stands ? null : lastOf(store.byCluster.get(cluster))
    return live === null || !areInstancesRead(live) ? null : live.instances
  })
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

/** The mode of a node in the words of an instance's mode; an unknown one as it is. */
export function hostModeTitle(mode: string | null): string {
  if (mode === null) return 'Not set'
  return HOST_MODES.some(known => known === mode) ? MARK_WORDS[actionOfHostMode(mode)] : mode
}

/** `“Stop with node” changes 3 of 5 instances: 2 “Stops” instead of “Moves” …`. */
export function previewWords({ total, changes }: ModePreview, mode: HostMode | null): string {
  const name = `“${hostModeTitle(mode)}”`
  if (total === 0) return `${name}: no instance is on this node.`
  const changed = changes.reduce((sum, { count }) => sum + count, 0)
  if (changed === 0) {
    return `${name}: no change. The modes and states of the ${counted(total, 'instance')} decide first.`
  }
  const parts = changes.map(
    ({ from, to, count }) => `${count} “${ACTION_WORDS[to]}” instead of “${ACTION_WORDS[from]}”`,
  )
  return `${name} changes ${changed} of ${counted(total, 'instance')}: ${listed(parts)}.`
}

/** How many instances another mode would treat differently, and how. */
interface ModePreview {
  readonly total: number
  readonly changes: readonly {
    readonly from: InstanceView['action']
    readonly to: InstanceView['action']
    readonly count: number
  }[]
}

/** The effect of a mode on the node's instances; their states and their own marks decide first (docs/domain.md A.6). */
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
