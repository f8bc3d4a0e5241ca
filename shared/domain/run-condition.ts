import { z } from 'zod'
import { asSentence, listed, someOf } from '../grammar/counts.ts'
import { instantWords } from '../grammar/times.ts'
import type { LockProgress } from './lock-history.ts'
import { instancesLeftBy, saysWait, withoutEmptyLists } from './lock-message.ts'
import { assertNever } from './must.ts'
import { nodeOfPlan } from './plan.ts'
import type { EvictionProgress } from './pod-history.ts'
import { type RunFact, RunOutcome, type RunView, type StepView } from './run.ts'
import { endingOf, isReached, RunEnding } from './run-ending.ts'
import { factName, factText, INSTANCES_NOTED, instanceIdOf, WAITS_FOR } from './run-facts.ts'
import { evictionsOf, gettingOn, locksOf, migrationsOf } from './run-progress.ts'
import { updateNodeOf } from './update-nodes.ts'

/** Something that a run waits for: what it is, who can end it and how, and since when. */
export const RunWait = z.strictObject({
  /**
   * Who or what ends it. `answer`: whoever answers the run's question. `owner`: owners of instances. `operator`: somebody who decides, or
   * another node's turn. `controller`: it moves on by itself. `budget`: pods that may not be evicted yet. `world`: what may pass by itself.
   */
  for: z.enum(['answer', 'owner', 'operator', 'controller', 'budget', 'world']),
  /** The node that waits; null: the whole cluster, or the run. */
  node: z.string().nullable(),
  /** What it waits for, in a sentence. */
  what: z.string(),
  /** Who can end it, and by which choices, in sentences. */
  who: z.string(),
  since: z.string().nullable(),
  /** A controller's own words, where {@link RunWait.what} says them otherwise; null: it says them, or there are none. */
  said: z.string().nullable(),
  /** It is told to be in progress: nothing stands still for it. */
  moves: z.boolean(),
  /** When a person is asked, where it goes on by itself until then. */
  asksAt: z.string().nullable(),
  /** When its step fails, if it does not hold by then. */
  failsAt: z.string().nullable(),
  /** Instances that are left to their owners, whom it waits for. */
  instances: z.array(z.strictObject({ id: z.string(), name: z.string() })),
})
export type RunWait = z.infer<typeof RunWait>

/**
 * What a run is at this moment. Every face and the report show this and nothing else; it is derived from the run's events and from whether
 * somebody drives it.
 */
export const RunCondition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('starting') }),
  /** Something goes on; `at`: the step's title, null: its checks. `waits`: what is waited for meanwhile. */
  z.strictObject({ kind: z.literal('moving'), at: z.string().nullable(), waits: z.array(RunWait) }),
  /** It stands still, or one of its nodes does and only a person can end that; the first of `waits` is the one to look after. */
  z.strictObject({ kind: z.literal('waiting'), waits: z.array(RunWait).min(1) }),
  /** `waits`: its open questions. */
  z.strictObject({ kind: z.literal('paused'), since: z.string(), waits: z.array(RunWait) }),
  z.strictObject({ kind: z.literal('aborting') }),
  /** Nobody drives it; `since`: it was heard of last, `why`: why it was left, where that is known, `waits`: its open questions. */
  z.strictObject({
    kind: z.literal('interrupted'),
    since: z.string(),
    at: z.string().nullable(),
    why: z.string().nullable(),
    waits: z.array(RunWait),
  }),
  /**
   * A runner drives it, and this console does not hear that runner now: since `since` anything may have happened. `was`: what it was then, in two or
   * three words; `waits`: what it waited for then.
   */
  z.strictObject({
    kind: z.literal('unheard'),
    since: z.string(),
    runner: z.string(),
    was: z.string(),
    waits: z.array(RunWait),
  }),
  /** `ending`: how, as a code with values. */
  z.strictObject({ kind: z.literal('over'), outcome: RunOutcome, summary: z.string(), ending: RunEnding }),
])
export type RunCondition = z.infer<typeof RunCondition>

/** A run as one node of it sees it: only what is done there, asked and waited for there; {@link conditionOf} and tallies are of the node then. */
export function viewOfNode(view: RunView, node: string): RunView {
  const steps = view.steps.filter(step => nodeOf(view, step) === node)
  const own = new Set(steps.map(({ step }) => step.id))
  return {
    ...view,
    steps,
    openGates: view.openGates.filter(({ stepId }) => own.has(stepId)),
    passingWaits: view.passingWaits.filter(({ stepId }) => stepId === null || own.has(stepId)),
  }
}

