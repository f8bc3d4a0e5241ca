/**
 * The first key that an object of a JSON text has twice, however it is written; null: none. Of such keys a parser takes the last, and a person reads the first: what
 * was verified is then not what is seen. The text has to be JSON.
 */
export function repeatedKey(json: string): string | null {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at]
    if (sign === '{') open.push(new Set())
    else if (sign === '[') open.push(null)
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === '"') {
      const end = stringEnd(json, at)
      const keys = open.at(-1) ?? null
      if (keys !== null && isKey(json, end)) {
        const key: unknown = JSON.parse(json.slice(at, end))
        if (keys.has(String(key))) return String(key)
        keys.add(String(key))
      }
      at = end - 1
    }
  }
  return null
}

/** After the quotation mark that ends the string which begins here. */
function stringEnd(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

function isKey(json: string, from: number): boolean {
  COLON.lastIndex = from
  return COLON.test(json)
}

const COLON = /[ \t\r\n]*:/y
