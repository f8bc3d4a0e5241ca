import { lockKindOf } from './lock-history.ts'
import { saysWait } from './lock-message.ts'
import type { Plan, PlannedStep } from './plan.ts'
import type { RunEvent, RunEventBody, RunFact } from './run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  factName,
  factText,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  INSTANCE_STOPPED,
  INSTANCES_NOTED,
  LOCK_SETTLED,
  LOCK_WAITING,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  NOT_VERIFIED_YET,
  POD_FAILED,
  POD_HELD,
  POD_LEFT,
  POD_NOT_DELETED,
  POD_TERMINATES,
  STOP_REQUESTED,
  subjectName,
  TRANSIENT_RECOVERED,
  TRANSIENT_RETRYING,
  WAITS_FOR,
} from './run-facts.ts'
import { instanceNameIn, instancesLeftToOwners, type RunWaitFor } from './run-wait.ts'
import { updateNodeOf } from './update-nodes.ts'

/** `answer`: an operator answers, resumes or takes over the run; the others as of {@link RunWaitFor}. */
export type WaitedFor = RunWaitFor

/** The names of instances left to their owners, or the controller's words. */
export type LockSaid =
  | { readonly code: 'LeftToOwners'; readonly names: readonly string[]; readonly node: string | null }
  | { readonly code: 'LockSays'; readonly controller: string; readonly message: string }

/** What a part of a run waits for; null if the journal does not say. */
export type WaitSaid =
  | LockSaid
  | { readonly code: 'LeaseAway'; readonly node: string; readonly cause: string }
  | { readonly code: 'Paused' }
  | { readonly code: 'NobodyDrives'; readonly cause: string }
  | { readonly code: 'NotHandedOver'; readonly cause: string }
  | { readonly code: 'PersonAsked'; readonly question: string }
  /** A temporary condition, a pending verification, or what the step waits for. */
  | { readonly code: 'StepWaits'; readonly cause: string | null }
  | { readonly code: 'BudgetRefuses'; readonly pod: string; readonly budget: string | null }
  | { readonly code: 'EvictionNotCarriedOut'; readonly pod: string }
  | { readonly code: 'FinalizerKeepsPod'; readonly pod: string; readonly by: string | null }
  | { readonly code: 'InstanceAsks'; readonly name: string; readonly cause: string }

export interface WaitSpan {
  readonly for: WaitedFor
  readonly subject: string
  readonly what: WaitSaid
  readonly since: string
  /** Null if it still waits. */
  readonly until: string | null
}

/** A step's temporary waits have keys with these ends, and the run's Lease has its own. */
const PASSING = [' retrying', ' verify'] as const
const LEASE = 'lease'

const ENDS_PASSING: ReadonlySet<RunEventBody['kind']> = new Set([
  'paused',
  'abort-requested',
  'driver-left',
  'lease-back',
  'lease-lost',
])

type Fact = Extract<RunEventBody, { kind: 'fact' }>
type Reported = Pick<WaitSpan, 'for' | 'what'> & { readonly since?: string }

/** The one place that opens and ends the waits of a run. */
export class WaitHistoryBuilder {
  readonly #spans: WaitSpan[] = []
  readonly #open = new Map<string, Map<string, number>>()
  readonly #naming: Fact[] = []

  get spans(): readonly WaitSpan[] {
    return this.#spans
  }

