import { NOBODY_NOTIFIED, NOTIFY_OWNERS, STILL_PRESENT } from '../domain/lock-message.ts'

/**
 * docs/domain.md A.6: ids of instances that are left to their owners; `unset`: those without a tag. An empty list is not sent: it would ask
 * to notify nobody. `more`: sentences on who they are and on other obstacles. `instancesLeftBy` reads this text.
 */
export function leftToOwnersText(owners: readonly string[], unset: readonly string[], more: readonly string[]): string {
  if (owners.length === 0) return `${STILL_PRESENT}; an operator has to act. ${more.join(' ')}`
  return [
    `${NOTIFY_OWNERS}${JSON.stringify(owners)}`,
    ...(unset.length === 0 ? [] : [`Servers with unset maintenance action: ${JSON.stringify(unset)}`]),
    ...more,
  ].join(' ')
}

/** docs/domain.md A.9: a node that gives up its place may keep no instance. `instancesLeftBy` reads this text. */
export function leftOnDeletedText(ids: readonly string[], more: readonly string[]): string {
  return [`${STILL_PRESENT}: ${JSON.stringify(ids)}`, ...more].join(' ')
}

/** A text of a lock without an empty request to notify owners. */
export function withoutEmptyLists(text: string): string {
  return text.replace(NOBODY_NOTIFIED, '$1, and nobody is to be notified. ').trim()
}
