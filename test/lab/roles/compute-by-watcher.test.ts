import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { bootServers } from '../cli/boot-servers.ts'
import { computeService, isSchedulable, openstack, serversByName } from '../cli/referees.ts'
import {
  clearFaults,
  type LabConsole,
  namesOn,
  novaLogFromNow,
  openLabConsole,
  returnComputeHost,
  setFaults,
  worldDump,
} from './lab-console.ts'

/** A compute node of flavour `sunbeam` through the lab's real Watcher and real Nova (docs/domain.md B.1, B.2); `openstack` judges. */
const HOST = 'cmp-1'
const PREFIX = `roles-watcher-${process.pid}`
const ENTER = ['enter', 'lab', HOST, '--cold-migration'] as const
const LEAVE = ['leave', 'lab', HOST, '--disable-instance-workload-rebalancing', '--yes'] as const

let desk: LabConsole
let seeded: readonly string[]

beforeAll(async () => {
  desk = await openLabConsole('--flavour', 'sunbeam', '--ceph', 'none')
  seeded = await namesOn(HOST)
  await bootServers(HOST, [{ name: `${PREFIX}-1`, tag: null, status: 'ACTIVE' }])
})

afterAll(async () => {
  await returnComputeHost(HOST, seeded, PREFIX)
  desk.end()
})

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
  expect(said.stdout).toMatch(new RegExp(`live-migrate\\s+${PREFIX}-1\\s+ACTIVE\\s+Watcher's plan`))
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

test('a plan of which an action failed is no success, whatever Watcher says of the plan', async () => {
  const name = `${PREFIX}-2`
  await bootServers(HOST, [{ name, tag: null, status: 'ACTIVE' }])
  await setFaults({ [name]: { fail: true } })
  const entered = await desk.run(...ENTER, '--yes')
  await clearFaults()
  expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 4 })
  const said = entered.stdout + entered.stderr
  expect(said).toMatch(new RegExp(`${name} .*: Watcher's live-migrate is FAILED`))
  expect(await planState(said)).toBe('SUCCEEDED')
  expect(await namesOn(HOST)).toContain(name)
  await desk.run('run', 'abort', (await desk.newestRun()).id, '--yes')
  await leave()
})

test('aborted in the middle, the plan is cancelled: what is under way finishes, the rest stays', async () => {
  await bootServers(HOST, [{ name: `${PREFIX}-3`, tag: null, status: 'ACTIVE' }])
  await setFaults({ '*': { delay: 6 } })
  const entering = startLockkeeper(desk.dataDirectory, [...ENTER, '--yes'])
  try {
    await vi.waitFor(() => expect(entering.output()).toContain("Watcher's live-migrate is ONGOING"), {
      timeout: 60_000,
      interval: 100,
    })
    await desk.run('run', 'abort', (await desk.newestRun()).id, '--yes')
    const ended = await entering.finished
    expect(ended.code, entering.output()).not.toBe(0)
    expect(entering.output()).toMatch(/the run is aborted; what is under way still finishes/)
    expect(['CANCELLED', 'CANCELLING']).toContain(await planState(entering.output()))
  } finally {
    entering.child.kill('SIGKILL')
    await clearFaults()
  }
  await leave()
})
