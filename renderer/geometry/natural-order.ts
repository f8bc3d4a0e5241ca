const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The order people expect of names with numbers: cmp-2 before cmp-10. Never equal for different names. */
export function naturally(a: string, b: string): number {
  const order = COLLATOR.compare(a, b)
  if (order !== 0) return order
  return a < b ? -1 : a > b ? 1 : 0
}
