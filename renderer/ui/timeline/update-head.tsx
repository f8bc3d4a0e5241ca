import type { ReactNode } from 'react'
import { mayShowEnd, type RunCondition } from '../../../shared/domain/run-condition.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { ageWords, durationWords } from '../../../shared/grammar/durations.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { isOrWaits } from '../../../shared/words/conditions.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastRead } from '../../stores/updates.ts'
import { StateTag } from '../runs/state-tag.tsx'
import { Age, WhenMinute } from '../when.tsx'
import { useForecast } from '../windows/use-forecast.ts'
import type { Outlook } from './timeline-outlook.ts'
import type { ShownMoment } from './use-shown-moment.ts'

interface Props {
  /** The title: `Update of east`. */
  readonly title: string
  readonly timeline: UpdateTimeline
  /** The operator and console of the run, in words. */
  readonly driven: string
  /** The new release of the nodes; null if there is none, or unknown. */
  readonly release: string | null
  readonly outlook: Outlook
  /** When it started, as shown everywhere; null if it was not observed. */
  readonly begunAt: string | null
  readonly moment: ShownMoment
  /** Links from here. */
  readonly children?: ReactNode
}

/** The state of an update: its name, how many nodes are done, its expected end, and what holds it back. */
export function UpdateHead(props: Props): ReactNode {
  const { title, timeline, driven, release, outlook, begunAt, moment, children } = props
  const { endedAt } = timeline
  const { lanes } = moment.then ?? timeline
  const isPresent = moment.shownMs === null
  const { condition, window } = outlook
  const isObserved = timeline.source.kind === 'observed'
  const done = lanes.filter(({ stage }) => stage === 'done').length
  const unseen = lanes.filter(({ stage }) => stage === 'unseen').length
  const skipped = lanes.filter(({ stage }) => stage === 'skipped').length
  return (
    <header className="upd-head row wrap">
      <div className="upd-title">
        <h1>
          {title}
          {condition === null ? null : <StateTag condition={condition} />}
        </h1>
        <p className="upd-facts wrap quiet">
          {release === null ? null : <span>to release {release}</span>}
          {window === null ? null : (
            <span>
              window{' '}
              <a href={hashOf({ kind: 'window', id: window.window.id })} title={window.window.title}>
                {window.window.ticket === '' ? window.window.title : window.window.ticket}
              </a>{' '}
              until <WhenMinute at={window.window.endsAt} />
            </span>
          )}
          {isObserved ? <span>observed</span> : null}
          <span>{driven}</span>
          <Begun startedAt={begunAt} endedAt={endedAt} isObserved={isObserved} />
          {children}
        </p>
      </div>
      <p className="upd-count nowrap flush">
        <span aria-hidden>
          <b>{done}</b> / {lanes.length}
        </span>
        <span className="visually-hidden">
          {done} of {counted(lanes.length, 'node')} done
        </span>
      </p>
      <div className="upd-outlook column quiet">
        {moment.shownMs !== null ? (
          <ShownAt atMs={moment.shownMs} />
        ) : endedAt !== null ? (
          <span>{unseen === 0 ? 'nodes are back in service' : `${counted(unseen, 'node')} not observed`}</span>
        ) : window === null ? (
          <End outlook={outlook} eta={outlook.end} endsAt={null} />
        ) : (
          <EndInWindow outlook={outlook} id={window.window.id} cluster={window.window.cluster} />
        )}
        {skipped === 0 ? null : <span>{counted(skipped, 'node')} left out</span>}
        {isPresent && endedAt === null ? <HeldBack timeline={timeline} condition={condition} /> : null}
      </div>
    </header>
  )
}

/** A note that all this is from a moment of the past. */
function ShownAt({ atMs }: { readonly atMs: number }): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  return <span>at {timeOfDay(new Date(atMs).toISOString(), clock)}</span>
}

interface BegunProps extends Pick<UpdateTimeline, 'startedAt' | 'endedAt'> {
  readonly isObserved: boolean
}

function Begun({ startedAt, endedAt, isObserved }: BegunProps): ReactNode {
  if (startedAt === null) return <span>{isObserved ? 'running; its start was not observed' : 'not started yet'}</span>
  if (endedAt === null) {
    return (
      <span>
        started <Age at={startedAt} />
      </span>
    )
  }
  return (
    <span>
      took {durationWords(Date.parse(endedAt) - Date.parse(startedAt))}, ended <Age at={endedAt} />
    </span>
  )
}

