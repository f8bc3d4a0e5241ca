import { z } from 'zod'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { askService } from './ask-service.ts'
import type { Row } from './newest-rows.ts'
import type { OpenStackSession, ServiceRequest } from './openstack-session.ts'
import { SERVICES, type ServiceType } from './services.ts'

/** A paged list: `<collection>` and, if there is more, `<collection>_links` with a `next` (Nova and Neutron API guides). */
interface PagedList<T> {
  readonly collection: string
  readonly item: z.ZodType<T>
  readonly idOf: (item: T) => string
  /** Whether an item matches the request: a service that ignores a filter returns others too. Returns what is wrong, or null. */
  readonly isAsked?: (item: T) => Finding | null
  readonly rowOf?: (item: T) => Row
  /** Runs between two pages, for a list that nobody waits for. */
  readonly onPage?: ((items: readonly T[]) => void) | undefined
  readonly pause?: (() => Promise<void>) | undefined
  readonly request: Omit<ServiceRequest, 'method' | 'body'>
}

/** The most pages that are read; where order matters, the newest come first. */
const MOST_PAGES = 200
/** How often a list starts again after the object at a page's end was deleted. */
const MOST_RESTARTS = 2

/** Consecutive pages with nothing new: an object may move between two pages, not three. */
const MOST_REPEATS = 1

interface PageOf<T> {
  readonly items: readonly T[]
  readonly links?: z.infer<typeof Links>
}

const Links = z.array(z.object({ rel: z.string(), href: z.string() })).optional()

/**
 * Reads every page, by the marker of a link alone: tokens do not follow addresses in answers. The list ends only if the service says so or a page is short;
 * repeated pages are a failure.
 */
export async function listAll<T>(
  session: OpenStackSession,
  service: ServiceType,
  list: PagedList<T>,
): Promise<Result<readonly T[]>> {
  const schema = schemaOf(list)
  for (let restarts = 0; ; restarts += 1) {
    const found = new Map<string, T>()
    const markers = new Set<string>()
    let repeats = 0
    let marker: string | null = null
    for (;;) {
      const query: Readonly<Record<string, string>> =
        marker === null ? { ...list.request.query } : { ...list.request.query, marker }
      const page: Result<PageOf<T>> = await askService(
        session,
        service,
        { ...list.request, query, method: 'GET' },
        schema,
        ({ items }) => wrongWith(items, list),
        ({ items }) => (list.rowOf === undefined ? [] : items.map(list.rowOf)),
      )
      if (!page.ok) {
        if (marker !== null && page.failure.code === 'bad-input' && restarts < MOST_RESTARTS) break
        return page
      }
      const { items, links } = page.value
      const before = found.size
      for (const item of items) found.set(list.idOf(item), item)
      list.onPage?.(items)
      const next = links?.find(link => link.rel === 'next')
      // A full page may be truncated even without a link to the next one.
      if (next === undefined && items.length < Number(list.request.query?.limit ?? Number.POSITIVE_INFINITY))
        return ok([...found.values()])
      const last = items.at(-1)
      // An empty page need not be the last: Neutron applies policy after paging.
      marker = (next === undefined ? null : markerIn(next.href)) ?? (last === undefined ? null : list.idOf(last))
      repeats = items.length > 0 && found.size === before ? repeats + 1 : 0
      if (marker === null || markers.has(marker) || markers.size >= MOST_PAGES || repeats > MOST_REPEATS) {
        return failed(endlessList(service, list.request.call))
      }
      markers.add(marker)
      await list.pause?.()
    }
  }
}

/** List schemas by item schema: creating one takes longer than parsing an answer. */
const schemas = new WeakMap<z.ZodType, Map<string, z.ZodType>>()

function schemaOf<T>({ item, collection }: PagedList<T>): z.ZodType<PageOf<T>> {
  const known = schemas.get(item) ?? new Map<string, z.ZodType>()
  schemas.set(item, known)
  const made =
    known.get(collection) ??
    z.preprocess(
      answer => ({ items: member(answer, collection), links: linksOf(answer, collection) }),
      z.object({ items: z.array(item), links: Links }),
    )
  known.set(collection, made)
  return made as z.ZodType<PageOf<T>>
}

function wrongWith<T>(items: readonly T[], { isAsked }: PagedList<T>): Finding | null {
  if (isAsked === undefined) return null
  for (const item of items) {
    const wrong = isAsked(item)
    if (wrong !== null) return wrong
  }
  return null
}

export function endlessList(service: ServiceType, call: Finding): Failure {
  return refusal('unreadable', because('PagesWithoutEnd', { call, service: SERVICES[service].name }))
}

/** Watcher has a top-level `next`, Keystone an object of links, the others a list of links. */
function linksOf(answer: unknown, collection: string): unknown {
  const next = member(answer, 'next') ?? member(member(answer, 'links'), 'next')
  return typeof next === 'string' ? [{ rel: 'next', href: next }] : member(answer, `${collection}_links`)
}

function markerIn(href: string): string | null {
  const query = href.indexOf('?')
  return query < 0 ? null : new URLSearchParams(href.slice(query)).get('marker')
}

function member(answer: unknown, name: string): unknown {
  return typeof answer === 'object' && answer !== null
    ? Object.entries(answer).find(([key]) => key === name)?.[1]
    : undefined
}
