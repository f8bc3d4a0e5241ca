import { z } from 'zod'
import { GateChoice } from './gate-choice.ts'
import { InstanceChoice } from './instance-choice.ts'
import type { LockProgress } from './lock-history.ts'
import { instancesLeftBy, saysWait } from './lock-message.ts'
import { LockState } from './maintenance-api.ts'
import { nodeOfPlan } from './plan.ts'
import type { EvictionProgress } from './pod-history.ts'
import type { RunFact, RunView, StepView } from './run.ts'
import { factName, factText, INSTANCES_NOTED, instanceIdOf, WAITS_FOR } from './run-facts.ts'
import { namedIn } from './run-history.ts'
import { evictionsOf, locksOf, migrationsOf, movesInProgress } from './run-progress.ts'
import { updateNodeOf } from './update-nodes.ts'

/**
 * What ends a wait. `answer`: to the run's question. `owner`: an instance's owner acts. `operator`: a decision, or another node. `controller`: it
 * continues alone. `world`: temporary.
 */
export const RunWaitFor = z.enum(['answer', 'owner', 'operator', 'controller', 'budget', 'world'])
export type RunWaitFor = z.infer<typeof RunWaitFor>

const OF_ANY = {
  for: RunWaitFor,
  /** Null means the whole cluster, or the run. */
  node: z.string().nullable(),
  since: z.string().nullable(),
  /** Whether it reports progress, which shows that the node is not stuck. */
  moves: z.boolean(),
  asksAt: z.string().nullable(),
  failsAt: z.string().nullable(),
  /** Those left to their owners, or one that waits for a decision. */
  instances: z.array(z.strictObject({ id: z.string(), name: z.string() })),
}

const OF_LOCK = {
  controller: z.string(),
  lock: z.string(),
  message: z.string(),
}

const OF_STEP = { stepId: z.string(), step: z.string(), cause: z.string() }

/** What a run waits for, by stable codes that scripts may rely on (docs/terminal.md). Only shared/words/waits.ts makes their text. */
export const RunWait = z.discriminatedUnion('code', [
  z.strictObject({
    ...OF_ANY,
    code: z.literal('Question'),
    gateId: z.string(),
    stepId: z.string(),
    question: z.string(),
    choices: z.array(GateChoice),
  }),
  z.strictObject({ ...OF_ANY, code: z.literal('InstanceAsks'), cause: z.string(), choices: z.array(InstanceChoice) }),
  z.strictObject({ ...OF_ANY, ...OF_LOCK, code: z.literal('LeftToOwners') }),
  /** `kind` is the kind of its controller's message; `silent` means no message and no change for long. */
  z.strictObject({
    ...OF_ANY,
    ...OF_LOCK,
    code: z.literal('LockHeld'),
    state: LockState,
    kind: z.enum(['none', 'progress', 'blocked', 'trouble']),
    silent: z.boolean(),
  }),
  /** `advice`: what an operator can do, if known. */
  z.strictObject({ ...OF_ANY, code: z.literal('MigrationStalled'), advice: z.string() }),
  /** The instance writes its memory as fast as it is copied. `advice` as of `MigrationStalled`. */
  z.strictObject({ ...OF_ANY, code: z.literal('MigrationNotConverging'), advice: z.string() }),
  /** `budget`: the API server's message about the refusing budget. */
  z.strictObject({ ...OF_ANY, code: z.literal('BudgetRefuses'), pods: z.array(z.string()), budget: z.string() }),
  z.strictObject({ ...OF_ANY, code: z.literal('FinalizerKeepsPod'), pod: z.string(), by: z.string() }),
  /** The API server accepted the eviction, but does not delete the pod. */
  z.strictObject({ ...OF_ANY, code: z.literal('EvictionNotCarriedOut'), pod: z.string() }),
  z.strictObject({ ...OF_ANY, ...OF_STEP, code: z.literal('StepRetries') }),
  z.strictObject({ ...OF_ANY, ...OF_STEP, code: z.literal('NotVerifiedYet') }),
  /** Expired, or another holder took it. `lease`: that node; null if an earlier version named it in `cause`. */
  z.strictObject({
    ...OF_ANY,
    code: z.literal('LeaseAway'),
    lease: z.string().nullable().default(null),
    cause: z.string(),
  }),
  /** A node, a Job, storage. `subject`: its name in the journal. */
  z.strictObject({ ...OF_ANY, code: z.literal('NotReadyYet'), subject: z.string(), what: z.string() }),
])
export type RunWait = z.infer<typeof RunWait>

type WaitOf<Code extends RunWait['code']> = Extract<RunWait, { code: Code }>

/** The run waits for a person even if its other nodes make progress. */
const NEEDS_SOMEBODY: ReadonlySet<RunWait['for']> = new Set(['answer', 'owner', 'operator'])

