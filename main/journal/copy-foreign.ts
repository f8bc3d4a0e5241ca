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
import { foreignObjectIn } from './foreign-objects.ts'
import { ownerOf } from './journal-file.ts'
import { cutOff, openToRead, type Reading } from './open-read-only.ts'
import { SCHEMA_VERSION } from './schema.ts'

/** A foreign journal after checks: its schema is like ours, and its chain is intact. */
export interface Vetted extends Reading {
  /** The head of its chain; null: it is older than chains, so changes cannot be detected. */
  readonly head: string | null
}

/** A copy of a checked journal, written by this program. */
export const ForeignCopy = z.strictObject({ path: z.string(), head: z.string().nullable() })
export type ForeignCopy = z.infer<typeof ForeignCopy>

/** Opens a foreign journal to read it; a failure says why it is not imported. */
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

/** Copies a checked journal: the work of the separate process that reads the file, which can be killed. */
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

/** Older journals have no chain: changes cannot be detected. */
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
    const strange = foreignObjectIn(other.database, 'any')
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
