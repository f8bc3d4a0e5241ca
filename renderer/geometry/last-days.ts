import type { MeasuredNode } from '../../shared/domain/history.ts'

/** Nodes that Lockkeeper worked on in one day of the operator's calendar. */
interface NodesOfDay {
  /** `2026-11-28` */
  readonly day: string
  /** Went out of service and stayed out. */
  readonly out: number
  /** Came back. */
  readonly back: number
  /** Out, work and back in one run: an update, a batch, or one node. */
  readonly both: number
}

const DAYS = 30

/** The last 30 days, the oldest first, with the days on which nothing happened. `dayOf` gives the day of a moment. */
export function lastDays(
  measured: readonly MeasuredNode[],
  nowMs: number,
  dayOf: (ms: number) => string,
): readonly NodesOfDay[] {
  // Noon of each day: a change of the clock never skips or repeats a day.
  const noon = new Date(nowMs)
  noon.setHours(12, 0, 0, 0)
  const days = Array.from({ length: DAYS }, (_, at) => {
    const of = new Date(noon)
    of.setDate(of.getDate() - (DAYS - 1 - at))
    return dayOf(of.getTime())
  })
  const byDay = Map.groupBy(measured, ({ at }) => dayOf(Date.parse(at)))
  return days.map(day => {
    const own = byDay.get(day) ?? []
    const count = (is: (kind: MeasuredNode['kind']) => boolean) => own.filter(({ kind }) => is(kind)).length
    return {
      day,
      out: count(kind => kind === 'enter' || kind === 'rescue' || kind === 'take-out'),
      back: count(kind => kind === 'leave' || kind === 'home' || kind === 'undo'),
      both: count(kind => kind === 'maintain' || kind === 'update' || kind === 'rolling-maintenance'),
    }
  })
}