export function waitNeedsSomebody(wait: Pick<RunWait, 'for' | 'moves'>): boolean {
  return NEEDS_SOMEBODY.has(wait.for) && !wait.moves
}

const ORDER: readonly RunWait['for'][] = ['answer', 'owner', 'operator', 'controller', 'budget', 'world']

/** The lowest number comes first. */
export function rankOf(wait: RunWait): number {
  return ORDER.indexOf(wait.for) + (wait.moves ? ORDER.length : 0)
}

export function isAtWork({ state }: StepView): boolean {
  return state === 'applying' || state === 'waiting'
}

export function isStalled(view: RunView): boolean {
  if (view.passingWaits.some(({ stepId }) => stepId === null)) return true
  const verifying = new Set(view.passingWaits.map(({ stepId }) => stepId))
  const steps = view.steps.filter(step => isAtWork(step) || verifying.has(step.step.id))
  return steps.length > 0 && steps.every(step => isStepStalled(view, step))
}

function isStepStalled(view: RunView, step: StepView): boolean {
  if (step.state === 'waiting' || view.passingWaits.some(({ stepId }) => stepId === step.step.id)) return true
  const waits = waitsOfStep(view, step)
  if (waits.length === 0 || waits.some(({ moves }) => moves)) return false
  const seen = seenLast(step)
  const evictions = evictionsOf(seen).some(({ state }) => state === 'requested' || state === 'leaving')
  return !evictions && movesInProgress(migrationsOf(seen), ({ stalled }) => stalled).length === 0
}

/** What a step waits for; null if it makes progress, or has its own question. */
export function stepWait(view: RunView, step: StepView): RunWait | null {
  if (step.state !== 'applying') return null
  const [first] = waitsOfStep(view, step)
    .filter(({ moves }) => !moves)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  if (first === undefined) return null
  return waitNeedsSomebody(first) || isStepStalled(view, step) ? first : null
}

/** Takes only the newest attempt: it checks and reports earlier conditions again. */
function seenLast({ facts, reportedBefore }: StepView): Pick<StepView, 'facts'> {
  return { facts: facts.slice(reportedBefore) }
}

/** The waits besides questions: temporary conditions, locks, refusing budgets, stuck migrations. */
export function waitsOf(view: RunView): readonly RunWait[] {
  return [
    ...view.passingWaits.map(({ stepId, lease, reason: cause, since, asksAt, failsAt }): RunWait => {
      const step = view.steps.find(each => each.step.id === stepId)
      const wait = { ...waitFor('world', nodeOf(view, step)), since, asksAt, failsAt }
      if (step === undefined) return { ...wait, code: 'LeaseAway', lease, cause }
      const { id, title } = step.step
      return { ...wait, code: failsAt === null ? 'StepRetries' : 'NotVerifiedYet', stepId: id, step: title, cause }
    }),
    ...view.steps.filter(isAtWork).flatMap(step => waitsOfStep(view, step)),
  ]
}

function waitsOfStep(view: RunView, step: StepView): readonly RunWait[] {
  const seen = seenLast(step)
  const node = nodeOf(view, step)
  return [
    ...locksOf(seen).flatMap(lock => (lock.isOpen ? [lockWait(view, node, lock)] : [])),
    ...followed(seen).map(
      ({ subject, what, at }): RunWait => ({
        ...waitFor('world', node),
        code: 'NotReadyYet',
        subject,
        what,
        since: at,
      }),
    ),
    ...budgetWaits(node, evictionsOf(seen)),
    ...finalizerWaits(node, evictionsOf(seen)),
    ...uncarriedWaits(node, evictionsOf(seen)),
    ...migrationsOf(seen).flatMap(({ subject, name, asks }): readonly RunWait[] => {
      if (asks === null) return []
      const { cause, choices, since } = asks
      const instances = [{ id: instanceIdOf(subject), name }]
      return [{ ...waitFor('answer', node), code: 'InstanceAsks', cause, choices: [...choices], since, instances }]
    }),
    ...migrationsOf(seen)
      .filter(({ state, stalled, asks }) => state === 'running' && stalled && asks === null)
      .map(
        ({ subject, name, note, startedAt, copying }): RunWait => ({
          ...waitFor('operator', node),
          code: copying === 'not-converging' ? 'MigrationNotConverging' : 'MigrationStalled',
          advice: note,
          since: startedAt,
          instances: [{ id: instanceIdOf(subject), name }],
        }),
      ),
  ]
}

function waitFor(
  whom: RunWait['for'],
  node: string | null,
): Pick<RunWait, 'for' | 'node' | 'since' | 'moves' | 'asksAt' | 'failsAt' | 'instances'> {
  return { for: whom, node, since: null, moves: false, asksAt: null, failsAt: null, instances: [] }
}

