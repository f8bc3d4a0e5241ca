/** The same as JSON: the order of fields does not matter, an undefined field is missing, an undefined item of a list is null. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) || Array.isArray(other)) {
    return Array.isArray(one) && Array.isArray(other) && isSameList(one, other)
  }
  return isFields(one) && isFields(other) && isSameFields(one, other)
}

type Fields = Readonly<Record<string, unknown>>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false
  for (let at = 0; at < one.length; at += 1) if (!isSameJson(one[at] ?? null, other[at] ?? null)) return false
  return true
}

function isSameFields(one: Fields, other: Fields): boolean {
  for (const name of Object.keys(one)) if (!isSameJson(one[name], fieldOf(other, name))) return false
  for (const name of Object.keys(other)) {
    if (other[name] !== undefined && !Object.hasOwn(one, name)) return false
  }
  return true
}

/** Objects inherit some, such as `constructor`. */
function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
