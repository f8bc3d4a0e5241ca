import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { Silence, WatchState } from '../../../shared/domain/kubernetes.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import {
  attempted,
  jsonObject,
  type KubernetesObject,
  memberOf,
  type ReceivedAnswer,
  type ResourceVersion,
  unreadable,
} from './answers.ts'
import { failureOfAnswer, refusalIn } from './errors.ts'
import { MalformedAnswer, neededText, objectIn } from './fields.ts'
import { type Listed, listAll, listBeginning } from './list.ts'
import { type RequestWords, requestWords } from './request-words.ts'
import { type Collection, folderOf } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { readStatus } from './status.ts'
import {
  type KnownObjects,
  linesOf,
  type Removed,
  removalsOfEvent,
  removalsOfList,
  UnreadableLine,
} from './watch-lines.ts'

interface WatchOptions<T, M> {
  readonly session: KubernetesSession
  readonly collection: Collection<M>
  /** Throws a MalformedAnswer if an object is unreadable: then the watch is not live and lists again. */
  readonly parse: (object: KubernetesObject<M>) => T
  /** New and removed objects. A recreated pod is a removal and an upsert. */
  readonly onChange: (upserts: readonly T[], removals: readonly Removed[]) => void
  readonly onState: (state: WatchState) => void
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly fieldSelector?: string
  readonly labelSelector?: string
}

/** The server ends a watch after this time and a new one starts: the longest time that a dead connection stays unnoticed. */
const WATCH_SECONDS = 60
/** Silence beyond the watch's end plus this means a dead connection (docs/drain.md, client facts 1). */
const SLACK_MS = seconds(10)
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = seconds(30)
const NOT_PERMITTED_DELAY_MS = seconds(60)
const LIVE_EVERY_MS = seconds(1)

/** Why a round of list or watch ended; `lost`: before its time was up. */
type Ended =
  | { readonly kind: 'closed'; readonly received: boolean; readonly lost: boolean }
  | { readonly kind: 'too-old' }
  | { readonly kind: 'failed'; readonly failure: Failure }

interface Watch<T, M> extends WatchOptions<T, M> {
  readonly words: RequestWords
  readonly selector: Readonly<Record<string, string>>
  readonly known: KnownObjects
  /** Null: a list comes first. */
  resourceVersion: ResourceVersion | null
  /** It is unknown whether the server continues from our version. */
  lost: boolean
  failures: number
  silentRounds: number
  offlineSince: string | null
  liveReportedAt: number
}

/**
 * Lists and then watches a kind until the signal aborts (style G29). client-node's watch goes blind when idle and stops forever on errors (docs/drain.md,
 * client facts 1-4). After a lost connection another server with an older history may answer (5.7): everything is listed again before the state is live, unless
 * the first page of a large list shows that nothing changed.
 */
export async function watchResource<T, M>(options: WatchOptions<T, M>): Promise<void> {
  const { collection, onState, signal, fieldSelector, labelSelector } = options
  const watch: Watch<T, M> = {
    ...options,
    words: requestWords('GET', folderOf(collection), true),
    selector: {
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
    },
    known: new Map(),
    resourceVersion: null,
    lost: false,
    failures: 0,
    silentRounds: 0,
    offlineSince: null,
    liveReportedAt: Number.NEGATIVE_INFINITY,
  }
  onState({ kind: 'catching-up' })
  while (!signal.aborted) {
    const ended = (await listIfNeeded(watch)) ?? (await watchOnce(watch))
    if (signal.aborted) return
    await prepareNextRound(watch, ended)
  }
}

async function prepareNextRound<T, M>(watch: Watch<T, M>, ended: Ended): Promise<void> {
  const { clock, signal } = watch
  switch (ended.kind) {
    case 'closed':
      if (ended.lost) {
        watch.lost = true
        reportCatchingUp(watch)
      }
      // A server that ends watches at once must not cause a tight loop.
      watch.failures = ended.received ? 0 : watch.failures + 1
      if (!ended.received) await clock.sleep(backoffMs(watch.failures, clock), signal)
      break
    case 'too-old':
      watch.resourceVersion = null
      reportCatchingUp(watch)
      watch.failures += 1
      if (watch.failures > 1) await clock.sleep(backoffMs(watch.failures, clock), signal)
      break
    case 'failed':
      reportFailure(watch, ended.failure)
      watch.lost = true
      watch.failures += 1
      // A refusal may concern our resource version; an unreadable event may have been missed.
      if (!ended.failure.retryable || ended.failure.code === 'unreadable') watch.resourceVersion = null
      await clock.sleep(
        ended.failure.code === 'not-permitted'
          ? NOT_PERMITTED_DELAY_MS * (0.9 + 0.2 * clock.random())
          : backoffMs(watch.failures, clock),
        signal,
      )
      break
  }
}

