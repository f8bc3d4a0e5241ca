import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { inJournal, killedAtRandom } from '../../fixtures/cli/killed-driver.ts'
import { type CliAnswer, lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { askedSince, doneTwice, markOf } from '../../fixtures/runner/asked-of-clouds.ts'
import { tries } from '../../fixtures/tries.ts'

/** How often a driving process is killed in all. */
const KILLS = tries(6, 20)
const MOST_PER_NODE = 4
/** Nodes of demo-plain with something to move or evict; as many as it takes. */
const NODES = ['cmp-01', 'ctl-1', 'cmp-02', 'cmp-03', 'cmp-05', 'ctl-3', 'cmp-07', 'cmp-06']

/**
 * The promise of the issue: kill -9 at any instant, start again, nothing is done twice and nothing is skipped. The demo clouds live in this
 * process and outlive every killed console; what they were really asked is read from their own records, not from ours.
 */
describe('a console killed with SIGKILL at random instants', () => {
  let directory: string
  let data: string
  let demo: DemoClouds

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-kill-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 3 })
    const cloud = demo.clusters[0]
    if (cloud === undefined) throw new Error('the demo has a cluster')
    const added = await lockkeeper(data, [
      'cluster',
      'add',
      'demo',
      '--kubeconfig',
      cloud.kubeconfigPath,
      '--context',
      cloud.context,
      '--clouds-yaml',
      cloud.cloudsYamlPath,
      '--cloud',
      cloud.cloud,
      '--flavour',
      'plain',
    ])
    expect(added.stderr + added.stdout).toContain('demo')
    expect(added.code).toBe(0)
  })

  afterAll(async () => {
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it(`finishes every run with nothing done twice and nothing skipped after ${KILLS} kills`, async () => {
    let kills = 0
    for (const node of NODES) {
      if (kills >= KILLS) break
      const mark = markOf(demo)
      const { answer: entered, hits } = await driveWithKills(node, Math.min(MOST_PER_NODE, KILLS - kills))
      kills += hits
      // A kill may come after the end was written and before the process is gone: the journal tells how the run ended, in either case.
      if (entered.signal === null) expect(entered.code, entered.stdout + entered.stderr).toBe(0)
      expect(endOf(node), entered.stdout + entered.stderr).toBe('done')

      const asked = askedSince(mark, demo)
      expect(doneTwice(asked)).toEqual([])
      expect(asked.services).toBe(node.startsWith('cmp') ? 1 : 0)
      expect(asked.instances.size + asked.pods.size, 'something had to leave').toBeGreaterThan(0)
      expect(timesResumed(node)).toBe(hits)
      expect(await stateOf(node)).toBe('maintenance')

      const left = await lockkeeper(data, ['leave', 'demo', node, '--yes'])
      expect(left.code, left.stdout + left.stderr).toBe(0)
      expect(await stateOf(node)).toBe('active')
    }
    expect(kills, 'every kill counted hit a run under way').toBe(KILLS)
  })

  /** Takes a node out, kills the console up to `kills` times during the run, and resumes it until it has finished. */
  async function driveWithKills(node: string, most: number): Promise<{ answer: CliAnswer; hits: number }> {
    const enter = [
      'enter',
      'demo',
      node,
      '--yes',
      '--delete-emptydir-data',
      '--force',
      'test',
      '--allow-downtime',
      'test',
    ]
    let answer = await killedAtRandom(data, enter)
    for (let hits = 0; ; ) {
      const runId = runLeft(node)
      if (runId === null) return { answer, hits }
      if (hits === 0) expect(await listedAs(runId), 'the terminal tells it as it is').toBe('interrupted')
      hits += 1
      const resume = ['run', 'resume', runId]
      answer = hits < most ? await killedAtRandom(data, resume) : await lockkeeper(data, resume)
    }
  }

  /** The unfinished run on a node, read from the journal; null: it has ended. */
  function runLeft(node: string): string | null {
    const events = eventsOf(node)
    const isOver = events.length === 0 || events.some(event => event.kind === 'run-finished')
    return isOver ? null : newestRun(node)
  }

  /** How often the newest run on a node was taken up again, by the journal itself. */
  function timesResumed(node: string): number {
    return eventsOf(node).filter(event => event.kind === 'run-driven' && event.resumed === true).length
  }

  /** How the newest run on a node ended, by the journal itself; undefined while it has not. */
  function endOf(node: string): unknown {
    return eventsOf(node).find(event => event.kind === 'run-finished')?.outcome
  }

  function newestRun(node: string): string | null {
    const newest = "SELECT id FROM runs WHERE node = ? AND kind = 'enter' ORDER BY created_at DESC LIMIT 1"
    const id = inJournal(data, journal => journal.prepare(newest).get(node)?.id, undefined)
    return id === undefined ? null : String(id)
  }

  function eventsOf(node: string): readonly Record<string, unknown>[] {
    const run = newestRun(node)
    return inJournal(
      data,
      journal => {
        const events = journal.prepare('SELECT body FROM events WHERE run_id = ?').all(run)
        return events.map(event => JSON.parse(String(event.body)) as Record<string, unknown>)
      },
      [],
    )
  }

  async function listedAs(runId: string): Promise<string | undefined> {
    const listed = await lockkeeper(data, ['runs', 'demo', '-o', 'json'])
    return (JSON.parse(listed.stdout) as { id: string; state: string }[]).find(({ id }) => id === runId)?.state
  }

  async function stateOf(node: string): Promise<string | undefined> {
    const listed = await lockkeeper(data, ['nodes', 'demo', '-o', 'json'])
    return (JSON.parse(listed.stdout) as { name: string; state: string }[]).find(row => row.name === node)?.state
  }
})
