/** The word that the operator most likely meant: the one with the fewest typing errors, or one that starts with the typed word; null if none is similar. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  if (typed === '') return null
  const ranked = words
    .map(word => ({ word, distance: distanceTo(typed.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= Math.max(1, Math.floor(typed.length / 3)) ? best.word : null
}

function distanceTo(typed: string, word: string): number {
  if (typed.length >= 3 && (word.startsWith(typed) || word.split('-').includes(typed))) return 0.5
  return slips(typed, word)
}

/** Edit distance with swaps of neighbours (optimal string alignment). */
function slips(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swap ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