/**
 * What a run is now. Its events do not tell these: `nobodyDrives`, whoever drove it is gone; `refused`, why the journal took no more of it
 * from this process (null: it did, or another one drove it).
 */
export function conditionOf(view: RunView, nobodyDrives: boolean, refused: string | null = null): RunCondition {
  const { state, lastEventAt } = view
  if (state.kind === 'finished') {
    return { kind: 'over', outcome: state.outcome, summary: state.summary, ending: endingOf(view, state) }
  }
  const at = view.steps.find(isAtWork)?.step.title ?? null
  const questions = view.openGates.map(gate => questionOf(view, gate))
  if (nobodyDrives || state.kind === 'left') {
    const unkept = refused === null ? null : `It was stopped, because what it does could not be kept. ${refused}`
    const { handedTo } = view
    const why =
      handedTo !== null
        ? `It was being handed over as MaintenanceRun ${handedTo.object}, in namespace ${handedTo.namespace} of ${handedTo.by}: whether a runner has it is looked at when it is resumed or handed over again.`
        : state.kind === 'left'
          ? state.why
          : unkept
    return { kind: 'interrupted', since: lastEventAt, at, why, waits: questions }
  }
  switch (state.kind) {
    case 'created':
      return { kind: 'starting' }
    case 'paused':
      return { kind: 'paused', since: state.since, waits: questions }
    case 'aborting':
      return { kind: 'aborting' }
    case 'running':
    case 'waiting': {
      const waits = [...questions, ...waitsOf(view)].toSorted((a, b) => rankOf(a) - rankOf(b))
      const needsSomebody = waits.some(wait => NEEDS_SOMEBODY.has(wait.for) && !wait.moves)
      return needsSomebody || standsStill(view) ? { kind: 'waiting', waits } : { kind: 'moving', at, waits }
    }
    default:
      return assertNever(state, 'run state')
  }
}

/** Whether a person has to do something before a run goes on. */
export function needsSomebody(condition: RunCondition): boolean {
  switch (condition.kind) {
    case 'waiting':
      return condition.waits.some(wait => NEEDS_SOMEBODY.has(wait.for) && !wait.moves)
    case 'paused':
    case 'interrupted':
      return true
    case 'starting':
    case 'moving':
    case 'aborting':
    // Whether it still does is not known.
    case 'unheard':
    case 'over':
      return false
  }
}

/** Whether an end may be estimated: while a run stands still, how long that takes is not known. */
export function mayTellEnd({ kind }: RunCondition): boolean {
  return kind === 'starting' || kind === 'moving'
}

/** Where a run stands, in two or three words. */
export function conditionWord(condition: RunCondition): string {
  switch (condition.kind) {
    case 'starting':
      return 'about to start'
    case 'moving':
      return 'running'
    case 'waiting':
      return WAIT_WORDS[condition.waits[0]?.for ?? 'world']
    case 'over':
      if (condition.ending.kind === 'NodeNotEmpty') return isReached(condition.ending) ? 'done' : 'not empty'
      if (condition.ending.kind === 'HeldBack') return 'takes no work'
      return END_WORDS[condition.outcome]
    case 'paused':
    case 'aborting':
    case 'interrupted':
      return condition.kind
    case 'unheard':
      return 'not connected'
  }
}

/** The same as the end of a sentence about it: `is running`, `waits for an owner`, `has failed`. */
export function isOrWaits(condition: RunCondition): string {
  const word = conditionWord(condition)
  if (condition.kind === 'waiting') return word
  if (condition.kind !== 'over') return `is ${word}`
  switch (condition.outcome) {
    case 'done':
    case 'aborted':
    case 'handed-over':
      return `is ${word}`
    case 'failed':
      return 'has failed'
    case 'checks-failed':
      return 'is over, for its checks failed'
  }
}

