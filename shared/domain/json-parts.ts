/** Elements of a list between two parts: some milliseconds. */
export const AT_ONCE = 200

/** The text of JSON.stringify in parts, for large values: each field, and long lists some elements at a time. */
export function* jsonParts(value: unknown): Generator<string, void, undefined> {
  if (Array.isArray(value)) yield* listParts(value)
  else if (typeof value === 'object' && value !== null) yield* objectParts(value)
  else yield JSON.stringify(value)
}

function* listParts(list: readonly unknown[]): Generator<string, void, undefined> {
  yield '['
  for (let at = 0; at < list.length; at += AT_ONCE) {
    const text = JSON.stringify(list.slice(at, at + AT_ONCE)).slice(1, -1)
    yield at === 0 ? text : `,${text}`
  }
  yield ']'
}

function* objectParts(value: object): Generator<string, void, undefined> {
  let begin = '{'
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue
    yield `${begin}${JSON.stringify(key)}:`
    yield* jsonParts(field)
    begin = ','
  }
  yield begin === '{' ? '{}' : '}'
}
