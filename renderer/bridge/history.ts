import { type HistoryWish, useHistory } from '../stores/history.ts'
import { failedAfter } from '../stores/updates.ts'
import { ask, listen, onResync } from './transport.ts'

/** Somebody who types is asked nothing for this long. */
const SEARCH_AFTER_MS = 150
/** What ends, ends together with others. */
const AGAIN_AFTER_MS = 500

let searchTimer: number | null = null
let againTimer: number | null = null
let lastSearch = 0

/** Keeps what is shown of the history current for as long as its screen is open; answers how to stop. */
export function followHistory(): () => void {
  readHistory()
  const stops = [
    listen('run.rested', readHistorySoon),
    listen('run.event', ({ body }) => {
      if (body.kind === 'run-created' || body.kind === 'run-finished') readHistorySoon()
    }),
    listen('window.changed', readHistorySoon),
    onResync(readHistory),
  ]
  return () => {
    for (const stop of stops) stop()
    for (const timer of [searchTimer, againTimer]) if (timer !== null) window.clearTimeout(timer)
    searchTimer = null
    againTimer = null
  }
}

/** Looks for something else, or for more of the same, once the operator stops typing. */
export function searchHistory(change: Partial<HistoryWish>): void {
  useHistory.setState(({ wish }) => ({ wish: { ...wish, ...change } }))
  if (searchTimer !== null) window.clearTimeout(searchTimer)
  searchTimer = window.setTimeout(() => void search(), SEARCH_AFTER_MS)
}

/** Reads everything of the history again. */
export function readHistory(): void {
  void search()
  void readDurations()
  void readBlockers()
}

function readHistorySoon(): void {
  againTimer ??= window.setTimeout(() => {
    againTimer = null
    readHistory()
  }, AGAIN_AFTER_MS)
}

async function search(): Promise<void> {
  lastSearch += 1
  const own = lastSearch
  const answer = await ask('history.search', useHistory.getState().wish)
  // An answer that was overtaken is of words nobody looks for any more.
  if (own !== lastSearch) return
  useHistory.setState(({ found }) => ({
    found: answer.ok ? { kind: 'read', value: answer.value } : failedAfter(found, answer.failure),
  }))
}

async function readDurations(): Promise<void> {
  const answer = await ask('history.durations', { cluster: null })
  useHistory.setState(({ durations }) => ({
    durations: answer.ok ? { kind: 'read', value: answer.value } : failedAfter(durations, answer.failure),
  }))
}

async function readBlockers(): Promise<void> {
  const answer = await ask('history.blockers', { cluster: null })
  useHistory.setState(({ blockers }) => ({
    blockers: answer.ok ? { kind: 'read', value: answer.value } : failedAfter(blockers, answer.failure),
  }))
}
