import { z } from 'zod'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { ask } from './ask.ts'
import type { OpenStackSession, ServiceRequest } from './keystone-session.ts'
import { SERVICES, type ServiceType } from './services.ts'

/** A list that comes in pages: `<collection>` and, when there is more, `<collection>_links` with a `next` (Nova and Neutron API guides). */
export interface PagedList<T> {
  readonly collection: string
  readonly item: z.ZodType<T>
  /** Names an item, and is the marker of the next page when a link does not tell it. */
  readonly idOf: (item: T) => string
  readonly request: Omit<ServiceRequest, 'method' | 'body'>
}

/** More pages than this are not read; newest come first where an order matters. */
const MOST_PAGES = 200
/** How often a list is begun again because the object its page ended with was deleted meanwhile. */
const MOST_RESTARTS = 2

const Links = z.array(z.object({ rel: z.string(), href: z.string() })).optional()

/**
 * Reads every page. Of a link only the marker is used: the address in it is the service's own idea of itself, and a token is not sent
 * wherever an answer says. An object that moved between pages is listed once.
 */
export async function listAll<T>(
  session: OpenStackSession,
  service: ServiceType,
  list: PagedList<T>,
): Promise<Result<readonly T[]>> {
  const schema = z.preprocess(
    answer => ({ items: member(answer, list.collection), links: linksOf(answer, list.collection) }),
    z.object({ items: z.array(list.item), links: Links }),
  )
  for (let restarts = 0; ; restarts += 1) {
    const found = new Map<string, T>()
    const markers = new Set<string>()
    let marker: string | null = null
    for (;;) {
      const query: Readonly<Record<string, string>> =
        marker === null ? { ...list.request.query } : { ...list.request.query, marker }
      const page: Result<z.infer<typeof schema>> = await ask(
        session,
        service,
        { ...list.request, query, method: 'GET' },
        schema,
      )
      if (!page.ok) {
        if (marker !== null && page.failure.code === 'bad-input' && restarts < MOST_RESTARTS) break
        return page
      }
      for (const item of page.value.items) found.set(list.idOf(item), item)
      const last = page.value.items.at(-1)
      const next = page.value.links?.find(link => link.rel === 'next')
      if (next === undefined || last === undefined) return ok([...found.values()])
      marker = markerIn(next.href) ?? list.idOf(last)
      if (markers.has(marker) || markers.size >= MOST_PAGES) {
        return failed(
          failure(
            'server-fault',
            `Could not ${list.request.doing}: ${SERVICES[service].name} gives page after page without an end.`,
            {
              retryable: false,
            },
          ),
        )
      }
      markers.add(marker)
    }
  }
}

/** Watcher names the next page by itself, Keystone in an object of links, the others in a list of links. */
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