/** The same in a sentence or a few: what it does, what it waits for and who can end that, or how it ended. */
export function conditionSentence(condition: RunCondition): string {
  switch (condition.kind) {
    case 'starting':
      return 'About to start.'
    case 'moving':
      return condition.at ?? 'Checking.'
    case 'waiting': {
      const [first, ...others] = condition.waits
      const more = others.filter(({ moves }) => !moves).length
      return `${waitSentence(first)}${more === 0 ? '' : ` It waits for ${more} more.`}`
    }
    case 'paused': {
      const [question] = condition.waits
      return question === undefined ? 'Paused.' : `Paused, with an open question: ${question.what}`
    }
    case 'aborting':
      return 'Stopping: nothing new is begun.'
    case 'interrupted':
      return interruptedSentence(condition)
    case 'unheard':
      return `As of ${instantWords(condition.since)}, not connected to runner ${condition.runner}: it was ${condition.was} then, and goes on without this console.`
    case 'over':
      return condition.summary
  }
}

/** A question stands until it is answered, whoever left it and how. */
function interruptedSentence({ at, why, waits }: Extract<RunCondition, { kind: 'interrupted' }>): string {
  const [open, ...more] = waits
  const others = more.length === 0 ? '' : ` ${more.length} more ${more.length === 1 ? 'is' : 'are'} open.`
  return [
    ...(open === undefined ? [] : [`Left with an open question: ${open.what}${others}`]),
    `Nobody drives it${at === null ? '' : `; it was at: ${at}`}.`,
    ...(why === null ? [] : [asSentence(why)]),
  ].join(' ')
}

function waitSentence(wait: RunWait | undefined): string {
  if (wait === undefined) return 'Waits.'
  return wait.for === 'answer' ? wait.what : `Waits: ${wait.what} ${wait.who}`
}

/** How a run ended. */
const END_WORDS: Readonly<Record<RunOutcome, string>> = {
  done: 'done',
  failed: 'failed',
  aborted: 'aborted',
  'checks-failed': 'checks failed',
  'handed-over': 'handed over',
}

/** Whom or what a run waits for. */
export const WAIT_WORDS: Readonly<Record<RunWait['for'], string>> = {
  answer: 'waits for you',
  owner: 'waits for an owner',
  operator: 'waits for an operator',
  controller: 'waits for a controller',
  budget: 'waits for a budget',
  world: 'waits',
}

/** What does not go on by itself: a run waits for it though others of its nodes move. */
const NEEDS_SOMEBODY: ReadonlySet<RunWait['for']> = new Set(['answer', 'owner', 'operator'])

const ORDER: readonly RunWait['for'][] = ['answer', 'owner', 'operator', 'controller', 'budget', 'world']

function rankOf(wait: RunWait): number {
  return ORDER.indexOf(wait.for) + (wait.moves ? ORDER.length : 0)
}

function isAtWork({ state }: StepView): boolean {
  return state === 'applying' || state === 'waiting'
}

/** Whether the run works on something and all of that waits. */
function standsStill(view: RunView): boolean {
  if (view.passingWaits.some(({ stepId }) => stepId === null)) return true
  const verifying = new Set(view.passingWaits.map(({ stepId }) => stepId))
  const steps = view.steps.filter(step => isAtWork(step) || verifying.has(step.step.id))
  return steps.length > 0 && steps.every(step => stepStandsStill(view, step))
}

function stepStandsStill(view: RunView, step: StepView): boolean {
  if (step.state === 'waiting' || view.passingWaits.some(({ stepId }) => stepId === step.step.id)) return true
  const waits = waitsOfStep(view, step)
  if (waits.length === 0 || waits.some(({ moves }) => moves)) return false
  const seen = seenByDriver(view, step)
  const evictions = evictionsOf(seen).some(({ state }) => state === 'requested' || state === 'leaving')
  return !evictions && gettingOn(migrationsOf(seen), ({ stalled }) => stalled).length === 0
}

/** What holds a step up that is carried out, the one to look after first; null: it goes on, or asks itself. */
export function stepWait(view: RunView, step: StepView): RunWait | null {
  if (step.state !== 'applying') return null
  const [first] = waitsOfStep(view, step)
    .filter(({ moves }) => !moves)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  if (first === undefined) return null
  return NEEDS_SOMEBODY.has(first.for) || stepStandsStill(view, step) ? first : null
}

/** What whoever drives the run now told of a step: what an earlier driver saw is looked at afresh, and told again. */
function seenByDriver({ drivenAt }: RunView, { facts }: StepView): Pick<StepView, 'facts'> {
  return { facts: facts.filter(({ at }) => Date.parse(at) >= Date.parse(drivenAt)) }
}

