import type { StepView } from './run.ts'
import { factName, factNumber, MIGRATION_PROGRESS, MIGRATION_REQUESTED } from './run-facts.ts'

/** How the memory that is still to be copied fell in the current attempt of a migration. */
export interface MigrationPace {
  /** What was left at each look, as part of the whole, 0 to 1. */
  readonly left: readonly { readonly at: string; readonly share: number }[]
  /** Bytes less to copy in a second, of late; null: it does not fall, or was looked at once. */
  readonly bytesPerSecond: number | null
  /** When nothing would be left at that pace; null without one. */
  readonly endAt: string | null
}

interface Look {
  readonly at: string
  readonly remaining: number
  readonly total: number
}

/** Of so many looks the pace is taken: what was copied minutes ago tells nothing of an instance that writes more now. */
const OF_LATE = 5

/** The pace of each migration of a step that memory was told of, by its subject. */
export function migrationPaces({ facts }: Pick<StepView, 'facts'>): ReadonlyMap<string, MigrationPace> {
  const looks = new Map<string, Look[]>()
  for (const fact of facts) {
    const name = factName(fact)
    if (name === MIGRATION_REQUESTED) looks.delete(fact.subject)
    if (name !== MIGRATION_PROGRESS) continue
    const remaining = factNumber(fact, 'memoryRemaining')
    const total = factNumber(fact, 'memoryTotal')
    if (remaining === null || total === null || total <= 0) continue
    const known = looks.get(fact.subject)
    if (known === undefined) looks.set(fact.subject, [{ at: fact.at, remaining, total }])
    else known.push({ at: fact.at, remaining, total })
  }
  return new Map([...looks].map(([subject, told]) => [subject, paceOf(told)]))
}

function paceOf(looks: readonly Look[]): MigrationPace {
  const left = looks.map(({ at, remaining, total }) => ({ at, share: Math.min(1, remaining / total) }))
  const late = looks.slice(-OF_LATE)
  const [first, last] = [late[0], late.at(-1)]
  const none = { left, bytesPerSecond: null, endAt: null }
  if (first === undefined || last === undefined) return none
  const ms = Date.parse(last.at) - Date.parse(first.at)
  const fell = first.remaining - last.remaining
  if (ms <= 0 || fell <= 0) return none
  const endMs = Date.parse(last.at) + (last.remaining / fell) * ms
  return { left, bytesPerSecond: (fell / ms) * 1000, endAt: new Date(endMs).toISOString() }
}
