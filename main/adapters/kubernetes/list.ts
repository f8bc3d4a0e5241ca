import { minutes, seconds } from '../../../shared/domain/durations.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { attempted, type KubernetesObject, listPageOf, type ResourceVersion, readAnswer } from './answers.ts'
import { refusalIn } from './errors.ts'
import { MalformedAnswer } from './fields.ts'
import { absenceOf } from './objects.ts'
import { requestWords } from './request-words.ts'
import { type Collection, folderOf, type ResourceType } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** Page size; kubectl's chunk size (docs/drain.md 5.2). */
const PAGE_SIZE = 500

const LIST_LIMIT_MS = seconds(60)

const WHOLE_LIST_LIMIT_MS = minutes(5)

/** 200,000 objects of a kind: more than the largest supported cluster has (150,000 pods). */
const MOST_PAGES = 400

/** A large pod has about 50 KiB; 500 of them stay far below. */
const LARGEST_PAGE_BYTES = 128 * 1024 * 1024

const FRESH_STARTS = 3

export interface Listed<M> {
  readonly items: readonly KubernetesObject<M>[]
  readonly resourceVersion: ResourceVersion
}

interface ListMore {
  readonly query?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** Lists all objects, page by page; on 410 again. What is not provably the complete list is a failure: another kind, a duplicate, an outdated answer. */
export async function listAll<M>(
  session: KubernetesSession,
  collection: Collection<M>,
  more: ListMore = {},
): Promise<Result<Listed<M>>> {
  const path = folderOf(collection)
  const words = requestWords('GET', path)
  let items: KubernetesObject<M>[] = []
  let uids = new Set<string>()
  let tokens = new Set<string>()
  let next: string | null = null
  let version: ResourceVersion | null = null
  let freshStarts = 0
  let tookMs = 0
  for (;;) {
    const answer = await session.exchange({
      method: 'GET',
      path,
      query: { ...more.query, limit: collection.type.pageSize ?? PAGE_SIZE, continue: next ?? undefined },
      timeoutMs: LIST_LIMIT_MS,
      largestBytes: LARGEST_PAGE_BYTES,
      signal: more.signal,
    })
    if (!answer.ok) return answer
    const came = answer.value
    const expired = came.status === 410 && refusalIn(410, came.body)?.reason === 'Expired'
    if (expired && next !== null && freshStarts < FRESH_STARTS) {
      freshStarts += 1
      items = []
      uids = new Set()
      tokens = new Set()
      next = null
      version = null
      continue
    }
    if (came.status === 404) return failed(await absenceOf(session, collection, words, came, more.signal))
    const page = readAnswer(words, came, body => listPageOf(body, collection))
    if (!page.ok) return page
    tookMs += came.tookMs
    const sound = attempted(words, came, () => {
      const { resourceVersion } = page.value
      // Later pages are as old as the first.
      if (version === null) session.newest.list(collection.type, resourceVersion, came.askedAt)
      else if (resourceVersion !== version) throw new MalformedAnswer(because('PagesOfDifferentTimes'))
      version = resourceVersion
      for (const item of page.value.items) {
        if (uids.has(item.metadata.uid)) throw new MalformedAnswer(because('ObjectListedTwice'))
        uids.add(item.metadata.uid)
        items.push(item)
      }
      if (page.value.next === null) return
      if (page.value.items.length === 0) throw new MalformedAnswer(because('EmptyPageWithMore'))
      if (tokens.has(page.value.next)) throw new MalformedAnswer(because('PagesInCircle'))
      if (tokens.size >= MOST_PAGES) throw new MalformedAnswer(because('ListWithoutEnd', { pages: MOST_PAGES }))
      if (tookMs > WHOLE_LIST_LIMIT_MS)
        throw new MalformedAnswer(because('ListTooSlow', { minutes: WHOLE_LIST_LIMIT_MS / 60_000 }))
      tokens.add(page.value.next)
    })
    if (!sound.ok) return sound
    next = page.value.next
    if (next === null) return ok({ items, resourceVersion: page.value.resourceVersion })
  }
}

/** The first page of a list: possibly all of it, and in any case the server's current version. */
interface Beginning<M> extends Listed<M> {
  readonly isWhole: boolean
}

export async function listBeginning<M>(
  session: KubernetesSession,
  collection: Collection<M>,
  more: ListMore = {},
): Promise<Result<Beginning<M>>> {
  const path = folderOf(collection)
  const words = requestWords('GET', path)
  const query = { ...more.query, limit: collection.type.pageSize ?? PAGE_SIZE }
  const asked = {
    method: 'GET',
    path,
    query,
    largestBytes: LARGEST_PAGE_BYTES,
    signal: more.signal,
    retry: false,
  } as const
  const answer = await session.exchange({ ...asked, timeoutMs: LIST_LIMIT_MS })
  if (!answer.ok) return answer
  const came = answer.value
  if (came.status === 404) return failed(await absenceOf(session, collection, words, came, more.signal))
  return readAnswer(words, came, body => {
    const { items, resourceVersion, next } = listPageOf(body, collection)
    session.newest.list(collection.type, resourceVersion, came.askedAt)
    if (new Set(items.map(({ metadata }) => metadata.uid)).size < items.length)
      throw new MalformedAnswer(because('ObjectListedTwice'))
    return { items, resourceVersion, isWhole: next === null }
  })
}

export async function listRead<T, M>(
  session: KubernetesSession,
  type: ResourceType<M>,
  read: (item: KubernetesObject<M>) => T,
  more: ListMore & { readonly namespace?: string | null } = {},
): Promise<Result<readonly T[]>> {
  const collection = { type, namespace: more.namespace ?? null }
  const listed = await listAll(session, collection, more)
  if (!listed.ok) return listed
  const words = requestWords('GET', folderOf(collection))
  const values: T[] = []
  for (const item of listed.value.items) {
    const came = { status: 200, contentType: 'application/json', body: item, scrub: session.scrub }
    const value = attempted(words, came, () => read(item))
    if (!value.ok) return value
    values.push(value.value)
  }
  return ok(values)
}
