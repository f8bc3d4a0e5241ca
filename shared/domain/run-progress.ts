import { commandLeft } from './command-of-work.ts'
import { isSilenceOfEarlier } from './earlier-texts.ts'
import { InstanceChoice } from './instance-choice.ts'
import type { LockMessage } from './lock-message.ts'
import { LockState } from './maintenance-api.ts'
import type { RunFact, RunView, StepView } from './run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  CONFIRM_REQUESTED,
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  factName,
  factNumber,
  factText,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  INSTANCE_STOPPED,
  instanceIdOf,
  LOCK_SETTLED,
  LOCK_WAITING,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  MIGRATION_STALLED,
  POD_FAILED,
  POD_HELD,
  POD_LEFT,
  percentOf,
  STOP_REQUESTED,
  subjectName,
  WATCHER_ACTION,
} from './run-facts.ts'
import type { NodeStage } from './update.ts'

/** One instance's way off the node, as the facts of the migrating step tell it (shared/domain/run-facts.ts). */
export interface MigrationProgress {
  readonly subject: string
  readonly name: string
  readonly attempt: number
  readonly state: 'running' | 'moved' | 'again' | 'given-up' | 'stopped' | 'settled'
  /** When the current attempt was asked for. */
  readonly startedAt: string
  /** When it came to an outcome; null while it runs. */
  readonly endedAt: string | null
  /** The host it leaves; null when no fact told. */
  readonly from: string | null
  /** Memory copied, 0 to 100; null while Nova does not tell. */
  readonly percent: number | null
  /** Bytes copied and in all, with the last percentage. */
  readonly bytes: { readonly copied: number; readonly total: number } | null
  readonly stalled: boolean
  /** The instance that Nova moves off the same host first, `id` null where an older journal has its name alone; null: it waits for none. */
  readonly behind: { readonly id: string | null; readonly name: string } | null
  /** What a person is asked about it while the others go on; null: nothing. */
  readonly asks: { readonly cause: string; readonly choices: readonly InstanceChoice[]; readonly since: string } | null
  /** When something was decided about it last; null: nothing was. */
  readonly decidedAt: string | null
  /** Whether this attempt moves it while it is stopped: Nova can not be told to end that. */
  readonly isCold: boolean
  /** The host it went to, or why it did not. */
  readonly note: string
}

/** Whether nothing is left to be done about an instance: it moved, stopped, or settled otherwise. */
export function isOutOfTheWay({ state }: Pick<MigrationProgress, 'state'>): boolean {
  return state === 'moved' || state === 'stopped' || state === 'settled'
}

/** One pod's way off the node, as the facts of the drain tell it. */
export interface EvictionProgress {
  /** By uid, not by name: a namesake that comes back is another pod. */
  readonly key: string
  readonly pod: string
  /** `held`: it has ended, and finalizers keep it. */
  readonly state: 'requested' | 'leaving' | 'held' | 'refused' | 'left' | 'failed'
  readonly attempt: number
  /** When it was first asked to leave. */
  readonly startedAt: string
  readonly endedAt: string | null
  /** Since when a budget has refused; null while none does. */
  readonly refusedSince: string | null
  /** Since when finalizers keep it, though it has ended; null while none do. */
  readonly heldSince: string | null
  /** The budget's own sentence, what keeps it, or why it failed. */
  readonly note: string
  readonly retryAt: string | null
}

/** Which evictions are shown first: what failed, then what waits, then what goes by itself; those that left are last. */
export const EVICTION_RANK: Readonly<Record<EvictionProgress['state'], number>> = {
  failed: 0,
  held: 1,
  refused: 2,
  leaving: 3,
  requested: 4,
  left: 5,
}

/** Every migration of a step, in the order they were first asked for. */
export function migrationsOf(step: Pick<StepView, 'facts'>): readonly MigrationProgress[] {
  const found = new Map<string, MigrationProgress>()
  for (const fact of step.facts) {
    const next = migrationAfter(found.get(fact.subject), fact)
    if (next !== null) found.set(fact.subject, next)
  }
  return [...found.values()]
}

/**
 * Who was asked to move or to stop by a step and came to no end that it saw, in words: Nova goes on with that when the run ends, and where the instance then is
 * nobody has looked. A command of the work goes on too.
 */
