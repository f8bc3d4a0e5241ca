import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import { bootServers } from '../cli/boot-servers.ts'
import { computeService, openstack, serversByName } from '../cli/referees.ts'
import {
  type LabConsole,
  namesOn,
  novaLogFromNow,
  openLabConsole,
  returnComputeHost,
  setFaults,
  worldDump,
} from './lab-console.ts'

/** Strategy `nova` with the operator's choices about ways of moving (docs/domain.md B.2, C.4), on real Nova; `openstack` judges. */
const HOST = 'cmp-1'
const PREFIX = `roles-nova-${process.pid}`
const [ON, OFF, BACK] = [`${PREFIX}-on`, `${PREFIX}-off`, `${PREFIX}-back`]

let desk: LabConsole
let seeded: readonly string[]

beforeAll(async () => {
  desk = await openLabConsole()
  seeded = await namesOn(HOST)
  await Promise.all([
    bootServers(HOST, [{ name: ON, tag: null, status: 'ACTIVE' }]),
    bootServers(HOST, [{ name: OFF, tag: null, status: 'SHUTOFF' }]),
  ])
})

afterAll(async () => {
  await returnComputeHost(HOST, seeded, PREFIX)
  desk.end()
})

async function whereIs(name: string): Promise<string> {
  const { Host, Status } = must((await serversByName()).get(name), `${name} is there`)
  return `${Host === HOST ? 'here' : 'elsewhere'} ${Status}`
}

test('a dry run touches nothing: Nova’s own log has no request but questions', async () => {
  const before = await worldDump()
  const changes = await novaLogFromNow()
  const said = await desk.run('enter', 'lab', HOST, '--cold-migration', '--dry-run')
  expect(said, said.stdout + said.stderr).toMatchObject({ code: 0 })
  expect(said.stdout).toMatch(new RegExp(`cold-migrate\\s+${OFF}`))
  expect(await changes()).toEqual([])
  expect(await worldDump()).toEqual(before)
})

test('a stopped instance moves cold, is confirmed and stays stopped', async () => {
  const changes = await novaLogFromNow()
  const entered = await desk.run('enter', 'lab', HOST, '--cold-migration', '--concurrency', '2', '--yes')
  expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 0 })
  expect([await whereIs(ON), await whereIs(OFF)]).toEqual(['elsewhere ACTIVE', 'elsewhere SHUTOFF'])
  expect(await namesOn(HOST)).toEqual([])

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
