// biome-ignore-all lint/a11y/useSemanticElements: only visible rows are drawn, each at its place, which a table cannot do.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its span (aria-activedescendant).
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { NodeLane, StageSpan } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { groupHeading, PHASE_WORDS, STAGE_WORDS } from '../../../shared/words/updates.ts'
import type { Ghost } from '../../geometry/timeline-forecast.ts'
import { laneBoxes, type PhaseBox, type SpanBox, type TimelineRow } from '../../geometry/timeline-layout.ts'
import { type Departure, dotPlaces } from '../../geometry/timeline-moves.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { Elapsed } from '../runs/elapsed.tsx'
import { StageSign } from '../timeline-mark.tsx'
import type { LaneWords } from './lane-words.ts'
import { NAME_PX, RIGHT_PX } from './timeline-metrics.ts'

/** A wider span has room for its stage's name. */
const WORD_PX = 74
/** A narrower wait has no room for its hatching. */
const HATCH_PX = 9
/** The approximate width of a letter beside a bar. */
const LETTER_PX = 6.2

interface HeadingProps {
  readonly row: Extract<TimelineRow, { kind: 'heading' }>
  readonly index: number
  readonly top: number
}

export const HeadingRow = memo(function HeadingRow({ row, index, top }: HeadingProps): ReactNode {
  return (
    <div role="row" aria-rowindex={index} className="tl-heading small strong" style={{ top, height: row.height }}>
      <div role="rowheader">
        {groupHeading(row.phase, row.group)}
        <span className="quiet">
          {row.done} of {counted(row.total, 'node')} done
        </span>
      </div>
    </div>
  )
})

interface NameProps {
  readonly stage: NodeLane['stage']
  readonly name: string
  /** Whether its steps are open; null if it has none to show. */
  readonly isOpen: boolean | null
  readonly onToggle: () => void
}

/** The name of a lane; it opens into its steps. */
function LaneName({ stage, name, isOpen, onToggle }: NameProps): ReactNode {
  const words = (
    <>
      <StageSign stage={stage} />
      <span className="cut">{name}</span>
    </>
  )
  return isOpen === null ? (
    <span>{words}</span>
  ) : (
    <button type="button" aria-expanded={isOpen} title={`${name}: its steps`} onClick={onToggle}>
      {words}
    </button>
  )
}

interface CloudProps extends Pick<HeadingProps, 'index' | 'top'>, Pick<NameProps, 'isOpen' | 'onToggle'> {
  readonly phases: readonly PhaseBox[]
  readonly stage: NodeLane['stage']
  readonly width: number
}

/** What an update does beside the nodes comes first: it prepares, updates applications, and finishes. */
export function CloudRow({ phases, stage, width, index, top, isOpen, onToggle }: CloudProps): ReactNode {
  return (
    <div role="row" aria-rowindex={index} className="tl-lane" style={{ top, width: NAME_PX + width + RIGHT_PX }}>
      <div role="rowheader" className="tl-name row small strong tl-cloud">
        <LaneName stage={stage} name="Whole cloud" isOpen={isOpen} onToggle={onToggle} />
      </div>
      {phases.map(({ phase, state, x, width: wide, fromMs, toMs }) => (
        <div
          key={phase}
          role="gridcell"
          className={`tl-span tl-of-cloud${state === 'running' ? ' tl-running' : ''}`}
          title={`${PHASE_WORDS[phase]}: ${durationWords(toMs - fromMs)}`}
          style={{ left: NAME_PX + x, width: Math.max(3, wide - 1) }}
        >
          {wide > WORD_PX ? <span className="tl-word">{PHASE_WORDS[phase]}</span> : null}
        </div>
      ))}
    </div>
  )
}

interface StepsProps extends Pick<HeadingProps, 'index' | 'top'> {
  readonly of: string
  /** The visible width, so that nothing has to be scrolled to. */
  readonly width: number
  readonly onHeight: (of: string, height: number) => void
  readonly children: ReactNode
}