export function nodeOf({ plan }: RunView, step: StepView | undefined): string | null {
  const named = step === undefined ? null : (updateNodeOf(step.step) ?? step.step.input.node)
  return typeof named === 'string' ? named : nodeOfPlan(plan)
}

export function questionOf(view: RunView, gate: RunView['openGates'][number]): WaitOf<'Question'> {
  const { gateId, stepId, question, choices, openedAt } = gate
  const step = view.steps.find(each => each.step.id === stepId)
  return {
    ...waitFor('answer', nodeOf(view, step)),
    code: 'Question',
    gateId,
    stepId,
    question,
    choices: [...choices],
    since: openedAt,
  }
}

function lockWait(view: RunView, node: string | null, lock: LockProgress): RunWait {
  const { controller, name, state, kind, message, since, isSilent } = lock
  const ids = instancesLeftToOwners(lock)
  if (ids.length > 0) {
    const instances = ids.map(id => ({ id, name: instanceName(view, id) }))
    return {
      ...waitFor('owner', node),
      code: 'LeftToOwners',
      controller,
      lock: name,
      message,
      since,
      instances,
    }
  }
  const hasFailed = state === 'failed'
  return {
    ...waitFor(hasFailed || kind === 'blocked' ? 'operator' : 'controller', node),
    code: 'LockHeld',
    controller,
    lock: name,
    state,
    kind,
    message,
    silent: isSilent,
    since,
    moves: !hasFailed && !saysWait({ kind, text: message }),
  }
}

/** Instances that stay, by a lock (docs/domain.md A.6); empty if the lock says something else. */
export function instancesLeftToOwners({
  controller,
  kind,
  message,
}: Pick<LockProgress, 'controller' | 'kind' | 'message'>): readonly string[] {
  if (controller !== 'openstack' || kind !== 'blocked') return []
  return instancesLeftBy(message)
}

function instanceName(view: RunView, id: string): string {
  for (const step of view.steps) {
    const planned = step.check?.effects.find(effect => effect.kind === 'instance' && effect.id === id)
    if (planned?.kind === 'instance') return planned.name
    for (const fact of step.facts) {
      const name = instanceNameIn(fact, id)
      if (name !== null) return name
    }
  }
  return id
}

export function instanceNameIn(fact: Pick<RunFact, 'fact' | 'subject' | 'values'>, id: string): string | null {
  if (factName(fact) === INSTANCES_NOTED) return notedName(fact.values, id)
  return fact.subject === `server/${id}` ? factText(fact, 'name') : null
}

function notedName(values: RunFact['values'], id: string): string | null {
  for (const list of [values.instances, values.running]) {
    const name = namedIn(list).find(each => each.id === id)?.name
    if (name !== undefined) return name
  }
  return null
}

interface Followed {
  readonly subject: string
  readonly what: string
  readonly at: string
}

function followed({ facts }: Pick<StepView, 'facts'>): readonly Followed[] {
  const open = new Map<string, Followed>()
  for (const fact of facts) {
    if (factName(fact) !== WAITS_FOR) continue
    const { subject } = fact
    const what = factText(fact, 'what')
    if (what === null) open.delete(subject)
    else open.set(subject, { subject, what, at: open.get(subject)?.at ?? fact.at })
  }
  return [...open.values()]
}

/** Only the author of a finalizer may remove it. */
function finalizerWaits(node: string | null, evictions: readonly EvictionProgress[]): readonly RunWait[] {
  return evictions
    .filter(({ state }) => state === 'held')
    .map(({ pod, note, heldSince }) => ({
      ...waitFor('operator', node),
      code: 'FinalizerKeepsPod',
      pod,
      by: note,
      since: heldSince,
    }))
}

function uncarriedWaits(node: string | null, evictions: readonly EvictionProgress[]): readonly RunWait[] {
  return evictions
    .filter(({ state }) => state === 'kept')
    .map(({ pod, heldSince }) => ({
      ...waitFor('operator', node),
      code: 'EvictionNotCarriedOut',
      pod,
      since: heldSince,
    }))
}

/** Pods under one budget are one wait, from the first refusal on. */
function budgetWaits(node: string | null, evictions: readonly EvictionProgress[]): readonly RunWait[] {
  const refused = Map.groupBy(
    evictions.filter(({ state }) => state === 'refused'),
    ({ note }) => note,
  )
  return [...refused].map(([budget, pods]) => ({
    ...waitFor('budget', node),
    code: 'BudgetRefuses',
    pods: pods.map(({ pod }) => pod),
    budget,
    since: pods.flatMap(({ refusedSince }) => refusedSince ?? []).toSorted()[0] ?? null,
  }))
}
