import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { RECREATE } from '../../../shared/words/steps/watcher-blockers.ts'
import { startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { until } from '../ceph/real-ceph.ts'
import { bootServers } from '../cli/boot-servers.ts'
import { computeService, openstack, returnNode, serversByName } from '../cli/referees.ts'
import { LAB_OPENSTACK } from '../lab-places.ts'
import {
  clearFaults,
  type LabConsole,
  namesOn,
  openLabConsole,
  returnComputeHost,
  setFaults,
  worldDump,
} from '../roles/lab-console.ts'

/**
 * What an operator may choose of Watcher's strategy where Watcher has it: API 1.5 (15.0, 2025.2) on; the lab's modern one is 17, its other one is 9.
 * And what is done when its plan goes wrong, or the run is aborted. Where instances are and how they moved is what the cloud's own client says.
 */
const HOST = 'cmp-1'
const NEXT = 'cmp-2'
const PREFIX = `choices-${process.pid}`
const [ON, OFF] = [`${PREFIX}-on`, `${PREFIX}-off`]

/** A minute or two on a quiet machine; on a busy one each of Watcher's cold migrations takes two and a half. */
const LONG_MS = 900_000

const Migrations = z.array(z.object({ Status: z.string(), Type: z.string() }))

describe.runIf(LAB_OPENSTACK === 'modern')('a node emptied by Watcher 17', () => {
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
    await clearFaults()
    for (const host of [HOST, NEXT]) {
      await openstack('compute', 'service', 'set', '--enable', host, 'nova-compute')
      await returnNode(host)
    }
  }, LONG_MS)

  /**
   * Tries until Watcher's model has caught up: a plan that rests on an older model must be refused before any change.
   */
  async function enterUntil(
    code: 0 | 4,
    flags: readonly string[],
    /** What is done once Nova moves an instance. */
    meanwhile: (() => Promise<void>) | null = null,
  ): Promise<string> {
    let said = ''
    await until(
      'Watcher’s picture has caught up',
      async () => {
        const args = ['enter', 'lab', HOST, '--strategy', 'watcher', ...flags, '--yes']
        const entering = startLockkeeper(desk.dataDirectory, args)
        let hasEnded = false
        void entering.finished.then(() => {
          hasEnded = true
        })
        if (meanwhile !== null) {
          await until('an instance moves', async () => hasEnded || (await isMoving()), 240_000)
          if (hasEnded) expect(entering.output()).toContain(RECREATE)
          else await meanwhile()
        }
        const entered = await entering.finished
        said = entered.stdout + entered.stderr
        if (!said.includes(RECREATE)) expect(entered, said).toMatchObject({ code })
        return entered.code === code
      },
      meanwhile === null ? 240_000 : 480_000,
    )
    return said
  }

  async function enter(...flags: readonly string[]): Promise<string> {
    const said = await enterUntil(0, flags)
    expect(await computeService(HOST)).toMatchObject({ Status: 'disabled', 'Disabled Reason': 'watcher_maintaining' })
    return said
  }

  async function abortNewest(): Promise<void> {
    const { id } = await desk.newestRun()
    const aborted = await desk.run('run', 'abort', id, '--reason', 'the window has ended', '--yes')
    expect(aborted, aborted.stdout + aborted.stderr).toMatchObject({ code: 0 })
  }

  async function leave(): Promise<string> {
    const left = await desk.run('leave', 'lab', HOST, '--disable-instance-workload-rebalancing', '--yes')
    expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
    expect(await computeService(HOST)).toMatchObject({ Status: 'enabled', 'Disabled Reason': null })
    return left.stdout + left.stderr
  }

  async function isMoving(): Promise<boolean> {
    const listed = await openstack('server', 'migration', 'list', '--host', HOST, '--status', 'running', '-f', 'json')
    return (JSON.parse(listed) as unknown[]).length > 0
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
    'a second node right after the first: no face shows it as empty while Watcher’s older model left an instance there',
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

  test(
    'a failed action is reported with its instance, which stays and runs; the run asks, and retry moves it through Nova',
    async () => {
      const name = `${PREFIX}-fails`
      await bootServers(HOST, [{ name, tag: null, status: 'ACTIVE' }])
      const { ID } = await serverOf(name)
      await setFaults({ [name]: { fail: true } })
      const said = await enterUntil(4, ['--disable-migration=cold'])
      expect(said).toMatch(new RegExp(`${name}.*FAILED`))
      expect(await serverOf(name)).toMatchObject({ Host: HOST, Status: 'ACTIVE' })
      expect((await actionsOf(said)).filter(({ State }) => State === 'FAILED')).not.toEqual([])

      await clearFaults()
      const { id } = await desk.newestRun()
      const resumed = await desk.run('run', 'resume', id, '--answer', 'run-watcher-plan=retry')
      expect(resumed, resumed.stdout + resumed.stderr).toMatchObject({ code: 0 })
      const { Host, Status } = await serverOf(name)
      expect({ away: Host !== HOST, Status }).toEqual({ away: true, Status: 'ACTIVE' })
      expect(await lastMigration(ID)).toEqual({ Status: 'completed', Type: 'live-migration' })
      await leave()
    },
    LONG_MS,
  )

  test(
    'aborted, Watcher begins nothing more: where each instance is agrees with its action, and what stays changed is named',
    async () => {
      const names = ['a', 'b', 'c', 'd', 'e'].map(letter => `${PREFIX}-abort-${letter}`)
      await bootServers(
        HOST,
        names.map(name => ({ name, tag: null, status: 'ACTIVE' })),
      )
      await setFaults(Object.fromEntries(names.map(name => [name, { delay: 15 }])))
      const said = await enterUntil(4, ['--disable-migration=cold'], abortNewest)
      await until(
        'Watcher is through with its plan',
        async () => (await actionsOf(said)).every(({ State }) => State !== 'ONGOING' && State !== 'PENDING'),
        120_000,
      )
      const actions = await actionsOf(said)
      expect(actions.map(({ State }) => State)).toContain('CANCELLED')
      const servers = await serversByName()
      for (const name of names) {
        const { ID, Host, Status } = must(servers.get(name), `${name} is there`)
        const action = actions.find(({ Parameters }) => Parameters.includes(ID))
        expect({ name, Status, away: Host !== HOST }).toEqual({
          name,
          Status: 'ACTIVE',
          away: action?.State === 'SUCCEEDED',
        })
      }
      expect(said.slice(said.indexOf('Changed, and stays so'))).toContain('Bringing the node back enables nova-compute')
    },
    LONG_MS,
  )
})