/** The steps of an open lane, below it. */
export function StepsRow({ of, width, index, top, onHeight, children }: StepsProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const seen = box.current
    if (seen === null) return
    const measure = () => onHeight(of, seen.offsetHeight)
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(seen)
    return () => sizes.disconnect()
  }, [of, onHeight])
  return (
    <div role="row" aria-rowindex={index} className="tl-steps" style={{ top }}>
      <div ref={box} role="gridcell" style={{ width }}>
        {children}
      </div>
    </div>
  )
}

interface LaneProps extends Pick<NameProps, 'isOpen'> {
  /** Opens or closes its steps. */
  readonly onSteps: (node: string) => void
  /** The prefix of the ids of its spans. */
  readonly id: string
  readonly lane: NodeLane
  /** Its stage at the shown moment. */
  readonly stage: NodeLane['stage']
  readonly index: number
  readonly top: number
  readonly scale: TimelineScale
  readonly nowMs: number
  /** Everything after this moment is dimmed; null if nothing is. */
  readonly shownMs: number | null
  /** Its future; null if there is none. */
  readonly ghost: Ghost | null
  readonly departures: readonly Departure[] | null
  /** The text beside its bar; null if there is none. */
  readonly words: LaneWords | null
  readonly current: number | null
  readonly pinned: number | null
}

/** A node's lane: its stages, waits, departures and retries, and its future. */
export const LaneRow = memo(function LaneRow(props: LaneProps): ReactNode {
  const { id, lane, stage, index, top, scale, nowMs, shownMs, ghost, departures, words, current, pinned } = props
  const { isOpen, onSteps } = props
  const boxes = laneBoxes(lane, scale, nowMs)
  return (
    <div
      role="row"
      aria-rowindex={index}
      className="tl-lane"
      data-rest={stage === 'pending' || stage === 'unseen'}
      style={{ top, width: NAME_PX + scale.width + RIGHT_PX }}
    >
      <div
        role="rowheader"
        className="tl-name row small strong"
        aria-label={`${lane.node}, ${STAGE_WORDS[stage]}`}
        title={`${lane.node}: ${STAGE_WORDS[stage]}`}
      >
        <LaneName stage={stage} name={lane.node} isOpen={isOpen} onToggle={() => onSteps(lane.node)} />
      </div>
      {boxes.map(box => {
        const span = lane.spans[box.index]
        return span === undefined || span.stage === 'pending' ? null : (
          <Span
            key={box.index}
            id={`${id}-${box.index}`}
            node={lane.node}
            span={span}
            box={box}
            isLater={shownMs !== null && box.fromMs > shownMs}
            isCurrent={current === box.index}
            isPinned={pinned === box.index}
          />
        )
      })}
      {departures === null ? null : <Departures departures={departures} boxes={boxes} scale={scale} />}
      {ghost?.kind === 'expected' ? <GhostBar ghost={ghost} scale={scale} nowMs={nowMs} /> : null}
      {words === null ? null : <Words words={words} x={wordsX(boxes, ghost, scale, nowMs)} width={scale.width} />}
    </div>
  )
})

interface SpanProps {
  readonly id: string
  readonly node: string
  readonly span: StageSpan
  readonly box: SpanBox
  readonly isLater: boolean
  readonly isCurrent: boolean
  readonly isPinned: boolean
}

function Span({ id, node, span, box, isLater, isCurrent, isPinned }: SpanProps): ReactNode {
  const isEnd = span.stage === 'done' || span.stage === 'skipped'
  return (
    <div
      role="gridcell"
      id={id}
      aria-label={spokenSpan(node, span)}
      aria-selected={isPinned}
      className={`tl-span tl-stage-${span.stage}${box.isRunning && !isEnd ? ' tl-running' : ''}${isEnd ? ' tl-end' : ''}`}
      data-current={isCurrent}
      data-later={isLater}
      style={isEnd ? { left: NAME_PX + box.x } : { left: NAME_PX + box.x, width: Math.max(2, box.width - 1) }}
    >
      {isEnd ? (
        <StageSign stage={span.stage} />
      ) : (
        <>
          {box.width > WORD_PX && box.waits.length === 0 ? (
            <span className="tl-word">{STAGE_WORDS[span.stage]}</span>
          ) : null}
          {box.waits.map((wait, at) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: waits of a span have no name, and follow each other.
              key={at}
              className={wait.width < HATCH_PX ? 'tl-wait tl-wait-short' : 'tl-wait'}
              style={{ left: wait.x - box.x, width: Math.max(2, wait.width) }}
            />
          ))}
          {box.retries.map((x, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: retries of a span have no name, and follow each other.
            <span key={at} className="tl-retry" style={{ left: x - box.x }} />
          ))}
        </>
      )}
    </div>
  )
}

