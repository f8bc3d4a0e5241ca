/**
 * False answers with a success status. `html` to `empty-array` come from something in front of the service, which
 * does no work. The others change the service's own answer after it did the work.
 */
export type Lie =
  | 'html'
  | 'empty'
  | 'null'
  | 'empty-object'
  | 'empty-array'
  /** JSON that ends in the middle. */
  | 'cut'
  /** Well-formed, with other names at the top level. */
  | 'other-key'
  /** Every list is empty, and there is no next page. */
  | 'empty-list'
  /** Repeats the first answer to the same request; over HTTP with its old headers, as a cache does. */
  | 'stale'
  /** Repeats the first body with new headers, as from a database replica that lags. OpenStack only. */
  | 'lagging'
  /** Well-formed, about objects that the client did not request. */
  | 'other-object'
  /** Every page has a next page. */
  | 'endless'
  /** The true answer, byte by byte, without an end. */
  | 'drip'

const LOGIN_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form action="/login">Please sign in.</form></body></html>'

const MADE_UP: Readonly<Partial<Record<Lie, string>>> = {
  html: LOGIN_PAGE,
  empty: '',
  null: 'null',
  'empty-object': '{}',
  'empty-array': '[]',
}

/** Returns the text that replaces the service's work; null for lies that change the service's answer. */
export function madeUpText(lie: Lie): string | null {
  return MADE_UP[lie] ?? null
}

/** Returns the false text for a true answer. `stale`, `lagging` and `drip` keep the true text; their sender makes them false. */
export function lieAbout(lie: Lie, truth: unknown): string {
  const made = madeUpText(lie)
  if (made !== null) return made
  switch (lie) {
    case 'cut': {
      const text = textOf(truth)
      return text.slice(0, Math.ceil(text.length / 2))
    }
    case 'other-key':
      return textOf(atTop(truth, (key, value) => [[`other_${key}`, value]]))
    case 'empty-list':
      return textOf(withoutItems(truth))
    case 'other-object':
      return textOf(aboutOthers(truth))
    case 'endless':
      return textOf(withNextPage(truth))
    default:
      return textOf(truth)
  }
}

function textOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value)
}

function atTop(
  value: unknown,
  change: (key: string, value: unknown) => readonly (readonly [string, unknown])[],
): unknown {
  if (Array.isArray(value)) return value.map(each => atTop(each, change))
  return isRecord(value) ? Object.fromEntries(Object.entries(value).flatMap(([key, each]) => change(key, each))) : value
}

function withoutItems(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return atTop(value, (key, each) =>
    /_links$|^next$|^links$/.test(key) ? [] : [[key, Array.isArray(each) ? [] : each]],
  )
}

/** Fields that name an object or its place, in any of the services. */
const NAMES =
  /^(id|uuid|name|host|tag|receiver|osd|osds|hostname|application|.*_uuid|.*:host|.*:host_id|.*_compute|.*hostname)$/

function aboutOthers(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map(each => aboutOthers(each, key))
  if (isRecord(value)) {
    // Watcher lists a strategy's requirements as rows with a type; the row of type Name has the name in its state.
    const nameKey = value.type === 'Name' ? 'state' : null
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, aboutOthers(each, name === nameKey ? 'name' : name)]),
    )
  }
  if (!NAMES.test(key)) return value
  if (typeof value === 'number') return value + 1000
  if (typeof value !== 'string' || value === '') return value
  return /^[0-9a-f]{8}-/.test(value) ? `ffffffff${value.slice(8)}` : `${value}-other`
}

function withNextPage(value: unknown): unknown {
  const list = isRecord(value) ? Object.keys(value).find(key => Array.isArray(value[key])) : undefined
  if (!isRecord(value) || list === undefined) return value
  const href = `http://127.0.0.1/?marker=${crypto.randomUUID()}`
  return { ...value, next: href, [`${list}_links`]: [{ rel: 'next', href }] }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
