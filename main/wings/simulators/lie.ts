/**
 * Answers with a good status that are none. Of `html` to `empty-array` the service itself never heard: something in front of it answers, and
 * what was asked is not done. The others are made of the service's own answer: what was asked is done.
 */
export type Lie =
  /** A login page. */
  | 'html'
  /** No byte. */
  | 'empty'
  | 'null'
  | 'empty-object'
  | 'empty-array'
  /** JSON that ends in its middle. */
  | 'cut'
  /** Well-formed, but under other names at its top. */
  | 'other-key'
  /** Every list in it is empty, and no page follows. */
  | 'empty-list'
  /** The first true answer to the same request, for ever; over HTTP with the headers it had, as a cache keeps it. */
  | 'stale'
  /** The first true body to the same request, for ever, in an answer of now, as from a database replica that is behind. OpenStack only. */
  | 'lagging'
  /** Well-formed, about objects that were not asked for. */
  | 'other-object'
  /** A page after which another follows, for ever. */
  | 'endless'
  /** The true answer, a byte at a time, so that it never ends. */
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

/** What is sent instead of asking the service at all; null for lies that are made of the service's own answer. */
export function madeUpText(lie: Lie): string | null {
  return MADE_UP[lie] ?? null
}

/** The text that is sent instead of a true answer. `stale`, `lagging` and `drip` are the sender's work: their text is the true one. */
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

/** What names an object, or the place it is in, in any of the services. */
const NAMES =
  /^(id|uuid|name|host|tag|receiver|osd|osds|hostname|application|.*_uuid|.*:host|.*:host_id|.*_compute|.*hostname)$/

function aboutOthers(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map(each => aboutOthers(each, key))
  if (isRecord(value)) {
    // Watcher says what a strategy needs as rows of a type, and its name is the state of one.
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