/** What holds a run up beside its questions: what may pass by itself, locks, budgets that refuse, migrations that stand still. */
function waitsOf(view: RunView): readonly RunWait[] {
  return [
    ...view.passingWaits.map(({ stepId, reason, since, asksAt, failsAt }): RunWait => {
      const step = view.steps.find(each => each.step.id === stepId)
      return {
        ...waitFor('world', nodeOf(view, step)),
        what: asSentence(step === undefined ? reason : `${step.step.title}: ${reason}`),
        who: failsAt === null ? 'The run tries again and goes on by itself.' : 'The run looks again by itself.',
        since,
        asksAt,
        failsAt,
      }
    }),
    ...view.steps.filter(isAtWork).flatMap(step => waitsOfStep(view, step)),
  ]
}

function waitsOfStep(view: RunView, step: StepView): readonly RunWait[] {
  const seen = seenByDriver(view, step)
  const node = nodeOf(view, step)
  return [
    ...locksOf(seen).flatMap(lock => (lock.isOpen ? [lockWait(view, node, lock)] : [])),
    ...followed(seen).map(
      ({ what, at }): RunWait => ({
        ...waitFor('world', node),
        what: asSentence(what),
        who: 'The run looks again by itself, and asks when nothing has moved for long.',
        since: at,
      }),
    ),
    ...budgetWaits(node, evictionsOf(seen)),
    ...finalizerWaits(node, evictionsOf(seen)),
    ...migrationsOf(seen).flatMap(({ subject, name, asks }): readonly RunWait[] => {
      if (asks === null) return []
      const id = instanceIdOf(subject)
      return [
        {
          ...waitFor('answer', node),
          what: asSentence(`${name}: ${asks.cause}`),
          who: `Any operator of this cluster decides about this instance: ${asks.choices.join(', ')}. The others go on.`,
          since: asks.since,
          instances: [{ id, name }],
        },
      ]
    }),
    ...migrationsOf(seen)
      .filter(({ state, stalled, asks }) => state === 'running' && stalled && asks === null)
      .map(
        ({ name, note, startedAt, copying }): RunWait => ({
          ...waitFor('operator', node),
          what:
            copying === 'not-converging'
              ? `${name} writes memory as fast as the network copies it.`
              : `${name}: its migration stands still.`,
          who: note === '' ? 'An administrator of Nova: abort it or force it to complete.' : note,
          since: startedAt,
        }),
      ),
  ]
}

function waitFor(whom: RunWait['for'], node: string | null): Omit<RunWait, 'what' | 'who'> {
  return { for: whom, node, since: null, said: null, moves: false, asksAt: null, failsAt: null, instances: [] }
}

function nodeOf({ plan }: RunView, step: StepView | undefined): string | null {
  const named = step === undefined ? null : (updateNodeOf(step.step) ?? step.step.input.node)
  return typeof named === 'string' ? named : nodeOfPlan(plan)
}

function questionOf(view: RunView, gate: RunView['openGates'][number]): RunWait {
  return {
    ...waitFor(
      'answer',
      nodeOf(
        view,
        view.steps.find(({ step }) => step.id === gate.stepId),
      ),
    ),
    what: gate.question,
    who: `Any operator of this cluster answers: ${gate.choices.join(', ')}.`,
    since: gate.openedAt,
  }
}

/** What is told of a lock without a message that does not move (main/procedures/steps/requests/await-locks.ts). */
export const SAYS_NOTHING = 'it says nothing'

/** Who can do something about what a lock says, by what kind of sentence it is. */
const LOCK_WHO: Readonly<Record<LockProgress['kind'] | 'silent' | 'failed', string>> = {
  silent: 'The one who runs its controller: see that it answers, then it goes on by itself.',
  none: 'Its controller, which has not said anything yet.',
  progress: 'Its controller: it moves on by itself.',
  blocked: 'An operator or an owner: what its controller names has to be decided first.',
  trouble: 'Its controller tries again by itself; look at it when it goes on.',
  failed: 'Its controller gave up: mend what it names, then retry.',
}

