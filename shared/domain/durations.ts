/** Durations are in milliseconds; every number of time has its unit in its name. */
export function seconds(count: number): number {
  return count * 1000
}

export function minutes(count: number): number {
  return count * 60_000
}

export function hours(count: number): number {
  return count * 3_600_000
}
