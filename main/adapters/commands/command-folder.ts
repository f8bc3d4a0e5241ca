import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { systemCode } from '../../platform/files/file-words.ts'

const Machine = z.strictObject({ name: z.string(), id: z.string().nullable(), boot: z.string().nullable() })

/** Written before anything is started: what, where, and on which machine. */
const Claim = z.strictObject({
  format: z.literal(1),
  command: z.string(),
  directory: z.string(),
  machine: Machine,
})
type Claim = z.infer<typeof Claim>

/** Which process group it is, written when it has begun. */
const Noted = z.strictObject({
  format: z.literal(1),
  group: z.number().int().positive(),
  began: z.string().nullable(),
  machine: Machine,
})
type Noted = z.infer<typeof Noted>

/** How it ended, written by its keeper. */
const End = z.strictObject({
  format: z.literal(1),
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  endedAt: z.string(),
})
type End = z.infer<typeof End>

/** A note of a command: whole, not there, or (empty, cut short, another's) nothing to go by. */
type Note<T> = { readonly kind: 'whole'; readonly note: T } | { readonly kind: 'absent' } | { readonly kind: 'torn' }

/** The folder of one command: its notes, each put there whole, and what it prints. */
export interface CommandFolder {
  readonly output: string
  /** What the command prints into, while it is kept. */
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

/** Makes a folder for this user alone; false: it was there. It is on disk when this returns. */
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

/** At any instant the note is there whole or not at all, and on disk when this returns. Two may write the same note at once. */
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

/** Not every file system can; then a loss of power may take the note away, and it is not known what became of the command. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch {}
}
