import { InstanceChoice } from './instance-choice.ts'
import type { RunFact } from './run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  CONFIRM_REQUESTED,
  factName,
  factNumber,
  factText,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  INSTANCE_STOPPED,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  MIGRATION_STALLED,
  percentOf,
  STOP_REQUESTED,
  WATCHER_ACTION,
} from './run-facts.ts'

/** Announced before a move or a stop. Null if an older journal does not say. */
export interface AskedMove {
  readonly at: string
  readonly how: 'live' | 'cold' | 'evacuate' | 'stop'
  readonly attempt: number | null
  /** An earlier process announced it and may not have sent it. */
  readonly isAgain: boolean
  readonly statusBefore: string | null
  readonly source: string | null
  /** The required destination, when the run brings the instance back. Null if Nova chooses. */
  readonly to: string | null
  readonly knownMigrationId: number | null
  readonly ramMib: number | null
  /** For a stop: how many stop requests Nova had received before, from anyone. */
  readonly stopsBefore: number | null
}

interface AttemptEnd {
  readonly kind: 'moved' | 'stopped' | 'failed' | 'given-up' | 'settled'
  readonly at: string
  readonly why: string
  readonly to: string | null
  readonly became: 'deleted' | 'elsewhere' | null
}

interface CopySeen {
  readonly at: string
  /** Memory, and disks if Nova reports them. */
  readonly remaining: number
  readonly total: number
  readonly memoryRemaining: number
  readonly memoryTotal: number
}

export interface InstanceAttempt {
  readonly number: number
  /** `watcher`: Watcher moves it; `others`: the run follows a move that it did not request. */
  readonly by: 'run' | 'watcher' | 'others'
  readonly asked: AskedMove | null
  /** When it was last requested, or first observed. */
  readonly startedAt: string
  readonly from: string | null
  readonly watcherType: string | null
  readonly copies: readonly CopySeen[]
  readonly memoryTotal: number | null
  readonly percent: number | null
  readonly bytes: { readonly copied: number; readonly total: number } | null
  readonly stalled: boolean
  /** The latest progress of its copy (MigrationSlope); null if unknown. */
  readonly slope: string | null
  /** Nova moves this one off the host first; `id` null: an older journal has only its name. */
  readonly behind: { readonly id: string | null; readonly name: string } | null
  readonly asks: { readonly cause: string; readonly choices: readonly InstanceChoice[]; readonly since: string } | null
  readonly note: string
  readonly end: AttemptEnd | null
}

/** Appends to a copy, or in place if no other code holds the list. */
export type Append = <T>(list: readonly T[], more: T) => readonly T[]

/** Appends in place, for a fold that created the list. */
export const grow: Append = <T>(list: readonly T[], more: T) => {
  ;(list as T[]).push(more)
  return list
}

/** Null if the fact is about no attempt. */
export function attemptsAfter(
  attempts: readonly InstanceAttempt[],
  fact: RunFact,
  append: Append,
): readonly InstanceAttempt[] | null {
  const last = attempts.at(-1)
  const name = factName(fact)
  if (name === MIGRATION_REQUESTED || name === STOP_REQUESTED) return [...attempts, askedAttempt(fact, last)]
  if (name === WATCHER_ACTION) return watcherAttempts(attempts, fact)
  const next = attemptAfter(last, fact, append)
  return next === null ? null : [...attempts.slice(0, -1), next]
}

export function askedMove(fact: RunFact): AskedMove {
  const how = factText(fact, 'how')
  return {
    at: fact.at,
    how: fact.fact === STOP_REQUESTED ? 'stop' : how === 'cold' || how === 'evacuate' ? how : 'live',
    attempt: factNumber(fact, 'attempt'),
    isAgain: fact.values.again === true,
    statusBefore: factText(fact, 'statusBefore'),
    source: factText(fact, 'source'),
    to: factText(fact, 'to'),
    knownMigrationId: factNumber(fact, 'knownMigrationId'),
    ramMib: factNumber(fact, 'ramMib'),
    stopsBefore: factNumber(fact, 'stopsBefore'),
  }
}

function askedAttempt(fact: RunFact, last: InstanceAttempt | undefined): InstanceAttempt {
  const asked = askedMove(fact)
  return {
    ...begun(fact, last),
    by: 'run',
    asked,
    from: asked.source ?? last?.from ?? null,
    note: asked.how === 'stop' ? 'stopping' : '',
  }
}

function begun(fact: RunFact, last: InstanceAttempt | undefined): InstanceAttempt {
  return {
    ...{
      by: 'others',
      asked: null,
      watcherType: null,
      copies: [],
      percent: null,
      memoryTotal: null,
      bytes: null,
      stalled: false,
      slope: null,
    },
    ...{ behind: null, asks: null, note: '', end: null },
    number: factNumber(fact, 'attempt') ?? last?.number ?? 1,
    startedAt: fact.at,
    from: last?.from ?? null,
  }
}

