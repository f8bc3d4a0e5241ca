import { existsSync } from 'node:fs'
import { z } from 'zod'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { JournalRefused } from '../ports/journal.ts'
import { checkChain } from './chain-check.ts'
import { describeDatabaseError } from './database-trouble.ts'
import { exportJournal } from './export-journal.ts'
import { ownerOf } from './journal-file.ts'
import { cutOff, openToRead, type Reading } from './open-read-only.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { strangeIn } from './strange-schema.ts'

/** A journal of somebody else that was looked through: it is made as ours are, and its chain holds. */
export interface Vetted extends Reading {
  /** The head of its chain; null: it was written before journals had one, and that it was changed since cannot be told. */
  readonly head: string | null
}

/** A copy of a vetted journal, which this program wrote itself. */
export const ForeignCopy = z.strictObject({ path: z.string(), head: z.string().nullable() })
export type ForeignCopy = z.infer<typeof ForeignCopy>

/** Opens a journal of somebody else to read it; a failure says why nothing is taken over from it. */
export function openVetted(file: string): Result<Vetted> {
  const opened = openOther(file)
  if (!opened.ok) return opened
  const { database, close, version } = opened.value
  try {
    const verdict = checkChain(database)
    if (verdict.kind === 'holds') return ok({ database, close, head: version >= CHAINED_SINCE ? verdict.head : null })
    close()
    return failed(refusal('damaged', because('ImportChainBroken', { file, cause: verdict.words }), { target: file }))
  } catch (error) {
    close()
    return failed(describeDatabaseError(error, file))
  }
}

/** Writes a copy of a vetted journal: what this process does that was started to read a file in place of another, which can end it. */
export function copyForeign(file: string, to: string): Result<ForeignCopy> {
  const vetted = openVetted(file)
  if (!vetted.ok) return vetted
  try {
    const copied = exportJournal(vetted.value.database, to)
    return copied.ok ? ok({ path: to, head: vetted.value.head }) : copied
  } finally {
    vetted.value.close()
  }
}

/** Before it a journal had no chain: that it was changed meanwhile cannot be told. */
const CHAINED_SINCE = 4

function openOther(file: string) {
  try {
    if (!existsSync(file)) return failed(refusal('not-found', because('ImportFileMissing', { file }), { target: file }))
    const cut = cutOff(file)
    if (cut !== null) return failed(cut)
    const owner = ownerOf(file)
    if (owner.kind === 'empty' || owner.kind === 'foreign') {
      return refused(file, because('ImportNoJournal', { file }))
    }
    const other = openToRead(file)
    const strange = strangeIn(other.database, 'any')
    if (other.version <= SCHEMA_VERSION && strange === null) return ok(other)
    other.close()
    if (strange !== null) return notMadeAs(file, strange.message)
    return refused(file, because('ImportOfNewer', { file, version: other.version, known: SCHEMA_VERSION }))
  } catch (error) {
    const why = describeDatabaseError(error, file)
    return error instanceof JournalRefused ? notMadeAs(file, why.detail ?? why.message) : failed(why)
  }
}

function notMadeAs(file: string, cause: string): Result<never> {
  return refused(file, because('ImportMadeOtherwise', { file, cause }))
}

function refused(file: string, why: Finding): Result<never> {
  return failed(refusal('bad-input', why, { target: file }))
}