interface DeparturesProps {
  readonly departures: readonly Departure[]
  readonly boxes: readonly SpanBox[]
  readonly scale: TimelineScale
}

/** A dot where an instance left; simultaneous ones are side by side, the last one at its time. */
function Departures({ departures, boxes, scale }: DeparturesProps): ReactNode {
  const from = boxes.find(({ stage }) => stage !== 'pending')?.x ?? 0
  const places = dotPlaces(
    departures.map(({ atMs }) => scale.x(atMs)),
    from,
  )
  return departures.map(({ name }, at) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: an instance that left without a name has only its place.
      key={at}
      aria-hidden
      className="tl-left"
      title={name === null ? 'an instance left' : `${name} left`}
      style={{ left: NAME_PX + (places[at] ?? 0) }}
    />
  ))
}

interface GhostBarProps {
  readonly ghost: Extract<Ghost, { kind: 'expected' }>
  readonly scale: TimelineScale
  readonly nowMs: number
}

/** The future: outlined up to the usual end, fading up to the slow end. */
function GhostBar({ ghost, scale, nowMs }: GhostBarProps): ReactNode {
  const from = scale.x(Math.max(nowMs, ghost.fromMs))
  const to = Math.max(from + 3, scale.x(ghost.toMs))
  const late = Math.max(to, scale.x(ghost.lateMs))
  return (
    <span aria-hidden className="tl-ghost" style={{ left: NAME_PX + from, width: to - from }}>
      <span className="tl-ghost-late" style={{ width: late - to }} />
    </span>
  )
}

/** Where the text of a lane begins: after everything drawn in it. */
function wordsX(boxes: readonly SpanBox[], ghost: Ghost | null, scale: TimelineScale, nowMs: number): number {
  const last = boxes.at(-1)
  const isEnd = last?.stage === 'done' || last?.stage === 'skipped'
  if (isEnd) return last.x + 22
  return (ghost?.kind === 'expected' ? Math.max(scale.x(ghost.lateMs), scale.x(nowMs)) : scale.x(nowMs)) + 10
}

interface WordsProps {
  readonly words: LaneWords
  readonly x: number
  readonly width: number
}

function Words({ words, x, width }: WordsProps): ReactNode {
  const { text, since, tone, title } = words
  const wide = (text.length + (since === null ? 0 : 12)) * LETTER_PX
  const isTight = x + wide > width
  return (
    <span
      className="tl-words small quiet"
      data-tone={tone}
      title={title}
      style={isTight ? { right: RIGHT_PX, maxWidth: width * 0.8 } : { left: NAME_PX + x }}
    >
      <span className="cut">{text}</span>
      {since === null ? null : (
        <>
          {' · '}
          <Elapsed from={since} to={null} />
        </>
      )}
    </span>
  )
}

/** A span in words, without a figure that ticks: screen readers would read it every second. */
function spokenSpan(node: string, span: StageSpan): string {
  const took = span.toAt === null ? 'still running' : durationWords(Date.parse(span.toAt) - Date.parse(span.fromAt))
  const waiting = span.toAt === null ? span.waits.filter(({ toAt }) => toAt === null) : []
  return [
    `${node}: ${STAGE_WORDS[span.stage]}, ${took}`,
    ...waiting.map(({ what }) => `waits: ${what}`),
    ...(span.retries.length === 0 ? [] : [counted(span.retries.length, 'retry', 'retries')]),
    ...(span.note === '' ? [] : [span.note]),
  ].join(', ')
}
