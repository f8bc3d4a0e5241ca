import type { KubernetesObject } from './answers.ts'
import { readMetadata } from './read-metadata.ts'

/** An object that is no longer there. */
export interface Removed {
  readonly uid: string
  readonly namespace: string
  readonly name: string
}

/** What a watch believes to exist, by namespace and name. */
export type Known = Map<string, Removed>

/** What a new list no longer has, by UID: a namesake with another UID is another object (docs/drain.md, client facts 4). Updates `known`. */
export function removalsOfList(known: Known, items: readonly KubernetesObject[]): readonly Removed[] {
  const listed = new Map(items.map(item => [keyOf(item), identityOf(item)]))
  const removals = [...known].filter(([key, { uid }]) => listed.get(key)?.uid !== uid).map(([, removed]) => removed)
  known.clear()
  for (const [key, identity] of listed) known.set(key, identity)
  return removals
}

/** What an event removes: the object itself, or the namesake in whose place it comes. Updates `known`. */
export function removalsOfEvent(known: Known, type: string, object: KubernetesObject): readonly Removed[] {
  const key = keyOf(object)
  const identity = identityOf(object)
  const before = known.get(key)
  if (type === 'DELETED') {
    // A late deletion of an earlier namesake must not take the present one out of the books.
    if (before?.uid === identity.uid) known.delete(key)
    return [identity]
  }
  known.set(key, identity)
  return before !== undefined && before.uid !== identity.uid ? [before] : []
}

function keyOf(object: KubernetesObject): string {
  const { namespace, name } = readMetadata(object)
  return `${namespace}/${name}`
}

function identityOf(object: KubernetesObject): Removed {
  const { uid, namespace, name } = readMetadata(object)
  return { uid, namespace, name }
}
