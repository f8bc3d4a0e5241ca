import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { packHistory } from '../../../../main/runs/handed-over-history.ts'
import type { HandedOver } from '../../../../shared/domain/maintenance-run.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Plan, PlannedNodeRunKind } from '../../../../shared/domain/plan.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { inJournal } from '../../../fixtures/cli/killed-driver.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { askedSince, doneTwice, instancesOf, markOf, plainOf } from '../../../fixtures/runner/asked-of-clouds.ts'
import {
  CLOUD,
  type RunnerClouds,
  startRunnerClouds,
  startRunnerProcess,
} from '../../../fixtures/runner/runner-clouds.ts'
import { tries } from '../../../fixtures/tries.ts'

/** How often the process of the runner is killed in all. */
const KILLS = Number(process.env.LOCKKEEPER_KILLS ?? tries(5, 20))
/** Nodes of demo-plain that can be emptied as they are. */
const NODES = ['cmp-01', 'cmp-02', 'cmp-03', 'cmp-05']
/** How often it is killed within one run, so that there are several. */
const KILLS_A_RUN = 3
/** The longest life of a process: starting takes half a second, a run some seconds. */
const LONGEST_LIFE_MS = 4_000
const CHOICES = {
  deleteEmptyDirData: true,
  concurrency: 4,
  overrides: [
    { flag: 'force' as const, reason: 'test' },
    { flag: 'allow-downtime' as const, reason: 'test' },
  ],
}

/**
 * The promise of the runner: kill -9 its process at any instant (as it starts, between its journal and the status, in the middle of a move), and nothing is
 * done twice and nothing is lost. What was done is read from the clouds' own records.
 */
