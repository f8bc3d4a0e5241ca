import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { MAKE_ANEW } from '../../../shared/domain/watcher-coverage.ts'
import { until } from '../ceph/real-ceph.ts'
import { bootServers } from '../cli/boot-servers.ts'
import { computeService, openstack, returnNode, serversByName } from '../cli/referees.ts'
import { LAB_OPENSTACK } from '../lab-places.ts'
import { type LabConsole, namesOn, openLabConsole, returnComputeHost, worldDump } from '../roles/lab-console.ts'

/**
 * What an operator may choose of Watcher's strategy where Watcher has it: API 1.5 (15.0, 2025.2) on; the lab's modern one is 17, its other one is 9.
 * Where instances are and how they moved is what the cloud's own client says.
 */
const HOST = 'cmp-1'
const NEXT = 'cmp-2'
const PREFIX = `choices-${process.pid}`
const [ON, OFF] = [`${PREFIX}-on`, `${PREFIX}-off`]

/** A minute or two on a quiet machine; on a busy one each of Watcher's cold migrations takes two and a half. */
const LONG_MS = 900_000

const Migrations = z.array(z.object({ Status: z.string(), Type: z.string() }))

describe.runIf(LAB_OPENSTACK === 'modern')('what Watcher 17 lets an operator choose', () => {
  let desk: LabConsole
  let seeded: readonly string[]
  let seededNext: readonly string[]

  beforeAll(async () => {
    desk = await openLabConsole('--flavour', 'sunbeam', '--ceph', 'none')
    ;[seeded, seededNext] = [await namesOn(HOST), await namesOn(NEXT)]
    await clearHost()
    await Promise.all([
      bootServers(HOST, [{ name: ON, tag: null, status: 'ACTIVE' }]),
      bootServers(HOST, [{ name: OFF, tag: null, status: 'SHUTOFF' }]),
    ])
  }, LONG_MS)

  afterAll(async () => {
    await returnComputeHost(HOST, seeded, PREFIX)
    await returnComputeHost(NEXT, seededNext, PREFIX)
    desk.end()
  }, LONG_MS)

  // One that failed on its way must not decide the next.
  afterEach(async () => {
    for (const host of [HOST, NEXT]) {
      await openstack('compute', 'service', 'set', '--enable', host, 'nova-compute')
      await returnNode(host)
    }
  }, LONG_MS)

  /** A plan that rests on Watcher's older picture is refused before anything is touched, as it has to be: it is made anew until it has caught up. */
  async function enter(...flags: readonly string[]): Promise<string> {
    let said = ''
    await until(
      'Watcher’s picture has caught up',
      async () => {
        const entered = await desk.run('enter', 'lab', HOST, '--strategy', 'watcher', ...flags, '--yes')
        said = entered.stdout + entered.stderr
        if (!said.includes(MAKE_ANEW)) expect(entered, said).toMatchObject({ code: 0 })
        return entered.code === 0
      },
      240_000,
    )
    expect(await computeService(HOST)).toMatchObject({ Status: 'disabled', 'Disabled Reason': 'watcher_maintaining' })
    return said
  }

  async function leave(): Promise<string> {
    const left = await desk.run('leave', 'lab', HOST, '--disable-instance-workload-rebalancing', '--yes')
    expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
    expect(await computeService(HOST)).toMatchObject({ Status: 'enabled', 'Disabled Reason': null })
    return left.stdout + left.stderr
  }

  async function serverOf(name: string) {
    return must((await serversByName()).get(name), `${name} is there`)
  }

  async function lastMigration(id: string) {
    const listed = await openstack('server', 'migration', 'list', '--server', id, '-f', 'json')
    return Migrations.parse(JSON.parse(listed))[0]
  }

  test(
    'with cold migration ruled out running ones move live and a stopped one stays, stopped',
    async () => {
      await enter('--disable-migration=cold')
      const { ID, Host, Status } = await serverOf(ON)
      expect({ away: Host !== HOST, Status }).toEqual({ away: true, Status: 'ACTIVE' })
      expect(await lastMigration(ID)).toEqual({ Status: 'completed', Type: 'live-migration' })
      expect(await serverOf(OFF)).toMatchObject({ Host: HOST, Status: 'SHUTOFF' })
      await leave()
    },
    LONG_MS,
  )

  test(
    'one left out stays and runs: its action is skipped, with our reason, and the run names who stayed',
    async () => {
      const name = `${PREFIX}-left-out`
      await bootServers(HOST, [{ name, tag: null, status: 'ACTIVE' }])
      const { ID } = await serverOf(name)
      const said = await enter('--disable-migration=cold', '--exclude-instance', ID)
      expect(await serverOf(name)).toMatchObject({ Host: HOST, Status: 'ACTIVE' })
      expect(said).toMatch(new RegExp(`${name}.*left out by the operator`))
      expect(await skippedActions(said)).toEqual([expect.stringContaining('left out by the operator')])
      await leave()
    },
    LONG_MS,
  )

  test(
    'with live migration ruled out running and stopped ones move cold, and are confirmed',
    async () => {
      const runs = `${PREFIX}-runs`
      await bootServers(HOST, [{ name: runs, tag: null, status: 'ACTIVE' }])
      await enter('--disable-migration=live')
      for (const [name, status] of [
        [runs, 'ACTIVE'],
        [OFF, 'SHUTOFF'],
      ] as const) {
        const { ID, Host, Status } = await serverOf(name)
        expect({ name, away: Host !== HOST, Status }).toEqual({ name, away: true, Status: status })
        expect(await lastMigration(ID)).toEqual({ Status: 'confirmed', Type: 'migration' })
      }
      await leave()
    },
    LONG_MS,
  )

  test(
    'with both ruled out running ones are stopped where they are, and who is down is named, when it enters and when it leaves',
    async () => {
      const name = `${PREFIX}-down`
      await bootServers(HOST, [{ name, tag: null, status: 'ACTIVE' }])
      const { ID } = await serverOf(name)
      const said = await enter('--disable-migration=both')
      expect(await serverOf(name)).toMatchObject({ Host: HOST, Status: 'SHUTOFF' })
      expect(said).toMatch(new RegExp(`that ran before (is|are) down: .*${name} \\(${ID}\\)`))
      expect(await leave()).toContain(`${name} (${ID})`)
      expect(await serverOf(name)).toMatchObject({ Host: HOST, Status: 'SHUTOFF' })
    },
    LONG_MS,
  )

  test(
    'a second node right after the first: nobody is told that it is empty while Watcher’s older picture left one there',
    async () => {
      const name = `${PREFIX}-goes-on`
      await bootServers(HOST, [{ name, tag: null, status: 'ACTIVE' }])
      await enter('--disable-migration=cold', '--backup-node', NEXT)
      expect(await serverOf(name)).toMatchObject({ Host: NEXT })
      const before = await worldDump()
      const command = ['enter', 'lab', NEXT, '--strategy', 'watcher', '--disable-migration=cold', '--yes']
      const second = await desk.run(...command)
      const said = second.stdout + second.stderr
      if (second.code === 0) expect(await serverOf(name), said).not.toMatchObject({ Host: NEXT })
      else {
        expect(said).toContain(name)
        if (second.code === 3) expect(await worldDump()).toEqual(before)
      }
    },
    LONG_MS,
  )
})

/** Takes the seeded ones that run off the host: one of them has an ephemeral disk, which stands against a plan by Watcher whatever else is chosen. */
async function clearHost(): Promise<void> {
  const running = async () =>
    [...(await serversByName()).values()].filter(({ Host, Status }) => Host === HOST && Status !== 'SHUTOFF')
  for (const { ID } of await running()) await openstack('server', 'migrate', '--live-migration', ID)
  await until(`nothing runs on ${HOST}`, async () => (await running()).length === 0, 240_000)
}

/** What Watcher's own API says of the actions of the plan that an output names that were skipped. */
async function skippedActions(output: string): Promise<readonly string[]> {
  const uuid = must(/action plan ([0-9a-f-]{36})/.exec(output)?.[1], 'the plan is named in the output')
  const listed = await openstack(
    ...['--os-infra-optim-api-version', '1.5', 'optimize', 'action', 'list'],
    ...['--action-plan', uuid, '--detail', '-f', 'json'],
  )
  const Actions = z.array(z.object({ State: z.string(), 'Status Message': z.string().nullable() }))
  return Actions.parse(JSON.parse(listed)).flatMap(action =>
    action.State === 'SKIPPED' ? [action['Status Message'] ?? ''] : [],
  )
}
