import { NOBODY_NOTIFIED, NOTIFY_OWNERS, STILL_PRESENT } from '../domain/lock-message.ts'

/**
 * docs/domain.md A.6: instances that nobody moves, by id, left to their owners; `unset`: those of them without a tag. A list with nothing in it is not
 * sent: it would ask somebody to notify nobody. `more`: sentences of who they are and of what else stands in the way. Read by `instancesLeftBy`.
 */
export function leftToOwnersText(owners: readonly string[], unset: readonly string[], more: readonly string[]): string {
  if (owners.length === 0) return `${STILL_PRESENT}; an operator has to act. ${more.join(' ')}`
  return [
    `${NOTIFY_OWNERS}${JSON.stringify(owners)}`,
    ...(unset.length === 0 ? [] : [`Servers with unset maintenance action: ${JSON.stringify(unset)}`]),
    ...more,
  ].join(' ')
}

/** docs/domain.md A.9: a node that is given up may keep no instance at all. Read by `instancesLeftBy`. */
export function leftOnDeletedText(ids: readonly string[], more: readonly string[]): string {
  return [`${STILL_PRESENT}: ${JSON.stringify(ids)}`, ...more].join(' ')
}

/** A text of a lock without the request to notify the owners of no instance at all. */
export function withoutEmptyLists(text: string): string {
  return text.replace(NOBODY_NOTIFIED, '$1, and nobody is to be notified. ').trim()
}