/** An attempt after one more fact, possibly its first; null if the fact is about no attempt. */
function attemptAfter(last: InstanceAttempt | undefined, fact: RunFact, append: Append): InstanceAttempt | null {
  const on: InstanceAttempt = {
    ...(last ?? begun(fact, last)),
    number: factNumber(fact, 'attempt') ?? last?.number ?? 1,
    ...{ behind: null, asks: null, note: '', end: null },
  }
  const ended = (kind: AttemptEnd['kind'], more: Partial<AttemptEnd> = {}): InstanceAttempt => ({
    ...on,
    end: {
      ...{ kind, at: fact.at, why: factText(fact, 'why') ?? '', to: null, became: null },
      ...more,
    },
  })
  switch (factName(fact)) {
    case CONFIRM_REQUESTED:
      return { ...on, note: 'confirming' }
    case INSTANCE_STOPPED:
      return ended('stopped')
    case MIGRATION_PROGRESS: {
      const copy = copyOf(fact)
      return {
        ...on,
        copies: copy === null ? on.copies : append(on.copies, copy),
        memoryTotal: on.memoryTotal ?? sizeOf(fact),
        percent: percentOf(fact) ?? on.percent,
        bytes: bytesOf(fact) ?? on.bytes,
        slope: factText(fact, 'slope') ?? on.slope,
        asks: last?.asks ?? null,
        behind: behindOf(fact),
        // The advice for the operator stays when the status of Nova changes.
        note: on.stalled && last !== undefined ? last.note : (factText(fact, 'migrationStatus') ?? ''),
      }
    }
    case MIGRATION_STALLED:
      return { ...on, stalled: true, asks: last?.asks ?? null, note: factText(fact, 'remedy') ?? '' }
    case MIGRATION_ASKS:
      return { ...on, stalled: true, asks: asksOf(fact), note: factText(fact, 'cause') ?? '' }
    case MIGRATION_ASKS_NO_MORE:
      return last === undefined ? null : { ...last, stalled: false, asks: null, note: '' }
    case INSTANCE_DECIDED:
      return last === undefined ? null : { ...last, stalled: false, asks: null }
    case MIGRATION_FAILED:
      return ended('failed')
    case ATTEMPTS_EXHAUSTED:
      return ended('given-up', { at: last?.end?.at ?? fact.at })
    case INSTANCE_MOVED:
      return { ...ended('moved', { to: factText(fact, 'to') }), from: factText(fact, 'from') ?? on.from }
    case INSTANCE_SETTLED:
      return ended('settled', { became: becameOf(fact) })
    default:
      return null
  }
}

/** Watcher's actions on an instance are one attempt; its actions on services do not count. */
function watcherAttempts(attempts: readonly InstanceAttempt[], fact: RunFact): readonly InstanceAttempt[] | null {
  const type = factText(fact, 'type')
  if (type !== 'live-migrate' && type !== 'cold-migrate' && type !== 'stop') return null
  const last = attempts.at(-1)
  const state = factText(fact, 'state')
  const continues = last?.by === 'watcher' && last.watcherType === type && last.end === null ? last : null
  const on: InstanceAttempt = {
    ...(continues ?? begun(fact, last)),
    ...{ by: 'watcher', watcherType: type, from: factText(fact, 'source') ?? last?.from ?? null },
  }
  const withAttempt = (attempt: InstanceAttempt) => [
    ...(continues === null ? attempts : attempts.slice(0, -1)),
    attempt,
  ]
  const end = (kind: AttemptEnd['kind'], why = factText(fact, 'why') ?? ''): AttemptEnd => ({
    ...{ kind, at: fact.at, why, became: null },
    to: kind === 'moved' ? factText(fact, 'to') : null,
  })
  switch (state) {
    case 'ONGOING':
      return withAttempt({ ...on, startedAt: fact.at })
    case 'SUCCEEDED':
      return withAttempt({ ...on, end: end(type === 'stop' ? 'stopped' : 'moved') })
    case 'SKIPPED':
      return withAttempt({ ...on, end: end('settled', factText(fact, 'why') || 'skipped by Watcher') })
    case 'FAILED':
    case 'CANCELLED':
      return withAttempt({ ...on, end: end('failed', factText(fact, 'why') || `Watcher says ${state}`) })
    default:
      return null
  }
}

function becameOf({ values }: RunFact): AttemptEnd['became'] {
  return values.became === 'deleted' || values.became === 'elsewhere' ? values.became : null
}

function sizeOf(fact: RunFact): number | null {
  const bytes = factNumber(fact, 'memoryTotal')
  return bytes === null || bytes <= 0 ? null : bytes
}

function asksOf(fact: RunFact): InstanceAttempt['asks'] {
  const reported = fact.values.choices
  const choices = InstanceChoice.options.filter(choice => Array.isArray(reported) && reported.includes(choice))
  return { cause: factText(fact, 'cause') ?? '', choices, since: factText(fact, 'since') ?? fact.at }
}

function behindOf(fact: RunFact): InstanceAttempt['behind'] {
  const name = factText(fact, 'behind') || null
  return name === null ? null : { id: factText(fact, 'behindId') || null, name }
}

function bytesOf(fact: RunFact): InstanceAttempt['bytes'] {
  const total = factNumber(fact, 'memoryTotal')
  const remaining = factNumber(fact, 'memoryRemaining')
  return total === null || remaining === null || total <= 0 ? null : { copied: Math.max(0, total - remaining), total }
}

function copyOf(fact: RunFact): CopySeen | null {
  const memoryRemaining = factNumber(fact, 'memoryRemaining')
  const memoryTotal = factNumber(fact, 'memoryTotal')
  if (memoryRemaining === null || memoryTotal === null || memoryTotal <= 0) return null
  return {
    at: fact.at,
    remaining: memoryRemaining + (factNumber(fact, 'diskRemaining') ?? 0),
    total: memoryTotal + (factNumber(fact, 'diskTotal') ?? 0),
    memoryRemaining,
    memoryTotal,
  }
}