  openAt(subject: string): readonly WaitSaid[] {
    const places = [...(this.#open.get(subject)?.values() ?? [])]
    const said = places.flatMap(place => this.#spans[place]?.what ?? [])
    return [...new Map(said.map(each => [JSON.stringify(each), each])).values()]
  }

  get subjects(): readonly string[] {
    return [...this.#open.keys()]
  }

  /** Ends the entries of a subject as at its next stage, except those whose key starts with `but`. */
  end(at: string, subject: string, but: string | null = null): void {
    for (const key of [...(this.#open.get(subject)?.keys() ?? [])]) {
      if (but === null || !key.startsWith(but)) this.#close(at, subject, key)
    }
  }

  addOfRun(at: string, body: RunEventBody): void {
    if (ENDS_PASSING.has(body.kind)) this.#endPassing(at)
    switch (body.kind) {
      case 'lease-away':
        this.#endAllButGates(at)
        this.#wait(at, 'cluster', LEASE, {
          ...{ for: 'world', what: { code: 'LeaseAway', node: body.node, cause: body.why } },
        })
        return
      case 'paused':
        this.#wait(at, 'cluster', 'pause', { for: 'answer', what: { code: 'Paused' } })
        return
      case 'resume-requested':
        this.#close(at, 'cluster', 'pause')
        return
      case 'driver-left':
        this.#wait(at, 'cluster', 'driver', { for: 'answer', what: { code: 'NobodyDrives', cause: body.why } })
        return
      case 'hand-over-failed':
        this.#wait(at, 'cluster', 'driver', { for: 'answer', what: { code: 'NotHandedOver', cause: body.why } })
        return
      case 'run-driven':
      case 'run-taken-over':
        // The next console checks these again; questions stay open until they are answered.
        this.#endAllButGates(at)
        return
      default:
        return
    }
  }

  addOfStep(at: string, step: PlannedStep, body: RunEventBody): void {
    const subject = updateNodeOf(step) ?? 'cluster'
    switch (body.kind) {
      case 'step-applied':
      case 'step-failed':
      case 'step-skipped':
        this.#endStep(at, subject, step.id)
        return
      case 'step-verified':
        this.#endPassing(at, step.id)
        return
      case 'gate-opened':
        this.#endStep(at, subject, step.id)
        this.#wait(at, subject, `gate ${step.id}`, {
          ...{ for: 'answer', what: { code: 'PersonAsked', question: body.question } },
        })
        return
      // A new attempt closes its earlier question.
      case 'step-started':
        this.#endStep(at, subject, step.id)
        return
      case 'gate-answered':
        this.#close(at, subject, `gate ${step.id}`)
        return
      // A repeated check, as after a pause, means that the step does not run: it reports its waits again.
      case 'step-checked':
        this.#endFollowed(at, subject, step.id)
        return
      case 'fact':
        this.#fact(at, step, subject, body)
        return
      default:
        return
    }
  }

  lockSaid(fact: Fact, node: string | null): LockSaid {
    const names = leftIn(fact).map(id => this.#nameOf(id))
    if (names.length > 0) return { code: 'LeftToOwners', names, node }
    const controller = factText(fact, 'controller') ?? subjectName(fact)
    return { code: 'LockSays', controller, message: factText(fact, 'message') ?? '' }
  }

  #fact(at: string, step: PlannedStep, subject: string, fact: Fact): void {
    const own = `${step.id} ${fact.subject}`
    const pod = `${step.id} pod ${factText(fact, 'uid') ?? fact.subject}`
    const setWait = (key: string, whom: WaitedFor, what: WaitSaid | null, since?: string) =>
      this.#wait(
        at,
        subject,
        key,
        what === null ? null : { for: whom, what, ...(since === undefined ? {} : { since }) },
      )
    switch (factName(fact)) {
      case INSTANCES_NOTED:
        this.#naming.push(fact)
        return
      case TRANSIENT_RETRYING:
        setWait(`${step.id} retrying`, 'world', { code: 'StepWaits', cause: factText(fact, 'reason') })
        return
      case TRANSIENT_RECOVERED:
        this.#close(at, subject, `${step.id} retrying`)
        return
      case NOT_VERIFIED_YET:
        setWait(`${step.id} verify`, 'world', stepWaits(factText(fact, 'reason')))
        return
      case WAITS_FOR:
        setWait(own, 'world', stepWaits(factText(fact, 'what')))
        return
      case LOCK_SETTLED:
        this.#close(at, subject, own)
        return
      case LOCK_WAITING:
        setWait(own, lockWaitsFor(fact), lockWaits(fact) ? this.lockSaid(fact, updateNodeOf(step)) : null)
        return
      case EVICTION_REFUSED:
        setWait(pod, 'budget', { code: 'BudgetRefuses', pod: subjectName(fact), budget: factText(fact, 'sentence') })
        return
      case POD_HELD:
        setWait(pod, 'operator', { code: 'FinalizerKeepsPod', pod: subjectName(fact), by: factText(fact, 'by') })
        return
      case POD_NOT_DELETED:
        setWait(pod, 'operator', { code: 'EvictionNotCarriedOut', pod: subjectName(fact) })
        return
      case EVICTION_ACCEPTED:
      case POD_TERMINATES:
      case POD_LEFT:
      case POD_FAILED:
        this.#close(at, subject, pod)
        return
      case MIGRATION_ASKS:
        setWait(
          own,
          'answer',
          { code: 'InstanceAsks', name: subjectName(fact), cause: factText(fact, 'cause') ?? '' },
          factText(fact, 'since') ?? at,
        )
        return
      case MIGRATION_ASKS_NO_MORE:
      case INSTANCE_DECIDED:
      case MIGRATION_REQUESTED:
      case STOP_REQUESTED:
      case MIGRATION_FAILED:
      case ATTEMPTS_EXHAUSTED:
      case INSTANCE_MOVED:
      case INSTANCE_STOPPED:
      case INSTANCE_SETTLED:
        this.#close(at, subject, own)
        return
      default:
        return
    }
  }

  #nameOf(id: string): string {
    for (const fact of this.#naming) {
      const name = instanceNameIn(fact, id)
      if (name !== null) return name
    }
    return id
  }