describe('a runner whose process is killed with SIGKILL at random instants', () => {
  let clouds: RunnerClouds
  let data: string

  beforeAll(async () => {
    clouds = await startRunnerClouds(3)
    data = join(clouds.directory, 'runner')
  })

  afterAll(async () => {
    await clouds.close()
  })

  it(
    `finishes every MaintenanceRun with nothing done twice and nothing lost after ${KILLS} kills`,
    async () => {
      const before = instancesOf(plainOf(clouds))
      const tally = { kills: 0, ofRunsUnderWay: 0, handedOver: 0, runs: 0, moves: 0, evictions: 0, resumed: 0 }
      // On a fast machine a run may finish before its hand-over: then one more is made.
      for (let at = 0; tally.kills < KILLS || at < 3 || (tally.handedOver === 0 && at < 11); at += 1) {
        const node = must(NODES[Math.floor(at / 2) % NODES.length], 'there are nodes')
        // A console starts half of the runs, out and back, and hands each over from where it paused.
        await playOne(
          node,
          at % 2 === 0 ? 'enter' : 'leave',
          tally,
          at % 4 === 0 || at % 4 === 3 ? 'begins-here' : 'handed-over',
        )
      }
      console.log(`killed runner: ${JSON.stringify(tally)}`)
      expect(tally.handedOver, 'runs were handed over').toBeGreaterThan(0)
      expect(instancesOf(plainOf(clouds)), 'every instance is there, as it was').toEqual(before)
      expect(
        runsPerPlan().filter(([, runs]) => runs !== 1),
        'each plan is one run',
      ).toEqual([])
    },
    // Each kill is followed by a start of the runner.
    60_000 + KILLS * 15_000,
  )

  /** A run that the laptop starts, pauses at a random moment and leaves, as it is handed over; null: it finished before. */
  async function restingAtLaptop(
    plan: Plan,
    withinMs: number,
  ): Promise<{ readonly plan: Plan; readonly history: HandedOver } | null> {
    const { contract } = clouds.laptop
    const { id: runId } = valueIn(await contract.ask('run.start', { planId: plan.id, outsideWindow: 'a test' }))
    await new Promise(resolve => setTimeout(resolve, Math.random() * withinMs))
    await contract.ask('run.pause', { runId })
    const show = async () => valueIn(await contract.ask('run.show', { runId }))
    const rests = (...kinds: readonly string[]) =>
      vi.waitFor(
        async () => {
          const { condition, summary } = (await show()).summary
          expect(kinds, summary).toContain(condition.kind)
          return condition.kind
        },
        { timeout: 30_000, interval: 50 },
      )
    if ((await rests('paused', 'over')) === 'over') return null
    valueIn(await contract.ask('run.detach', { runId }))
    await rests('interrupted')
    const { events } = await show()
    // The plan as its run has it: with the window, or why it is outside any.
    return { plan: foldRun(events).plan, history: valueIn(packHistory(events)) }
  }

  /** Submits one run, and starts and kills the runner until the run finishes. */
  async function playOne(
    node: string,
    kind: PlannedNodeRunKind,
    tally: Record<string, number>,
    how: 'begins-here' | 'handed-over',
  ): Promise<void> {
    const plan = await clouds.plan(CLOUD, node, kind, CHOICES)
    const mark = markOf(plainOf(clouds))
    // A way back is a matter of a second.
    const handed = how === 'handed-over' ? await restingAtLaptop(plan, kind === 'enter' ? 3_000 : 300) : null
    if (how === 'handed-over' && handed === null) return
    if (handed !== null) tally.handedOver = (tally.handedOver ?? 0) + 1
    const { name } = await clouds.submit(handed?.plan ?? plan, { handedOver: handed?.history ?? null })
    const before = tally.kills ?? 0
    for (;;) {
      const isLast = (tally.kills ?? 0) >= Math.min(KILLS, before + KILLS_A_RUN)
      const runner = await startRunnerProcess(clouds, data)
      const timer = isLast
        ? null
        : setTimeout(() => runner.child.kill('SIGKILL'), 200 + Math.random() * LONGEST_LIFE_MS)
      const over = new AbortController()
      const reported = waitForEnd(name, over.signal)
      const first = await Promise.race([reported, runner.finished.then(() => 'gone' as const)])
      if (timer !== null) clearTimeout(timer)
      if (first !== 'gone') {
        // The next process may see a run that has just finished before it gets a control.
        while (!runner.output().includes('the runner is started') && runner.child.exitCode === null) {
          await new Promise(resolve => setTimeout(resolve, 20))
        }
        runner.child.kill('SIGTERM')
        const { code, signal, stdout, stderr } = await runner.finished
        // The kill may have come as the last word was written.
        if (signal === 'SIGKILL') tally.kills = (tally.kills ?? 0) + 1
        else expect(code, stdout + stderr).toBe(0)
        expect(first, stdout).toMatchObject({ phase: 'Done', nodesDone: 1 })
        break
      }
      over.abort()
      const { signal, stdout, stderr } = await runner.finished
      expect(signal, stdout + stderr).toBe('SIGKILL')
      tally.kills = (tally.kills ?? 0) + 1
      if (isUnderWay(plan.id)) tally.ofRunsUnderWay = (tally.ofRunsUnderWay ?? 0) + 1
    }
    const asked = askedSince(mark, plainOf(clouds))
    expect(doneTwice(asked), `${kind} ${node}`).toEqual([])
    expect(asked.services, `${kind} ${node}: its compute service is changed once`).toBe(1)
    expect(asked.cordons, `${kind} ${node}: it is cordoned or uncordoned once`).toBe(1)
    tally.runs = (tally.runs ?? 0) + 1
    tally.moves = (tally.moves ?? 0) + asked.instances.size
    tally.evictions = (tally.evictions ?? 0) + asked.pods.size
    tally.resumed = (tally.resumed ?? 0) + timesResumed(plan.id)
  }

  async function waitForEnd(name: string, signal: AbortSignal) {
    while (!signal.aborted) {
      const status = await clouds.status(name)
      if (status !== null && ['Done', 'Failed', 'Refused', 'Aborted'].includes(status.phase)) return status
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    return null
  }

  function runOf(planId: string): string | null {
    const ofPlan =
      "SELECT run_id FROM events WHERE json_extract(body, '$.kind') = 'run-created' AND json_extract(body, '$.plan.id') = ?"
    const id = inJournal(data, journal => journal.prepare(ofPlan).get(planId)?.run_id, undefined)
    return id === undefined ? null : String(id)
  }

  function eventsOf(planId: string): readonly Record<string, unknown>[] {
    const id = runOf(planId)
    if (id === null) return []
    return inJournal(
      data,
      journal =>
        journal
          .prepare('SELECT body FROM events WHERE run_id = ? ORDER BY seq')
          .all(id)
          .map(({ body }) => JSON.parse(String(body)) as Record<string, unknown>),
      [],
    )
  }

  function isUnderWay(planId: string): boolean {
    const events = eventsOf(planId)
    return events.length > 0 && !events.some(({ kind }) => kind === 'run-finished')
  }

  function timesResumed(planId: string): number {
    return eventsOf(planId).filter(({ kind, resumed }) => kind === 'run-driven' && resumed === true).length
  }

  function runsPerPlan(): readonly (readonly [string, number])[] {
    const counted =
      "SELECT json_extract(body, '$.plan.id') AS plan, COUNT(*) AS runs FROM events WHERE json_extract(body, '$.kind') = 'run-created' GROUP BY plan"
    return inJournal(
      data,
      journal =>
        journal
          .prepare(counted)
          .all()
          .map(({ plan, runs }) => [String(plan), Number(runs)] as const),
      [],
    )
  }
})
