import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { listed } from '../../../shared/grammar/counts.ts'
import { type PlaceDrag, usePlaceDrag } from '../../ui/drag/use-place-drag.ts'
import { type LanePlace, laneWords, moveLanes, placeBeside } from '../../ui/plan/lane-order.ts'
import type { UpdateDraft } from '../../ui/plan/update-draft.ts'

type LaneOrder = Pick<UpdateDraft, 'controlNodes' | 'groups'>

export interface LaneMoves extends PlaceDrag {
  /** What the screen reader says about the last move. */
  readonly said: string
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** Moves lanes by pointer and by keys. */
export function useLaneMoves(
  draft: LaneOrder,
  root: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  onEdit: (change: LaneOrder) => void,
): LaneMoves {
  const [said, setSaid] = useState('')
  const refocus = useRef<string | null>(null)
  const put = useCallback(
    (nodes: readonly string[], place: LanePlace) => {
      const next = moveLanes(draft, nodes, place)
      if (next === draft) {
        setSaid(`${listed(nodes)} ${nodes.length === 1 ? 'stays' : 'stay'} there.`)
        return
      }
      setSaid(nodes.map(node => laneWords(next, node)).join(' '))
      onEdit({ controlNodes: next.controlNodes, groups: next.groups })
    },
    [draft, onEdit],
  )
  const drop = useCallback(
    (nodes: readonly string[], written: string) => {
      const place = placeOf(written)
      if (place !== null) put(nodes, place)
    },
    [put],
  )
  const dragged = usePlaceDrag('data-lane-place', scroller, drop)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a lane moves only when the order changes.
  useLayoutEffect(() => {
    if (refocus.current === null) return
    root.current?.querySelector<HTMLElement>(`[data-lane="${CSS.escape(refocus.current)}"]`)?.focus()
    refocus.current = null
  }, [draft])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const node = event.target instanceof HTMLElement ? event.target.dataset.lane : undefined
    if (node === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null
    const go = (place: LanePlace | null) => {
      event.preventDefault()
      refocus.current = node
      if (place === null) setSaid(`${node} is already at the end.`)
      else put([node], place)
    }
    if (by !== null && event.shiftKey) go(placeBeside(draft, node, by))
    else if (by !== null) {
      event.preventDefault()
      focusBeside(root.current, node, by)
    } else if (event.key === 'n') go({ kind: 'new' })
    else if (event.key === 'Delete' || event.key === 'Backspace') go({ kind: 'out' })
  }
  return { ...dragged, said, onKeyDown }
}

/** A place, as its element names it. */
function placeOf(written: string): LanePlace | null {
  const [kind, name = ''] = written.split(' ')
  switch (kind) {
    case 'before':
      return { kind, node: name }
    case 'end':
      return { kind, list: name }
    case 'new':
    case 'out':
      return { kind }
    default:
      return null
  }
}

function focusBeside(root: HTMLElement | null, node: string, by: -1 | 1): void {
  const all = [...(root?.querySelectorAll<HTMLElement>('[data-lane]') ?? [])]
  all[all.findIndex(({ dataset }) => dataset.lane === node) + by]?.focus()
}
