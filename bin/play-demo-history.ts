import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as realTime } from 'node:timers/promises'
import { createApp } from '../main/app.ts'
import type { Clock } from '../main/platform/clock/clock.ts'
import type { Contract } from '../shared/contract/index.ts'
import { minutes } from '../shared/domain/durations.ts'
import type { PlannedNodeRunKind } from '../shared/domain/plan.ts'
import type { Result } from '../shared/domain/result.ts'
import { foldRun } from '../shared/domain/run-fold.ts'
import type { RunListState } from '../shared/domain/run-list-state.ts'
import type { WindowPlan } from '../shared/domain/window.ts'

/**
 * Plays the history that the demo opens with: real runs of the engine on the embedded clouds, over the nine days before now, and writes their
 * journal into the file that is named. Nothing in it is invented but the operator. Time goes by faster than it does, and between two runs it
 * jumps: what lasts a minute in the journal took a second here.
 *
 *     play-demo-history.ts FILE
 *
 * It prints how many of its runs are played, a line of JSON each time. A console that starts it serves its demo meanwhile, and takes the history
 * in when it is whole.
 */
const FASTER = 60
/** How often the loop reads the clock, and the longest step that one reading may add. */
const TURN_MS = 4
const LONGEST_TURN_MS = 8
const DAY = minutes(24 * 60)
/** How many runs it plays. */
const RUNS = 7
/** The demo beside it goes first. */
const POLITE = 10

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('Name the file to write.')
setPriority(POLITE)
// A console that is gone does not read, and its history is written all the same.
process.stdout.on('error', () => {})
const kept = mkdtempSync(join(tmpdir(), 'lockkeeper-history-'))
process.once('SIGTERM', () => {
  rmSync(kept, { recursive: true, force: true })
  process.exit(1)
})
try {
  await play(join(kept, 'history.db'))
  mkdirSync(dirname(resolve(file)), { recursive: true })
  // A name that exists holds a whole history: it gets it when all is written.
  renameSync(join(kept, 'history.db'), resolve(file))
} finally {
  rmSync(kept, { recursive: true, force: true })
}

async function play(path: string): Promise<void> {
  const { clock, goTo, stop } = fasterClock(Date.now() - 9 * DAY)
  const created = await createApp({
    dataDirectory: kept,
    demo: true,
    face: { kind: 'terminal', pickFiles: null, secrets: null },
    clock,
    operator: { name: 'ada', machine: 'demo' },
  })
  const app = answered(created)
  const stage = createStage(app.contract, clock, goTo)
  const evening = (daysAgo: number) => new Date(new Date(Date.now() - daysAgo * DAY).setHours(21, 0, 0, 0)).getTime()
  try {
    await goTo(evening(8))
    const kernel = await stage.openWindow({
      cluster: 'demo-plain',
      title: 'Kernel update of az1, first half',
      ticket: 'CHG-1041',
      forMs: minutes(3 * 60),
      plan: {
        kind: 'batches',
        scope: 'os',
        batches: [{ nodes: ['cmp-02'] }, { nodes: ['cmp-03'] }],
        work: { kind: 'person' },
        workMinutes: 10,
        pauseBetweenBatches: false,
      },
    })
    await stage.workWindow(kernel, minutes(9))
    answered(await app.contract.ask('window.close', { id: kernel, summary: 'Both nodes run the new kernel.' }))

    await goTo(evening(6))
    const memory = await stage.openWindow({
      cluster: 'demo-sunbeam',
      title: 'Memory module of sun-1',
      ticket: 'CHG-1044',
      forMs: minutes(2 * 60),
      plan: { kind: 'open' },
    })
    await stage.workOn('demo-sunbeam', 'sun-1', memory, minutes(35))
    answered(await app.contract.ask('window.close', { id: memory, summary: 'The module was exchanged.' }))

    await goTo(evening(4))
    await stage.abortOn('demo-plain', 'cmp-01', 'The spare part was not delivered.')
    await goTo(clock.now() + minutes(6))
    await stage.run('leave', 'demo-plain', 'cmp-01', null)

    await goTo(evening(2))
    const firmware = await stage.openWindow({
      cluster: 'demo-edge',
      title: 'Firmware of edge-2',
      ticket: 'CHG-1052',
      forMs: minutes(1 * 60),
      plan: { kind: 'open' },
    })
    await stage.workOn('demo-edge', 'edge-2', firmware, minutes(22))
    answered(await app.contract.ask('window.close', { id: firmware, summary: 'Firmware 2.14 is on it.' }))
    answered(await app.contract.ask('journal.export', { path }))
  } finally {
    await app.close()
    stop()
  }
}

/**
 * A clock that runs {@link FASTER} times as fast as the machine's, from a time in the past on, and is set forward between runs. Console and clouds
 * share this process: while it is kept from its work, on a busy machine, no time goes by for them, and no Lease runs out.
 */
