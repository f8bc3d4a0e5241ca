import { z } from 'zod'
import { answerIn, type ReportedAnswer } from './answer-history.ts'
import { grow } from './instance-attempts.ts'
import { allowedAfter, type InstanceHistory, instanceAfter, lookedAt, unknownInstance } from './instance-history.ts'
import { afterRequest, type InstanceMove, type MovesSoFar, moveIn, NO_MOVES_YET } from './instance-moves.ts'
import { type LockProgress, lockAfter } from './lock-history.ts'
import { hostRead, placesRead } from './places-read.ts'
import { type CheckAnswer, isNodePlan, type Plan, type PlannedStep, type VerifyAnswer } from './plan.ts'
import { type EvictionProgress, evictionAfter, evictionKey } from './pod-history.ts'
import type { RunEvent, RunFact, RunView, StepView } from './run.ts'
import { factName, factText, INSTANCES_NOTED, instanceIdOf, LOCK_SETTLED, LOCK_WAITING } from './run-facts.ts'
import { afterSkip, leftBySkip } from './skipped-moves.ts'
import { updateNodeOf } from './update-nodes.ts'

/**
 * An instance by id and name. `powerActs`: how often Nova had been asked to stop or start it, by whomever, once the run had stopped it; more than that tells that
 * its owner did it since. Absent: that was not recorded.
 */
export type NamedInstance = { readonly id: string; readonly name: string; readonly powerActs?: number }

export const NamedInstance = z
  .object({ id: z.string(), name: z.string(), powerActs: z.number().optional() })
  .transform(
    ({ id, name, powerActs }): NamedInstance => (powerActs === undefined ? { id, name } : { id, name, powerActs }),
  )

/** Which instances were on a node when somebody looked before it was emptied or worked on. */
interface NotedInstances {
  readonly at: string
  readonly host: string | null
  readonly ids: readonly string[]
  readonly instances: readonly NamedInstance[]
  /** Null: a journal of an older version, which did not tell. */
  readonly running: readonly NamedInstance[] | null
  readonly paused: readonly NamedInstance[]
}

/** What a run told of one node. */
interface NodeHistory {
  readonly node: string
  /** The host whose instances were read last: Nova's name of the node. */
  readonly host: string | null
  /** Oldest first. */
  readonly noted: readonly NotedInstances[]
}

/**
 * What happened in a run, from the facts and answers of its steps: the one fold in which screen, terminal, report, home and attempt limits look. Instances are
 * kept by node, for a run on several nodes may move one instance off each of them.
 */
interface RunHistory {
  /** By {@link instanceKey}, in the order in which they were first told of. */
  readonly instances: ReadonlyMap<string, InstanceHistory>
  /** By uid. */
  readonly pods: ReadonlyMap<string, EvictionProgress>
  /** By name. */
  readonly locks: ReadonlyMap<string, LockProgress>
  readonly nodes: ReadonlyMap<string, NodeHistory>
  /** Where its instances went, in the order in which that was told. */
  readonly moves: readonly InstanceMove[]
}

/** What an instance is known by in a history. */
export function instanceKey(node: string, id: string): string {
  return `${node}\n${id}`
}

/** The history of a run from its events, with the answers of people to its questions, in order: a view keeps none of them. */
export function historyOf(
  plan: Plan,
  events: readonly RunEvent[],
): RunHistory & { readonly answers: readonly ReportedAnswer[] } {
  const nodes = new Map(plan.steps.map(step => [step.id, nodeOfStep(plan, step)]))
  const nodeOf = (stepId: string) => nodes.get(stepId) ?? nodeOfStep(plan, undefined)
  const growing = emptyHistory()
  const answers: ReportedAnswer[] = []
  const asks = { gates: new Map(), waits: new Map() }
  const skipped = new Set<string>()
  for (const event of events) {
    const { at, body } = event
    const answer = answerIn(event, asks)
    if (answer !== null) answers.push(answer)
    if (body.kind === 'step-skipped' && body.by === 'operator') skipped.add(body.stepId)
    if (body.kind === 'step-started') skipped.delete(body.stepId)
    if (body.kind === 'fact') reportFact(growing, { ...body, at }, nodeOf(body.stepId))
    if (body.kind === 'step-checked' || body.kind === 'step-verified')
      reportAnswer(growing, body.answer, nodeOf(body.stepId))
  }
  for (const step of plan.steps.filter(({ id }) => skipped.has(id))) {
    const last = answers.findLast(({ stepId }) => stepId === step.id)
    const passed = last?.choice === 'skip' ? { by: last.by, at: last.at, reason: last.reason } : null
    reportSkip(growing, { step, state: 'skipped', passed }, nodeOfStep(plan, step))
  }
  return { ...growing, answers }
}