function reportLive<T, M>(watch: Watch<T, M>): void {
  const { clock, onState } = watch
  watch.offlineSince = null
  if (clock.now() - watch.liveReportedAt < LIVE_EVERY_MS) return
  watch.liveReportedAt = clock.now()
  onState({ kind: 'live', lastAnswerAt: isoNow(clock) })
}

function reportCatchingUp<T, M>(watch: Watch<T, M>): void {
  watch.liveReportedAt = Number.NEGATIVE_INFINITY
  watch.onState({ kind: 'catching-up' })
}

function reportFailure<T, M>(watch: Watch<T, M>, failure: Failure): void {
  watch.liveReportedAt = Number.NEGATIVE_INFINITY
  watch.offlineSince ??= isoNow(watch.clock)
  watch.onState(
    failure.code === 'not-permitted'
      ? { kind: 'not-permitted', ...silenceOf(findingIn(failure)) }
      : { kind: 'offline', since: watch.offlineSince, ...silenceOf(findingIn(failure)) },
  )
}

async function listIfNeeded<T, M>(watch: Watch<T, M>): Promise<Ended | null> {
  if (watch.resourceVersion === null) return listWhole(watch)
  return watch.lost ? catchUp(watch, watch.resourceVersion) : null
}

async function listWhole<T, M>(watch: Watch<T, M>): Promise<Ended | null> {
  const { session, collection, selector, signal } = watch
  const listed = await listAll(session, collection, { query: selector, signal })
  if (!listed.ok) return { kind: 'failed', failure: listed.failure }
  return signal.aborted ? null : takeList(watch, listed.value)
}

/** Catches up by a new list, unless the server is still at our version. */
async function catchUp<T, M>(watch: Watch<T, M>, from: ResourceVersion): Promise<Ended | null> {
  const { session, collection, selector, signal } = watch
  const beginning = await listBeginning(session, collection, { query: selector, signal })
  if (!beginning.ok) return { kind: 'failed', failure: beginning.failure }
  if (signal.aborted) return null
  if (beginning.value.isWhole) return takeList(watch, beginning.value)
  if (beginning.value.resourceVersion !== from) return listWhole(watch)
  watch.lost = false
  return null
}

function takeList<T, M>(watch: Watch<T, M>, listed: Listed<M>): Ended | null {
  const { session, words, parse, known, onChange } = watch
  const came = { status: 200, contentType: 'application/json', body: {}, scrub: session.scrub }
  const upserts: T[] = []
  for (const item of listed.items) {
    const read = attempted(words, { ...came, body: item }, () => parse(item))
    if (!read.ok) return { kind: 'failed', failure: read.failure }
    upserts.push(read.value)
  }
  const removals = removalsOfList(known, listed.items)
  watch.resourceVersion = listed.resourceVersion
  watch.lost = false
  onChange(upserts, removals)
  return null
}

async function watchOnce<T, M>(watch: Watch<T, M>): Promise<Ended> {
  const { session, collection, selector, clock, signal, words, resourceVersion } = watch
  if (resourceVersion === null) return { kind: 'too-old' }
  const timeoutSeconds = WATCH_SECONDS
  const opened = await session.stream({
    method: 'GET',
    path: folderOf(collection),
    query: { ...selector, watch: true, allowWatchBookmarks: true, resourceVersion, timeoutSeconds },
    signal,
    retry: false,
  })
  if (!opened.ok) {
    // 410 only means that a new list is needed; every other refusal is a failure.
    return opened.failure.status === 410 ? { kind: 'too-old' } : { kind: 'failed', failure: opened.failure }
  }
  const { status, headers, body } = opened.value
  const came: ReceivedAnswer = { status, contentType: headers['content-type'] ?? '', body: '', scrub: session.scrub }
  // An answer without a JSON content type must prove itself by an event.
  if (came.contentType.includes('json')) reportLive(watch)
  const guard = endAfterSilence(clock, seconds(timeoutSeconds) + SLACK_MS, opened.value.cancel)
  let anything = false
  let inPeace = false
  const lines = linesOf(body)
  try {
    for (;;) {
      // A broken or silent connection continues from its last version and keeps its objects.
      const next = await lines.next().catch((error: unknown) => (error instanceof MalformedAnswer ? error : null))
      if (signal.aborted) break
      if (next instanceof MalformedAnswer) {
        const line = next instanceof UnreadableLine ? next.line : ''
        return { kind: 'failed', failure: unreadable(words, { ...came, body: line }, next.why) }
      }
      if (next === null) break
      inPeace = next.done === true
      if (next.done === true) break
      guard.received()
      anything = true
      const end = applyEvents(watch, next.value, came)
      if (end !== null) return end
      reportLive(watch)
    }
  } finally {
    guard.stop()
    opened.value.cancel()
  }
  listAfterSilence(watch, anything, inPeace)
  const inTime = inPeace && guard.lasted() >= seconds(timeoutSeconds) - SLACK_MS
  return { kind: 'closed', received: anything || guard.lasted() >= seconds(1), lost: !inTime }
}

