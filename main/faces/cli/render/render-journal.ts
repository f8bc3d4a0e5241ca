import type { JournalStatus, RequestOutput } from '../../../../shared/contract/index.ts'
import { bytes as byteWords } from '../../../../shared/grammar/bytes.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { dateAndTime } from '../../../../shared/grammar/times.ts'
import { oneLine } from '../words/clean-text.ts'
import type { Look } from '../words/look.ts'

export function renderJournalStatus(status: JournalStatus, { palette, clock }: Look): readonly string[] {
  const { path, schema, readOnly, bytes, roomBytes, runs, windows, entries, oldestAt, head, signed } = status
  const since = oldestAt === null ? '' : `, since ${dateAndTime(oldestAt, clock)}`
  return [
    `File      ${oneLine(path)} (${byteWords(bytes)}, schema ${schema})`,
    `Content   ${counted(runs, 'run')}, ${counted(windows, 'window')}, ${counted(entries, 'entry', 'entries')}${since}`,
    `Chain     ${head === null ? 'empty' : `${counted(head.seq, 'link')}, head ${head.hash}`}`,
    `Signed    ${signed === null ? 'not signed' : `by the key of this installation, ${signed.fingerprint}`}`,
    `Writing   ${writing(readOnly, roomBytes, palette)}`,
  ]
}

/** A run writes a few hundred kilobytes; an update of a large cluster a few megabytes. */
const LITTLE_ROOM_BYTES = 16 * 1024 ** 2

function writing(readOnly: string | null, room: number | null, palette: Look['palette']): string {
  if (readOnly !== null) return `${palette.bad('not possible')}: ${oneLine(readOnly)}`
  if (room === null || room >= LITTLE_ROOM_BYTES) return palette.good('possible')
  const left = room === 0 ? 'its disk is full' : `its disk has ${byteWords(room)} left`
  return `${palette.warn('at risk')}: ${left}. Free disk space: a run stops when its events cannot be kept.`
}

export function renderJournalCheck(
  { ok, words, database }: RequestOutput<'journal.check'>,
  { palette }: Look,
): readonly string[] {
  return [
    ok ? palette.good(oneLine(words)) : palette.bad(oneLine(words)),
    ...database.map(found => `  ${oneLine(found)}`),
  ]
}
