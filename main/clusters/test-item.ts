import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import { isApart, type MeasuredClock, SKEW_REFUSED_MS } from '../../shared/domain/clock-skew.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { clockWords } from '../../shared/words/clocks.ts'

type Area = ClusterTestItem['area']

/** An answer of `cluster test` that needs nothing done. */
export function fine(area: Area, name: string, message: string): ClusterTestItem {
  return { area, name, outcome: 'ok', message, remedy: null }
}

/** An answer that works, but should be looked at. */
export function doubtful(area: Area, name: string, message: string, remedy: string): ClusterTestItem {
  return { area, name, outcome: 'warning', message, remedy }
}

/** Something that somebody has to grant or add. */
export function missing(area: Area, name: string, message: string, remedy: string): ClusterTestItem {
  return { area, name, outcome: 'missing', message, remedy }
}

/** Something that does not work. */
export function broken(area: Area, name: string, failure: Pick<Failure, 'message'>, remedy: string): ClusterTestItem {
  return { area, name, outcome: 'failed', message: failure.message, remedy }
}

/** Something that could not be asked, and why. */
export function skipped(area: Area, name: string, message: string): ClusterTestItem {
  return { area, name, outcome: 'skipped', message, remedy: null }
}

/** Whether the clock of a server goes with this machine's. */
export function clockItem(server: string, clocks: readonly MeasuredClock[]): ClusterTestItem {
  const name = `clock of ${server}`
  const clock = clocks.find(each => each.server === server)
  if (clock === undefined) return skipped('clock', name, `Not measured: ${server} tells no time, or did not answer.`)
  const message = clockWords(clock)
  const remedy = 'Let both follow the same time server (NTP): leases and timelines depend on it.'
  if (Math.abs(clock.aheadMs) >= SKEW_REFUSED_MS) return broken('clock', name, { message }, remedy)
  if (isApart(clock)) return doubtful('clock', name, message, remedy)
  return fine('clock', name, `The clocks of ${server} and this machine agree.`)
}