function lockWait(view: RunView, node: string | null, lock: LockProgress): RunWait {
  const { controller, name, state, kind, message, since } = lock
  const hasFailed = state === 'failed'
  const ids = instancesLeftToOwners(lock)
  if (ids.length > 0) {
    const instances = ids.map(id => ({ id, name: instanceName(view, id) }))
    const [it, its] = ids.length === 1 ? ['it', 'its'] : ['them', 'their']
    return {
      ...waitFor('owner', node),
      what: leftToOwnersWords(
        instances.map(({ name }) => name),
        node,
      ),
      who: `${ids.length === 1 ? 'The owner moves, stops or deletes' : 'The owners move, stop or delete'} ${it}; or an operator sets ${its} migration mode, or that of the host, so that ${ids.length === 1 ? 'it is' : 'they are'} moved or stopped; or the run is aborted.`,
      since,
      said: message,
      instances,
    }
  }
  return {
    ...waitFor(hasFailed || kind === 'blocked' ? 'operator' : 'controller', node),
    what: asSentence(
      `${controller}, whose lock ${name} is ${state}${message === '' ? '' : `: ${withoutEmptyLists(message)}`}`,
    ),
    who: hasFailed ? LOCK_WHO.failed : message.startsWith(SAYS_NOTHING) ? LOCK_WHO.silent : LOCK_WHO[kind],
    since,
    moves: !hasFailed && !saysWait({ kind, text: message }),
  }
}

/** `web-1 is still on cmp-1, left to its owner.` */
export function leftToOwnersWords(names: readonly string[], node: string | null): string {
  const [is, owners] = names.length === 1 ? ['is', 'its owner'] : ['are', 'their owners']
  const named = names.length > 3 ? someOf(names, 3) : listed(names)
  return `${named} ${is} still on ${node ?? 'the host'}, left to ${owners}.`
}

/** Ids of instances that a lock says nobody moves (docs/domain.md A.6); empty where it says something else. */
export function instancesLeftToOwners({
  controller,
  kind,
  message,
}: Pick<LockProgress, 'controller' | 'kind' | 'message'>): readonly string[] {
  if (controller !== 'openstack' || kind !== 'blocked') return []
  return instancesLeftBy(message)
}

/** What an instance is called, as the run's checks and facts tell; its id where nobody told. */
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

/** What a fact calls an instance; null where it tells nothing of it. */
export function instanceNameIn(fact: Pick<RunFact, 'fact' | 'subject' | 'values'>, id: string): string | null {
  if (factName(fact) === INSTANCES_NOTED) return notedName(fact.values, id)
  return fact.subject === `server/${id}` ? factText(fact, 'name') : null
}

const Noted = z.array(z.object({ id: z.string(), name: z.string() }))

function notedName(values: RunFact['values'], id: string): string | null {
  for (const list of [values.instances, values.running]) {
    const name = Noted.safeParse(list).data?.find(each => each.id === id)?.name
    if (name !== undefined) return name
  }
  return null
}

/** What a step that follows something waits for now, by what it is told of. */
function followed({ facts }: Pick<StepView, 'facts'>): readonly { readonly what: string; readonly at: string }[] {
  const open = new Map<string, { readonly what: string; readonly at: string }>()
  for (const fact of facts) {
    if (factName(fact) !== WAITS_FOR) continue
    const what = factText(fact, 'what')
    if (what === null) open.delete(fact.subject)
    else open.set(fact.subject, { what, at: open.get(fact.subject)?.at ?? fact.at })
  }
  return [...open.values()]
}

/** Pods that have ended and are kept: nobody but whoever set a finalizer may take it away. */
function finalizerWaits(node: string | null, evictions: readonly EvictionProgress[]): readonly RunWait[] {
  return evictions
    .filter(({ state }) => state === 'held')
    .map(({ pod, note, heldSince }) => ({
      ...waitFor('operator', node),
      what: asSentence(`${pod} has ended, and is kept by ${note}`),
      who: 'Whoever set it takes it away; look whether what should do so still runs.',
      since: heldSince,
    }))
}

/** Pods under one budget are one wait, since the first refusal. */
function budgetWaits(node: string | null, evictions: readonly EvictionProgress[]): readonly RunWait[] {
  const refused = Map.groupBy(
    evictions.filter(({ state }) => state === 'refused'),
    ({ note }) => note,
  )
  return [...refused].map(([note, pods]) => ({
    ...waitFor('budget', node),
    what: asSentence(`${pods.length === 1 ? (pods[0]?.pod ?? '') : `${pods.length} pods`}: ${note}`),
    who: 'The one who runs these pods: more healthy replicas elsewhere, or a wider budget. Lockkeeper asks again by itself.',
    since: pods.flatMap(({ refusedSince }) => refusedSince ?? []).toSorted()[0] ?? null,
  }))
}
