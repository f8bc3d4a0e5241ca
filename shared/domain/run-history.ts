import { z } from 'zod'
import { answerIn, type ReportedAnswer } from './answer-history.ts'
import { grow } from './instance-attempts.ts'
import { allowedAfter, type InstanceHistory, instanceAfter, lookedAt, unknownInstance } from './instance-history.ts'
import { afterRequest, type InstanceMove, type MovesSoFar, moveIn, NO_MOVES_YET } from './instance-moves.ts'
import { type LockProgress, lockAfter } from './lock-history.ts'
import { atOnce, type Pieces } from './pieces.ts'
import { hostRead, placesRead } from './places-read.ts'
import { isNodePlan, type Plan, type PlannedStep } from './plan.ts'
import { type EvictionProgress, evictionAfter, evictionKey } from './pod-history.ts'
import type { RunEvent, RunFact, RunView, StepView } from './run.ts'
import { factName, factText, INSTANCES_NOTED, instanceIdOf, LOCK_SETTLED, LOCK_WAITING } from './run-facts.ts'
import { afterSkip, leftBySkip } from './skipped-moves.ts'
import type { CheckAnswer, VerifyAnswer } from './step-answers.ts'
import { updateNodeOf } from './update-nodes.ts'

/** `powerActs`: stop and start requests to Nova once the run had stopped it; a higher number later: its owner acted. Absent if not recorded. */
export type NamedInstance = { readonly id: string; readonly name: string; readonly powerActs?: number }

export const NamedInstance = z
  .object({ id: z.string(), name: z.string(), powerActs: z.number().optional() })
  .transform(
    ({ id, name, powerActs }): NamedInstance => (powerActs === undefined ? { id, name } : { id, name, powerActs }),
  )

interface NotedInstances {
  readonly at: string
  readonly host: string | null
  readonly ids: readonly string[]
  readonly instances: readonly NamedInstance[]
  /** Null if a journal of an older version does not have it. */
  readonly running: readonly NamedInstance[] | null
  readonly paused: readonly NamedInstance[]
}

interface NodeHistory {
  readonly node: string
  /** Nova's name of the node, as last read. */
  readonly host: string | null
  readonly noted: readonly NotedInstances[]
}

/** The one source of screen, terminal, report, home and attempt limits. By node, because a run may move one instance off several of them. */
interface RunHistory {
  readonly instances: ReadonlyMap<string, InstanceHistory>
  readonly pods: ReadonlyMap<string, EvictionProgress>
  readonly locks: ReadonlyMap<string, LockProgress>
  readonly nodes: ReadonlyMap<string, NodeHistory>
  readonly moves: readonly InstanceMove[]
}

export function instanceKey(node: string, id: string): string {
  return `${node}\n${id}`
}

/** Includes answers to questions, which a view does not keep. */
export function historyOf(plan: Plan, events: readonly RunEvent[]): HistoryWithAnswers {
  return atOnce(historyInPieces(plan, events))
}

type HistoryWithAnswers = RunHistory & { readonly answers: readonly ReportedAnswer[] }

/** Events between two yields: some milliseconds. */
const EVENTS_AT_ONCE = 200

export function* historyInPieces(plan: Plan, events: readonly RunEvent[]): Pieces<HistoryWithAnswers> {
  const nodes = new Map(plan.steps.map(step => [step.id, nodeOfStep(plan, step)]))
  const nodeOf = (stepId: string) => nodes.get(stepId) ?? nodeOfStep(plan, undefined)
  const growing = emptyHistory()
  const answers: ReportedAnswer[] = []
  const asks = { gates: new Map(), waits: new Map() }
  const skipped = new Set<string>()
  for (const [index, event] of events.entries()) {
    if (index % EVENTS_AT_ONCE === EVENTS_AT_ONCE - 1) yield
    const { at, body } = event
    const answer = answerIn(event, asks)
    if (answer !== null) answers.push(answer)
    if (body.kind === 'step-skipped' && body.by === 'operator') skipped.add(body.stepId)
    if (body.kind === 'step-started') skipped.delete(body.stepId)
    if (body.kind === 'fact') addFact(growing, { ...body, at }, nodeOf(body.stepId))
    if (body.kind === 'step-checked' || body.kind === 'step-verified')
      addAnswer(growing, body.answer, nodeOf(body.stepId))
  }
  for (const step of plan.steps.filter(({ id }) => skipped.has(id))) {
    const last = answers.findLast(({ stepId }) => stepId === step.id)
    const passed = last?.choice === 'skip' ? { by: last.by, at: last.at, reason: last.reason } : null
    addSkip(growing, { step, state: 'skipped', passed }, nodeOfStep(plan, step))
  }
  return { ...growing, answers }
}

/** The history by a view: the last check of each step, and all facts. */
export function historyOfView(view: Pick<RunView, 'plan' | 'steps'>): RunHistory {
  const growing = emptyHistory()
  for (const { step, check } of view.steps) if (check !== null) addAnswer(growing, check, nodeOfStep(view.plan, step))
  for (const { fact, step } of inOrder(view.steps)) addFact(growing, fact, nodeOfStep(view.plan, step.step))
  for (const step of view.steps) addSkip(growing, step, nodeOfStep(view.plan, step.step))
  return growing
}

