import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { must } from '../../../../shared/domain/must.ts'
import { inJournal } from '../../../fixtures/cli/killed-driver.ts'
import { askedSince, doneTwice, instancesOf, markOf, plainOf } from '../../../fixtures/runner/asked-of-clouds.ts'
import {
  CLOUD,
  type RunnerClouds,
  startRunnerClouds,
  startRunnerProcess,
} from '../../../fixtures/runner/runner-clouds.ts'

/** Why this machine cannot give a process a separate pid namespace; empty: it can. */
const missing = (() => {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' })
    return ''
  } catch {
    return 'this user may make no pid namespace (unshare)'
  }
})()

/** A Lease expires before the other runner continues. */
const LEASE_GOES_MS = 120_000

type Runner = Awaited<ReturnType<typeof startRunnerProcess>>

/**
 * Two runners that think they are the same: one host name, one pod name, process 1 each, as two containers of one name would be. Each has a volume
 * for itself, because nothing else can happen to a StatefulSet.
 */
describe.skipIf(missing !== '')(`two runners of one name ${missing}`, () => {
  let clouds: RunnerClouds
  const alive: Runner[] = []
  const data = (name: string) => join(clouds.directory, name)

  beforeAll(async () => {
    clouds = await startRunnerClouds(4)
  })

  afterAll(async () => {
    for (const runner of alive) {
      signal(runner, 'SIGCONT')
      runner.child.kill('SIGKILL')
      await runner.finished
    }
    await clouds.close()
  })

  async function start(name: string): Promise<Runner> {
    const env = { POD_NAME: 'lockkeeper-runner-0', NODE_NAME: 'node-x' }
    const runner = await startRunnerProcess(clouds, data(name), { env, isFirstProcess: true })
    alive.push(runner)
    return runner
  }

  /** To the process itself, which `unshare` is the parent of. */
  function signal(runner: Runner, name: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = must(runner.child.pid, 'it was started')
    const [inner] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    if (inner !== undefined && inner !== '') process.kill(Number(inner), name)
  }

  function runsIn(name: string): readonly string[] {
    return inJournal(
      data(name),
      journal =>
        journal
          .prepare('SELECT node FROM runs ORDER BY rowid')
          .all()
          .map(({ node }) => String(node)),
      [],
    )
  }

  it('carry each run out once; one that was suspended past its Lease does nothing without it, and continues its run when it gets it back', async () => {
    const before = instancesOf(plainOf(clouds))
    const mark = markOf(plainOf(clouds))
    const first = await start('one')
    const plan = await clouds.plan(CLOUD, 'cmp-01', 'enter', { concurrency: 1 })
    await clouds.submit(plan, {}, 'of-one')
    const running = await clouds.until('of-one', ['Running'])
    signal(first, 'SIGSTOP')

    const second = await start('two')
    const other = await clouds.plan(CLOUD, 'cmp-05', 'enter', { concurrency: 4 })
    await clouds.submit(other, {}, 'of-two')
    const done = await clouds.until('of-two', ['Done', 'Failed', 'Refused'], LEASE_GOES_MS)
    expect(done, `the Lease of a runner that says nothing is taken: ${done.message}`).toMatchObject({ phase: 'Done' })
    expect(runsIn('two'), 'a run continues only where its journal is').toEqual(['cmp-05'])
    expect((await clouds.status('of-one'))?.runId).toBe(running.runId)
    expect(done.driver?.runner).not.toBe(running.driver?.runner)

    signal(first, 'SIGCONT')
    expect(await clouds.until('of-one', ['Done', 'Failed', 'Refused'], LEASE_GOES_MS)).toMatchObject({
      phase: 'Done',
      runId: running.runId,
    })
    await vi.waitFor(() => expect(first.output()).toContain('cloud-lease-lost'), { timeout: 20_000 })
    expect(runsIn('one')).toEqual(['cmp-01'])
    const asked = askedSince(mark, plainOf(clouds))
    expect(doneTwice(asked)).toEqual([])
    expect(asked).toMatchObject({ services: 2, cordons: 2 })
    expect(instancesOf(plainOf(clouds)), 'every instance is there, as it was').toEqual(before)
    expect(second.child.exitCode).toBeNull()
    expect(second.output(), 'beside the first, consoles attach to it too').not.toContain('consoles cannot attach')
    // A Lease runs out in the middle.
  }, 180_000)

  it('continue after an API server is away, shortly and past their Leases', async () => {
    const mark = markOf(plainOf(clouds))
    for (const [name, kind, awayMs] of [
      ['short', 'leave', 3_000],
      ['long', 'enter', 40_000],
    ] as const) {
      const plan = await clouds.plan(CLOUD, 'cmp-01', kind, { concurrency: 1 })
      await clouds.submit(plan, {}, name)
      await clouds.until(name, ['Running', 'Done'])
      await clouds.managementAway(awayMs)
      expect(await clouds.until(name, ['Done', 'Failed', 'Refused'], LEASE_GOES_MS), name).toMatchObject({
        phase: 'Done',
      })
    }
    const asked = askedSince(mark, plainOf(clouds))
    expect(doneTwice(asked)).toEqual([])
    expect(asked).toMatchObject({ services: 2, cordons: 2 })
    // A Lease runs out in the middle, and is taken again.
  }, 180_000)
})
