/**
 * The key of a question by everything that was asked for, in its place: two questions share one exactly if they are the same. What is not given at the
 * end, and a field without a value, is as good as not there. Whoever may call it off is no part of the question.
 */
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
  // A kind of value whose parts are not known here would make one question of two.
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new Error(`No question of a reading is asked with a ${typeof value} such as ${String(value)}`)
  }
  const fields = Object.entries(value)
    .filter(([, field]) => !isNotGiven(field))
    .map(([name, field]) => `${JSON.stringify(name)}:${keyOf(field)}`)
  return `{${fields.sort().join(',')}}`
}
