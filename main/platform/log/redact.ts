import { types } from 'node:util'
import type { Json } from '../../../shared/domain/json.ts'
import { isSecretName, REDACTED, SECRET_PATTERNS } from './secret-patterns.ts'

/** Removes secrets from everything that is written or shown (style G39). */
export interface Redactor {
  text(text: string): string
  /** Text without the registered secrets only, of any length; secrets by shape stay, so JSON stays valid. */
  known(text: string): string
  /** Any value as plain JSON without secrets: errors as name, message and stack, other objects only if they are plain. */
  value(value: unknown): Json
  /** Registers a loaded secret, to remove it everywhere. Secrets under 4 characters are ignored: removing them would damage every text. */
  registerSecret(secret: string): void
}

const LONGEST_TEXT = 16_000
const LONGEST_LIST = 100
const DEEPEST = 6

/** A redactor that also knows these secrets (passwords, tokens and keys as loaded from files). */
export function createRedactor({ literals = [] }: { readonly literals?: readonly string[] } = {}): Redactor {
  const secrets = new Map<string, RegExp>()
  let longestSecret = 0

  function registerSecret(secret: string): void {
    if (secret.length < 4) return
    for (const spelling of spellingsOf(secret)) {
      if (secrets.has(spelling)) continue
      secrets.set(spelling, literalPattern(spelling))
      longestSecret = Math.max(longestSecret, spelling.length)
    }
  }

  function known(raw: string): string {
    let out = raw
    // Longest first, because a secret may contain another.
    for (const [spelling, pattern] of [...secrets].sort(([a], [b]) => b.length - a.length)) {
      if (out.includes(spelling)) out = out.replaceAll(pattern, REDACTED)
    }
    return out
  }

  function text(raw: string): string {
    const cut = raw.length > LONGEST_TEXT
    let out = known(cut ? raw.slice(0, LONGEST_TEXT) : raw)
    for (const { shape, instead } of SECRET_PATTERNS) {
      out = typeof instead === 'string' ? out.replaceAll(shape, instead) : out.replaceAll(shape, instead)
    }
    if (!cut) return out
    // The cut may have halved a secret, so that it no longer matches: the end is removed, too.
    const kept = Math.max(0, out.length - Math.max(256, longestSecret))
    return `${out.slice(0, kept)}… [${raw.length - LONGEST_TEXT + (out.length - kept)} more characters]`
  }

  function value(raw: unknown): Json {
    return walk(raw, { text, ancestors: [] })
  }

  for (const literal of literals) registerSecret(literal)
  return { text, known, value, registerSecret }
}

const shapesOnly = createRedactor()

/** Text without secrets by shape, for code without a {@link Redactor}. */
export function redactText(text: string): string {
  return shapesOnly.text(text)
}

/** The spellings of a secret in messages: raw, in JSON, in a URL, in base64. */
function spellingsOf(secret: string): ReadonlySet<string> {
  const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]
  // Parts of a PEM key may appear as single lines; lines that are too short to be unique stay.
  if (secret.includes('\n')) spellings.push(...secret.split(/\r?\n/).filter(line => line.length >= 24))
  if (secret.length >= 8) spellings.push(Buffer.from(secret).toString('base64'))
  return new Set(spellings)
}

/** Short secrets match only as whole words: the password `oslab` must not damage `/var/lib/oslab-net`; the single word `oslab` is removed even if it is a name. */
function literalPattern(spelling: string): RegExp {
  const exact = spelling.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return spelling.length >= 8 ? new RegExp(exact, 'g') : new RegExp(`(?<![\\w/-])${exact}(?![\\w/-])`, 'g')
}

interface Walk {
  readonly text: (text: string) => string
  readonly ancestors: readonly object[]
}

function walk(raw: unknown, at: Walk): Json {
  try {
    return walkUnsafely(raw, at)
  } catch {
    // Proxies and accessors may throw.
    return '[unreadable]'
  }
}

function walkUnsafely(raw: unknown, at: Walk): Json {
  switch (typeof raw) {
    case 'string':
      return at.text(raw)
    case 'number':
      return Number.isFinite(raw) ? raw : String(raw)
    case 'boolean':
      return raw
    case 'bigint':
      return String(raw)
    case 'function':
      return '[function]'
    case 'symbol':
      return '[symbol]'
    case 'undefined':
      return null
    case 'object':
      return raw === null ? null : walkObject(raw, at)
  }
}

