/** Percentile by nearest rank: 0.5 the median, 0.9 the 90th percentile. Zero for an empty list. */
export function nearestRank(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}
