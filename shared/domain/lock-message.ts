/**
 * What a lock's `errorMessage` says. `progress`: it moves by itself. `blocked`: it waits for a person, or for another node's turn.
 * `trouble`: something was tried and did not work; controllers try again by themselves.
 */
export interface LockMessage {
  /** When its controller wrote it, as ISO; null where it does not say. */
  readonly at: string | null
  /** Without the time in front of it. */
  readonly text: string
  readonly kind: 'none' | 'progress' | 'blocked' | 'trouble'
  /** Instances it names, each once, in their order. */
  readonly instanceIds: readonly string[]
}

/** `2025-06-01 10:11:12.123456 Starting migration for …`: Python's words for a UTC time, with or without a zone. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?(?:\s+|$)/
/** Lists of owners and of unset actions, with nothing in them (docs/domain.md A.6): nobody is to be notified. */
export const NOBODY_NOTIFIED =
  /^(Some servers are still present on the host)\. Notify owners of the following servers?: \[\s*\]\.?(?: Servers with unset maintenance action: \[\s*\]\.?)?\s*/
const INSTANCE = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi

/** Texts of Rockoon (docs/domain.md A.2, A.3, A.6, A.9), in its spelling; the first that fits counts. */
const KNOWN: readonly (readonly [pattern: RegExp, kind: 'progress' | 'blocked' | 'trouble'])[] = [
  [/^Starting migration for /, 'progress'],
  // Whatever it waits for, and whatever is wrong there: servers in migration, health, `osdpl status`, the misspelt `cwl release`.
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

/** For controllers whose texts nobody published: what a sentence is about, as far as its words tell. */
const GUESSED: readonly (readonly [pattern: RegExp, kind: 'progress' | 'blocked' | 'trouble'])[] = [
  [/\b(blocked|blocks|blocking|refus\w+|must|needs?|requires?|not allowed|operator|manual\w*)\b/i, 'blocked'],
  [/\b(errors?|fail\w*|timed? ?out|can ?not|could not|unable|denied|exception|unreachable)\b/i, 'trouble'],
  [/\b(wait\w*|start\w*|migrat\w+|updat\w+|restart\w*|progress\w*|out of \d+)\b/i, 'progress'],
]

/** How Rockoon begins what it writes of instances that nobody moves; our controllers write the same. */
export const STILL_PRESENT = 'Some servers are still present on the host'
export const NOTIFY_OWNERS = `${STILL_PRESENT}. Notify owners of the following server: `

/** Ids of the instances that a text says nobody moves; empty where it says something else. What follows its list may name them, and others. */
export function instancesLeftBy(text: string): readonly string[] {
  const start = [NOTIFY_OWNERS, `${STILL_PRESENT}: `].find(words => text.startsWith(words))
  if (start === undefined) return []
  const [list = ''] = /^\[[^\]]*\]/.exec(text.slice(start.length)) ?? []
  return [...new Set(list.match(INSTANCE) ?? [])]
}

/** Takes a lock's `errorMessage` apart: it carries progress, blockers and errors alike (docs/domain.md A.2). */
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

/** Whether a lock waits for something that it names: a person, another node's turn, or a thing that has yet to come up. */
export function saysWait({ kind, text }: Pick<LockMessage, 'kind' | 'text'>): boolean {
  return kind === 'blocked' || kind === 'trouble' || /^Wait/.test(text)
}

function timeOf([, day = '', time = '', fraction = '', zone = 'Z']: RegExpExecArray): string | null {
  // Dates know milliseconds; Python writes microseconds.
  const at = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${zone}`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

function kindOf(text: string): LockMessage['kind'] {
  if (text === '') return 'none'
  const beyond = text.replace(NOBODY_NOTIFIED, '')
  // Its controller goes on by itself, unless something else that it says tells otherwise.
  if (beyond !== text) return beyond === '' ? 'progress' : kindOf(beyond)
  for (const [pattern, kind] of [...KNOWN, ...GUESSED]) {
    if (pattern.test(text)) return kind
  }
  // A lock that says something nobody knows does not go on by itself as far as we can tell.
  return 'blocked'
}
