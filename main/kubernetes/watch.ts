import { seconds } from '../../shared/domain/durations.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { WatchState } from '../../shared/domain/kubernetes.ts'
import { type Clock, isoNow } from '../clock/clock.ts'
import { failureOfAnswer } from './errors.ts'
import { listAll } from './list.ts'
import { type RawObject, rawNumber, rawObject, rawText } from './raw.ts'
import { requestWords } from './request-words.ts'
import type { KubernetesSession } from './session.ts'
import { type Known, type Removed, removalsOfEvent, removalsOfList } from './watch-diff.ts'
import { linesOf } from './watch-lines.ts'

/** What to watch and whom to tell. */
export interface WatchOptions<T> {
  readonly session: KubernetesSession
  /** Of the list, such as `/api/v1/pods`. */
  readonly path: string
  readonly parse: (object: RawObject) => T
  /** What is there now, and what no longer is. A pod deleted and created anew under one name comes as a removal and an upsert. */
  readonly onChange: (upserts: readonly T[], removals: readonly Removed[]) => void
  readonly onState: (state: WatchState) => void
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly fieldSelector?: string
}

/** The server ends a watch after this, and we begin it anew: the most that a dead connection can stay unnoticed. */
const WATCH_SECONDS = 60
/** Silence longer than the watch plus this means that nobody is there (docs/drain.md, client facts 1). */
const SLACK_MS = seconds(10)
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = seconds(30)
/** Rights change seldom. */
const NOT_PERMITTED_DELAY_MS = seconds(60)
/** States and screens need no more than this. */
const LIVE_EVERY_MS = seconds(1)

