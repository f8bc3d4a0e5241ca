import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { fileTrouble } from '../files/file-words.ts'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

/** A list kept in one file of the data directory. Every call reads the file afresh, because other processes change it too. */
interface StoredList<T> {
  readonly path: string
  read(): Result<T[]>
  /** Reads, changes and writes under a lock; `change` may refuse. Answers what `change` chose to tell. */
  change<R>(change: (items: readonly T[]) => Result<{ readonly items: readonly T[]; readonly tell: R }>): Result<R>
}

/** What a file of ours looks like: a format number for later versions, and the list under its name. */
interface StoredListFormat<T> {
  readonly fileName: string
  readonly listName: string
  readonly format: number
  readonly item: z.ZodType<T>
  /** What tells items apart; the same twice means the file is damaged. */
  readonly keyOf: (item: T) => string
}

/** Opens a stored list; a damaged file is told with its place and never overwritten. */
export function openStoredList<T>(directory: string, format: StoredListFormat<T>): StoredList<T> {
  const path = join(directory, format.fileName)

  function read(): Result<T[]> {
    const text = readPrivateFile(path)
    if (!text.ok) return text
    return text.value === null ? ok([]) : parseList(text.value, path, format)
  }

  return {
    path,
    read,
    change: change =>
      withFileLock(`${path}.lock`, () => {
        const items = read()
        if (!items.ok) return items
        const changed = change(items.value)
        if (!changed.ok) return changed
        const document = { format: format.format, [format.listName]: changed.value.items }
        const written = writePrivateFile(path, `${JSON.stringify(document, null, 2)}\n`)
        return written.ok ? ok(changed.value.tell) : written
      }),
  }
}

const Versioned = z.looseObject({ format: z.number().int() })

function parseList<T>(text: string, path: string, format: StoredListFormat<T>): Result<T[]> {
  const fault = jsonFault(text)
  if (fault !== null) {
    const place =
      text.trim() === '' ? 'it is empty' : `it is not JSON from line ${fault.line}, column ${fault.column} on`
    return failed(damaged(path, place))
  }
  const value: unknown = JSON.parse(text)
  const versioned = Versioned.safeParse(value)
  if (!versioned.success) return failed(damaged(path, 'it has no format number'))
  if (versioned.data.format > format.format) {
    return failed(
      failure(
        'damaged',
        `${path} was written by a newer Lockkeeper (format ${versioned.data.format}; this one knows ${format.format}). It is left as it is: use the newer Lockkeeper, or another data directory.`,
        { target: path },
      ),
    )
  }
  const parsed = z.strictObject({ format: z.number(), [format.listName]: z.array(format.item) }).safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return failed(
      damaged(path, `at ${issue?.path.join('.') || 'its beginning'}: ${issue?.message ?? 'not as expected'}`),
    )
  }
  const items = parsed.data[format.listName] as T[]
  const keys = items.map(format.keyOf)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  return twice === undefined ? ok(items) : failed(damaged(path, `${twice} is in it twice`))
}

function damaged(path: string, what: string) {
  return failure(
    'damaged',
    `${path} is damaged: ${what}. It is left as it is: correct it there, or move it away to begin with an empty one.`,
    { target: path },
  )
}

const PATIENCE_MS = 5_000
const SQLITE_BUSY = 5

/**
 * Runs `work` while no other process runs its own under the same lock file, so that two consoles changing a file at once lose nothing.
 * The lock is SQLite's: the operating system drops it when its holder dies, which a file of our own with a process id in it would not.
 */
function withFileLock<T>(path: string, work: () => Result<T>): Result<T> {
  let lock: DatabaseSync | null = null
  try {
    closeSync(openSync(path, 'a', 0o600))
    // Loaded here, because only changes need it and reading must start fast.
    const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
    lock = new Database(path, { timeout: PATIENCE_MS })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    return failed(lockFailure(path, error))
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}

function lockFailure(path: string, error: unknown) {
  const busy = typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY
  if (busy) {
    return failure(
      'held',
      `Another Lockkeeper has held ${path} for more than ${PATIENCE_MS / 1000} seconds. Nothing was changed; try again.`,
      { target: path, retryable: true },
    )
  }
  const sqlite = typeof error === 'object' && error !== null && 'errcode' in error
  return failure(
    sqlite ? 'damaged' : 'bad-input',
    sqlite
      ? `The lock file ${path} is not one. Nothing was changed; it holds no data, remove it and try again.`
      : `Cannot open the lock file ${path}: ${fileTrouble(error)}. Nothing was changed.`,
    { target: path },
  )
}

/** Where a text stops being JSON. */
interface JsonFault {
  readonly line: number
  readonly column: number
}

/**
 * The first place at which a text is not JSON, for people who repair a file by hand; null when it is JSON. Node's own message often
 * gives no place, and quotes the contents instead.
 */
export function jsonFault(text: string): JsonFault | null {
  const end = valueEnd(text, skipBlanks(text, 0))
  const at = end.ok ? skipBlanks(text, end.at) : end.at
  if (end.ok && at === text.length) return null
  const lines = text.slice(0, at).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

/** `at` is where reading may go on, or where it broke. */
interface Reading {
  readonly ok: boolean
  readonly at: number
}

const BLANKS = /[ \t\r\n]*/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const STRING_START = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

function skipBlanks(text: string, at: number): number {
  return at + match(BLANKS, text, at)
}

function valueEnd(text: string, at: number): Reading {
  if (text[at] === '{') return membersEnd(text, at, '}', true)
  if (text[at] === '[') return membersEnd(text, at, ']', false)
  return text[at] === '"' ? stringEnd(text, at) : scalarEnd(text, at)
}

function stringEnd(text: string, at: number): Reading {
  const length = match(STRING, text, at)
  return length > 0 ? { ok: true, at: at + length } : { ok: false, at: at + match(STRING_START, text, at) }
}

function scalarEnd(text: string, at: number): Reading {
  const length = match(SCALAR, text, at)
  return { ok: length > 0, at: at + length }
}

function membersEnd(text: string, open: number, close: '}' | ']', named: boolean): Reading {
  let at = skipBlanks(text, open + 1)
  if (text[at] === close) return { ok: true, at: at + 1 }
  for (;;) {
    if (named) {
      const name = stringEnd(text, at)
      if (!name.ok) return name
      at = skipBlanks(text, name.at)
      if (text[at] !== ':') return { ok: false, at }
      at = skipBlanks(text, at + 1)
    }
    const value = valueEnd(text, at)
    if (!value.ok) return value
    at = skipBlanks(text, value.at)
    if (text[at] === close) return { ok: true, at: at + 1 }
    if (text[at] !== ',') return { ok: false, at }
    at = skipBlanks(text, at + 1)
  }
}
