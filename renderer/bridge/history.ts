import type { MeasuredMove } from '../../shared/domain/move-durations.ts'
import { type HistoryWish, useHistory } from '../stores/history.ts'
import { failedAfter } from '../stores/updates.ts'
import { askMain, listen, onResync } from './transport.ts'

/** Waits this long after the last key. */
const SEARCH_AFTER_MS = 150
/** The delay before the next read, because several runs often end together. */
const AGAIN_AFTER_MS = 500

let searchTimer: number | null = null
let againTimer: number | null = null
let lastSearch = 0

/** Keeps the history screen current; returns a stop function. */
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

/** Searches for something else, or for more, once the operator stops typing. */
export function searchHistory(change: Partial<HistoryWish>): void {
  useHistory.setState(({ wish }) => ({ wish: { ...wish, ...change } }))
  if (searchTimer !== null) window.clearTimeout(searchTimer)
  searchTimer = window.setTimeout(() => void search(), SEARCH_AFTER_MS)
}

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
  const answer = await askMain('history.search', useHistory.getState().wish)
  // A later search has replaced this one.
  if (own !== lastSearch) return
  useHistory.setState(({ found }) => ({
    found: answer.ok ? { kind: 'read', value: answer.value } : failedAfter(found, answer.failure),
  }))
}

async function readDurations(): Promise<void> {
  const answer = await askMain('history.durations', { cluster: null })
  useHistory.setState(({ durations }) => ({
    durations: answer.ok ? { kind: 'read', value: answer.value } : failedAfter(durations, answer.failure),
  }))
}

async function readBlockers(): Promise<void> {
  const answer = await askMain('history.blockers', { cluster: null })
  useHistory.setState(({ blockers }) => ({
    blockers: answer.ok ? { kind: 'read', value: answer.value } : failedAfter(blockers, answer.failure),
  }))
}

/** Earlier live migrations of a cloud, for the usual time of one; empty if they cannot be read. */
export async function earlierMoves(cluster: string): Promise<readonly MeasuredMove[]> {
  const answer = await askMain('history.moves', { cluster })
  return answer.ok ? answer.value.moves : []
}
