import type { Envelope, RequestOutput } from '../../shared/contract/index.ts'
import type { PruneAnswer } from '../../shared/contract/reports.ts'
import { useJournal } from '../stores/journal.ts'
import { failedAfter } from '../stores/updates.ts'
import { readHistory } from './history.ts'
import { listRuns } from './runs.ts'
import { ask, onResync } from './transport.ts'
import { listWindows } from './windows.ts'

/** Knows from the beginning whether the journal takes anything; answers how to stop. */
export function followJournal(): () => void {
  void readJournal()
  return onResync(() => void readJournal())
}

/** Reads how the journal stands. */
export async function readJournal(): Promise<void> {
  const answer = await ask('journal.status', {})
  useJournal.setState(({ status }) => ({
    status: answer.ok ? { kind: 'read', value: answer.value } : failedAfter(status, answer.failure),
  }))
}

/** Has the whole chain computed again, and the database looked at. */
export function checkJournal(): Promise<Envelope<RequestOutput<'journal.check'>>> {
  return ask('journal.check', {})
}

/** Writes a whole copy to a file that is not there yet. */
export function exportJournal(path: string): Promise<Envelope<RequestOutput<'journal.export'>>> {
  return ask('journal.export', { path })
}

/** Takes over what another journal has and this one has not. */
export async function importJournal(path: string): Promise<Envelope<RequestOutput<'journal.import'>>> {
  const answer = await ask('journal.import', { path })
  if (answer.ok) await readAll()
  return answer
}

/** Removes what ended before a day; a dry run only counts it. */
export async function pruneJournal(before: string, dryRun: boolean): Promise<Envelope<PruneAnswer>> {
  const answer = await ask('journal.prune', { before, dryRun })
  if (answer.ok && !dryRun) await readAll()
  return answer
}

/** Runs and windows came or went without an event that would tell. */
async function readAll(): Promise<void> {
  readHistory()
  await Promise.all([readJournal(), listRuns(), listWindows()])
}