export function unseenEnds(step: Pick<StepView, 'facts'>): readonly string[] {
  const moves = migrationsOf(step)
    .filter(({ state }) => state === 'running')
    .map(
      ({ subject, name, from, note }) =>
        `${name} was asked to ${note === 'stopping' ? 'stop' : `move${from === null ? '' : ` off ${from}`}`}, and its end was not seen: Nova goes on with it. \`openstack server show ${subject.replace(/^server\//, '')}\` tells where it is.`,
    )
  return [...moves, ...commandLeft(step)]
}

/**
 * Which migrations under way get on by themselves: those that do not stand still. One that Nova has queued behind one that stands still waits for whoever
 * decides about that one.
 */
export function gettingOn(
  migrations: readonly MigrationProgress[],
  standsStill: (migration: MigrationProgress) => boolean,
): readonly MigrationProgress[] {
  const running = migrations.filter(({ state }) => state === 'running')
  const still = running.filter(standsStill)
  // Names are not unique: two instances of different projects may share one.
  const ids = new Set(still.map(({ subject }) => instanceIdOf(subject)))
  const names = new Set(still.flatMap(({ name, subject }) => [name, instanceIdOf(subject)]))
  const waits = ({ behind }: MigrationProgress) =>
    behind !== null && (behind.id === null ? names.has(behind.name) : ids.has(behind.id))
  return running.filter(migration => !standsStill(migration) && !waits(migration))
}

/** Instances about which a person is asked while the others go on, those of steps that are carried out now. */
export function instancesAskedAbout(
  view: Pick<RunView, 'steps'>,
): readonly (MigrationProgress & { readonly asks: NonNullable<MigrationProgress['asks']> })[] {
  return view.steps
    .filter(({ state }) => state === 'applying')
    .flatMap(migrationsOf)
    .flatMap(migration => (migration.asks === null ? [] : [{ ...migration, asks: migration.asks }]))
}

/** Every eviction of a step, in the order they were first asked for. */
export function evictionsOf(step: Pick<StepView, 'facts'>): readonly EvictionProgress[] {
  const found = new Map<string, EvictionProgress>()
  for (const fact of step.facts) {
    const key = factText(fact, 'uid') ?? fact.subject
    const next = evictionAfter(found.get(key), key, fact)
    if (next !== null) found.set(key, next)
  }
  return [...found.values()]
}

/** Where a lock stands that a step waits for, as it last told. */
export interface LockProgress {
  readonly name: string
  readonly controller: string
  readonly state: LockState
  /** What its controller says. */
  readonly message: string
  readonly kind: LockMessage['kind']
  /** Whether its controller says nothing, and it has not moved for long. */
  readonly isSilent: boolean
  /** Whether the step still waits for it. */
  readonly isOpen: boolean
  /** Since when it says so. */
  readonly since: string
}

