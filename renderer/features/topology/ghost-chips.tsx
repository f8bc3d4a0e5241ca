import { type ReactNode, useEffect, useMemo } from 'react'
import { takesOut } from '../../../shared/domain/plan.ts'
import { useGhosts } from '../../stores/ghosts.ts'
import { ghostsNow } from '../../stores/node-instances.ts'
import { usePlanDialog } from '../../stores/plan-dialog.ts'
import { useDrag } from './drag-room.tsx'
import { judgeNow } from './node-actions.ts'

/** Draws nothing: during a drag, or the plan that takes them out is open, tiles show where their instances may go. */
export function GhostChips({ cluster }: { readonly cluster: string }): ReactNode {
  const held = useDrag(state => (state.kind === 'held' ? state.payload : null))
  const isBack = useDrag(state => state.kind === 'held' && state.target === 'leaving')
  const inHand = useMemo(() => {
    if (held === null || isBack) return ''
    const verdict = judgeNow(cluster, held, 'entering')
    return verdict.kind === 'plan' ? verdict.nodes.join(' ') : ''
  }, [cluster, held, isBack])
  const planned = usePlanDialog(({ open }) =>
    open?.cluster === cluster && open.kind !== 'undo' && takesOut(open.kind) ? open.nodes.join(' ') : '',
  )
  const names = inHand === '' ? planned : inHand
  useEffect(() => {
    const leaving = names === '' ? [] : names.split(' ')
    const ghosts = leaving.length === 0 ? null : ghostsNow(cluster, leaving)
    if (ghosts === null) return
    useGhosts.setState({ held: { cluster, leaving: new Set(leaving), ghosts } })
    return () => useGhosts.setState({ held: null })
  }, [cluster, names])
  return null
}
