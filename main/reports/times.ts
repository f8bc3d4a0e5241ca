import type { Report } from '../../shared/domain/report.ts'
import { isTimeZone, zonedStamp } from '../../shared/grammar/times.ts'

/** How times are written in a report: by the clocks of the zone of its window, and in UTC. */
export interface ReportTimes {
  /** The zone, such as `Europe/Berlin`, or `UTC`. */
  readonly zone: string
  /** `2026-11-21 05:30:12` there, and the same instant in UTC; `utc` is null where the zone is UTC itself. */
  readonly stamp: (at: string) => { readonly zoned: string; readonly utc: string | null }
  /** `05:30`, or `05:30:12`, there. */
  readonly clock: (atMs: number, seconds: boolean) => string
}

/** The times of a report. A zone that this machine does not know is read as UTC, which is never wrong. */
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
