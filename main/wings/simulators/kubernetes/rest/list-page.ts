import { badRequest, expired, granted, type Outcome, refused } from '../store/api-status.ts'
import { type Json, numberAt, textAt } from '../store/json.ts'
import type { StoredObject } from '../store/kubernetes-object.ts'
import type { ObjectStore } from '../store/object-store.ts'

interface ListPage {
  readonly items: readonly StoredObject[]
  readonly resourceVersion: string
  readonly next: string | null
  readonly remaining: number
}

/** Cuts a list into pages. Later pages carry the first one's resourceVersion, so a watch from there misses nothing; a token from before a compaction gets 410. */
export function listPage(
  store: ObjectStore,
  objects: readonly StoredObject[],
  query: URLSearchParams,
): Outcome<ListPage> {
  const limit = Number(query.get('limit') ?? '0') || 0
  const token = query.get('continue') ?? ''
  const from = token === '' ? { revision: store.revision(), after: '' } : readToken(token)
  if (from === null) return refused(badRequest('invalid continue token: continue key is not valid'))
  if (token !== '' && from.revision < store.compactedRevision()) {
    return refused(
      expired(
        'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
      ),
    )
  }
  const rest = objects.filter(object => keyOf(object) > from.after)
  const items = limit > 0 ? rest.slice(0, limit) : rest
  const last = items.at(-1)
  const more = rest.length > items.length && last !== undefined
  return granted({
    items,
    resourceVersion: String(from.revision),
    next: more ? writeToken(from.revision, keyOf(last)) : null,
    remaining: rest.length - items.length,
  })
}

function keyOf(object: StoredObject): string {
  const { namespace, name } = object.metadata
  return namespace === undefined ? name : `${namespace}/${name}`
}

function writeToken(revision: number, after: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: after })).toString('base64url')
}

function readToken(token: string): { readonly revision: number; readonly after: string } | null {
  try {
    const read: Json = JSON.parse(Buffer.from(token, 'base64url').toString())
    const revision = numberAt(read, 'rv')
    const after = textAt(read, 'start')
    return revision === undefined || after === undefined ? null : { revision, after }
  } catch {
    return null
  }
}
