import { JournalRefused } from '../../main/ports/journal.ts'
import type { MaintenanceWorld } from '../../main/ports/world.ts'
import { completeOptions, makePlan } from '../../main/procedures/plans/node/make-plan.ts'
import { readChosenNodes } from '../../main/procedures/plans/rolling/chosen-nodes.ts'
import { planRollingMaintenance } from '../../main/procedures/plans/rolling/plan-rolling-maintenance.ts'
import { planUpdate } from '../../main/procedures/plans/rolling/plan-update.ts'
import type { UpdateRequest } from '../../main/procedures/plans/rolling/update-node.ts'
import { readUpdateFacts } from '../../main/procedures/plans/rolling/update-node.ts'
import { awaySinceEntered, ranWhenEntered } from '../../main/run-control/node-past.ts'
import { endUndone, findUndoable, planUndo } from '../../main/run-control/undo.ts'
import type { DrivenRun } from '../../main/runs/engine/drive-to-rest.ts'
import { must } from '../../shared/domain/must.ts'
import type { Plan, PlannedNodeRunKind, PlannedStep } from '../../shared/domain/plan.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import { historyOf } from '../../shared/domain/run-history.ts'
import type { UpdateOptions } from '../../shared/domain/update.ts'
import type { Console } from './console.ts'
import type { Dice } from './dice.ts'
import type { Restless } from './restless.ts'

/** What a person wants of a console. */
export interface Intent {
  readonly startAfterMs: number
  readonly node: string
  readonly procedures: readonly Procedure[]
  /** They try everything that may be chosen: overrides, ways of moving, instances decided about while they move; and take back what ended early. */
  readonly isCurious: boolean
  readonly asksPermissions: boolean
  /** Nodes that are updated by one run; null: what `procedures` say is done to `node`. */
  readonly update: UpdateOptions | null
  /** All questions of the plan are asked before anything is touched; otherwise of those steps that only look, whether somebody else drives the node. */
  readonly asksAll: boolean
  /** Steps have the hours that plans give them; otherwise minutes: a look that says the same for ten of them teaches nothing. */
  readonly waits: boolean
  /** OSDs are stopped, where the node has some. */
  readonly stopOsds: boolean
  /** They know that the clock of their machine is off, and force what it blocks. */
  readonly forces: boolean
  /** How often they resume a run that stopped before its end. */
  readonly resumes: number
  /** How often they answer a question before they leave it open. */
  readonly answers: number
}

/** What is done to a node; an undo is of the run before it. */
type Procedure = PlannedNodeRunKind | 'undo'

/** How it went. */
export interface Outcome {
  readonly runId: string | null
  readonly how: 'over' | 'waits' | 'interrupted' | 'never started' | 'killed'
  readonly why: string
}

/** The operator at a console, and their task. */
interface App {
  readonly console: Console
  readonly intent: Intent
  readonly dice: Dice
  readonly restless: Restless | null
}

/** As long as a step may take that nobody waits for patiently. */
const SOON_MS = 120_000

/** The operator's statement that the machine is off and other hosts reach its disks, true or not. */
const RESCUED = { machineIsOff: 'the BMC says power off', sharedDisks: 'images are in Ceph' }

const FORCED = { overrides: [{ flag: 'force' as const, reason: 'the clock of this machine is off' }] }

/** Draws an intent. */
export function drawIntent(dice: Dice, nodes: readonly string[]): Intent {
  return {
    startAfterMs: dice.between(500, 3_000),
    node: dice.chance(0.9) ? 'cmp-1' : dice.pick(['cmp-1', ...nodes]),
    procedures: dice.chance(0.12) ? ['enter', 'leave'] : ['enter'],
    isCurious: false,
    asksPermissions: dice.chance(0.02),
    asksAll: dice.chance(0.1),
    waits: dice.chance(0.1),
    stopOsds: false,
    forces: false,
    update: null,
    resumes: dice.between(0, 2),
    answers: dice.between(0, 3),
  }
}