/** The same from what a view keeps of the events: the last check of each step, and all facts. */
export function historyOfView(view: Pick<RunView, 'plan' | 'steps'>): RunHistory {
  const growing = emptyHistory()
  for (const { step, check } of view.steps)
    if (check !== null) reportAnswer(growing, check, nodeOfStep(view.plan, step))
  for (const { fact, step } of inOrder(view.steps)) reportFact(growing, fact, nodeOfStep(view.plan, step.step))
  for (const step of view.steps) reportSkip(growing, step, nodeOfStep(view.plan, step.step))
  return growing
}

/** All facts of these steps in the order in which they happened. */
export function factsInOrder(steps: readonly Pick<StepView, 'facts'>[]): readonly RunFact[] {
  return inOrder(steps).map(({ fact }) => fact)
}

/** By their times, as steps of several nodes work side by side; what one step told stays in its order, also where the clock was set back meanwhile. */
function inOrder<S extends Pick<StepView, 'facts'>>(
  steps: readonly S[],
): readonly { readonly fact: RunFact; readonly step: S }[] {
  const reported = steps.flatMap(step => {
    let atMs = Number.NEGATIVE_INFINITY
    return step.facts.map(fact => {
      atMs = Math.max(atMs, Date.parse(fact.at))
      return { fact, step, atMs }
    })
  })
  return reported.toSorted((a, b) => a.atMs - b.atMs)
}

/** What the facts of one step tell, or of any other list: of which node is left open. */
export function historyOfFacts({ facts, ...of }: FactsOfStep): RunHistory {
  const growing = emptyHistory()
  for (const fact of facts) reportFact(growing, fact, '')
  const { step, state, passed } = of
  if (step !== undefined && state !== undefined && passed !== undefined)
    reportSkip(growing, { step, state, passed }, '')
  return growing
}

/** The facts of a step, with what became of it where that is known: who passes a step decides about what it did not do. */
export type FactsOfStep = Pick<StepView, 'facts'> & Partial<Pick<StepView, 'step' | 'state' | 'passed'>>

/** The node a step works on, also one that looks at it before its turn; empty: the whole cluster. */
function nodeOfStep(plan: Plan, step: PlannedStep | undefined): string {
  if (isNodePlan(plan)) return plan.node
  if (step === undefined) return ''
  return updateNodeOf(step) ?? (typeof step.input.node === 'string' ? step.input.node : '')
}

/** A history that this file still writes to; whoever gets it reads it alone. */
interface GrowingHistory {
  readonly instances: Map<string, InstanceHistory>
  readonly pods: Map<string, EvictionProgress>
  readonly locks: Map<string, LockProgress>
  readonly nodes: Map<string, NodeHistory>
  readonly moves: InstanceMove[]
  /** What the next move of an instance leans on, by its id: of many nodes it may leave two. */
  readonly movesSoFar: Map<string, MovesSoFar>
  /** Facts that allow more attempts at every instance, also at those of which nothing is told yet. */
  readonly allowed: RunFact[]
}

function emptyHistory(): GrowingHistory {
  return {
    instances: new Map(),
    pods: new Map(),
    locks: new Map(),
    nodes: new Map(),
    ...{ moves: [], movesSoFar: new Map(), allowed: [] },
  }
}

function instanceOf({ instances, allowed }: GrowingHistory, node: string, id: string): InstanceHistory {
  return instances.get(instanceKey(node, id)) ?? allowed.reduce(allowedAfter, unknownInstance(id, node))
}

function keep({ instances }: GrowingHistory, instance: InstanceHistory): void {
  instances.set(instanceKey(instance.node, instance.id), instance)
}