function fasterClock(startMs: number): { readonly clock: Clock; goTo(ms: number): Promise<void>; stop(): void } {
  let elapsed = 0
  let turnedAt = performance.now()
  const sleepers = new Set<{ readonly dueMs: number; readonly wake: () => void }>()
  const turning = setInterval(() => {
    const now = performance.now()
    elapsed += Math.min(now - turnedAt, LONGEST_TURN_MS) * FASTER
    turnedAt = now
    for (const sleeper of sleepers) if (sleeper.dueMs <= elapsed) sleeper.wake()
  }, TURN_MS)
  const clock: Clock = {
    now: () => Math.round(startMs + elapsed),
    monotonicMs: () => elapsed,
    random: Math.random,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        if (signal?.aborted) return resolve()
        const sleeper = { dueMs: elapsed + ms, wake: () => {} }
        sleeper.wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', sleeper.wake)
          resolve()
        }
        signal?.addEventListener('abort', sleeper.wake)
        sleepers.add(sleeper)
      }),
  }
  return {
    clock,
    goTo: async ms => {
      elapsed += Math.max(0, ms - clock.now())
      // What slept over the jump looks at its clocks first, as after a night with the lid closed.
      await realTime(300)
    },
    stop: () => clearInterval(turning),
  }
}

interface WindowToOpen {
  readonly cluster: string
  readonly title: string
  readonly ticket: string
  readonly forMs: number
  readonly plan: WindowPlan
}

/** What the operator of the history does, by the same contract as every face. */
function createStage(contract: Contract, clock: Clock, goTo: (ms: number) => Promise<void>) {
  let played = 0
  const report = () => process.stdout.write(`${JSON.stringify({ played, of: RUNS })}\n`)
  report()
  const rested = new Map<string, PromiseWithResolvers<RunListState>>()
  const restOf = (runId: string) => {
    const known = rested.get(runId) ?? Promise.withResolvers<RunListState>()
    rested.set(runId, known)
    return known
  }
  contract.listen('run.rested', ({ runId, state }) => {
    if (state === 'done' || state === 'aborted') {
      played += 1
      report()
    }
    restOf(runId).resolve(state)
  })

  /** Resolves when the run rests, or rested since it was last asked: it ended, or asks. */
  const rests = async (runId: string) => {
    const state = await restOf(runId).promise
    rested.delete(runId)
    return state
  }

  const start = async (planId: string, cluster: string, windowId: string | null) => {
    const within = windowId === null ? { outsideWindow: 'Unplanned work.' } : { windowId }
    return answered(await contract.ask('run.start', { planId, typedCluster: cluster, ...within })).id
  }

  const planned = async (kind: PlannedNodeRunKind, cluster: string, node: string) => {
    const choices = kind === 'enter' ? { deleteEmptyDirData: true } : {}
    const made = answered(await contract.ask('plan.make', { cluster, node, kind, choices }))
    if (!made.startable) {
      const blockers = made.checks.flatMap(({ answer }) => (answer.kind === 'blocked' ? answer.blockers : []))
      throw new Error(`${kind} ${node} of ${cluster} cannot start: ${blockers.map(({ message }) => message).join(' ')}`)
    }
    return made.plan.id
  }

  /** Follows a run to its end; every question of it is answered with `continue`, after this time. */
  const toTheEnd = async (runId: string, answersAfterMs: number) => {
    for (;;) {
      const state = await rests(runId)
      const { summary, events } = answered(await contract.ask('run.show', { runId }))
      if (state === 'done') return
      const [gate] = foldRun(events).openGates
      if (gate === undefined) throw new Error(`Run ${runId} of ${summary.cluster} ended: ${summary.summary}`)
      // Its Lease is renewed meanwhile: time goes by, and does not jump.
      await clock.sleep(answersAfterMs)
      answered(await contract.ask('run.answer', { runId, gateId: gate.gateId, choice: 'continue', reason: '' }))
    }
  }

  const run = async (kind: PlannedNodeRunKind, cluster: string, node: string, windowId: string | null) =>
    toTheEnd(await start(await planned(kind, cluster, node), cluster, windowId), minutes(1))

  return {
    run,
    openWindow: async ({ cluster, title, ticket, forMs, plan }: WindowToOpen) => {
      const startsAt = new Date(clock.now()).toISOString()
      const endsAt = new Date(clock.now() + forMs).toISOString()
      const draft = { cluster, title, ticket, startsAt, endsAt, timeZone: 'UTC', plan, notes: '' }
      return answered(await contract.ask('window.create', { draft })).window.id
    },
    /** Out of service, some time at the node, and back. */
    workOn: async (cluster: string, node: string, windowId: string, workMs: number) => {
      await run('enter', cluster, node, windowId)
      await goTo(clock.now() + workMs)
      await run('leave', cluster, node, windowId)
    },
    /** All batches of a window; the work on each node takes this long, then the run's question is answered. */
    workWindow: async (id: string, workMs: number) => {
      const { window } = answered(await contract.ask('window.show', { id }))
      const checked = answered(await contract.ask('window.plan', { id, choices: { deleteEmptyDirData: true } }))
      if (!checked.startable) throw new Error(`The batches of ${window.title} cannot start.`)
      await toTheEnd(await start(checked.plan.id, window.cluster, id), workMs)
    },
    abortOn: async (cluster: string, node: string, reason: string) => {
      const runId = await start(await planned('enter', cluster, node), cluster, null)
      await clock.sleep(20_000)
      answered(await contract.ask('run.abort', { runId, reason }))
      await rests(runId)
    },
  }
}

function answered<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}