/** What somebody does who tries everything, one after the other on one node. */
export function drawCurious(dice: Dice, rescues: boolean): Partial<Intent> {
  const ways: readonly (readonly Procedure[])[] = [
    ['enter', 'leave'],
    ['enter', 'leave', 'home'],
    ['enter', 'enter', 'leave'],
    ['enter', 'undo'],
    ['enter', 'undo', 'enter', 'leave', 'home'],
    ['maintain'],
    ['maintain', 'home'],
    ['maintain', 'undo'],
  ]
  const procedures: readonly Procedure[] = rescues ? ['rescue', 'leave', 'home'] : dice.pick([ways[0] ?? [], ...ways])
  return { procedures, isCurious: true, asksAll: true, answers: dice.between(1, 6), node: 'cmp-1', waits: false }
}

/** Does with a console what a person would. Settles when they are done with it, or leave it with an open question. */
export async function operate(
  console: Console,
  intent: Intent,
  dice: Dice,
  resume: string | (() => string | null) | null,
  restless: Restless | null,
): Promise<readonly Outcome[]> {
  const { clock } = console
  const runnerApp: App = { console, intent, dice, restless }
  await clock.sleep(intent.startAfterMs)
  const world = await patiently(console, dice, () => console.connect())
  if (!world.ok) return [{ runId: null, how: 'never started', why: world.failure.message }]
  const outcomes: Outcome[] = []
  if (resume !== null) {
    const again = async (): Promise<Outcome> => {
      const runId = typeof resume === 'string' ? resume : resume()
      if (runId === null) return { runId: null, how: 'never started', why: 'there is no run to take up' }
      return drive(runnerApp, resumed(console, runId, world.value))
    }
    let outcome = await again()
    for (let left = intent.resumes; outcome.how === 'never started' && left > 0; left -= 1) {
      await clock.sleep(dice.between(10_000, 60_000))
      outcome = await again()
    }
    outcomes.push(await goOn(runnerApp, outcome, world.value))
    if (!intent.isCurious) return outcomes
  }
  for (const kind of intent.update === null ? intent.procedures : (['update'] as const)) {
    const asked = {
      id: `p${dice.below(1e9)}`,
      madeAt: new Date(clock.now()).toISOString(),
      options: completeOptions(choicesOf(kind, intent, dice), world.value.cluster),
    }
    const plan = await patiently(console, dice, () =>
      kind === 'update'
        ? planOfUpdate(intent.update, asked, world.value)
        : kind === 'undo'
          ? planOfUndo(outcomes.at(-1)?.runId ?? '', asked, runnerApp, world.value)
          : makePlan({ ...asked, kind, node: intent.node }, world.value, pastOf(kind, asked.options, runnerApp)),
    )
    if (!plan.ok) {
      outcomes.push({ runId: null, how: 'never started', why: plan.failure.message })
      break
    }
    const steps = plan.value.steps
      .filter(step => isAsked(step, intent))
      .map(step => (intent.waits ? step : { ...step, withinMs: Math.min(step.withinMs, SOON_MS) }))
    const first = await drive(runnerApp, begun({ ...plan.value, steps }, runnerApp, world.value))
    const outcome = await goOn(runnerApp, first, world.value)
    outcomes.push(outcome)
    if (outcome.how !== 'over' && !(intent.isCurious && outcome.how === 'interrupted')) break
  }
  return outcomes
}

/** Starts a run; the one that it undoes is ended before. */
function begun(plan: Plan, { console }: App, world: MaintenanceWorld): Result<DrivenRun> {
  const ended = endUndone(plan, console.runs)
  return ended.ok ? console.engine.start(plan, world) : ended
}

/** What they choose; who is not curious chooses nothing that need not be chosen. */
function choicesOf(kind: Procedure | 'update', intent: Intent, dice: Dice): Parameters<typeof completeOptions>[0] {
  const usual = {
    ...(intent.forces ? FORCED : {}),
    ...(kind === 'rescue' ? RESCUED : {}),
    stopOsds: intent.stopOsds,
  }
  if (!intent.isCurious) return usual
  const { flags, ...drawn } = CURIOUS(dice)
  return { ...usual, ...drawn, overrides: flags.map(flag => ({ flag, reason: 'so the dice fell' })) }
}

