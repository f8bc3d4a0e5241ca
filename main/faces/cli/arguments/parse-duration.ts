/** Milliseconds of `90s`, `30m`, `2h`, `1h30m`, and of `0` (no limit); null for anything else, also for a number without a unit. */
export function parseDuration(text: string): number | null {
  if (text === '0') return 0
  const match = /^(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?$/.exec(text)
  if (match === null || text === '') return null
  const [hours, minutes, seconds] = match.slice(1).map(part => Number(part ?? 0))
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000
}
