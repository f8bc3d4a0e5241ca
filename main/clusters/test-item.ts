import type { ClusterTestItem } from '../../shared/contract/cluster.ts'
import { isApart, type MeasuredClock, SKEW_REFUSED_MS } from '../../shared/domain/clock-skew.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { because } from '../../shared/words/reasons.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'

type Area = ClusterTestItem['area']

/** A finding: by a code, or in the words of another program. */
type Reported = Pick<Finding, 'message'> & Partial<Finding>

export function fine(area: Area, name: string, reported: Reported): ClusterTestItem {
  return { area, name, outcome: 'ok', ...saidIn(reported), remedy: null }
}

export function doubtful(area: Area, name: string, reported: Reported, remedy: Finding): ClusterTestItem {
  return { area, name, outcome: 'warning', ...saidIn(reported), ...remedyIn(remedy) }
}

export function missing(area: Area, name: string, reported: Reported, remedy: Finding): ClusterTestItem {
  return { area, name, outcome: 'missing', ...saidIn(reported), ...remedyIn(remedy) }
}

export function broken(area: Area, name: string, reported: Reported, remedy: Finding): ClusterTestItem {
  return { area, name, outcome: 'failed', ...saidIn(reported), ...remedyIn(remedy) }
}

export function skipped(area: Area, name: string, reported: Finding): ClusterTestItem {
  return { area, name, outcome: 'skipped', ...saidIn(reported), remedy: null }
}

export function failedBy({ message, reason, values }: Failure): Reported {
  return reason === undefined ? { message } : { message, code: reason, values: values ?? {} }
}

function saidIn({ message, code, values }: Reported): Pick<ClusterTestItem, 'message' | 'code' | 'values'> {
  return code === undefined || values === undefined ? { message } : { message, code, values }
}

function remedyIn({ message, code, values }: Finding) {
  return { remedy: message, remedyCode: code, remedyValues: values }
}

export function clockItem(server: string, clocks: readonly MeasuredClock[]): ClusterTestItem {
  const name = `clock of ${server}`
  const clock = clocks.find(each => each.server === server)
  if (clock === undefined) return skipped('clock', name, because('ClockNotMeasured', { server }))
  const apart = because('ClockApart', { server, aheadMs: clock.aheadMs })
  if (Math.abs(clock.aheadMs) >= SKEW_REFUSED_MS) return broken('clock', name, apart, because('RemedySetTime'))
  if (isApart(clock)) return doubtful('clock', name, apart, because('RemedySetTime'))
  return fine('clock', name, because('ClocksAgree', { server }))
}
