import type { RunFact, StepView } from '../../../shared/domain/run.ts'

/** One instance's way off the node, as the facts of the migrating step tell it (main/maintenance/evacuation-facts.ts names them). */
export interface MigrationProgress {
  readonly subject: string
  readonly name: string
  readonly attempt: number
  readonly state: 'running' | 'moved' | 'again' | 'given-up' | 'settled'
  readonly startedAt: string
  /** Memory copied, 0 to 100; null while Nova does not tell. */
  readonly percent: number | null
  readonly stalled: boolean
  /** The host it went to, or why it did not. */
  readonly note: string
}

/** One pod's way off the node, as the facts of the drain tell it. */
export interface EvictionProgress {
  readonly pod: string
  readonly state: 'requested' | 'leaving' | 'refused' | 'left' | 'failed'
  /** The budget's own sentence, or why it failed. */
  readonly note: string
  readonly retryAt: string | null
}

/** Every migration of a step, in the order they were first asked for. */
export function migrationsOf(step: StepView): readonly MigrationProgress[] {
  const found = new Map<string, MigrationProgress>()
  for (const fact of step.facts) {
    const next = migrationAfter(found.get(fact.subject), fact)
    if (next !== null) found.set(fact.subject, next)
  }
  return [...found.values()]
}

/** Every eviction of a step, in the order they were first asked for. */
export function evictionsOf(step: StepView): readonly EvictionProgress[] {
  const found = new Map<string, EvictionProgress>()
  for (const fact of step.facts) {
    const next = evictionAfter(fact)
    // By uid, not by name: a namesake that comes back is another pod.
    if (next !== null) found.set(text(fact, 'uid') ?? fact.subject, next)
  }
  return [...found.values()]
}

/** The share of memory that a progress fact says is copied, 0 to 100; null when it does not say. */
export function percentOf(fact: Pick<RunFact, 'values'>): number | null {
  const { memoryTotal, memoryRemaining } = fact.values
  if (typeof memoryTotal !== 'number' || typeof memoryRemaining !== 'number' || memoryTotal <= 0) return null
  return Math.max(0, Math.min(100, Math.round((1 - memoryRemaining / memoryTotal) * 100)))
}

/** What an operator calls the thing a fact is about. */
export function subjectName(fact: Pick<RunFact, 'subject' | 'values'>): string {
  return text(fact, 'name') ?? fact.subject.replace(/^(?:server|pod|node)\//, '')
}

function migrationAfter(before: MigrationProgress | undefined, fact: RunFact): MigrationProgress | null {
  const base: MigrationProgress = {
    subject: fact.subject,
    name: subjectName(fact),
    attempt: number(fact, 'attempt') ?? before?.attempt ?? 1,
    state: 'running',
    startedAt: before?.startedAt ?? fact.at,
    percent: before?.percent ?? null,
    stalled: before?.stalled ?? false,
    note: '',
  }
  switch (fact.fact) {
    case 'migration-requested':
      return { ...base, startedAt: fact.at, percent: null, stalled: false }
    case 'migration-progress':
      return { ...base, percent: percentOf(fact) ?? base.percent, note: text(fact, 'migrationStatus') ?? '' }
    case 'migration-stalled':
      return { ...base, stalled: true, note: text(fact, 'remedy') ?? '' }
    case 'migration-failed':
      return { ...base, state: 'again', note: text(fact, 'why') ?? '' }
    case 'attempts-exhausted':
      return { ...base, state: 'given-up', note: text(fact, 'why') ?? '' }
    case 'instance-moved':
      return { ...base, state: 'moved', note: text(fact, 'to') ?? '' }
    case 'instance-settled':
      return { ...base, state: 'settled', note: text(fact, 'why') ?? '' }
    default:
      return null
  }
}

function evictionAfter(fact: RunFact): EvictionProgress | null {
  const base = { pod: fact.subject.replace(/^pod\//, ''), note: '', retryAt: null }
  switch (fact.fact) {
    case 'pod.eviction-requested':
      return { ...base, state: 'requested' }
    case 'pod.eviction-accepted':
      return { ...base, state: 'leaving' }
    case 'pod.eviction-refused':
      return { ...base, state: 'refused', note: text(fact, 'sentence') ?? '', retryAt: text(fact, 'retryAt') }
    case 'pod.left':
      return { ...base, state: 'left' }
    case 'pod.failed':
      return { ...base, state: 'failed', note: text(fact, 'message') ?? '' }
    default:
      return null
  }
}

function text(fact: Pick<RunFact, 'values'>, name: string): string | null {
  const value = fact.values[name]
  return typeof value === 'string' ? value : null
}

function number(fact: Pick<RunFact, 'values'>, name: string): number | null {
  const value = fact.values[name]
  return typeof value === 'number' ? value : null
}
