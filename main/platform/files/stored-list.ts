import { join } from 'node:path'
import { z } from 'zod'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { withFileLock } from './file-lock.ts'
import { jsonFault } from './json-fault.ts'
import { readPrivateFile, writePrivateFile } from './private-file.ts'

/** A list in one file of the data directory. Every call reads the file again, because other processes change it. */
export interface StoredList<T> {
  readonly path: string
  read(): Result<T[]>
  /** Reads, changes and writes under a lock; `change` may refuse. Returns the `report` of `change`. */
  change<R>(change: (items: readonly T[]) => Result<{ readonly items: readonly T[]; readonly report: R }>): Result<R>
}

/** The format of the file: a format number for later versions, and the list under its name. */
interface StoredListFormat<T> {
  readonly fileName: string
  readonly listName: string
  readonly format: number
  readonly item: z.ZodType<T>
  /** The key of an item; a duplicate means that the file is damaged. */
  readonly keyOf: (item: T) => string
}

/** A damaged file is reported with its place and never overwritten. */
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
        return written.ok ? ok(changed.value.report) : written
      }),
  }
}

const Versioned = z.looseObject({ format: z.number().int() })

function parseList<T>(text: string, path: string, format: StoredListFormat<T>): Result<T[]> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The place is searched only now, because these files are read at every start.
    const fault = jsonFault(text)
    const why =
      text.trim() === '' || fault === null
        ? because('StoredListEmpty', { path })
        : because('StoredListNotJson', { path, line: fault.line, column: fault.column })
    return failed(damaged(path, why))
  }
  const versioned = Versioned.safeParse(value)
  if (!versioned.success) return failed(damaged(path, because('StoredListWithoutFormat', { path })))
  if (versioned.data.format > format.format) {
    const newer = because('StoredListNewer', { path, format: versioned.data.format, known: format.format })
    return failed(damaged(path, newer))
  }
  const parsed = z.strictObject({ format: z.number(), [format.listName]: z.array(format.item) }).safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const strange = { path, at: issue?.path.join('.') ?? '', problem: issue?.message ?? null }
    return failed(damaged(path, because('StoredListStrange', strange)))
  }
  const items = parsed.data[format.listName] as T[]
  const keys = items.map(format.keyOf)
  const twice = keys.find((key, index) => keys.indexOf(key) !== index)
  return twice === undefined ? ok(items) : failed(damaged(path, because('StoredListRepeats', { path, item: twice })))
}

function damaged(path: string, why: Finding) {
  return refusal('damaged', why, { target: path })
}
