/** How times are written in a report: on the clocks of the zone its window was announced in, and in UTC. */
export interface ReportTimes {
  /** The zone, such as `Europe/Berlin`, or `UTC`. */
  readonly zone: string
  /** `2026-11-21 05:30:12` there, and the same instant in UTC; `utc` is null where the zone is UTC itself. */
  readonly stamp: (at: string) => { readonly zoned: string; readonly utc: string | null }
  /** `05:30`, or `05:30:12`, there. */
  readonly clock: (atMs: number, seconds: boolean) => string
}

/** The times of a report. A zone that this machine does not know is read as UTC, which is never wrong. */
export function reportTimes(wanted: string): ReportTimes {
  const known = formatOf(wanted)
  const zone = known === null ? 'UTC' : wanted
  const zoned = known ?? formatOf('UTC')
  const there = (ms: number) => (zoned === null ? new Date(ms).toISOString().slice(0, 19).replace('T', ' ') : zoned(ms))
  return {
    zone,
    stamp: at => {
      const ms = Date.parse(at)
      if (Number.isNaN(ms)) return { zoned: at, utc: null }
      const here = there(ms)
      if (zone === 'UTC') return { zoned: here, utc: null }
      const [day = '', time = ''] = new Date(ms).toISOString().slice(0, 19).split('T')
      return { zoned: here, utc: here.startsWith(day) ? `${time} UTC` : `${day} ${time} UTC` }
    },
    clock: (atMs, seconds) => there(atMs).slice(11, seconds ? 19 : 16),
  }
}

/** Made once for a report: making a format costs more than everything it writes. */
function formatOf(zone: string): ((ms: number) => string) | null {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
    return ms => {
      const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
      const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
      return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
    }
  } catch {
    return null
  }
}
