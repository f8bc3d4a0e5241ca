import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { until } from '../ceph/real-ceph.ts'
import { bootServers } from '../cli/boot-servers.ts'
import { computeService, isSchedulable, openstack, serversByName } from '../cli/referees.ts'
import { LAB_OPENSTACK } from '../lab-places.ts'
import {
  clearFaults,
  deleteServers,
  type LabConsole,
  namesOn,
  novaLogFromNow,
  openLabConsole,
  returnComputeHost,
  setFaults,
  worldDump,
} from './lab-console.ts'

/**
 * A compute node enters and leaves maintenance on real Nova, by strategy `nova` with the operator's choices and by the lab's real Watcher
 * (docs/domain.md B.1, B.2, C.4). What the lab's own clients and logs say is what counts.
 */
const HOST = 'cmp-1'
const PREFIX = `roles-${process.pid}`
const [ON, OFF, BACK] = [`${PREFIX}-on`, `${PREFIX}-off`, `${PREFIX}-back`]

let desk: LabConsole
let seeded: readonly string[]

beforeAll(async () => {
  seeded = await namesOn(HOST)
})

afterAll(async () => {
  await returnComputeHost(HOST, seeded, PREFIX)
})

async function whereIs(name: string): Promise<string> {
  const { Host, Status } = must((await serversByName()).get(name), `${name} is there`)
  return `${Host === HOST ? 'here' : 'elsewhere'} ${Status}`
}

const Plan = z.object({ state: z.string() })

/** What Watcher's own API says of the plan that an output names; the lab's `openstack` has no word for Watcher. */
async function planState(output: string): Promise<string> {
  const uuid = must(/action plan ([0-9a-f-]{36})/.exec(output)?.[1], 'the plan is named in the output')
  const value = ['-f', 'value']
  const token = await openstack('token', 'issue', '-c', 'id', ...value)
  const endpoints = ['endpoint', 'list', '--service', 'infra-optim', '--interface', 'public', '-c', 'URL', ...value]
  const url = (await openstack(...endpoints)).trim()
  const answer = await fetch(`${url}/v1/action_plans/${uuid}`, { headers: { 'X-Auth-Token': token.trim() } })
  return Plan.parse(await answer.json()).state
}

describe('strategy nova', () => {
  beforeAll(async () => {
    desk = await openLabConsole()
    await Promise.all([
      bootServers(HOST, [{ name: ON, tag: null, status: 'ACTIVE' }]),
      bootServers(HOST, [{ name: OFF, tag: null, status: 'SHUTOFF' }]),
    ])
  })

  afterAll(async () => {
    desk.end()
    await clearFaults()
    await deleteServers(PREFIX)
  })

  test('a dry run touches nothing: Nova’s own log has no request but questions', async () => {
    const before = await worldDump()
    const changes = await novaLogFromNow()
    const said = await desk.run('enter', 'lab', HOST, '--cold-migration', '--dry-run')
    expect(said, said.stdout + said.stderr).toMatchObject({ code: 0 })
    expect(said.stdout).toMatch(new RegExp(`moves stopped\\s+${OFF}`))
    expect(await changes()).toEqual([])
    expect(await worldDump()).toEqual(before)
  })

  test('a stopped instance moves cold, is confirmed and stays stopped', async () => {
    const changes = await novaLogFromNow()
    const entered = await desk.run('enter', 'lab', HOST, '--cold-migration', '--concurrency', '2', '--yes')
    expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 0 })
    expect([await whereIs(ON), await whereIs(OFF)]).toEqual(['elsewhere ACTIVE', 'elsewhere SHUTOFF'])
    // A seeded one stays: its owner's tag says it goes down with the host.
    expect((await namesOn(HOST)).filter(name => name.startsWith(PREFIX))).toEqual([])

    const { ID } = must((await serversByName()).get(OFF), 'it is there')
    const migrations = await openstack('server', 'migration', 'list', '--server', ID, '-f', 'value', '-c', 'Status')
    expect(migrations.trim().split('\n')).toEqual(['confirmed'])
    expect((await changes()).filter(line => line.includes(`/servers/${ID}/action`))).toHaveLength(2)

    const left = await desk.run('leave', 'lab', HOST, '--yes')
    expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
    expect(await computeService(HOST)).toMatchObject({ Status: 'enabled', State: 'up' })
  })

  test('with both ways ruled out, running instances are stopped, and exactly the stopped ones are left', async () => {
    await bootServers(HOST, [{ name: BACK, tag: null, status: 'ACTIVE' }])
    const entered = await desk.run('enter', 'lab', HOST, '--disable-migration', '--yes')
    expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 0 })
    expect(await whereIs(BACK)).toBe('here SHUTOFF')
    expect(entered.stdout + entered.stderr).toContain(`${BACK} (`)
    expect(await computeService(HOST)).toMatchObject({ Status: 'disabled', State: 'up' })
    const left = await desk.run('leave', 'lab', HOST, '--yes')
    expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
    expect(await whereIs(BACK)).toBe('here SHUTOFF')
  })

  test('an instance that breaks on its way is named, and the run waits for an answer', async () => {
    await setFaults({ [BACK]: { cold_fail: true } })
    const entered = await desk.run('enter', 'lab', HOST, '--cold-migration', '--yes')
    expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 4 })
    expect(entered.stdout + entered.stderr).toContain(BACK)
    const { id } = await desk.newestRun()
    const aborted = await desk.run('run', 'abort', id, '--yes')
    expect(aborted.stdout + aborted.stderr).toMatch(/abort/i)
    const left = await desk.run('leave', 'lab', HOST, '--yes')
    expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
  })
})

