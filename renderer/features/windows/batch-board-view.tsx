import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useMemo, useRef } from 'react'
import type { JudgedBatch } from '../../../shared/domain/batches.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { OwnEstimate } from '../../../shared/domain/estimate.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { estimateWords } from '../../../shared/grammar/durations.ts'
import { shortBlocks } from '../../../shared/words/window-judgements.ts'
import { BatchVerdict } from '../../ui/windows/batch-verdict.tsx'
import { type BatchBoard, batchOf, keyTarget, placeName } from './batch-board.ts'
import { BatchCard } from './batch-card.tsx'
import { BatchHead } from './batch-head.tsx'
import { type BoardMoves, useBoardMoves } from './use-board-moves.ts'

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
  const keys = useId()
  const hand = useBoardMoves(board, root, onEdit)
  const { drag, names } = hand
  const trouble = useMemo(() => troubles(judged), [judged])
  const blocked = useMemo(() => blocksIn(judged), [judged])

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
      blocked={blocked.get(name) ?? null}
      whyLeft={board.leftOut.includes(name) ? (whyLeft.get(name) ?? null) : null}
      onFocus={hand.setCurrent}
      onToggle={hand.toggle}
      onPress={hand.pressCard}
    />
  )
  return (
    <section
      ref={root}
      className="win-board"
      aria-label="Batches"
      aria-describedby={keys}
      onKeyDown={onKey}
      data-dragging={drag !== null}
    >
      <p id={keys} className="visually-hidden">
        Arrows go from card to card, with Shift they move it to the next batch; n makes a new batch, Delete leaves it
        out, Space selects several.
      </p>
      <div className="win-batch-grid">
        {board.batches.map((batch, at) => (
          <OneBatch
            // biome-ignore lint/suspicious/noArrayIndexKey: a batch is its place.
            key={at}
            at={at}
            takes={isCurrent ? takesOf(estimate, at + 1) : ''}
            isLast={at === board.batches.length - 1}
            over={drag?.over ?? null}
            judged={judged[at] ?? null}
            isCurrent={isCurrent}
            onMove={hand.shiftBatch}
          >
            {batch.map(card)}
          </OneBatch>
        ))}
        {names.length === 0 ? null : <NewBatch board={board} over={drag?.over ?? null} />}
      </div>
      {names.length === 0 ? null : (
        <LeftOut board={board} over={drag?.over ?? null}>
          {board.leftOut.map(card)}
        </LeftOut>
      )}
      <div className="visually-hidden" aria-live="assertive">
        {hand.said}
      </div>
      {drag === null ? null : <Ghost ghost={hand.ghost} names={drag.names} />}
    </section>
  )
}

/** What hangs on the pointer. */
function Ghost({
  ghost,
  names,
}: {
  readonly ghost: BoardMoves['ghost']
  readonly names: readonly string[]
}): ReactNode {
  return (
    <div ref={ghost} className="drag-ghost" aria-hidden="true">
      <b>{names.length === 1 ? names[0] : counted(names.length, 'node')}</b>
    </div>
  )
}

interface BatchProps extends ComponentProps<typeof BatchHead> {
  /** The place under what is dragged; null if nothing is. */
  readonly over: string | null
  readonly judged: JudgedBatch | null
  readonly isCurrent: boolean
  /** How long it takes; empty if unknown. */
  readonly takes: string
  readonly children: ReactNode
}

/** One batch: its number, its cards and its verdict. */
function OneBatch({ over, judged, isCurrent, takes, children, ...head }: BatchProps): ReactNode {
  const place = placeName({ kind: 'batch', at: head.at })
  return (
    <section
      className="win-batch"
      aria-label={`Batch ${head.at + 1}`}
      data-batch-target={place}
      data-over={over === place}
    >
      <BatchHead {...head} />
      <ul className="win-cards plain-list">{children}</ul>
      <BatchVerdict judged={judged} isCurrent={isCurrent} takes={takes} />
    </section>
  )
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
      <p className="quiet">{board.batches.length === 0 ? 'First batch' : 'New batch'}: drag nodes here</p>
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
      {board.leftOut.length === 0 ? <p className="quiet small">Drag nodes here to leave them out.</p> : null}
      <ul className="win-cards plain-list">{children}</ul>
    </section>
  )
}

/** The worst problem of each node, by name. */
function troubles(judged: readonly JudgedBatch[]): ReadonlyMap<string, 'hard' | 'soft'> {
  const found = new Map<string, 'hard' | 'soft'>()
  for (const { problems } of judged) {
    for (const { rule, weight, nodes } of problems) {
      const worst = rule === 'plan-blocked' ? 'hard' : weight
      for (const name of nodes) if (found.get(name) !== 'hard') found.set(name, worst)
    }
  }
  return found
}

/** What blocks each node that cannot go out, in short. */
function blocksIn(judged: readonly JudgedBatch[]): ReadonlyMap<string, string> {
  const found = judged
    .flatMap(({ problems }) => problems)
    .filter(({ rule }) => rule === 'plan-blocked')
    .map(({ nodes: [node = ''], code, values, words }) => ({ node, code, values, message: words }))
  return new Map([...Map.groupBy(found, ({ node }) => node)].map(([node, blocks]) => [node, shortBlocks(blocks)]))
}

function takesOf(estimate: OwnEstimate | null, batch: number): string {
  const span = estimate?.batches.find(each => each.batch === batch)?.span ?? null
  return span === null ? '' : `about ${estimateWords(span.lowMs, span.lowMs)}`
}
