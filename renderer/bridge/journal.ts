import type { Envelope, RequestOutput } from '../../shared/contract/index.ts'
import type { PruneAnswer } from '../../shared/contract/reports.ts'
import { useJournal } from '../stores/journal.ts'
import { failedAfter } from '../stores/updates.ts'
import { readHistory } from './history.ts'
import { listRuns } from './runs.ts'
import { askMain, onResync } from './transport.ts'
import { listWindows } from './windows.ts'

/** Knows from the start whether the journal can be written; returns a stop function. */
export function followJournal(): () => void {
  void readJournal()
  return onResync(() => void readJournal())
}

export async function readJournal(): Promise<void> {
  const answer = await askMain('journal.status', {})
  useJournal.setState(({ status }) => ({
    status: answer.ok ? { kind: 'read', value: answer.value } : failedAfter(status, answer.failure),
  }))
}

/** Verifies the whole hash chain and the database. */
export function checkJournal(): Promise<Envelope<RequestOutput<'journal.check'>>> {
  return askMain('journal.check', {})
}

/** Writes a whole copy to a new file. */
export function exportJournal(path: string): Promise<Envelope<RequestOutput<'journal.export'>>> {
  return askMain('journal.export', { path })
}

/** Imports what another journal has and this one lacks. */
export async function importJournal(path: string): Promise<Envelope<RequestOutput<'journal.import'>>> {
  const answer = await askMain('journal.import', { path })
  if (answer.ok) await readAgain()
  return answer
}

/** Removes what ended before a day; a dry run only counts. */
export async function pruneJournal(before: string, dryRun: boolean): Promise<Envelope<PruneAnswer>> {
  const answer = await askMain('journal.prune', { before, dryRun })
  if (answer.ok && !dryRun) await readAgain()
  return answer
}

/** Runs and windows changed without an event. */
export async function readAgain(): Promise<void> {
  readHistory()
  await Promise.all([readJournal(), listRuns(), listWindows()])
}
