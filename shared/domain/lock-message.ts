/** What a lock's `errorMessage` says. `progress`: it works. `blocked`: it waits for a person or another node. `trouble`: it tries again. */
export interface LockMessage {
  /** ISO; null if its controller does not say when. */
  readonly at: string | null
  readonly text: string
  readonly kind: 'none' | 'progress' | 'blocked' | 'trouble'
  readonly instanceIds: readonly string[]
}

/** `2025-06-01 10:11:12.123456 Starting migration for …`: Python's UTC time, with or without a zone. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?(?:\s+|$)/
/** Empty lists of owners and of unset actions (docs/domain.md A.6): no owner needs a message. */
export const NOBODY_NOTIFIED =
  /^(Some servers are still present on the host)\. Notify owners of the following servers?: \[\s*\]\.?(?: Servers with unset maintenance action: \[\s*\]\.?)?\s*/
const INSTANCE = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi

/** Texts of Rockoon (docs/domain.md A.2, A.3, A.6, A.9), in its spelling; the first match counts. */
const KNOWN: readonly (readonly [pattern: RegExp, kind: 'progress' | 'blocked' | 'trouble'])[] = [
  [/^Starting migration for /, 'progress'],
  // Covers every wait, even for a problem: servers in migration, health, `osdpl status`, the misspelt `cwl release`.
  [/^Waiting(ing)? /, 'progress'],
  [/controller version is not updated yet/, 'progress'],
  [/release does not match ours/, 'blocked'],
  [/exceeds allowed concurrency/, 'blocked'],
  [/blocks nmr handling/, 'blocked'],
  [/^Some servers are still present on the host/, 'blocked'],
  [/^Some (servers|volumes) .* are still present on host/, 'blocked'],
  [/is hard locked by /, 'blocked'],
  [/^Got error while /, 'trouble'],
  [/^Timeout waiting /, 'trouble'],
  [/^Retrying migrate instances from host/, 'trouble'],
  [/^Can ?not /, 'trouble'],
]

/** Patterns for a controller whose texts are not published. */
const GUESSED: readonly (readonly [pattern: RegExp, kind: 'progress' | 'blocked' | 'trouble'])[] = [
  [/\b(blocked|blocks|blocking|refus\w+|must|needs?|requires?|not allowed|operator|manual\w*)\b/i, 'blocked'],
  [/\b(errors?|fail\w*|timed? ?out|can ?not|could not|unable|denied|exception|unreachable)\b/i, 'trouble'],
  [/\b(wait\w*|start\w*|migrat\w+|updat\w+|restart\w*|progress\w*|out of \d+)\b/i, 'progress'],
]

/** The start of Rockoon's messages about instances that stay; our controllers write the same. */
export const STILL_PRESENT = 'Some servers are still present on the host'
export const NOTIFY_OWNERS = `${STILL_PRESENT}. Notify owners of the following server: `

/** Ids of the instances that stay; the text after the list may repeat them or name others. */
export function instancesLeftBy(text: string): readonly string[] {
  const start = [NOTIFY_OWNERS, `${STILL_PRESENT}: `].find(words => text.startsWith(words))
  if (start === undefined) return []
  const [list = ''] = /^\[[^\]]*\]/.exec(text.slice(start.length)) ?? []
  return [...new Set(list.match(INSTANCE) ?? [])]
}

/** It carries progress, blockers and errors alike (docs/domain.md A.2). */
export function parseLockMessage(errorMessage: string): LockMessage {
  const whole = errorMessage.trim()
  const time = TIME.exec(whole)
  const text = time === null ? whole : whole.slice(time[0].length)
  return {
    at: time === null ? null : timeOf(time),
    text,
    kind: kindOf(text),
    instanceIds: [...new Set(text.match(INSTANCE) ?? [])],
  }
}

/** It names what it waits for: a person, another node, or a service that must come up. */
export function saysWait({ kind, text }: Pick<LockMessage, 'kind' | 'text'>): boolean {
  return kind === 'blocked' || kind === 'trouble' || /^Wait/.test(text)
}

function timeOf([, day = '', time = '', fraction = '', zone = 'Z']: RegExpExecArray): string | null {
  const at = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${zone}`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

function kindOf(text: string): LockMessage['kind'] {
  if (text === '') return 'none'
  const beyond = text.replace(NOBODY_NOTIFIED, '')
  // Its controller continues, unless the rest of the text says otherwise.
  if (beyond !== text) return beyond === '' ? 'progress' : kindOf(beyond)
  for (const [pattern, kind] of [...KNOWN, ...GUESSED]) {
    if (pattern.test(text)) return kind
  }
  // An unknown message counts as waiting.
  return 'blocked'
}