function reportFact(growing: GrowingHistory, fact: RunFact, node: string): void {
  const name = factName(fact)
  if (fact.subject.startsWith('server/')) {
    reportMove(growing, fact)
    const before = instanceOf(growing, node, instanceIdOf(fact.subject))
    keep(growing, allowedAfter(instanceAfter(before, fact, grow), fact))
    return
  }
  if (name === INSTANCES_NOTED) {
    reportNoted(growing, fact, node)
    return
  }
  if (name === LOCK_WAITING || name === LOCK_SETTLED) {
    growing.locks.set(fact.subject, lockAfter(fact))
    return
  }
  const key = evictionKey(fact)
  const pod = evictionAfter(growing.pods.get(key), fact, node)
  if (pod !== null) {
    growing.pods.set(key, pod)
    return
  }
  const isAllowing = allowedAfter(BLANK, fact) !== BLANK
  if (!isAllowing) return
  growing.allowed.push(fact)
  for (const instance of [...growing.instances.values()]) keep(growing, allowedAfter(instance, fact))
}

const BLANK = unknownInstance('', '')

function reportMove({ moves, movesSoFar }: GrowingHistory, fact: RunFact): void {
  const id = instanceIdOf(fact.subject)
  const before = movesSoFar.get(id) ?? NO_MOVES_YET
  const move = moveIn(fact, before)
  if (move !== null) moves.push(move)
  movesSoFar.set(id, afterRequest(before, fact))
}

function reportNoted(growing: GrowingHistory, fact: RunFact, node: string): void {
  const noted = notedIn(fact)
  const place = node === '' ? fact.subject.replace(/^node\//, '') : node
  const known = growing.nodes.get(place) ?? { node: place, host: null, noted: [] }
  growing.nodes.set(place, { ...known, noted: [...known.noted, noted] })
  const running = new Set((noted.running ?? []).map(({ id }) => id))
  const names = new Map(
    [...noted.instances, ...(noted.running ?? []), ...noted.paused].map(({ id, name }) => [id, name]),
  )
  const isNamed = new Set(noted.instances.map(({ id }) => id))
  for (const id of new Set([...noted.ids, ...isNamed])) {
    growing.moves.push({ kind: 'noted', id, name: names.get(id) ?? id, host: noted.host, isNamed: isNamed.has(id) })
    if (noted.ids.includes(id)) {
      growing.movesSoFar.set(id, { ...(growing.movesSoFar.get(id) ?? NO_MOVES_YET), notedOn: noted.host })
    }
  }
  for (const id of new Set([...noted.ids, ...running])) {
    const before = instanceOf(growing, node, id)
    keep(growing, {
      ...before,
      name: before.name ?? names.get(id) ?? null,
      isNoted: true,
      effectHost: before.effectHost ?? noted.host,
      ran: before.ran || running.has(id),
    })
  }
}

/** A note as the run kept it; what it does not tell is empty. */
function notedIn(fact: Pick<RunFact, 'at' | 'values'>): NotedInstances {
  const { ids, instances, running, paused } = fact.values
  return {
    at: fact.at,
    host: factText(fact, 'host'),
    ids: Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : [],
    instances: namedIn(instances),
    running: running === undefined ? null : namedIn(running),
    paused: namedIn(paused),
  }
}

/** Instances by id and name; none where it is something else. */
export function namedIn(value: unknown): readonly NamedInstance[] {
  const parsed = z.array(NamedInstance).safeParse(value)
  return parsed.success ? parsed.data : []
}

function reportSkip(growing: GrowingHistory, step: Pick<StepView, 'step' | 'state' | 'passed'>, node: string): void {
  const passed = leftBySkip(step)
  if (passed === null) return
  for (const instance of [...growing.instances.values()]) {
    if (instance.node === node) keep(growing, afterSkip(instance, passed))
  }
}

function reportAnswer(growing: GrowingHistory, answer: CheckAnswer | VerifyAnswer, node: string): void {
  const known = growing.nodes.get(node) ?? { node, host: null, noted: [] }
  const host = hostRead(answer.evidence) ?? known.host
  const places = answer.evidence.flatMap(placesRead)
  if (host !== known.host) growing.nodes.set(node, { ...known, host })
  for (const effect of 'effects' in answer ? answer.effects : []) {
    if (effect.kind !== 'instance') continue
    const before = instanceOf(growing, node, effect.id)
    // What is planned once it was touched is about another state of it.
    if (before.reported.length > 0 || before.looks.length > 0) continue
    // One that is to come home is elsewhere when that is planned.
    const own = places.find(({ id }) => id === effect.id)
    keep(growing, { ...before, effect, effectHost: own?.host ?? host })
  }
  for (const { id, ...look } of places) {
    keep(growing, lookedAt(instanceOf(growing, node, id), { ...look, of: 'read' }, grow))
  }
}