/** Every lock a step waits for or waited for, in the order it met them. */
export function locksOf(step: Pick<StepView, 'facts'>): readonly LockProgress[] {
  const found = new Map<string, LockProgress>()
  for (const fact of step.facts) {
    const name = factName(fact)
    if (name !== LOCK_WAITING && name !== LOCK_SETTLED) continue
    found.set(fact.subject, {
      name: fact.subject.replace(/^lock\//, ''),
      controller: factText(fact, 'controller') ?? subjectName(fact),
      state: LockState.options.find(state => state === fact.values.state) ?? 'unknown',
      message: factText(fact, 'message') ?? '',
      kind: lockKindOf(fact),
      isSilent: fact.values.isSilent === true || isSilenceOfEarlier(factText(fact, 'message') ?? ''),
      isOpen: name === LOCK_WAITING,
      since: fact.at,
    })
  }
  return [...found.values()]
}

/** What kind of sentence a lock's fact told (shared/domain/lock-message.ts). */
export function lockKindOf({ values }: Pick<RunFact, 'values'>): LockMessage['kind'] {
  return LOCK_KINDS.find(kind => kind === values.kind) ?? 'none'
}

const LOCK_KINDS = ['none', 'progress', 'blocked', 'trouble'] as const satisfies readonly LockMessage['kind'][]

/** The step with which a run began a stage of its node, carried out at least once; null: it did not begin it. */
export function beganStage({ steps }: Pick<RunView, 'steps'>, stage: NodeStage): StepView | null {
  return steps.find(({ step, attempts }) => step.stage === stage && attempts > 0) ?? null
}

/** How many of what has to leave has left. */
export interface Tally {
  readonly done: number
  readonly total: number
}

/** What a run does to an instance that it has to see through. */
const LEAVES: ReadonlySet<string> = new Set(['live_migrate', 'cold_migrate', 'evacuate', 'stop'])

/** How far a run is with its instances and its pods: what its checks found to move, and what its facts tell; null where there are none. */
export function talliesOf(view: Pick<RunView, 'steps'>): { readonly moves: Tally | null; readonly pods: Tally | null } {
  const effects = view.steps.flatMap(step => step.check?.effects ?? [])
  const planned = new Set(
    effects.flatMap(effect => (effect.kind === 'instance' && LEAVES.has(effect.action) ? [`server/${effect.id}`] : [])),
  )
  const leaving = new Set(
    effects.flatMap(effect =>
      effect.kind === 'pod' && (effect.fate === 'evict' || effect.fate === 'delete') ? [effect.uid] : [],
    ),
  )
  const migrations = view.steps.flatMap(migrationsOf)
  const evictions = view.steps.flatMap(evictionsOf)
  const moves = {
    done: migrations.filter(isOutOfTheWay).length,
    // Checks made again on the way find only those that are still there.
    total: new Set([...planned, ...migrations.map(({ subject }) => subject)]).size,
  }
  const pods = {
    done: evictions.filter(({ state }) => state === 'left').length,
    total: new Set([...leaving, ...evictions.map(({ key }) => key)]).size,
  }
  return { moves: moves.total === 0 ? null : moves, pods: pods.total === 0 ? null : pods }
}

function migrationAfter(before: MigrationProgress | undefined, fact: RunFact): MigrationProgress | null {
  const base: MigrationProgress = {
    subject: fact.subject,
    name: subjectName(fact),
    attempt: factNumber(fact, 'attempt') ?? before?.attempt ?? 1,
    state: 'running',
    startedAt: before?.startedAt ?? fact.at,
    endedAt: null,
    from: before?.from ?? null,
    percent: before?.percent ?? null,
    bytes: before?.bytes ?? null,
    stalled: before?.stalled ?? false,
    behind: null,
    asks: null,
    decidedAt: before?.decidedAt ?? null,
    isCold: before?.isCold ?? false,
    note: '',
  }
  switch (factName(fact)) {
    case MIGRATION_REQUESTED:
      return {
        ...base,
        startedAt: fact.at,
        from: factText(fact, 'source') ?? base.from,
        isCold: factText(fact, 'how') === 'cold',
        percent: null,
        bytes: null,
        stalled: false,
      }
    case STOP_REQUESTED:
      return { ...base, startedAt: fact.at, percent: null, bytes: null, stalled: false, note: 'stopping' }
    case CONFIRM_REQUESTED:
      return { ...base, note: 'confirming' }
    case WATCHER_ACTION:
      return byWatcher(base, before, fact)
    case INSTANCE_STOPPED:
      return { ...base, state: 'stopped', endedAt: fact.at }
    case MIGRATION_PROGRESS:
      return {
        ...base,
        percent: percentOf(fact) ?? base.percent,
        bytes: bytesOf(fact) ?? base.bytes,
        asks: before?.asks ?? null,
        behind: behindOf(fact),
        note: factText(fact, 'migrationStatus') ?? '',
      }
    case MIGRATION_STALLED:
      return { ...base, stalled: true, asks: before?.asks ?? null, note: factText(fact, 'remedy') ?? '' }
    case MIGRATION_ASKS:
      return { ...base, stalled: true, asks: asksOf(fact), note: factText(fact, 'cause') ?? '' }
    case MIGRATION_ASKS_NO_MORE:
      return before === undefined ? null : { ...before, stalled: false, asks: null, note: '' }
    case INSTANCE_DECIDED:
      return before === undefined ? null : { ...before, stalled: false, asks: null, decidedAt: fact.at }
    case MIGRATION_FAILED:
      return { ...base, state: 'again', endedAt: fact.at, note: factText(fact, 'why') ?? '' }
    case ATTEMPTS_EXHAUSTED:
      return { ...base, state: 'given-up', endedAt: before?.endedAt ?? fact.at, note: factText(fact, 'why') ?? '' }
    case INSTANCE_MOVED:
      return {
        ...base,
        state: 'moved',
        endedAt: fact.at,
        from: factText(fact, 'from') ?? base.from,
        note: factText(fact, 'to') ?? '',
      }
    case INSTANCE_SETTLED:
      return { ...base, state: 'settled', endedAt: fact.at, note: factText(fact, 'why') ?? '' }
    default:
      return null
  }
}

/** What Watcher does with an instance, as one attempt of it; what it does with services is no migration. */
function byWatcher(
  base: MigrationProgress,
  before: MigrationProgress | undefined,
  fact: RunFact,
): MigrationProgress | null {
  const type = factText(fact, 'type')
  if (type !== 'live-migrate' && type !== 'cold-migrate' && type !== 'stop') return null
  const why = factText(fact, 'why') ?? ''
  const from = factText(fact, 'source') ?? base.from
  switch (factText(fact, 'state')) {
    case 'ONGOING':
      return { ...base, from, startedAt: fact.at }
    case 'SUCCEEDED':
      return type === 'stop'
        ? { ...base, state: 'stopped', endedAt: fact.at }
        : { ...base, from, state: 'moved', endedAt: fact.at, note: factText(fact, 'to') ?? '' }
    case 'SKIPPED':
      return { ...base, state: 'settled', endedAt: fact.at, note: why === '' ? 'skipped by Watcher' : why }
    case 'FAILED':
    case 'CANCELLED':
      return {
        ...base,
        state: 'again',
        endedAt: fact.at,
        note: why === '' ? `Watcher says ${factText(fact, 'state')}` : why,
      }
    default:
      return before ?? null
  }
}

function asksOf(fact: RunFact): MigrationProgress['asks'] {
  const told = fact.values.choices
  const choices = InstanceChoice.options.filter(choice => Array.isArray(told) && told.includes(choice))
  return { cause: factText(fact, 'cause') ?? '', choices, since: factText(fact, 'since') ?? fact.at }
}

function behindOf(fact: RunFact): MigrationProgress['behind'] {
  const name = factText(fact, 'behind') || null
  return name === null ? null : { id: factText(fact, 'behindId') || null, name }
}

function bytesOf(fact: RunFact): MigrationProgress['bytes'] {
  const total = factNumber(fact, 'memoryTotal')
  const remaining = factNumber(fact, 'memoryRemaining')
  return total === null || remaining === null || total <= 0 ? null : { copied: Math.max(0, total - remaining), total }
}

function evictionAfter(before: EvictionProgress | undefined, key: string, fact: RunFact): EvictionProgress | null {
  const base: EvictionProgress = {
    key,
    pod: fact.subject.replace(/^pod\//, ''),
    state: 'requested',
    attempt: factNumber(fact, 'attempt') ?? before?.attempt ?? 1,
    startedAt: before?.startedAt ?? fact.at,
    endedAt: null,
    refusedSince: null,
    heldSince: null,
    note: '',
    retryAt: null,
  }
  switch (factName(fact)) {
    case EVICTION_REQUESTED:
      // A budget that refused is asked again every few seconds: until it agrees, the pod still waits for it.
      return before?.state === 'refused' ? { ...before, attempt: base.attempt } : base
    case EVICTION_ACCEPTED:
      return { ...base, state: 'leaving' }
    case EVICTION_REFUSED:
      return {
        ...base,
        state: 'refused',
        refusedSince: before?.refusedSince ?? fact.at,
        note: factText(fact, 'sentence') ?? '',
        retryAt: factText(fact, 'retryAt'),
      }
    case POD_HELD:
      return { ...base, state: 'held', note: factText(fact, 'by') ?? '', heldSince: before?.heldSince ?? fact.at }
    case POD_LEFT:
      return { ...base, state: 'left', endedAt: fact.at }
    case POD_FAILED:
      return { ...base, state: 'failed', endedAt: fact.at, note: factText(fact, 'message') ?? '' }
    default:
      return null
  }
}
