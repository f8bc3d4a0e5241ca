import type { JournalStatus, RequestOutput } from '../../../../shared/contract/index.ts'
import { bytes as byteWords } from '../../../../shared/grammar/bytes.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { dateAndTime } from '../../../../shared/grammar/times.ts'
import { oneLine } from '../words/clean-text.ts'
import type { Look } from '../words/look.ts'

/** The journal as a file, in a few lines. */
export function renderJournalStatus(status: JournalStatus, { palette, clock }: Look): readonly string[] {
  const { path, schema, readOnly, bytes, roomBytes, runs, windows, entries, oldestAt, head, signed } = status
  const since = oldestAt === null ? '' : `, since ${dateAndTime(oldestAt, clock)}`
  return [
    `File      ${oneLine(path)} (${byteWords(bytes)}, schema ${schema})`,
    `Holds     ${counted(runs, 'run')}, ${counted(windows, 'window')}, ${counted(entries, 'entry', 'entries')}${since}`,
    `Chain     ${head === null ? 'empty' : `${counted(head.seq, 'link')}, head ${head.hash}`}`,
    `Signed    ${signed === null ? 'by no key' : `by the key of this installation, ${signed.fingerprint}`}`,
    `Writing   ${writing(readOnly, roomBytes, palette)}`,
  ]
}

/** A run writes some hundred kilobytes, an update of a large cluster some megabytes. */
const LITTLE_ROOM_BYTES = 16 * 1024 ** 2

function writing(readOnly: string | null, room: number | null, palette: Look['palette']): string {
  if (readOnly !== null) return `${palette.bad('not possible')}: ${oneLine(readOnly)}`
  if (room === null || room >= LITTLE_ROOM_BYTES) return palette.good('possible')
  const left = room === 0 ? 'its disk is full' : `its disk has ${byteWords(room)} left`
  return `${palette.warn('at risk')}: ${left}. Make room: a run whose events cannot be kept stops.`
}

/** What a check found. */
export function renderJournalCheck(
  { ok, words, database }: RequestOutput<'journal.check'>,
  { palette }: Look,
): readonly string[] {
  return [
    ok ? palette.good(oneLine(words)) : palette.bad(oneLine(words)),
    ...database.map(found => `  ${oneLine(found)}`),
  ]
}
