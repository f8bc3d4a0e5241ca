/** Rows between two, both included, in order; only the second if the first is not there. */
export function rangeBetween(ids: readonly string[], anchor: string | null, to: string): readonly string[] {
  const end = ids.indexOf(to)
  if (end < 0) return []
  const start = anchor === null ? -1 : ids.indexOf(anchor)
  if (start < 0) return [to]
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** The set with one more item, or without it if it had it. */
export function toggled<T>(selected: ReadonlySet<T>, id: T): ReadonlySet<T> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** The row that a key moves to; null when the key does not move. */
export function rowAfter(key: string, at: number, count: number, page: number): number | null {
  if (count === 0) return null
  const last = count - 1
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1)
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'PageDown':
      return Math.min(last, Math.max(0, at) + page)
    case 'PageUp':
      return Math.max(0, at - page)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return null
  }
}