/** Takes the running seeded instances off the host: one has an ephemeral disk, which blocks any plan by Watcher. */
async function clearHost(): Promise<void> {
  const running = async () =>
    [...(await serversByName()).values()].filter(({ Host, Status }) => Host === HOST && Status !== 'SHUTOFF')
  for (const { ID } of await running()) await openstack('server', 'migrate', '--live-migration', ID)
  await until(`nothing runs on ${HOST}`, async () => (await running()).length === 0, 240_000)
}

const Actions = z.array(
  z.object({
    State: z.string(),
    Parameters: z.unknown().transform(given => JSON.stringify(given)),
    'Status Message': z.string().nullable(),
  }),
)

/** What Watcher's own API says of the actions of the plan that an output names. */
async function actionsOf(output: string): Promise<z.output<typeof Actions>> {
  const uuid = must(/action plan ([0-9a-f-]{36})/.exec(output)?.[1], 'the plan is named in the output')
  const listed = await openstack(
    ...['--os-infra-optim-api-version', '1.5', 'optimize', 'action', 'list'],
    ...['--action-plan', uuid, '--detail', '-f', 'json'],
  )
  return Actions.parse(JSON.parse(listed))
}

/** The reasons of those that were skipped. */
async function skippedActions(output: string): Promise<readonly string[]> {
  return (await actionsOf(output)).flatMap(action =>
    action.State === 'SKIPPED' ? [action['Status Message'] ?? ''] : [],
  )
}