/** Perhaps nobody forwards the events of a silent watch: a list shows what it missed. */
function listAfterSilence<T, M>(watch: Watch<T, M>, anything: boolean, inPeace: boolean): void {
  watch.silentRounds = anything ? 0 : watch.silentRounds + 1
  if (watch.silentRounds < (inPeace ? 1 : 2)) return
  watch.resourceVersion = null
  watch.silentRounds = 0
}

function applyEvents<T, M>(watch: Watch<T, M>, lines: readonly unknown[], came: ReceivedAnswer): Ended | null {
  // By UID, so that an object created and deleted in one batch does not remain.
  const upserts = new Map<string, T>()
  const removals: Removed[] = []
  let end: Ended | null = null
  for (const line of lines) {
    const applied = attempted(watch.words, { ...came, body: line }, () => applyEvent(watch, line, upserts, removals))
    end = applied.ok ? applied.value : { kind: 'failed', failure: applied.failure }
    if (end !== null) break
  }
  if (upserts.size + removals.length > 0) watch.onChange([...upserts.values()], removals)
  return end
}

/** Applies one event; an unreadable one throws a MalformedAnswer and changes nothing. */
function applyEvent<T, M>(
  watch: Watch<T, M>,
  line: unknown,
  upserts: Map<string, T>,
  removals: Removed[],
): Ended | null {
  const { collection, parse, known, words } = watch
  const event = jsonObject(line)
  const body = objectIn(event, 'object')
  switch (event.type) {
    case 'ERROR': {
      const status = readStatus(body)
      if (status === null || status.success) throw new MalformedAnswer(because('WatchErrorEmpty'))
      if (refusalIn(410, body) !== null) return { kind: 'too-old' }
      return { kind: 'failed', failure: failureOfAnswer(words, status.code || 500, body) }
    }
    case 'BOOKMARK': {
      if (body.kind !== collection.type.kind) throw new MalformedAnswer(because('WatchBookmarkOfOther'))
      watch.resourceVersion = neededText(objectIn(body, 'metadata'), 'resourceVersion') as ResourceVersion
      break
    }
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED': {
      const object = memberOf(body, collection)
      const value = event.type === 'DELETED' ? null : { is: parse(object) }
      const removed = removalsOfEvent(known, event.type, object)
      for (const each of removed) upserts.delete(each.uid)
      removals.push(...removed)
      if (value !== null) upserts.set(object.metadata.uid, value.is)
      watch.resourceVersion = object.metadata.resourceVersion
      break
    }
    default:
      throw new MalformedAnswer(because('WatchEventUnknown'))
  }
  watch.failures = 0
  return null
}

function backoffMs(failures: number, clock: Clock): number {
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) * (0.5 + clock.random())
}

function endAfterSilence(clock: Clock, limitMs: number, end: () => void) {
  const scope = new AbortController()
  const startedAt = clock.now()
  let lastAnswer = startedAt
  async function look(): Promise<void> {
    while (!scope.signal.aborted) {
      const left = lastAnswer + limitMs - clock.now()
      if (left <= 0) {
        end()
        return
      }
      await clock.sleep(left, scope.signal)
    }
  }
  void look()
  return {
    received: () => {
      lastAnswer = clock.now()
    },
    lasted: () => clock.now() - startedAt,
    stop: () => scope.abort(),
  }
}

/** The reason in a feed's state why nothing is received. */
export function silenceOf({ code, values, message }: Finding): Silence {
  return { why: message, reason: code, values }
}
