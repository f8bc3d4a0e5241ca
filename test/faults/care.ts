import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Journal, openJournal } from '../../main/journal/journal.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { openInstallation } from '../../main/platform/settings/head-anchor.ts'
import type { Result } from '../../shared/domain/result.ts'
import { valueIn } from '../fixtures/clusters/results.ts'
import { journalAt } from '../fixtures/journals/journal-at.ts'
import { OLD_JOURNALS, type OldJournal, placeOldJournal } from '../fixtures/journals/old-journals.ts'

/** Work on a whole journal: upgrade an older one, import another one, write a copy, remove old runs. */
export type Care = OldJournal | 'import' | 'export' | 'prune'
export const CARES: readonly Care[] = [...OLD_JOURNALS, 'import', 'export', 'prune']

/** The result of a care: its message, and whether it reported success. */
export interface CareResult {
  readonly done: boolean
  readonly words: string
}

const BY = { operator: 'eva', machine: 'm' }
const OLD_RUNS = 25
const OTHER_RUNS = 10

const journalIn = (folder: string) => join(folder, 'data', 'journal.db')
const otherIn = (folder: string) => join(folder, 'other', 'journal.db')
export const copyIn = (folder: string) => join(folder, 'data', 'copy.db')

/** A console's journal, opened as the console opens it. */
function openedIn(folder: string) {
  return openJournal({
    path: journalIn(folder),
    clock: systemClock,
    anchor: openInstallation(join(folder, 'data')).anchor,
  })
}

/** Creates the files for a care in a folder. */
export function prepareCare(care: Care, folder: string): void {
  for (const part of ['data', 'other']) mkdirSync(join(folder, part), { recursive: true })
  if (isOld(care)) {
    placeOldJournal(care, journalIn(folder))
    return
  }
  const ours = journalAt(journalIn(folder))
  for (let at = 0; at < OLD_RUNS; at += 1) ours.run(`old-${at}`, '2026-01-01', '2026-01-02')
  ours.window('old-window', '2026-01-01', '2026-01-02')
  ours.run('left', '2026-01-03', null, { cluster: 'west' })
  ours.journal.close()
  const theirs = journalAt(otherIn(folder))
  for (let at = 0; at < OTHER_RUNS; at += 1) theirs.run(`taken-${at}`, '2026-01-01', '2026-01-02')
  theirs.journal.close()
  const opened = openedIn(folder)
  if (opened.ok) opened.value.close()
}

function isOld(care: Care): care is OldJournal {
  return care.startsWith('schema-')
}

/** What one process does: it opens the journal, does the care, and closes it. */
export function caredFor(care: Care, folder: string): CareResult {
  try {
    const opened = openedIn(folder)
    if (!opened.ok) return { done: false, words: opened.failure.message }
    const journal = opened.value
    try {
      if (journal.readOnly !== null) return { done: false, words: journal.readOnly.message }
      const answer = done(care, journal, folder)
      return answer === null || answer.ok ? { done: true, words: '' } : { done: false, words: answer.failure.message }
    } finally {
      journal.close()
    }
  } catch (error) {
    return { done: false, words: `threw: ${error instanceof Error ? error.stack : String(error)}` }
  }
}

function done(care: Care, { care: runnerApp }: Journal, folder: string) {
  switch (care) {
    case 'import':
      return runnerApp.importFrom({ file: otherIn(folder), by: BY })
    case 'export':
      return runnerApp.copyTo(copyIn(folder))
    case 'prune':
      return runnerApp.prune({ before: '2026-01-02T12:00:00.000Z', dryRun: false, by: BY })
    default:
      return null
  }
}

/** Every event of every run, by run, as text. */
export type Events = ReadonlyMap<string, readonly string[]>

/** The events in the journal of a console; throws if it is damaged. */
export function eventsIn(folder: string): Events {
  return eventsOf(openedIn(folder))
}

/** The events in a copy. */
export function eventsOfCopy(path: string): Events {
  return eventsOf(openJournal({ path, clock: systemClock }))
}

function eventsOf(opened: Result<Journal>): Events {
  if (!opened.ok) throw new Error(opened.failure.message)
  const journal = opened.value
  try {
    if (journal.readOnly !== null) throw new Error(journal.readOnly.message)
    const checked = valueIn(journal.care.check())
    if (!checked.ok) throw new Error(checked.words)
    const rows = valueIn(journal.rows({ cluster: null }))
    return new Map(
      rows
        .map(
          ({ id }) => [id, valueIn(journal.events(id)).map(({ at, body }) => `${at} ${JSON.stringify(body)}`)] as const,
        )
        .sort(([one], [other]) => one.localeCompare(other)),
    )
  } finally {
    journal.close()
  }
}

/** The copies that retention wrote before it removed anything. */
export function archivesIn(folder: string): readonly string[] {
  const data = join(folder, 'data')
  if (!existsSync(data)) return []
  return readdirSync(data)
    .filter(name => /^journal-.*\.db$/.test(name))
    .map(name => join(data, name))
}
