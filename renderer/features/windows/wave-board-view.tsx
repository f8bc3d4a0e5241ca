import { type KeyboardEvent, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { OwnEstimate } from '../../../shared/domain/estimate.ts'
import type { JudgedWave } from '../../../shared/domain/waves.ts'
import { counted } from '../../words/numbers.ts'
import { rangeWords } from '../../words/windows.ts'
import { placeName, useWaveDrag } from './use-wave-drag.ts'
import {
  keyTarget,
  moveNodes,
  moveWave,
  moveWords,
  nodesOf,
  type WaveBoard,
  type WaveTarget,
  waveOf,
} from './wave-board.ts'
import { WaveCard } from './wave-card.tsx'
import { WaveHead } from './wave-head.tsx'
import { WaveVerdict } from './wave-verdict.tsx'

interface Props {
  readonly board: WaveBoard
  readonly nodes: ReadonlyMap<string, NodeView> | null
  /** What is said of each wave, by its place; empty before the first judgement. */
  readonly judged: readonly JudgedWave[]
  /** Whether that was said of the waves as they stand now. */
  readonly isCurrent: boolean
  /** Why a node was left out, by name. */
  readonly whyLeft: ReadonlyMap<string, string>
  readonly estimate: OwnEstimate | null
  readonly onEdit: (board: WaveBoard) => void
}

/** The waves with their nodes as cards, moved between them by pointer and by keys. */
export function WaveBoardView(props: Props): ReactNode {
  const { board, nodes, judged, isCurrent, whyLeft, estimate, onEdit } = props
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const root = useRef<HTMLElement>(null)
  const scroller = useRef(document.getElementById('screen'))
  /** The card that takes the focus again once it is drawn in its new place. */
  const refocus = useRef<string | null>(null)
  const names = useMemo(() => [...nodesOf(board), ...board.leftOut], [board])
  const focusable = current !== null && names.includes(current) ? current : (names[0] ?? null)

  const focusCard = useCallback((name: string) => {
    setCurrent(name)
    root.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(name)}"]`)?.focus()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card is in another place only after the board has changed.
  useLayoutEffect(() => {
    if (refocus.current !== null) focusCard(refocus.current)
    refocus.current = null
  }, [board, focusCard])

  const put = useCallback(
    (moved: readonly string[], target: WaveTarget) => {
      const next = moveNodes(board, moved, target)
      if (next === board) return
      setSelected(new Set())
      setSaid(moved.length === 1 ? moveWords(next, moved[0] ?? '') : `${counted(moved.length, 'node')} moved.`)
      onEdit(next)
    },
    [board, onEdit],
  )
  const { drag, ghost, press } = useWaveDrag(scroller, put)
  const held = useCallback(
    (name: string) => (selected.has(name) ? names.filter(each => selected.has(each)) : [name]),
    [selected, names],
  )
  const toggle = useCallback((name: string) => {
    setSelected(before => {
      const next = new Set(before)
      if (!next.delete(name)) next.add(name)
      return next
    })
  }, [])
  // Cards keep what they were given: with every move they would all be drawn again.
  const latest = useRef({ board, held, onEdit })
  useLayoutEffect(() => {
    latest.current = { board, held, onEdit }
  }, [board, held, onEdit])
  const pressCard = useCallback((event: PointerEvent, name: string) => press(event, latest.current.held(name)), [press])
  const shift = useCallback(
    (at: number, by: -1 | 1) => latest.current.onEdit(moveWave(latest.current.board, at, by)),
    [],
  )
  const trouble = useMemo(() => troubles(judged), [judged])

  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const name = event.target instanceof HTMLElement ? event.target.dataset.card : undefined
    if (name === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const act = keyAction(event.key, event.shiftKey, name)
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const keyAction = (key: string, shift: boolean, name: string): (() => void) | null => {
    const by = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : key === 'ArrowRight' || key === 'ArrowDown' ? 1 : null
    if (by !== null && shift) {
      return () => {
        const target = keyTarget(board, name, by)
        if (target === null) setSaid(`${name} is at the end already.`)
        else {
          refocus.current = name
          put(held(name), target)
        }
      }
    }
    if (by !== null) {
      const next = names[names.indexOf(name) + by]
      return next === undefined ? null : () => focusCard(next)
    }
    switch (key) {
      case ' ':
        return () => toggle(name)
      case 'n':
        return () => {
          refocus.current = name
          put(held(name), { kind: 'new', before: (waveOf(board, name) ?? board.waves.length - 1) + 1 })
        }
      case 'Delete':
      case 'Backspace':
        return () => {
          refocus.current = name
          put(held(name), { kind: 'out' })
        }
      case 'Escape':
        return selected.size === 0 ? null : () => setSelected(new Set())
      default:
        return null
    }
  }
  const card = (name: string) => (
    <WaveCard
      key={name}
      name={name}
      node={nodes?.get(name) ?? null}
      isGone={nodes !== null && !nodes.has(name)}
      isSelected={selected.has(name)}
      isDragged={drag?.nodes.includes(name) ?? false}
      isFocusable={name === focusable}
      trouble={trouble.get(name) ?? null}
      whyLeft={whyLeft.get(name) ?? null}
      onFocus={setCurrent}
      onToggle={toggle}
      onPress={pressCard}
    />
  )
  return (
    <section ref={root} className="win-board" aria-label="Waves" onKeyDown={onKey} data-dragging={drag !== null}>
      <div className="win-wave-grid">
        {board.waves.map((wave, at) => (
          <section
            // biome-ignore lint/suspicious/noArrayIndexKey: a wave is its place.
            key={at}
            className="win-wave"
            aria-label={`Wave ${at + 1}`}
            data-wave-target={placeName({ kind: 'wave', at })}
            data-over={drag?.over === placeName({ kind: 'wave', at })}
          >
            <WaveHead at={at} nodes={wave.length} isLast={at === board.waves.length - 1} onMove={shift} />
            <ul className="win-cards">{wave.map(card)}</ul>
            <SpanOfWave estimate={estimate} wave={at + 1} isCurrent={isCurrent} />
            <WaveVerdict judged={judged[at] ?? null} isCurrent={isCurrent} />
          </section>
        ))}
        <section
          className="win-wave win-wave-new"
          aria-label="A new wave"
          data-wave-target={placeName({ kind: 'new', before: board.waves.length })}
          data-over={drag?.over === placeName({ kind: 'new', before: board.waves.length })}
        >
          <p className="quiet">
            {board.waves.length === 0 ? 'Drag nodes here for the first wave' : 'A new wave: drag nodes here'}
          </p>
        </section>
      </div>
      <section
        className="win-wave win-wave-out"
        aria-label="Left out"
        data-wave-target={placeName({ kind: 'out' })}
        data-over={drag?.over === placeName({ kind: 'out' })}
      >
        <header className="win-wave-head">
          <h3>{board.waves.length === 0 ? 'In no wave yet' : 'Left out'}</h3>
          <span className="quiet">{counted(board.leftOut.length, 'node')}</span>
        </header>
        {board.leftOut.length === 0 ? <p className="quiet">Drag nodes here to leave them out of this window.</p> : null}
        <ul className="win-cards">{board.leftOut.map(card)}</ul>
      </section>
      <p className="win-board-keys quiet">
        Drag cards, or by keys: arrows go from card to card, Shift and arrows move it to the next wave, <kbd>n</kbd>{' '}
        makes a new wave of it, <kbd>Delete</kbd> leaves it out, <kbd>Space</kbd> selects several.
      </p>
      <div className="visually-hidden" aria-live="assertive">
        {said}
      </div>
      {drag === null ? null : (
        <div ref={ghost} className="win-ghost" aria-hidden="true">
          <b>{drag.nodes.length === 1 ? drag.nodes[0] : counted(drag.nodes.length, 'node')}</b>
        </div>
      )}
    </section>
  )
}

/** The hardest problem in which each node is named. */
function troubles(judged: readonly JudgedWave[]): ReadonlyMap<string, 'hard' | 'soft'> {
  const found = new Map<string, 'hard' | 'soft'>()
  for (const { problems } of judged) {
    for (const { weight, nodes } of problems) {
      for (const name of nodes) if (found.get(name) !== 'hard') found.set(name, weight)
    }
  }
  return found
}

function SpanOfWave({
  estimate,
  wave,
  isCurrent,
}: {
  readonly estimate: OwnEstimate | null
  readonly wave: number
  readonly isCurrent: boolean
}): ReactNode {
  const span = estimate?.waves.find(each => each.wave === wave)?.span ?? null
  if (span === null) return null
  return <p className={`win-wave-span quiet${isCurrent ? '' : ' win-old'}`}>{rangeWords(span)}</p>
}
