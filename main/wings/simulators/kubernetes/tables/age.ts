/** Prints a duration as kubectl does: `45s`, `3m20s`, `38m`, `5h12m`, `2d3h`, `12d` (apimachinery `duration.HumanDuration`). */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return joined(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return joined(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 192) return joined(days, 'd', hours % 24, 'h')
  if (days < 730) return `${days}d`
  const years = Math.floor(days / 365)
  return days < 365 * 8 ? joined(years, 'y', days % 365, 'd') : `${years}y`
}

/** Prints the age of a timestamp; `<unknown>` without one. */
export function ageOf(time: string | undefined, now: number): string {
  return time === undefined || Number.isNaN(Date.parse(time)) ? '<unknown>' : humanDuration(now - Date.parse(time))
}

function joined(big: number, bigUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`
}