/** Why a round of list or watch ended. */
type Ended =
  | { readonly kind: 'closed'; readonly heard: boolean }
  | { readonly kind: 'too-old' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/**
 * Lists and then watches a kind of object until the signal aborts (style G29). Ours and not client-node's, whose watch goes blind when
 * idle and stops for ever on errors (docs/drain.md, client facts 1-4): bookmarks, a new list after 410, dead connections noticed, backoff with
 * jitter that a success resets, objects told apart by UID.
 */
export async function watchResource<T>(options: WatchOptions<T>): Promise<void> {
  const { session, path, parse, onChange, onState, clock, signal, fieldSelector } = options
  const selector: Readonly<Record<string, string>> = fieldSelector === undefined ? {} : { fieldSelector }
  const known: Known = new Map()
  /** Empty: a list is needed first. */
  let resourceVersion = ''
  let failures = 0
  let offlineSince: string | null = null
  let liveTold = Number.NEGATIVE_INFINITY

  function heard(): void {
    offlineSince = null
    if (clock.now() - liveTold < LIVE_EVERY_MS) return
    liveTold = clock.now()
    onState({ kind: 'live', lastHeardAt: isoNow(clock) })
  }

  function told(failure: Failure): void {
    liveTold = Number.NEGATIVE_INFINITY
    offlineSince ??= isoNow(clock)
    onState(
      failure.code === 'not-permitted'
        ? { kind: 'not-permitted', why: failure.message }
        : { kind: 'offline', since: offlineSince, why: failure.message },
    )
  }

  async function list(): Promise<Ended | null> {
    const listed = await listAll(session, path, selector, signal)
    if (!listed.ok) return { kind: 'failed', failure: listed.failure }
    if (signal.aborted) return null
    const removals = removalsOfList(known, listed.value.items)
    resourceVersion = listed.value.resourceVersion
    onChange(listed.value.items.map(parse), removals)
    return null
  }

  async function watch(): Promise<Ended> {
    const timeoutSeconds = WATCH_SECONDS
    const opened = await session.stream({
      method: 'GET',
      path,
      query: { ...selector, watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds },
      signal,
      retry: false,
    })
    if (!opened.ok) {
      // Every other refusal is a failure to be told; 410 only means that a list is needed.
      return opened.failure.detail?.startsWith('HTTP 410')
        ? { kind: 'too-old' }
        : { kind: 'failed', failure: opened.failure }
    }
    heard()
    const guard = guardSilence(clock, seconds(timeoutSeconds) + SLACK_MS, opened.value.cancel)
    let anything = false
    const lines = linesOf(opened.value.body)
    try {
      for (;;) {
        // A connection that broke or fell silent is begun anew from where it was; what was heard is kept.
        const next = await lines.next().catch(() => null)
        if (next === null || next.done === true || signal.aborted) break
        guard.heard()
        heard()
        anything = true
        const end = take(next.value)
        if (end !== null) return end
      }
    } finally {
      guard.stop()
      opened.value.cancel()
    }
    return { kind: 'closed', heard: anything || guard.lasted() >= seconds(1) }
  }

  function take(lines: readonly unknown[]): Ended | null {
    // By UID, so that what came and went in one piece of the stream does not seem to be there afterwards.
    const upserts = new Map<string, T>()
    const removals: Removed[] = []
    let end: Ended | null = null
    for (const line of lines) {
      const event = rawObject(line)
      const object = rawObject(event.object)
      if (event.type === 'ERROR') {
        const code = rawNumber(object.code)
        end =
          code === 410
            ? { kind: 'too-old' }
            : { kind: 'failed', failure: failureOfAnswer(requestWords('GET', path, true), code || 500, object) }
        break
      }
      failures = 0
      resourceVersion = rawText(rawObject(object.metadata).resourceVersion) || resourceVersion
      if (event.type === 'BOOKMARK') continue
      const removed = removalsOfEvent(known, rawText(event.type), object)
      for (const { uid } of removed) upserts.delete(uid)
      removals.push(...removed)
      if (event.type !== 'DELETED') upserts.set(rawText(rawObject(object.metadata).uid), parse(object))
    }
    if (upserts.size + removals.length > 0) onChange([...upserts.values()], removals)
    return end
  }

  onState({ kind: 'catching-up' })
  while (!signal.aborted) {
    const ended = (resourceVersion === '' ? await list() : null) ?? (await watch())
    if (signal.aborted) return
    switch (ended.kind) {
      case 'closed':
        // A server that ends a watch at once, again and again, must not be asked in a tight loop.
        failures = ended.heard ? 0 : failures + 1
        if (!ended.heard) await clock.sleep(backoffMs(failures, clock), signal)
        break
      case 'too-old':
        resourceVersion = ''
        liveTold = Number.NEGATIVE_INFINITY
        onState({ kind: 'catching-up' })
        failures += 1
        if (failures > 1) await clock.sleep(backoffMs(failures, clock), signal)
        break
      case 'failed':
        told(ended.failure)
        failures += 1
        // A server that refuses, rather than fails, may refuse the version we would go on from.
        if (!ended.failure.retryable) resourceVersion = ''
        await clock.sleep(
          ended.failure.code === 'not-permitted'
            ? NOT_PERMITTED_DELAY_MS * (0.9 + 0.2 * clock.random())
            : backoffMs(failures, clock),
          signal,
        )
        break
    }
  }
}

function backoffMs(failures: number, clock: Clock): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) * (0.5 + clock.random())
}

/** Ends a stream on which nothing came for too long. */
function guardSilence(clock: Clock, limitMs: number, end: () => void) {
  const scope = new AbortController()
  const startedAt = clock.now()
  let lastHeard = startedAt
  async function look(): Promise<void> {
    while (!scope.signal.aborted) {
      const left = lastHeard + limitMs - clock.now()
      if (left <= 0) {
        end()
        return
      }
      await clock.sleep(left, scope.signal)
    }
  }
  void look()
  return {
    heard: () => {
      lastHeard = clock.now()
    },
    lasted: () => clock.now() - startedAt,
    stop: () => scope.abort(),
  }
}