interface EndProps {
  readonly outlook: Outlook
  readonly eta: { readonly lowMs: number; readonly highMs: number } | null
  /** When the window ends; null if there is none. */
  readonly endsAt: string | null
}

/** The end by the window's forecast, which knows more than the nodes; else by the nodes. */
function EndInWindow({
  outlook,
  id,
  cluster,
}: {
  readonly outlook: Outlook
  readonly id: string
  readonly cluster: string
}): ReactNode {
  const forecast = lastRead(useForecast(id, cluster))
  const read = forecast?.eta ?? null
  const eta = read === null ? outlook.end : { lowMs: Date.parse(read.lowAt), highMs: Date.parse(read.highAt) }
  return <End outlook={outlook} eta={eta} endsAt={outlook.window?.window.endsAt ?? null} />
}

/** Two ends closer than this count as one. */
const ONE_MOMENT_MS = 90_000
const MINUTE_MS = 60_000

/** The end of its minute, so that no expected end lies in the past. */
function momentOf(ms: number): string {
  return new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS).toISOString()
}

function End({ outlook, eta, endsAt }: EndProps): ReactNode {
  const { condition } = outlook
  const isLate = useTicks(({ nowMs }) => eta !== null && eta.highMs < nowMs)
  // While the run waits, an expected end would be wrong.
  const continues = condition === null || mayShowEnd(condition)
  if (eta === null || isLate) {
    return (
      <span title="Lockkeeper estimates it from nodes of this update that are done, or from earlier times.">
        {continues || condition === null ? 'no estimate yet' : `no expected end: it ${isOrWaits(condition)}`}
      </span>
    )
  }
  const [low, high] = [momentOf(eta.lowMs), momentOf(eta.highMs)]
  const spareMs = endsAt === null ? null : Date.parse(endsAt) - eta.highMs
  return (
    <span>
      {eta.highMs - eta.lowMs < ONE_MOMENT_MS ? (
        <>
          done about <WhenMinute at={high} />
        </>
      ) : (
        <>
          done <WhenMinute at={low} /> to <WhenMinute at={high} />
        </>
      )}
      {continues ? '' : ' if it continued now'}
      {spareMs === null ? null : spareMs >= 0 ? (
        `, ${durationWords(spareMs - (spareMs % 60_000))} to spare`
      ) : (
        <>
          , <b className="caution">{durationWords(60_000 - spareMs - (-spareMs % 60_000))} after the window</b>
        </>
      )}
    </span>
  )
}

const WHOM: Readonly<Record<RunWait['for'], string>> = {
  answer: 'an open question',
  owner: 'an owner',
  operator: 'an operator',
  controller: 'a controller',
  budget: 'a disruption budget',
  world: 'something that may pass automatically',
}

/** Shorter waits are normal. */
const LEAST_HELD_MS = 20_000

/** How late the update is by what it waits for. */
function HeldBack({ timeline, condition }: Pick<Outlook, 'condition'> & Pick<Props, 'timeline'>): ReactNode {
  const held = heldBack(timeline, condition)
  const words = useTicks(({ nowMs }) => {
    const ms = held === null ? 0 : nowMs - Date.parse(held.since)
    return ms < LEAST_HELD_MS ? null : ageWords(ms)
  })
  return held === null || words === null ? null : (
    <b className="caution">
      {words} late: {held.by}
    </b>
  )
}

function heldBack(
  { lanes }: Pick<UpdateTimeline, 'lanes'>,
  condition: RunCondition | null,
): { readonly since: string; readonly by: string } | null {
  if (condition !== null) {
    const wait =
      condition.kind === 'waiting' ? condition.waits.find(({ moves, since }) => !moves && since !== null) : null
    return wait?.since == null ? null : { since: wait.since, by: WHOM[wait.for] }
  }
  const open = lanes.flatMap(({ node, spans }) =>
    (spans.at(-1)?.waits ?? []).flatMap(({ fromAt, toAt }) => (toAt === null ? [{ since: fromAt, by: node }] : [])),
  )
  return open.toSorted((a, b) => a.since.localeCompare(b.since))[0] ?? null
}