/** Drawn completely each time, so that later draws do not depend on which values are used. */
const CURIOUS = (dice: Dice) => ({
  flags: (['force', 'allow-downtime', 'allow-data-loss'] as const).filter(() => dice.chance(0.7)),
  scope: dice.chance(0.8) ? ('os' as const) : ('drain' as const),
  coldMigration: dice.chance(0.3),
  disableMigration: dice.pick(['none', 'none', 'none', 'live', 'both', 'both'] as const),
  startInstances: dice.chance(0.5),
  home: dice.chance(0.3),
  concurrency: dice.pick([1, 2]),
})

/** What earlier runs left on the node, as the router tells a plan. */
function pastOf(kind: PlannedNodeRunKind, { home }: Plan['options'], { console, intent: { node } }: App) {
  const ran = kind === 'leave' ? ranWhenEntered(node, 'sim', console.runs) : null
  if (kind !== 'home' && !(kind === 'leave' && home)) return { ran }
  const away = awaySinceEntered(node, 'sim', console.runs, { mayBeBack: kind === 'home' })
  return { ran, away: away.ok ? away.value : [] }
}

async function planOfUndo(
  runId: string,
  { options }: Pick<UpdateRequest, 'id' | 'madeAt' | 'options'>,
  { console, dice }: App,
  world: MaintenanceWorld,
): Promise<Result<Plan>> {
  const found = findUndoable(runId, null, console.runs)
  if (!found.ok) return found
  const newId = () => `u${dice.below(1e9)}`
  return planUndo(found.value, options, world, { clock: console.clock, newId })
}

/** As the router of the console makes it. */
async function planOfUpdate(
  update: UpdateOptions | null,
  asked: Pick<UpdateRequest, 'id' | 'madeAt' | 'options'>,
  world: MaintenanceWorld,
): Promise<Result<Plan>> {
  const facts = await readUpdateFacts(world)
  if (!facts.ok) return facts
  const chosen = must(update, 'only an update is planned as one')
  const request = { ...asked, cluster: world.cluster, facts: facts.value, update: chosen, operator: 'op' }
  if (world.cluster.flavour === 'mosk') return planUpdate(request)
  const nodes = await readChosenNodes(chosen, world)
  return nodes.ok ? planRollingMaintenance({ ...request, nodes: nodes.value }) : nodes
}

/** Draws an update of all compute nodes, in one order or the other, whose work a person does. */
export function drawUpdate(dice: Dice, nodes: readonly string[]): UpdateOptions {
  const computes = nodes.filter(name => name.startsWith('cmp-'))
  const ordered = dice.chance(0.7) ? computes : computes.toReversed()
  return {
    scope: dice.chance(0.8) ? 'os' : 'drain',
    release: null,
    reason: 'so the dice fell',
    controlNodes: [],
    groups: [{ name: 'default', index: 1, nodes: ordered, concurrentUpdates: 1 }],
    zoneAtATime: false,
    work: { kind: 'person' },
    pauseBetweenNodes: dice.chance(0.2),
    pauseBetweenPhases: dice.chance(0.1),
  }
}

/**
 * A score of questions about permissions teach nothing after the first hundred schedules, nor do those of steps that neither touch nor verify
 * anything: most schedules have the time for what follows.
 */
function isAsked({ kind, verbs }: PlannedStep, { asksPermissions, asksAll }: Intent): boolean {
  if (kind === 'permissions-suffice') return asksPermissions
  return asksAll || kind === 'no-other-run' || kind === 'no-other-driver' || verbs.some(verb => verb !== 'check')
}

/** What the router of the console does as well: a journal that refuses is an answer. */
function resumed(console: Console, runId: string, world: MaintenanceWorld): Result<DrivenRun> {
  try {
    return console.engine.resume(runId, world)
  } catch (error) {
    if (error instanceof JournalRefused) return failed(error.failure)
    throw error
  }
}

/** Resumes as often as the person has the patience. */
async function goOn(runnerApp: App, first: Outcome, world: MaintenanceWorld): Promise<Outcome> {
  const { console, intent, dice } = runnerApp
  let outcome = first
  for (let left = intent.resumes; left > 0 && outcome.runId !== null && mayGoOn(console, outcome); left -= 1) {
    await console.clock.sleep(dice.between(1_000, 40_000))
    outcome = await drive(runnerApp, resumed(console, outcome.runId ?? '', world), outcome)
  }
  return outcome
}

