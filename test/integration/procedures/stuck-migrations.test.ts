import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openOpenStackSession } from '../../../main/adapters/openstack/keystone-session.ts'
import { createOpenStackPort } from '../../../main/adapters/openstack/openstack-port.ts'
import { resolveCloud } from '../../../main/clusters/clouds-yaml.ts'
import { type Clock, systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { OpenStackPort } from '../../../main/ports/openstack.ts'
import { type Move, moveAll } from '../../../main/procedures/steps/compute/evacuation.ts'
import { StopStepping } from '../../../main/runs/engine/step.ts'
import { startOpenStackSimulator } from '../../../main/wings/simulators/openstack/openstack-simulator.ts'
import type { StuckRule } from '../../../shared/domain/instance-choice.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import {
  ABORT_REQUESTED,
  FORCE_COMPLETE_REQUESTED,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_ASKS,
  MIGRATION_PROGRESS,
  type RunFactName,
} from '../../../shared/domain/run-facts.ts'
import { hurriedClock } from '../../fixtures/hurried-clock.ts'
import { fakeContext, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { SMALL_CLOUD } from '../../unit/wings/simulators/openstack/small-cloud.ts'

const TIMES = 40
const LIVE = { action: 'live_migrate', code: 'instance-moves', reason: 'it runs' } as const

/** An embedded cloud, and a run that moves servers of cmp-1 by it. */
async function stuckCloud(stuck: StuckRule = { afterMs: 60_000, do: 'ask' }) {
  const clock = hurriedClock(TIMES)
  const simulator = await startOpenStackSimulator({ clock, seed: SMALL_CLOUD })
  const folder = await mkdtemp(join(tmpdir(), 'lockkeeper-stuck-'))
  const path = join(folder, 'clouds.yaml')
  await writeFile(path, simulator.cloudsYaml('small'), { mode: 0o600 })
  const places = { environment: {}, home: folder, currentDirectory: folder }
  const cloud = value(await resolveCloud({ path, cloud: 'small' }, places))
  // How long a request may take is judged by the machine's own clock: it is answered by this very process, which may not be let run for a second.
  const patient: Clock = {
    ...clock,
    sleep: (ms, signal) => (ms < 15_000 ? clock : systemClock).sleep(ms, signal),
  }
  const session = value(await openOpenStackSession({ cloud, clock: patient, log: silentLogger }))
  onTestFinished(async () => {
    session.close()
    await simulator.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const port = createOpenStackPort({ session })
  const facts: RunFact[] = []
  const serverOf = (name: string) =>
    must(
      [...simulator.state.servers.values()].find(server => server.name === name),
      `${name} is there`,
    )
  const contextOf = (openstack: OpenStackPort) => {
    const world = fakeWorld()
    Object.assign(world.port, { openstack })
    const at = () => new Date(clock.now()).toISOString()
    const keep =
      (announces: boolean) =>
      (fact: RunFactName, subject: string, values: RunFact['values'] = {}) => {
        facts.push({ at: at(), fact, subject, announces, values })
      }
    return {
      ...fakeContext(world, { facts, options: { stuck } }),
      clock,
      at,
      announce: keep(true),
      report: keep(false),
    }
  }
  return {
    simulator,
    port,
    facts,
    serverOf,
    contextOf,
    run: async (names: readonly string[], ctx = contextOf(port), concurrency = 1) => {
      const moves: Move[] = []
      for (const name of names) {
        const instance = value(await port.getInstance(serverOf(name).id))
        moves.push({ instance, from: 'cmp-1', to: null, policyOf: () => LIVE })
      }
      return moveAll(moves, { concurrency, attempts: 2 }, ctx)
    },
    /** How often Nova got this request, by its own log. */
    asked: (name: string, action: string) => serverOf(name).actions.filter(each => each.action === action).length,
    reported: (fact: string) => facts.filter(each => each.fact === fact),
    decide: (name: string, choice: string) => {
      const values = { name, choice, by: 'eva', reason: 'it has to go' }
      const subject = `server/${serverOf(name).id}`
      facts.push({ at: new Date(clock.now()).toISOString(), fact: INSTANCE_DECIDED, subject, announces: false, values })
    },
    until: async (holds: () => boolean) => {
      while (!holds()) await clock.sleep(400)
    },
  }
}

function value<T>(answer: Result<T>): T {
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}

describe('a migration that makes no progress', () => {
  it('is asked about, and aborted so that the instance stays when that is decided', async () => {
    const cloud = await stuckCloud()
    cloud.simulator.faults.servers.active = { hang: true }
    const run = cloud.run(['active'])
    await cloud.until(() => cloud.reported(MIGRATION_ASKS).length > 0)
    expect(cloud.reported(MIGRATION_ASKS)[0]?.values).toMatchObject({
      cause: expect.stringContaining('is not getting done'),
      choices: ['wait', 'force-complete', 'abort-and-retry', 'abort-and-leave', 'cold', 'stop'],
    })
    cloud.decide('active', 'abort-and-leave')
    expect(await run).toEqual({ kind: 'emptied', moved: 0 })
    expect(cloud.serverOf('active')).toMatchObject({ host: 'cmp-1', taskState: null })
    expect(cloud.asked('active', 'live_migration_cancel')).toBe(1)
    expect(cloud.reported(INSTANCE_SETTLED)[0]?.values.why).toBe('it stays, as eva decided: it has to go')
  })

  it('of an instance that writes as fast as it is copied is forced to complete by the rule of the plan', async () => {
    const cloud = await stuckCloud({ afterMs: 60_000, do: 'force-complete' })
    cloud.simulator.faults.servers.active = { dirty_rate: 500, copy_rate: 400 }
    expect(await cloud.run(['active'])).toEqual({ kind: 'emptied', moved: 1 })
    expect(cloud.asked('active', 'live_migration_force_complete')).toBe(1)
    expect(cloud.serverOf('active').host).not.toBe('cmp-1')
  })

  it('is aborted and migrated cold by the rule of the plan', async () => {
    const cloud = await stuckCloud({ afterMs: 60_000, do: 'cold' })
    cloud.simulator.faults.servers.active = { hang: true }
    expect(await cloud.run(['active'])).toEqual({ kind: 'emptied', moved: 1 })
    const asked = ['live-migration', 'live_migration_cancel', 'migrate', 'confirmResize']
    expect(asked.map(action => cloud.asked('active', action))).toEqual([1, 1, 1, 1])
  })

  it('whose destination went down is asked about at once, with why', async () => {
    const cloud = await stuckCloud({ afterMs: 3_600_000, do: 'ask' })
    cloud.simulator.faults.servers.active = { hang: true }
    const run = cloud.run(['active'])
    const record = () => cloud.simulator.state.migrations[0]
    await cloud.until(() => record()?.status === 'running')
    cloud.simulator.faults.setComputeUp(record()?.dest ?? '', false)
    await cloud.until(() => cloud.reported(MIGRATION_ASKS).length > 0)
    expect(cloud.reported(MIGRATION_ASKS)[0]?.values).toMatchObject({
      cause: expect.stringMatching(/nova-compute of its destination cmp-\d is down/),
      choices: expect.not.arrayContaining(['force-complete']),
    })
    cloud.decide('active', 'abort-and-leave')
    expect(await run).toEqual({ kind: 'emptied', moved: 0 })
  })

  it('waits behind another one of its host, and the run says so', async () => {
    const cloud = await stuckCloud()
    cloud.simulator.faults.servers.active = { hang: true }
    const run = cloud.run(['active', 'active-2'], undefined, 2)
    await cloud.until(() => cloud.reported(MIGRATION_PROGRESS).some(({ values }) => values.behind === 'active'))
    cloud.simulator.faults.clear()
    expect(await run).toEqual({ kind: 'emptied', moved: 2 })
  })
})

describe('a migration whose end does not show as it should', () => {
  it.each(['completed', 'failed', 'error'] as const)(
    'is a question when its record is %s and the instance is marked as migrating all the same',
    async lost => {
      const cloud = await stuckCloud()
      cloud.simulator.faults.servers.active = { lost }
      expect(await cloud.run(['active'])).toMatchObject({
        kind: 'unresolved',
        instances: [
          {
            why: {
              code: 'GivenUpAfterAttempts',
              message: expect.stringMatching(/Nova's record shows .* still migrating on cmp-1: nova-compute lost it/),
            },
          },
        ],
      })
    },
  )

  it('has arrived where its record says running for ever', async () => {
    const cloud = await stuckCloud()
    cloud.simulator.faults.servers.active = { record_stays: true }
    expect(await cloud.run(['active'])).toEqual({ kind: 'emptied', moved: 1 })
    expect(cloud.reported(INSTANCE_MOVED)).toHaveLength(1)
  })
})

describe('a death between the announcement and the request', () => {
  const WAYS = [
    { choice: 'abort-and-leave', fact: ABORT_REQUESTED, call: 'abortMigration', action: 'live_migration_cancel' },
    {
      choice: 'force-complete',
      fact: FORCE_COMPLETE_REQUESTED,
      call: 'forceCompleteMigration',
      action: 'live_migration_force_complete',
    },
  ] as const

  it.each(
    WAYS.flatMap(way => [
      { ...way, sent: false },
      { ...way, sent: true },
    ]),
  )('$choice, sent $sent: Nova is asked once', async ({ choice, fact, call, action, sent }) => {
    const cloud = await stuckCloud()
    cloud.simulator.faults.servers.active = { hang: true, post_copy: true }
    const dying: OpenStackPort = {
      ...cloud.port,
      [call]: async (id: string, migrationId: number) => {
        if (sent) await cloud.port[call](id, migrationId)
        throw new StopStepping('the process ended here')
      },
    }
    const first = cloud.run(['active'], cloud.contextOf(dying))
    await cloud.until(() => cloud.simulator.state.migrations[0]?.status === 'running')
    cloud.decide('active', choice)
    await expect(first).rejects.toThrow(StopStepping)
    expect(cloud.reported(fact)).toHaveLength(1)
    const answer = await cloud.run(['active'])
    expect(answer).toEqual({ kind: 'emptied', moved: choice === 'force-complete' ? 1 : 0 })
    expect(cloud.asked('active', action)).toBe(1)
  })
})
