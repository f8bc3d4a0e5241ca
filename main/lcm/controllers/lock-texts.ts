/** The message of a lock is `<UTC time> <text>` (docs/domain.md A.2): who reads it sees how old it is. */
export function stamped(text: string, nowMs: number): string {
  return text === '' ? '' : `${new Date(nowMs).toISOString()} ${text}`
}

/** The text of a message without its time: a lock is written again only when this changes. */
export function withoutStamp(message: string): string {
  return message.replace(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?\s+/, '')
}

/** docs/domain.md A.2 rule 4: LCM and controller are of different releases. */
export function releaseText(theirs: string, ours: string): string {
  return `The maintenance request's release does not match ours: it is ${theirs}, ours is ${ours}. Skipping handling.`
}

/** docs/domain.md A.2 rule 7: services refuse. */
export function blockedByText(services: Readonly<Record<string, string>>): string {
  return `Some services blocks nmr handling ${JSON.stringify(services)}`
}
