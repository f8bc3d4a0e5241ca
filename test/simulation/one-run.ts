import { completeOptions, makePlan } from '../../main/procedures/plans/node/make-plan.ts'
import type { RestState } from '../../main/runs/engine/run-rest.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { minutes } from '../../shared/domain/durations.ts'
import type { Plan, PlannedNodeRunKind, RunOptions } from '../../shared/domain/plan.ts'
import type { RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import type { Cloud } from './cloud.ts'
import { type Console, startConsole } from './console.ts'
import { createDice } from './dice.ts'
import type { MessageFault } from './faults.ts'
import { CONTROLLERS, createJudge, type Violation } from './judge.ts'
import { createMachine, type Machine } from './machine.ts'
import { createTimeline, type Timeline } from './timeline.ts'
import { type Arrival, createWires } from './wire.ts'

/** How long anybody waits for a run, by the clocks of the simulation. */
const LONGEST_MS = minutes(8 * 60)

/** One console before one cloud, in virtual time. What it meets on its wires is decided by the test. */
interface OneConsole {
  readonly timeline: Timeline
  readonly laptop: Machine
  readonly cloud: Cloud
  /** In their order, as they are appended. */
  readonly events: readonly RunEvent[]
  /** False claims, and other findings of the judge. */
  readonly violations: readonly Violation[]
  /** Whether what a step of this kind claims is held against the cloud. */
  judges(stepKind: string): boolean
  /** Makes a plan and runs it to its end. */
  run(wish: {
    readonly kind: PlannedNodeRunKind
    readonly node: string
    readonly options?: Partial<RunOptions>
    /** The answer to every question; null leaves the first one open, which ends the drive. */
    readonly answers: 'retry' | 'abort' | null
    /** How long after it was opened; at once where it is absent. */
    readonly answersAfterMs?: number
  }): Promise<HowItWent>
  stop(): Promise<void>
}

/** What became of a run. */
export interface HowItWent {
  /** Null: none could be made. */
  readonly plan: Plan | null
  readonly summary: Extract<RunEventBody, { kind: 'run-finished' }> | null
  /** How the drive ended; null if it took longer than {@link LONGEST_MS}. */
  readonly ended: RestState | null
  /** When the first question was opened, by the clouds' time; null: none was. */
  readonly askedAtMs: number | null
  /**
   * The last words for the reader: its first question, its end, why it left, or why there was no plan. May be empty.
   */
  readonly words: string
  readonly events: readonly RunEvent[]
}

/** Starts a cloud, a console and, where the cluster's controllers are to answer requests, a machine that runs ours. */
export function startOneConsole(of: {
  readonly startMs: number
  readonly cluster: Cluster
  readonly cloudOn: (machine: Machine) => Cloud
  /** The cluster as those know it who answer its maintenance requests; absent: nobody answers. */
  readonly answering?: Cluster
  readonly journalPath: string
  /** What a message of the console meets; null: nothing. */
  readonly meet: (atMs: number, message: string) => MessageFault | null
  readonly onAppended?: (event: RunEvent) => void
  readonly onArrived?: (arrival: Arrival) => void
}): OneConsole {
  const real = { settle: () => new Promise<void>(resolve => setImmediate(resolve)), takeImmediates: () => [] }
  const timeline = createTimeline(of.startMs, real)
  const dice = createDice(1)
  const cloud = of.cloudOn(createMachine('servers', timeline, dice.of('servers')))
  const judge = createJudge(cloud, timeline, {
    isDriving: () => true,
    asleepUntilMs: () => 0,
    monotonicMs: () => timeline.now(),
  })
  const events: RunEvent[] = []

  function post(name: string, cluster: Cluster, meet: typeof of.meet, onAppended: (event: RunEvent) => void) {
    const machine = createMachine(name, timeline, dice.of(name))
    const wires = createWires({
      timeline,
      machine,
      from: name,
      cloud,
      faults: { episodes: [], stepStarts: () => {}, silenceLeases: () => {}, meet },
      dice: dice.of(`wires of ${name}`),
      latencyMs: [3, 40],
      isAlive: () => true,
      judge: {
        ...judge,
        arrived: (arrival, reached) => {
          of.onArrived?.(arrival)
          judge.arrived(arrival, reached)
        },
      },
      onMessage: () => {},
      trace: () => {},
    })
    const started = startConsole({
      name,
      machine: name,
      clock: machine.clock,
      pid: 1,
      wires,
      dice: dice.of(`console ${name}`),
      cluster,
      journalPath: name === 'laptop' ? of.journalPath : `${of.journalPath}.${name}`,
      pidAlive: () => true,
      onAppended,
    })
    if (!started.ok) throw new Error(started.failure.message)
    return { machine, console: started.value }
  }

  const { machine: laptop, console } = post('laptop', of.cluster, of.meet, event => {
    events.push(event)
    judge.journaled('laptop', event)
    of.onAppended?.(event)
  })
  const consoles: Console[] = [console]
  if (of.answering !== undefined) {
    const other = post(
      `${CONTROLLERS}a`,
      of.answering,
      () => null,
      () => {},
    ).console
    consoles.push(other)
    void other.connect().then(world => (world.ok ? other.runControllers(world.value) : undefined))
  }

  const run: OneConsole['run'] = async wish => {
    const from = events.length
    const found: Found = { ended: null, thrown: null, asked: null, plan: null }
    const drive = async (): Promise<RestState | string> => {
      const world = await console.connect()
      if (!world.ok) return world.failure.message
      const options = completeOptions(wish.options ?? {}, of.cluster)
      const madeAt = new Date(laptop.clock.now()).toISOString()
      const { kind, node } = wish
      const made = await makePlan({ id: `p${from}`, kind, node, madeAt, options }, world.value)
      if (!made.ok) return made.failure.message
      found.plan = made.value
      const started = console.engine.start(made.value, world.value)
      if (!started.ok) return started.failure.message
      console.onWaiting = (_, waiting) => {
        const gate = events.findLast(({ body }) => body.kind === 'gate-opened')?.body
        if (!waiting || gate?.kind !== 'gate-opened') return
        found.asked ??= { atMs: timeline.now(), question: gate.question }
        const choice = wish.answers
        if (choice === null) return
        void laptop.clock.sleep(wish.answersAfterMs ?? 1).then(() => {
          const { gateId } = gate
          started.value.control({ kind: 'answer', by: 'eva', gateId, choice, reason: 'I looked' })
        })
      }
      return started.value.finished
    }
    const driven = drive().then(
      how => {
        found.ended = how
      },
      (error: unknown) => {
        found.thrown = error
      },
    )
    const until = { untilMs: timeline.now() + LONGEST_MS, turns: 400_000 }
    const isAsked = () => wish.answers === null && found.asked !== null
    await timeline.runUntil(() => found.ended !== null || found.thrown !== null || isAsked(), until)
    if (found.thrown !== null) throw found.thrown
    if (found.ended !== null) await driven
    return howItWent(found, events.slice(from))
  }
  return {
    timeline,
    laptop,
    cloud,
    events,
    violations: judge.violations,
    judges: judge.knows,
    run,
    stop: async () => {
      await cloud.stop()
      for (const { journal } of consoles) journal.close()
    },
  }
}

/** Findings about a run while it is driven; `ended` is a text if it never started. */
interface Found {
  ended: RestState | string | null
  thrown: unknown
  asked: { readonly atMs: number; readonly question: string } | null
  plan: Plan | null
}

function howItWent({ ended, asked, plan }: Found, events: readonly RunEvent[]): HowItWent {
  const bodies = events.map(({ body }) => body)
  const summary = bodies.find(body => body.kind === 'run-finished') ?? null
  const left = bodies.findLast(body => body.kind === 'lease-lost' || body.kind === 'driver-left')
  const unbegun = typeof ended === 'string' ? ended : null
  return {
    plan,
    summary,
    ended: typeof ended === 'string' ? null : ended,
    askedAtMs: asked?.atMs ?? null,
    words: asked?.question ?? unbegun ?? summary?.summary ?? left?.why ?? '',
    events,
  }
}