function mayGoOn(console: Console, outcome: Outcome): boolean {
  if (outcome.how === 'interrupted') return true
  if (outcome.how !== 'over' || outcome.runId === null) return false
  const events = console.journal.events(outcome.runId)
  if (!events.ok) return false
  const { state } = foldRun(events.value)
  return state.kind === 'finished' && state.outcome === 'failed'
}

async function patiently<T>(console: Console, dice: Dice, ask: () => Promise<Result<T>>): Promise<Result<T>> {
  for (let left = 4; ; left -= 1) {
    const answer = await ask()
    if (answer.ok || left === 0) return answer
    await console.clock.sleep(dice.between(2_000, 30_000))
  }
}

/** Follows a run to its rest, answering its questions. */
async function drive(runnerApp: App, started: Result<DrivenRun>, before?: Outcome): Promise<Outcome> {
  const { console, intent, dice, restless } = runnerApp
  if (!started.ok) {
    const { message: why } = started.failure
    return before === undefined ? { runId: null, how: 'never started', why } : { ...before, how: 'interrupted', why }
  }
  const run = started.value
  console.drives(run)
  restless?.watches(console, run)
  const { clock } = console
  let answersLeft = intent.answers
  let leave: (outcome: Outcome) => void = () => {}
  const left = new Promise<Outcome>(resolve => {
    leave = resolve
  })
  const answer = async () => {
    await clock.sleep(dice.between(500, restless?.thinksMs ?? 20_000))
    const events = console.journal.events(run.runId)
    const gate = events.ok ? foldRun(events.value).openGates[0] : undefined
    if (gate === undefined) return
    if (answersLeft <= 0 && intent.isCurious) {
      run.control({ kind: 'abort', by: 'op', reason: 'so the dice fell' })
      return
    }
    if (answersLeft <= 0) {
      leave({ runId: run.runId, how: 'waits', why: gate.question })
      return
    }
    answersLeft -= 1
    const [first = 'abort', ...rest] = gate.choices
    // An operator who updates nodes works on them, and reports it.
    const worked = (intent.update !== null || intent.isCurious) && gate.choices.includes('continue') && dice.chance(0.9)
    const chosen = dice.chance(0.6) && gate.choices.includes('retry') ? 'retry' : dice.pick([first, ...rest])
    const choice = worked ? 'continue' : chosen
    run.control({ kind: 'answer', by: 'op', gateId: gate.gateId, choice, reason: 'so the dice fell' })
  }
  console.onWaiting = (runId, waiting) => {
    if (waiting && runId === run.runId) void answer().catch(() => {})
  }
  if (intent.isCurious) void decideNowAndThen(runnerApp, run).catch(() => {})
  const rested = run.finished.then((state): Outcome => {
    if (state.kind === 'finished') return { runId: run.runId, how: 'over', why: state.outcome }
    return { runId: run.runId, how: 'interrupted', why: 'its driver left' }
  })
  return Promise.race([rested, left])
}

/** Decides about an instance that a run is to move, once or twice while it lasts. */
async function decideNowAndThen({ console, dice }: App, run: DrivenRun): Promise<void> {
  for (let left = dice.below(3); left > 0; left -= 1) {
    await console.clock.sleep(dice.between(1_000, 60_000))
    const events = console.journal.events(run.runId)
    if (!events.ok || foldRun(events.value).state.kind === 'finished') return
    const instances = [...historyOf(foldRun(events.value).plan, events.value).instances.values()]
    const [first, ...rest] = instances.filter(({ effect, attempts }) => effect !== null || attempts.length > 0)
    if (first === undefined) continue
    run.control({
      kind: 'decide-instance',
      by: 'op',
      instanceId: dice.pick([first, ...rest]).id,
      choice: dice.pick([
        'skip',
        'skip',
        'cold',
        'stop',
        'abort-and-leave',
        'abort-and-retry',
        'wait',
        'force-complete',
      ]),
      reason: 'so the dice fell',
    })
  }
}
