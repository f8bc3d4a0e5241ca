/** The least measured value that so large a part of all is not above (nearest rank): 0.5 the median, 0.9 what nine in ten stay below. Zero of none. */
export function nearestRank(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}