function walkObject(raw: object, at: Walk): Json {
  if (at.ancestors.includes(raw)) return '[circular]'
  if (at.ancestors.length >= DEEPEST) return '[deeper]'
  const inside: Walk = { ...at, ancestors: [...at.ancestors, raw] }
  if (types.isNativeError(raw) || raw instanceof Error) return walkError(raw, inside)
  if (ArrayBuffer.isView(raw)) return `[${raw.byteLength} bytes]`
  if (types.isAnyArrayBuffer(raw)) return `[${raw.byteLength} bytes]`
  if (Array.isArray(raw)) return walkList(raw, inside)
  if (types.isDate(raw)) return Number.isNaN(raw.getTime()) ? 'Invalid Date' : raw.toISOString()
  if (raw instanceof URL) return at.text(raw.href)
  if (types.isMap(raw))
    return walkEntries(
      [...raw].map(([key, item]) => [String(key), item]),
      inside,
    )
  if (types.isSet(raw)) return walkList([...raw], inside)
  const prototype: unknown = Object.getPrototypeOf(raw)
  if (prototype !== Object.prototype && prototype !== null) return walkInstance(raw, inside)
  return walkPlain(raw, inside)
}

/** Only the name, message and stack of an error and of its cause. Errors of HTTP and WebSocket clients have requests, agents and private keys as properties. */
function walkError(raw: Error, at: Walk): Json {
  const cause: unknown = Object.getOwnPropertyDescriptor(raw, 'cause')?.value
  const parts: readonly unknown[] = types.isNativeError(raw) && raw instanceof AggregateError ? raw.errors : []
  return {
    name: at.text(String(raw.name)),
    message: at.text(String(raw.message)),
    stack: at.text(String(raw.stack ?? '')),
    ...(cause instanceof Error ? { cause: walk(cause, at) } : {}),
    ...(parts.length > 0 ? { errors: parts.slice(0, 10).map(part => walk(part, at)) } : {}),
  }
}

/** An object of a class: its class and, like an error event, its message. Its properties may contain anything. */
function walkInstance(raw: object, at: Walk): Json {
  const name = typeof raw.constructor === 'function' ? raw.constructor.name : 'object'
  const message: unknown = 'message' in raw ? raw.message : undefined
  return typeof message === 'string' ? { name: at.text(name), message: at.text(message) } : `[${at.text(name)}]`
}

function walkList(raw: readonly unknown[], at: Walk): Json {
  const shown = raw.slice(0, LONGEST_LIST).map((item, index) => {
    // Raw headers alternate names and values.
    const before = raw[index - 1]
    return typeof item === 'string' && typeof before === 'string' && isSecretName(before) ? REDACTED : walk(item, at)
  })
  return raw.length > LONGEST_LIST ? [...shown, `[${raw.length - LONGEST_LIST} more]`] : shown
}

function walkPlain(raw: object, at: Walk): Json {
  const fields = Object.entries(Object.getOwnPropertyDescriptors(raw))
    .filter(([, field]) => field.enumerable)
    .map(([key, field]): readonly [string, unknown] => [key, field.get ? '[computed]' : field.value])
  const named = new Map(fields)
  const name = named.get('name') ?? named.get('key')
  if (typeof name === 'string' && isSecretName(name) && named.has('value')) {
    return walkEntries(
      fields.map(([key, item]) => [key, key === 'value' ? REDACTED : item]),
      at,
    )
  }
  if (named.get('type') === 'Buffer' && Array.isArray(named.get('data'))) return '[bytes]'
  if (named.get('kind') === 'Secret') {
    return walkEntries(
      fields.map(([key, item]) => [key, /data$/i.test(key) ? REDACTED : item]),
      at,
    )
  }
  return walkEntries(fields, at)
}

function walkEntries(fields: readonly (readonly [string, unknown])[], at: Walk): Json {
  const shown: [string, Json][] = []
  for (const [key, item] of fields.slice(0, LONGEST_LIST)) {
    if (item === undefined) continue
    const secret = isSecretName(key) && item !== null && typeof item !== 'boolean'
    shown.push([at.text(key), secret ? REDACTED : walk(item, at)])
  }
  if (fields.length > LONGEST_LIST) shown.push(['…', `[${fields.length - LONGEST_LIST} more]`])
  return Object.fromEntries(shown)
}
