/** The key of a question: equal exactly if all arguments are equal. Trailing missing arguments, fields without a value and abort signals do not count. */
export function questionKey(asked: readonly unknown[]): string {
  const last = asked.findLastIndex(each => !isNotGiven(each))
  return asked
    .slice(0, last + 1)
    .map(keyOf)
    .join(',')
}

function isNotGiven(value: unknown): boolean {
  return value === undefined || value instanceof AbortSignal
}

function keyOf(value: unknown): string {
  if (isNotGiven(value)) return 'undefined'
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(keyOf).join(',')}]`
  if (value instanceof Set) return `Set[${[...value].map(keyOf).sort().join(',')}]`
  // The parts of other kinds of values are unknown, so different questions could get the same key.
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new Error(`A reading does not support an argument of type ${typeof value} such as ${String(value)}`)
  }
  const fields = Object.entries(value)
    .filter(([, field]) => !isNotGiven(field))
    .map(([name, field]) => `${JSON.stringify(name)}:${keyOf(field)}`)
  return `{${fields.sort().join(',')}}`
}
