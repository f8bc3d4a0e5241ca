import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { JudgedBatch } from '../../../shared/domain/batches.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { OwnEstimate } from '../../../shared/domain/estimate.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { rangeWords } from '../../../shared/words/windows.ts'
import { type PlaceDrag, usePlaceDrag } from '../../ui/drag/use-place-drag.ts'
import { BatchVerdict } from '../../ui/windows/batch-verdict.tsx'
import {
  type BatchBoard,
  type BatchTarget,
  batchOf,
  keyTarget,
  moveBatch,
  moveNodes,
  moveWords,
  nodesOf,
  placeName,
  targetOf,
} from './batch-board.ts'
import { BatchCard } from './batch-card.tsx'
import { BatchHead } from './batch-head.tsx'

interface Props {
  readonly board: BatchBoard
  readonly nodes: ReadonlyMap<string, NodeView> | null
  /** The verdict on each batch, by its place; empty before the first verdict. */
  readonly judged: readonly JudgedBatch[]
  /** Whether the verdicts belong to the current batches. */
  readonly isCurrent: boolean
  /** Why a node was left out, by name. */
  readonly whyLeft: ReadonlyMap<string, string>
  readonly estimate: OwnEstimate | null
  readonly onEdit: (board: BatchBoard) => void
}

/** The batches with their nodes as cards, moved by pointer and by keys. */
export function BatchBoardView(props: Props): ReactNode {
  const { board, nodes, judged, isCurrent, whyLeft, estimate, onEdit } = props
  const root = useRef<HTMLElement>(null)
  const hand = useBoardMoves(board, root, onEdit)
  const { drag } = hand
  const trouble = useMemo(() => troubles(judged), [judged])

  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const name = event.target instanceof HTMLElement ? event.target.dataset.card : undefined
    if (name === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const act = actionOfKey(event.key, event.shiftKey, name, board, hand)
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const card = (name: string) => (
    <BatchCard
      key={name}
      name={name}
      node={nodes?.get(name) ?? null}
      isGone={nodes !== null && !nodes.has(name)}
      isSelected={hand.selected.has(name)}
      isDragged={drag?.names.includes(name) ?? false}
      isFocusable={name === hand.focusable}
      trouble={trouble.get(name) ?? null}
      whyLeft={whyLeft.get(name) ?? null}
      onFocus={hand.setCurrent}
      onToggle={hand.toggle}
      onPress={hand.pressCard}
    />
  )
  return (
    <section ref={root} className="win-board" aria-label="Batches" onKeyDown={onKey} data-dragging={drag !== null}>
      <div className="win-batch-grid">
        {board.batches.map((batch, at) => (
          <section
            // biome-ignore lint/suspicious/noArrayIndexKey: a batch is its place.
            key={at}
            className="win-batch"
            aria-label={`Batch ${at + 1}`}
            data-batch-target={placeName({ kind: 'batch', at })}
            data-over={drag?.over === placeName({ kind: 'batch', at })}
          >
            <BatchHead at={at} nodes={batch.length} isLast={at === board.batches.length - 1} onMove={hand.shiftBatch} />
            <ul className="win-cards plain-list">{batch.map(card)}</ul>
            <SpanOfBatch estimate={estimate} batch={at + 1} isCurrent={isCurrent} />
            <BatchVerdict judged={judged[at] ?? null} isCurrent={isCurrent} />
          </section>
        ))}
        <NewBatch board={board} over={drag?.over ?? null} />
      </div>
      <LeftOut board={board} over={drag?.over ?? null}>
        {board.leftOut.map(card)}
      </LeftOut>
      <p className="win-board-keys quiet">
        Drag cards, or use keys: arrows move between cards, Shift and arrows move a card to the next batch, <kbd>n</kbd>{' '}
        makes a new batch, <kbd>Delete</kbd> leaves it out, <kbd>Space</kbd> selects several.
      </p>
      <div className="visually-hidden" aria-live="assertive">
        {hand.said}
      </div>
      {drag === null ? null : (
        <div ref={hand.ghost} className="win-ghost" aria-hidden="true">
          <b>{drag.names.length === 1 ? drag.names[0] : counted(drag.names.length, 'node')}</b>
        </div>
      )}
    </section>
  )
}

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

interface BoardMoves {
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
function useBoardMoves(
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

/** What a key does on the card of a node; null if nothing. */
function actionOfKey(
  key: string,
  shift: boolean,
  name: string,
  board: BatchBoard,
  hand: BoardMoves,
): (() => void) | null {
  const by = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : key === 'ArrowRight' || key === 'ArrowDown' ? 1 : null
  if (by !== null && shift) {
    return () => {
      const target = keyTarget(board, name, by)
      if (target === null) hand.say(`${name} is already at the end.`)
      else hand.carry(name, target)
    }
  }
  if (by !== null) {
    const next = hand.names[hand.names.indexOf(name) + by]
    return next === undefined ? null : () => hand.focusCard(next)
  }
  switch (key) {
    case ' ':
      return () => hand.toggle(name)
    case 'n':
      return () => hand.carry(name, { kind: 'new', before: (batchOf(board, name) ?? board.batches.length - 1) + 1 })
    case 'Delete':
    case 'Backspace':
      return () => hand.carry(name, { kind: 'out' })
    case 'Escape':
      return hand.selected.size === 0 ? null : hand.unselect
    default:
      return null
  }
}

/** The place of a batch that does not exist yet. */
function NewBatch({ board, over }: { readonly board: BatchBoard; readonly over: string | null }): ReactNode {
  return (
    <section
      className="win-batch win-batch-new"
      aria-label="A new batch"
      data-batch-target={placeName({ kind: 'new', before: board.batches.length })}
      data-over={over === placeName({ kind: 'new', before: board.batches.length })}
    >
      <p className="quiet">
        {board.batches.length === 0 ? 'Drag nodes here for the first batch' : 'A new batch: drag nodes here'}
      </p>
    </section>
  )
}

interface LeftOutProps {
  readonly board: BatchBoard
  readonly over: string | null
  readonly children: ReactNode
}

/** The nodes in no batch. */
function LeftOut({ board, over, children }: LeftOutProps): ReactNode {
  return (
    <section
      className="win-batch win-batch-out"
      aria-label="Left out"
      data-batch-target={placeName({ kind: 'out' })}
      data-over={over === placeName({ kind: 'out' })}
    >
      <header className="win-batch-head row">
        <h3>{board.batches.length === 0 ? 'In no batch yet' : 'Left out'}</h3>
        <span className="quiet">{counted(board.leftOut.length, 'node')}</span>
      </header>
      {board.leftOut.length === 0 ? <p className="quiet">Drag nodes here to leave them out of this window.</p> : null}
      <ul className="win-cards plain-list">{children}</ul>
    </section>
  )
}

/** The worst problem of each node, by name. */
function troubles(judged: readonly JudgedBatch[]): ReadonlyMap<string, 'hard' | 'soft'> {
  const found = new Map<string, 'hard' | 'soft'>()
  for (const { problems } of judged) {
    for (const { weight, nodes } of problems) {
      for (const name of nodes) if (found.get(name) !== 'hard') found.set(name, weight)
    }
  }
  return found
}

function SpanOfBatch({
  estimate,
  batch,
  isCurrent,
}: {
  readonly estimate: OwnEstimate | null
  readonly batch: number
  readonly isCurrent: boolean
}): ReactNode {
  const span = estimate?.batches.find(each => each.batch === batch)?.span ?? null
  if (span === null) return null
  return <p className={`win-batch-span quiet${isCurrent ? '' : ' win-old'}`}>{rangeWords(span)}</p>
}
