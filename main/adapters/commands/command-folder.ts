import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { systemCode } from '../../platform/files/file-words.ts'

const Machine = z.strictObject({ name: z.string(), id: z.string().nullable(), boot: z.string().nullable() })

/** Written before the command starts: what, where, and on which machine. */
const Claim = z.strictObject({
  format: z.literal(1),
  command: z.string(),
  directory: z.string(),
  machine: Machine,
})
type Claim = z.infer<typeof Claim>

const Noted = z.strictObject({
  format: z.literal(1),
  group: z.number().int().positive(),
  began: z.string().nullable(),
  machine: Machine,
})
type Noted = z.infer<typeof Noted>

const End = z.strictObject({
  format: z.literal(1),
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  endedAt: z.string(),
})
type End = z.infer<typeof End>

type Note<T> = { readonly kind: 'whole'; readonly note: T } | { readonly kind: 'absent' } | { readonly kind: 'torn' }

export interface CommandFolder {
  readonly output: string
  readonly pipe: string
  claim(): Note<Claim>
  noted(): Note<Noted>
  end(): Note<End>
  writeClaim(claim: Claim): void
  writeNoted(noted: Noted): void
  writeEnd(end: End): void
}

export function commandFolder(place: string): CommandFolder {
  const [claim, noted, end] = [join(place, 'claim.json'), join(place, 'process.json'), join(place, 'end.json')]
  return {
    output: join(place, 'output.log'),
    pipe: join(place, 'output.pipe'),
    claim: () => read(claim, Claim),
    noted: () => read(noted, Noted),
    end: () => read(end, End),
    writeClaim: note => write(claim, note),
    writeNoted: note => write(noted, note),
    writeEnd: note => write(end, note),
  }
}

/** Creates a folder for this user alone and syncs it to disk; false if it existed. */
export function makeFolder(place: string): boolean {
  try {
    mkdirSync(place, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
  syncFolder(dirname(place))
  return true
}

function read<T>(path: string, schema: z.ZodType<T>): Note<T> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { kind: 'absent' }
    throw error
  }
  try {
    const note = schema.safeParse(JSON.parse(text))
    return note.success ? { kind: 'whole', note: note.data } : { kind: 'torn' }
  } catch {
    return { kind: 'torn' }
  }
}

/** Writes a note atomically and syncs it to disk. Two processes may write the same note at once. */
function write(path: string, note: Claim | Noted | End): void {
  const fresh = `${path}.${process.pid}.new`
  const file = openSync(fresh, 'w', 0o600)
  try {
    const bytes = Buffer.from(`${JSON.stringify(note)}\n`)
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
  syncFolder(dirname(path))
}

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {
    // Not every file system can sync a folder; after a power loss the command's outcome may be unknown.
  }
}