  #wait(at: string, subject: string, key: string, next: Reported | null): void {
    const open = this.#open.get(subject) ?? new Map<string, number>()
    const place = open.get(key)
    const known = place === undefined ? undefined : this.#spans[place]
    if (next !== null && known?.for === next.for && place !== undefined) {
      this.#spans[place] = { ...known, what: next.what }
      return
    }
    this.#close(at, subject, key)
    if (next === null) return
    open.set(key, this.#spans.length)
    this.#open.set(subject, open)
    this.#spans.push({ for: next.for, subject, what: next.what, since: next.since ?? at, until: null })
  }

  #close(at: string, subject: string, key: string): void {
    const open = this.#open.get(subject)
    const place = open?.get(key)
    const span = place === undefined ? undefined : this.#spans[place]
    if (place !== undefined && span !== undefined) this.#spans[place] = { ...span, until: at }
    open?.delete(key)
  }

  #endAllButGates(at: string): void {
    for (const subject of this.subjects) this.end(at, subject, 'gate ')
  }

  #endPassing(at: string, stepId: string | null = null): void {
    for (const [subject, open] of this.#open) {
      for (const key of [...open.keys()]) {
        const ofStep = PASSING.some(each => (stepId === null ? key.endsWith(each) : key === `${stepId}${each}`))
        if (ofStep || (stepId === null && key === LEASE)) this.#close(at, subject, key)
      }
    }
  }

  /** Its question and temporary waits end separately. */
  #endFollowed(at: string, subject: string, stepId: string): void {
    for (const key of [...(this.#open.get(subject)?.keys() ?? [])])
      if (key.startsWith(`${stepId} `) && !PASSING.some(each => key === `${stepId}${each}`))
        this.#close(at, subject, key)
  }

  #endStep(at: string, subject: string, stepId: string): void {
    for (const key of [...(this.#open.get(subject)?.keys() ?? [])])
      if (key.startsWith(`${stepId} `) || key === `gate ${stepId}`) this.#close(at, subject, key)
  }
}

function stepWaits(cause: string | null): WaitSaid | null {
  return cause === null ? null : { code: 'StepWaits', cause }
}

/** A lock with progress is work, not a wait, unless its message is about a wait. */
function lockWaits(fact: Pick<RunFact, 'values'>): boolean {
  return saysWait({ kind: lockKindOf(fact), text: factText(fact, 'message') ?? '' })
}

function lockWaitsFor(fact: Fact): WaitedFor {
  if (leftIn(fact).length > 0) return 'owner'
  return lockKindOf(fact) === 'blocked' ? 'operator' : 'controller'
}

function leftIn(fact: Fact): readonly string[] {
  return instancesLeftToOwners({
    controller: factText(fact, 'controller') ?? subjectName(fact),
    kind: lockKindOf(fact),
    message: factText(fact, 'message') ?? '',
  })
}

/** Waits still open at the run's end stop there. */
export function waitSpansOf(plan: Plan, events: readonly RunEvent[]): readonly WaitSpan[] {
  const steps = new Map(plan.steps.map(step => [step.id, step]))
  const builder = new WaitHistoryBuilder()
  for (const { at, body } of events) {
    const step = 'stepId' in body ? steps.get(body.stepId) : undefined
    if (step !== undefined) builder.addOfStep(at, step, body)
    else builder.addOfRun(at, body)
    if (body.kind === 'run-finished') for (const subject of builder.subjects) builder.end(at, subject)
  }
  return builder.spans
}