describe('strategy watcher', () => {
  const WATCHED = `${PREFIX}-watched`
  const ENTER = ['enter', 'lab', HOST, '--cold-migration'] as const
  const LEAVE = ['leave', 'lab', HOST, '--disable-instance-workload-rebalancing', '--yes'] as const

  beforeAll(async () => {
    desk = await openLabConsole('--flavour', 'sunbeam', '--ceph', 'none')
    await Promise.all([
      bootServers(HOST, [{ name: `${WATCHED}-1`, tag: null, status: 'ACTIVE' }]),
      bootServers(HOST, [{ name: `${WATCHED}-off`, tag: null, status: 'SHUTOFF' }]),
    ])
    await watcherKnowsThem()
  })

  afterAll(() => desk.end())

  /**
   * Watcher's picture of the cloud follows Nova some seconds later, and a plan that rests on an older one is refused, as it has to be. It is rebuilt
   * every 15 s here (test/lab/openstack/configs.sh); the dry run that passes says that it has caught up.
   */
  function watcherKnowsThem(): Promise<void> {
    return until(
      'Watcher’s picture of the cloud has caught up',
      async () => (await desk.run(...ENTER, '--dry-run')).code === 0,
      300_000,
    )
  }

  async function leave(): Promise<void> {
    const left = await desk.run(...LEAVE)
    expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
    expect(await computeService(HOST)).toMatchObject({ Status: 'enabled', State: 'up', 'Disabled Reason': null })
    expect(await isSchedulable(HOST)).toBe(true)
  }

  test('a dry run shows Watcher’s actions and touches nothing: Nova’s own log has no request but questions', async () => {
    const before = await worldDump()
    const changes = await novaLogFromNow()
    const said = await desk.run(...ENTER, '--dry-run')
    expect(said, said.stdout + said.stderr).toMatchObject({ code: 0 })
    expect(said.stdout).toMatch(new RegExp(`moves live\\s+${WATCHED}-1\\s+ACTIVE\\s+plan of Watcher`))
    expect(await changes()).toEqual([])
    expect(await worldDump()).toEqual(before)
  })

  test('the node is emptied by Watcher, kept out of service, and comes back', async () => {
    const before = await serversByName()
    const entered = await desk.run(...ENTER, '--yes')
    expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 0 })
    expect(await namesOn(HOST)).toEqual([])
    for (const [name, { Status }] of await serversByName()) {
      expect({ name, Status }).toEqual({ name, Status: before.get(name)?.Status })
    }
    expect(await computeService(HOST)).toMatchObject({
      Status: 'disabled',
      State: 'up',
      'Disabled Reason': 'watcher_maintaining',
    })
    expect(await isSchedulable(HOST)).toBe(false)
    await leave()
  })

  test('a plan with a failed action is not a success, whatever state Watcher gives the plan', async () => {
    const name = `${WATCHED}-2`
    await bootServers(HOST, [{ name, tag: null, status: 'ACTIVE' }])
    await watcherKnowsThem()
    await setFaults({ [name]: { fail: true } })
    const entered = await desk.run(...ENTER, '--yes')
    await clearFaults()
    expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 4 })
    const said = entered.stdout + entered.stderr
    expect(said).toMatch(new RegExp(`${name} .*: Watcher's live-migrate is FAILED`))
    expect(await planState(said)).toBe(LAB_OPENSTACK === 'modern' ? 'FAILED' : 'SUCCEEDED')
    expect(await namesOn(HOST)).toContain(name)
    await desk.run('run', 'abort', (await desk.newestRun()).id, '--yes')
    await leave()
  })

  test('aborted in the middle, the plan is cancelled: what is under way finishes, the rest stays', async () => {
    await bootServers(HOST, [{ name: `${WATCHED}-3`, tag: null, status: 'ACTIVE' }])
    await watcherKnowsThem()
    // Keeps the migration running until the run has received the abort.
    await setFaults({ '*': { delay: 60 } })
    const entering = startLockkeeper(desk.dataDirectory, [...ENTER, '--yes'])
    try {
      await vi.waitFor(() => expect(entering.output()).toContain("Watcher's live-migrate is ONGOING"), {
        timeout: 180_000,
        interval: 100,
      })
      await desk.run('run', 'abort', (await desk.newestRun()).id, '--yes')
      await vi.waitFor(() => expect(entering.output()).toMatch(/the run is aborted; these actions still finish/), {
        timeout: 60_000,
        interval: 100,
      })
      await clearFaults()
      const ended = await entering.finished
      expect(ended.code, entering.output()).not.toBe(0)
      expect(['CANCELLED', 'CANCELLING']).toContain(await planState(entering.output()))
    } finally {
      entering.child.kill('SIGKILL')
      await clearFaults()
    }
    await leave()
  })
})
