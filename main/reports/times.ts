import type { Report } from '../../shared/domain/report.ts'
import { isTimeZone, zonedStamp } from '../../shared/grammar/times.ts'

/** How a report writes times: in the zone of its window, and in UTC. */
export interface ReportTimes {
  readonly zone: string
  /** `2026-11-21 05:30:12` in the zone, and the same instant in UTC; `utc` is null if the zone is UTC. */
  readonly stamp: (at: string) => { readonly zoned: string; readonly utc: string | null }
  /** `05:30`, or `05:30:12`, in the zone. */
  readonly clock: (atMs: number, seconds: boolean) => string
}

/** The times of a report. An unknown zone becomes UTC. */
export function timesOf({ window }: Pick<Report, 'window'>): ReportTimes {
  const wanted = window?.timeZone ?? 'UTC'
  const zone = isTimeZone(wanted) ? wanted : 'UTC'
  return {
    zone,
    stamp: at => {
      const here = zonedStamp(at, zone)
      if (here === null || zone === 'UTC') return { zoned: here ?? at, utc: null }
      const [day = '', time = ''] = (zonedStamp(at, 'UTC') ?? '').split(' ')
      return { zoned: here, utc: here.startsWith(day) ? `${time} UTC` : `${day} ${time} UTC` }
    },
    clock: (atMs, seconds) => zonedStamp(atMs, zone)?.slice(11, seconds ? 19 : 16) ?? '',
  }
}
