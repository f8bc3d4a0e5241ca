import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { type PlaceDrag, usePlaceDrag } from '../../ui/drag/use-place-drag.ts'
import { type BatchBoard, type BatchTarget, moveBatch, moveNodes, moveWords, nodesOf, targetOf } from './batch-board.ts'

/** The cards that a move takes along. */
function useSelected() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((name: string) => {
    setSelected(before => {
      const next = new Set(before)
      if (!next.delete(name)) next.add(name)
      return next
    })
  }, [])
  return { selected, setSelected, toggle }
}

export interface BoardMoves {
  /** All nodes of the board, in its order. */
  readonly names: readonly string[]
  readonly selected: ReadonlySet<string>
  /** The card that Tab reaches. */
  readonly focusable: string | null
  /** What the screen reader says about the last move. */
  readonly said: string
  readonly drag: PlaceDrag['drag']
  readonly ghost: PlaceDrag['ghost']
  readonly pressCard: (event: PointerEvent, name: string) => void
  readonly setCurrent: (name: string) => void
  readonly focusCard: (name: string) => void
  readonly toggle: (name: string) => void
  readonly unselect: () => void
  readonly say: (words: string) => void
  /** Moves a card, with the other selected cards if it is one of them, and gives it the focus again. */
  readonly carry: (name: string, target: BatchTarget) => void
  readonly shiftBatch: (at: number, by: -1 | 1) => void
}

/** Selects, focuses and moves the cards of a board. */
export function useBoardMoves(
  board: BatchBoard,
  root: RefObject<HTMLElement | null>,
  onEdit: (board: BatchBoard) => void,
): BoardMoves {
  const { selected, setSelected, toggle } = useSelected()
  const [current, setCurrent] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const scroller = useRef(document.getElementById('screen'))
  /** The card that gets the focus back once it is drawn in its new place. */
  const refocus = useRef<string | null>(null)
  const names = useMemo(() => [...nodesOf(board), ...board.leftOut], [board])
  const focusable = current !== null && names.includes(current) ? current : (names[0] ?? null)

  const focusCard = useCallback(
    (name: string) => {
      setCurrent(name)
      root.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(name)}"]`)?.focus()
    },
    [root],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card moves only when the board changes.
  useLayoutEffect(() => {
    if (refocus.current !== null) focusCard(refocus.current)
    refocus.current = null
  }, [board, focusCard])

  const put = useCallback(
    (moved: readonly string[], target: BatchTarget) => {
      const next = moveNodes(board, moved, target)
      if (next === board) return
      setSelected(new Set())
      setSaid(moved.length === 1 ? moveWords(next, moved[0] ?? '') : `${counted(moved.length, 'node')} moved.`)
      onEdit(next)
    },
    [board, onEdit, setSelected],
  )
  const drop = useCallback(
    (moved: readonly string[], place: string) => {
      const target = targetOf(place)
      if (target !== null) put(moved, target)
    },
    [put],
  )
  const { drag, ghost, press } = usePlaceDrag('data-batch-target', scroller, drop)
  const held = useCallback(
    (name: string) => (selected.has(name) ? names.filter(each => selected.has(each)) : [name]),
    [selected, names],
  )
  // Cards keep their old callbacks: otherwise every move would draw all of them.
  const latest = useRef({ board, held, onEdit })
  useLayoutEffect(() => {
    latest.current = { board, held, onEdit }
  }, [board, held, onEdit])
  const pressCard = useCallback((event: PointerEvent, name: string) => press(event, latest.current.held(name)), [press])
  const shiftBatch = useCallback(
    (at: number, by: -1 | 1) => latest.current.onEdit(moveBatch(latest.current.board, at, by)),
    [],
  )
  const carry = (name: string, target: BatchTarget) => {
    refocus.current = name
    put(held(name), target)
  }
  return {
    names,
    selected,
    focusable,
    said,
    drag,
    ghost,
    pressCard,
    setCurrent,
    focusCard,
    toggle,
    unselect: () => setSelected(new Set()),
    say: setSaid,
    carry,
    shiftBatch,
  }
}
