import { type ReactNode, useEffect } from 'react'
import { ghostsOf } from '../../../shared/domain/ghosts.ts'
import { takesOut } from '../../../shared/domain/plan.ts'
import { useGhosts } from '../../stores/ghosts.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { useDrag } from './drag-room.tsx'

/** Draws nothing: while nodes are dragged over "Take out", tiles show where their instances may go. */
export function GhostChips({ cluster }: { readonly cluster: string }): ReactNode {
  // Selects a text, because the drag object changes with every move of the pointer but the node names do not.
  const names = useDrag(state =>
    state.kind === 'held' && state.verdict?.kind === 'plan' && takesOut(state.verdict.run)
      ? state.verdict.nodes.join(' ')
      : '',
  )
  useEffect(() => {
    if (names === '') return
    const leaving = names.split(' ')
    const live = lastOf(useViews.getState().byCluster.get(cluster))
    if (live === null) return
    const ghosts = ghostsOf(live.nodes.values(), live.instances.values(), leaving)
    useGhosts.setState({ held: { cluster, leaving: new Set(leaving), ghosts } })
    return () => useGhosts.setState({ held: null })
  }, [cluster, names])
  return null
}
