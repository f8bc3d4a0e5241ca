// biome-ignore-all lint/a11y/useSemanticElements: the head of a virtual grid.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus.
import type { ReactNode } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { groupHeading, PHASE_EXPLAINED, PHASE_WORDS } from '../../../shared/words/updates.ts'
import { type RibbonPart, ribbonLabels } from '../../geometry/timeline-ribbon.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { NAME_PX, RIGHT_PX } from './timeline-metrics.ts'
import './timeline-head.css'

/** The approximate width of a letter above the ribbon. */
const LETTER_PX = 6.7
/** The width of a time on the axis. */
const TIME_PX = 58

interface Props {
  readonly ribbon: readonly RibbonPart[]
  readonly scale: TimelineScale
  readonly nowMs: number
  /** When the window ends, if that is on the axis. */
  readonly windowEndMs: number | null
  /** The corner above the names. */
  readonly corner: ReactNode
  /** The control on the axis. */
  readonly scrubber: ReactNode
}

/** The ribbon of phases above the axis; idle stretches are cut out and labelled with their length. */
export function TimelineHead({ ribbon, scale, nowMs, windowEndMs, corner, scrubber }: Props): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const time = (ms: number) => timeOfDay(new Date(ms).toISOString(), clock)
  const endX = windowEndMs === null ? null : scale.x(windowEndMs)
  const labels = ribbonLabels(
    ribbon.map(part => ({ x: part.x, names: ribbonWords(part) })),
    scale.width,
    LETTER_PX,
  )
  const ticks = scale.ticks.filter(({ x }) => endX === null || x + TIME_PX < endX - 92 || x > endX + 4)
  return (
    <div role="row" aria-rowindex={1} className="tl-head" style={{ width: NAME_PX + scale.width + RIGHT_PX }}>
      <div role="columnheader" className="tl-corner" aria-label="Nodes">
        {corner}
      </div>
      <div role="columnheader" className="tl-axis" aria-label="Phases and times">
        {ribbon.map((part, at) => (
          <RibbonBox
            key={`${part.phase} ${part.group} ${part.state}`}
            part={part}
            label={labels[at] ?? null}
            time={time}
            nowMs={nowMs}
          />
        ))}
        {ticks.map(({ x, atMs }) => (
          <span key={atMs} className="tl-tick" style={{ left: Math.max(x, TIME_PX / 2 - 8) }}>
            {time(atMs).slice(0, isWhole(scale) ? 5 : 8)}
          </span>
        ))}
        {scale.breaks.map(each => (
          <span
            key={each.fromMs}
            className="tl-break nowrap small quiet"
            style={{ left: each.x, width: each.width }}
            title={`Only waiting for ${durationWords(each.toMs - each.fromMs)}: cut short here.`}
          >
            {coarse(each.toMs - each.fromMs)}
          </span>
        ))}
        {windowEndMs === null || endX === null ? null : (
          <span
            className="tl-window-end-words nowrap small strong"
            style={{ right: Math.max(0, scale.width - endX) + RIGHT_PX }}
          >
            window ends {time(windowEndMs).slice(0, 5)}
          </span>
        )}
        {scrubber}
      </div>
    </div>
  )
}

interface RibbonBoxProps {
  readonly part: RibbonPart
  readonly label: { readonly text: string; readonly x: number } | null
  readonly time: (ms: number) => string
  readonly nowMs: number
}

function RibbonBox({ part, label, time, nowMs }: RibbonBoxProps): ReactNode {
  const words = ribbonWords(part)
  const { fromMs, toMs, state } = part
  const when =
    fromMs === null
      ? state === 'pending' || state === 'rest'
        ? 'to come; time unknown'
        : 'past; its time was not observed'
      : state === 'pending' || state === 'rest'
        ? `expected from ${time(fromMs).slice(0, 5)}${toMs === null ? '' : ` to ${time(toMs).slice(0, 5)}`}`
        : toMs === null && state === 'done'
          ? `from ${time(fromMs).slice(0, 5)}; its end was not observed`
          : `${durationWords((toMs ?? nowMs) - fromMs)}${toMs === null ? ' so far' : ''}`
  const title = `${words[0]}: ${when}. ${part.group === null ? PHASE_EXPLAINED[part.phase] : ''}`.trim()
  return (
    <>
      {label === null ? null : (
        <span aria-hidden className={`tl-phase-name tl-phase-${state}`} style={{ left: label.x }} title={title}>
          {label.text}
        </span>
      )}
      <span className={`tl-phase tl-phase-${state}`} style={{ left: part.x, width: part.width }} title={title}>
        <span className="visually-hidden">{`${words[0]}: ${when}. `}</span>
      </span>
    </>
  )
}

/** The names of a part, from the longest to the shortest. */
function ribbonWords({ phase, group, state, count, atOnce }: RibbonPart): readonly string[] {
  const name = group === null ? PHASE_WORDS[phase] : groupHeading(phase, group)
  if (state === 'rest') {
    if (count === null || count.ahead === 0) return [`${name}: running`]
    const pace = count.ahead === 1 ? '' : atOnce === null ? ', order unknown' : `, ${paceWords(atOnce)}`
    return [`${counted(count.ahead, 'more node')}${pace}`, `${count.ahead} more${pace}`, `${count.ahead} more`]
  }
  if (count === null) return [name]
  const of = `${state === 'pending' ? '' : `${count.done} of `}${count.total}`
  return state === 'pending' ? [`${name} · ${of}`, name] : [`${name} · ${of}`, name, of]
}

const COUNT_WORDS = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

function paceWords(atOnce: number): string {
  return atOnce === 1 ? 'one by one' : `${COUNT_WORDS[atOnce] ?? atOnce} at a time`
}

/** Whether all marks are on whole minutes, without seconds. */
function isWhole({ ticks }: TimelineScale): boolean {
  return ticks.every(({ atMs }) => atMs % 60_000 === 0)
}

/** `9 h` for nine hours and a half: there is little room. */
function coarse(ms: number): string {
  return durationWords(ms).split(' ').slice(0, 2).join(' ')
}
