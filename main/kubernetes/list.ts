import { seconds } from '../../shared/domain/durations.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { failureOfAnswer } from './errors.ts'
import { type RawObject, rawList, rawObject, rawText } from './raw.ts'
import { requestWords } from './request-words.ts'
import type { KubernetesSession } from './session.ts'

/** Objects a page of a list has at most; kubectl's chunk size (docs/drain.md 5.2). */
export const PAGE_SIZE = 500

/** Lists of big clusters take their time. */
const LIST_LIMIT_MS = seconds(60)

/** A list that keeps expiring while it is paged is begun anew this often. */
const FRESH_STARTS = 3

/** A whole list, with the point in time from which a watch of it may go on. */
export interface RawListing {
  readonly items: readonly RawObject[]
  readonly apiVersion: string
  readonly resourceVersion: string
}

/** Lists all objects, page by page; when the server forgot where we were (410), the list begins anew. */
export async function listAll(
  session: KubernetesSession,
  path: string,
  query: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Result<RawListing>> {
  let items: RawObject[] = []
  let next: string | undefined
  let freshStarts = 0
  for (;;) {
    const answer = await session.exchange({
      method: 'GET',
      path,
      query: { ...query, limit: PAGE_SIZE, continue: next },
      timeoutMs: LIST_LIMIT_MS,
      signal,
    })
    if (!answer.ok) return answer
    const { status, body } = answer.value
    if (status === 410 && next !== undefined && freshStarts < FRESH_STARTS) {
      freshStarts += 1
      items = []
      next = undefined
      continue
    }
    if (status !== 200) return failed(failureOfAnswer(requestWords('GET', path), status, body))
    const list = rawObject(body)
    items.push(...rawList(list.items).map(rawObject))
    const metadata = rawObject(list.metadata)
    next = rawText(metadata.continue) || undefined
    if (next === undefined) {
      return ok({ items, apiVersion: rawText(list.apiVersion), resourceVersion: rawText(metadata.resourceVersion) })
    }
  }
}

/** Lists all objects and reads each into a domain value. */
export async function listRead<T>(
  session: KubernetesSession,
  path: string,
  read: (item: RawObject, apiVersion: string) => T,
  more: { readonly query?: Readonly<Record<string, string>>; readonly signal?: AbortSignal | undefined } = {},
): Promise<Result<readonly T[]>> {
  const listed = await listAll(session, path, more.query, more.signal)
  return listed.ok ? ok(listed.value.items.map(item => read(item, listed.value.apiVersion))) : listed
}
