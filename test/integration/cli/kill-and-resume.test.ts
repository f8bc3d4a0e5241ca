import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../main/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/demo/demo-clouds.ts'
import { lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'

/** How often a driving process is killed in all, and on which nodes of demo-plain. */
const KILLS = 20
const NODES = ['cmp-01', 'ctl-1', 'cmp-02', 'cmp-03']

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

  it(`finishes ${NODES.join(', ')} with nothing done twice after ${KILLS} kills`, async () => {
    let kills = 0
    let resumed = 0
    for (let turn = 0; kills < KILLS; turn += 1) {
      const node = NODES[turn % NODES.length] ?? 'cmp-01'
      const logFrom = { kubernetes: demo.kubernetes.log.all().length, openstack: demo.openstack.log.length }
      const killsHere = Math.min(KILLS - kills, 5)
      const entered = await driveWithKills(
        ['enter', 'demo', node, '--yes', '--delete-emptydir-data', '--force', 'test', '--allow-downtime', 'test'],
        killsHere,
        node,
      )
      kills += killsHere
      expect(entered.code, entered.stdout + entered.stderr).toBe(0)

      const counts = effectsSince(logFrom)
      expect(
        [...counts.migrations.values()].filter(times => times !== 1),
        'live migrations asked for per instance',
      ).toEqual([])
      expect(
        [...counts.evictions.values()].filter(times => times !== 1),
        'evictions asked for per pod',
      ).toEqual([])
      expect(counts.disables).toBe(node.startsWith('cmp') ? 1 : 0)
      expect(counts.migrations.size + counts.evictions.size, 'something had to leave').toBeGreaterThan(0)
      resumed += timesResumed(node)
      expect(await stateOf(node)).toBe('maintenance')

      const left = await lockkeeper(data, ['leave', 'demo', node, '--yes'])
      expect(left.code, left.stdout + left.stderr).toBe(0)
      expect(await stateOf(node)).toBe('active')
    }
    // A kill before the run was journaled resumes nothing; most kills have to land in a run, or this proves little.
    expect(resumed).toBeGreaterThanOrEqual(KILLS / 4)
  }, 600_000)

  /** Starts a run, kills its console so many times at random instants, and resumes it until it is finished. */
  async function driveWithKills(args: readonly string[], kills: number, node: string) {
    let left = kills
    let answer = await killed(args)
    while (left > 1) {
      left -= 1
      const runId = await interruptedRun(node)
      answer = await killed(runId === null ? args : ['run', 'resume', runId])
    }
    const runId = await interruptedRun(node)
    return runId === null
      ? answer.signal === null
        ? answer
        : lockkeeper(data, args)
      : lockkeeper(data, ['run', 'resume', runId])
  }

  async function killed(args: readonly string[]) {
    const running = startLockkeeper(data, args)
    const instant = 300 + Math.random() * 3_500
    const timer = setTimeout(() => running.child.kill('SIGKILL'), instant)
    const answer = await running.finished
    clearTimeout(timer)
    return answer
  }

  async function interruptedRun(node: string): Promise<string | null> {
    const listed = await lockkeeper(data, ['runs', 'demo', '-o', 'json'])
    const runs = JSON.parse(listed.stdout) as { id: string; node: string; state: string; kind: string }[]
    const open = runs.find(run => run.node === node && run.kind === 'enter' && run.state === 'interrupted')
    return open?.id ?? null
  }

  /** How often the newest run on a node was taken up again, by the journal itself. */
  function timesResumed(node: string): number {
    const journal = new DatabaseSync(join(data, 'journal.db'), { readOnly: true })
    const run = journal
      .prepare("SELECT id FROM runs WHERE node = ? AND kind = 'enter' ORDER BY created_at DESC LIMIT 1")
      .get(node)
    const events = journal.prepare('SELECT body FROM events WHERE run_id = ?').all(String(run?.id))
    journal.close()
    return events.filter(event => String(event.body).includes('"resumed":true')).length
  }

  async function stateOf(node: string): Promise<string | undefined> {
    const listed = await lockkeeper(data, ['nodes', 'demo', '-o', 'json'])
    return (JSON.parse(listed.stdout) as { name: string; state: string }[]).find(row => row.name === node)?.state
  }

  function effectsSince(from: { readonly kubernetes: number; readonly openstack: number }) {
    const migrations = new Map<string, number>()
    const evictions = new Map<string, number>()
    let disables = 0
    for (const entry of demo.openstack.log.slice(from.openstack)) {
      if (entry.status >= 300) continue
      const server = /\/servers\/([0-9a-f-]+)\/action/.exec(entry.path)?.[1]
      if (entry.method === 'POST' && server !== undefined) migrations.set(server, (migrations.get(server) ?? 0) + 1)
      if (entry.method === 'PUT' && entry.path.includes('/os-services/')) disables += 1
    }
    for (const entry of demo.kubernetes.log.all().slice(from.kubernetes)) {
      if (entry.method !== 'POST' || entry.status >= 300 || entry.dryRun || !entry.path.includes('/eviction')) continue
      evictions.set(entry.path, (evictions.get(entry.path) ?? 0) + 1)
    }
    return { migrations, evictions, disables }
  }
})