export function factsInOrder(steps: readonly Pick<StepView, 'facts'>[]): readonly RunFact[] {
  return inOrder(steps).map(({ fact }) => fact)
}

/** Orders facts by time, because steps of several nodes run side by side; facts of one step keep their order. */
function inOrder<S extends Pick<StepView, 'facts'>>(
  steps: readonly S[],
): readonly { readonly fact: RunFact; readonly step: S }[] {
  const timed = steps.flatMap(step => {
    let atMs = Number.NEGATIVE_INFINITY
    return step.facts.map(fact => {
      atMs = Math.max(atMs, Date.parse(fact.at))
      return { fact, step, atMs }
    })
  })
  return timed.toSorted((a, b) => a.atMs - b.atMs)
}

/** The history from the facts of one step or any other list, without a node. */
export function historyOfFacts({ facts, ...of }: FactsOfStep): RunHistory {
  const growing = emptyHistory()
  for (const fact of facts) addFact(growing, fact, '')
  const { step, state, passed } = of
  if (step !== undefined && state !== undefined && passed !== undefined) addSkip(growing, { step, state, passed }, '')
  return growing
}

/** Somebody who skips a step decides about its remaining instances. */
export type FactsOfStep = Pick<StepView, 'facts'> & Partial<Pick<StepView, 'step' | 'state' | 'passed'>>

/** The node of a step, also of an early check; empty means the whole cluster. */
function nodeOfStep(plan: Plan, step: PlannedStep | undefined): string {
  if (isNodePlan(plan)) return plan.node
  if (step === undefined) return ''
  return updateNodeOf(step) ?? (typeof step.input.node === 'string' ? step.input.node : '')
}

/** A history under construction; callers get it read-only. */
interface GrowingHistory {
  readonly instances: Map<string, InstanceHistory>
  readonly pods: Map<string, EvictionProgress>
  readonly locks: Map<string, LockProgress>
  readonly nodes: Map<string, NodeHistory>
  readonly moves: InstanceMove[]
  /** Keyed by the id of an instance, which may leave two nodes in a run over many. */
  readonly movesSoFar: Map<string, MovesSoFar>
  /** They allow more attempts for every instance, also for later ones. */
  readonly allowed: RunFact[]
}

function emptyHistory(): GrowingHistory {
  return {
    instances: new Map(),
    pods: new Map(),
    locks: new Map(),
    nodes: new Map(),
    moves: [],
    movesSoFar: new Map(),
    allowed: [],
  }
}

function instanceOf({ instances, allowed }: GrowingHistory, node: string, id: string): InstanceHistory {
  return instances.get(instanceKey(node, id)) ?? allowed.reduce(allowedAfter, unknownInstance(id, node))
}

function keep({ instances }: GrowingHistory, instance: InstanceHistory): void {
  instances.set(instanceKey(instance.node, instance.id), instance)
}

function addFact(growing: GrowingHistory, fact: RunFact, node: string): void {
  const name = factName(fact)
  if (fact.subject.startsWith('server/')) {
    addMove(growing, fact)
    const before = instanceOf(growing, node, instanceIdOf(fact.subject))
    keep(growing, allowedAfter(instanceAfter(before, fact, grow), fact))
    return
  }
  if (name === INSTANCES_NOTED) {
    addNoted(growing, fact, node)
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

function addMove({ moves, movesSoFar }: GrowingHistory, fact: RunFact): void {
  const id = instanceIdOf(fact.subject)
  const before = movesSoFar.get(id) ?? NO_MOVES_YET
  const move = moveIn(fact, before)
  if (move !== null) moves.push(move)
  movesSoFar.set(id, afterRequest(before, fact))
}

function addNoted(growing: GrowingHistory, fact: RunFact, node: string): void {
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

/** Named instances in a stored value; empty if the value is malformed. */
export function namedIn(value: unknown): readonly NamedInstance[] {
  const parsed = z.array(NamedInstance).safeParse(value)
  return parsed.success ? parsed.data : []
}

function addSkip(growing: GrowingHistory, step: Pick<StepView, 'step' | 'state' | 'passed'>, node: string): void {
  const passed = leftBySkip(step)
  if (passed === null) return
  for (const instance of [...growing.instances.values()]) {
    if (instance.node === node) keep(growing, afterSkip(instance, passed))
  }
}

function addAnswer(growing: GrowingHistory, answer: CheckAnswer | VerifyAnswer, node: string): void {
  const known = growing.nodes.get(node) ?? { node, host: null, noted: [] }
  const host = hostRead(answer.evidence) ?? known.host
  const places = answer.evidence.flatMap(placesRead)
  if (host !== known.host) growing.nodes.set(node, { ...known, host })
  for (const effect of 'effects' in answer ? answer.effects : []) {
    if (effect.kind !== 'instance') continue
    const before = instanceOf(growing, node, effect.id)
    // A plan made after an action on it concerns another state.
    if (before.reported.length > 0 || before.looks.length > 0) continue
    // An instance that will be brought back is on another host when planned.
    const own = places.find(({ id }) => id === effect.id)
    keep(growing, { ...before, effect, effectHost: own?.host ?? host })
  }
  for (const { id, ...look } of places) {
    keep(growing, lookedAt(instanceOf(growing, node, id), { ...look, of: 'read' }, grow))
  }
}
