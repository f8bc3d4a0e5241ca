import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openOpenStackSession } from '../../../../main/adapters/openstack/keystone-session.ts'
import { createNewestRows } from '../../../../main/adapters/openstack/newest-rows.ts'
import { listComputeServices, setComputeService } from '../../../../main/adapters/openstack/nova-services.ts'
import { listNetworkAgents } from '../../../../main/adapters/openstack/openstack-port.ts'
import { createKeptLog, createTestClock, openFixtureCloud } from './fixture-cloud.ts'

/** A row like any other. */
const A = { key: 'a', is: { kind: 'service', binary: 'nova-compute', host: 'cmp-1' } } as const

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString()

function rows() {
  const clock = { ms: 0, monotonicMs: () => clock.ms }
  const newest = createNewestRows(clock)
  const isPast = (seconds: number, says?: string, askedAt = newest.moment()) =>
    newest.whyPast({ ...A, changedAt: at(seconds), ...(says === undefined ? {} : { says }) }, askedAt) !== null
  return { clock, newest, isPast }
}

describe('a row', () => {
  test('that goes back is outdated', () => {
    const { isPast } = rows()
    expect([10, 10, 12, 7].map(seconds => isPast(seconds))).toEqual([false, false, false, true])
  })

  test('may go back by as little as the clocks of those who write it are apart', () => {
    const { isPast } = rows()
    expect([10, 8, 7].map(seconds => isPast(seconds))).toEqual([false, false, true])
  })

  test('that was requested before a newer one arrived is not a replay: answers overtake each other', () => {
    const { newest, isPast } = rows()
    isPast(1)
    const before = newest.moment()
    isPast(60)
    expect(isPast(1, undefined, before)).toBe(false)
    expect(isPast(1)).toBe(true)
  })

  test.each(['', null, undefined, 'yesterday'])('of the time %j is not compared', changedAt => {
    const { newest } = rows()
    expect(newest.whyPast({ ...A, changedAt }, newest.moment())).toBeNull()
  })

  test('received in a row is accepted if and only if no earlier one is newer by more than the tolerance of clocks', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), times => {
        const { isPast } = rows()
        let newest = Number.NEGATIVE_INFINITY
        for (const seconds of times) {
          const expected = newest - seconds > 2
          if (isPast(seconds) !== expected) return false
          newest = Math.max(newest, seconds)
        }
        return true
      }),
    )
  })
})

describe('a row that went back', () => {
  const MINUTE = 60_000
  /** Answers at intervals of a minute, and whether each is outdated. */
  const eachMinute = (reported: readonly number[]) => {
    const { clock, isPast } = rows()
    return reported.map(seconds => {
      const past = isPast(seconds)
      clock.ms += MINUTE
      return past
    })
  }
  const times = <T>(count: number, value: T): T[] => Array(count).fill(value)

  test.each([
    {
      what: 'stays so is believed after ten minutes',
      reported: times(12, 10),
      past: [...times(10, true), false, false],
    },
    {
      what: 'continues from there is believed after ten minutes',
      reported: times(12, 10).map((seconds, at) => seconds + at),
      past: [...times(10, true), false, false],
    },
    {
      what: 'goes back further is to stay so for ten minutes from then',
      reported: [...times(9, 10), ...times(3, 5)],
      past: times(12, true),
    },
    {
      what: 'was newer between has to stay older for ten minutes from then',
      reported: [...times(9, 10), 100, ...times(2, 10)],
      past: [...times(9, true), false, true, true],
    },
  ])('and $what', ({ reported, past }) => {
    expect(eachMinute([100, ...reported])).toEqual([false, ...past])
  })

  test('and was believed counts from then on', () => {
    expect(eachMinute([100, ...times(11, 10), 7]).slice(-2)).toEqual([false, true])
  })

  test('is reported with what to do', () => {
    const { newest, isPast } = rows()
    isPast(10)
    expect(newest.whyPast({ ...A, changedAt: at(0) }, newest.moment())?.message).toBe(
      'it says that nova-compute on cmp-1 last changed at 2026-01-01 00:00:00 UTC, but an earlier answer showed a change at 2026-01-01 00:00:10 UTC. Lockkeeper accepts it if Nova repeats it for ten minutes',
    )
  })
})

describe('a row whose time may go back', () => {
  const goingBack = (seconds: number, says = 'enabled') => ({
    ...A,
    changedAt: at(seconds),
    says,
    mayGoBack: true,
  })

  test('is not of the past by its time; a row that may not is, against it as against any', () => {
    const { newest, isPast } = rows()
    isPast(7_200)
    expect(newest.whyPast(goingBack(10), newest.moment())).toBeNull()
    expect(isPast(7_100)).toBe(true)
    newest.whyPast(goingBack(9_000), newest.moment())
    expect(isPast(7_200)).toBe(true)
  })

  test('does not contradict our own change either', () => {
    const { newest } = rows()
    newest.changed({ ...A, changedAt: at(20), says: 'disabled' })
    expect(newest.whyPast(goingBack(10), newest.moment())?.code).toBe('RowNotAsChanged')
    expect(newest.whyPast(goingBack(10, 'disabled'), newest.moment())).toBeNull()
  })
})

describe('a change that a service agreed to', () => {
  const changed = () => {
    const made = rows()
    made.isPast(10, 'enabled')
    made.newest.changed({ ...A, changedAt: at(11), says: 'disabled' })
    return made
  }

  test('is not contradicted by a row that is not newer', () => {
    expect(changed().isPast(11, 'enabled')).toBe(true)
    expect(changed().isPast(10, 'enabled')).toBe(true)
    expect(changed().isPast(11, 'disabled')).toBe(false)
  })

  test('is by a newer one: somebody else changed it since', () => {
    expect(changed().isPast(12, 'enabled')).toBe(false)
  })

  test('does not stand for ever where nothing moves the time of the row', () => {
    const { clock, isPast } = changed()
    clock.ms = 60_000
    expect(isPast(11, 'enabled')).toBe(false)
  })

  test('says nothing of what was asked before it', () => {
    const made = rows()
    const before = made.newest.moment()
    made.newest.changed({ ...A, changedAt: at(1), says: 'disabled' })
    expect(made.isPast(1, 'enabled', before)).toBe(false)
  })
})

/** A cloud that lists the rows given, and a session with it. */
async function listing() {
  const clock = createTestClock()
  const fixture = await openFixtureCloud(clock)
  onTestFinished(() => fixture.close())
  const opened = await openOpenStackSession({ cloud: fixture.cloud, clock, log: createKeptLog(), environment: {} })
  if (!opened.ok) throw new Error(opened.failure.message)
  const session = opened.value
  onTestFinished(() => session.close())
  const reported: { rows: readonly Readonly<Record<string, unknown>>[] } = { rows: [] }
  fixture.on('GET', '/network/v2.0/agents', () => ({ status: 200, body: { agents: reported.rows } }))
  fixture.on('GET', '/compute/v2.1/os-services', () => ({ status: 200, body: { services: reported.rows } }))
  fixture.on('PUT', '/compute/v2.1/os-services/s1', () => ({ status: 200, body: { service: reported.rows[0] } }))
  return { clock, session, reported }
}

const agent = (id: string, seconds: number) => ({
  id,
  agent_type: 'OVN Controller agent',
  binary: 'ovn-controller',
  host: 'cmp-1',
  alive: true,
  admin_state_up: true,
  heartbeat_timestamp: at(seconds),
})

const service = (seconds: number, state = 'up', disabled_reason: string | null = null) => ({
  id: 's1',
  binary: 'nova-compute',
  host: 'cmp-1',
  zone: 'nova',
  status: disabled_reason === null ? 'enabled' : 'disabled',
  state,
  disabled_reason,
  forced_down: false,
  updated_at: at(seconds),
})

test('two agents of one kind on a host, one long dead, are two rows', async () => {
  const { session, reported } = await listing()
  reported.rows = [agent('live', 7_200), agent('dead', 10)]
  for (let times = 0; times < 2; times += 1)
    expect(await listNetworkAgents(session, null)).toMatchObject({ ok: true, value: [{ id: 'live' }, { id: 'dead' }] })
})

test('a list of which all rows went back is believed after ten minutes, not after ten for each', async () => {
  const { clock, session, reported } = await listing()
  const isBelieved = async () => (await listNetworkAgents(session, null)).ok
  reported.rows = [agent('a', 60), agent('b', 60)]
  expect(await isBelieved()).toBe(true)
  reported.rows = [agent('a', 10), agent('b', 10)]
  expect(await isBelieved()).toBe(false)
  clock.advance(599_000)
  expect(await isBelieved()).toBe(false)
  clock.advance(1_000)
  expect(await isBelieved()).toBe(true)
})

test('an answer of the past asks for caches, for replicas and for clocks that are apart', async () => {
  const { session, reported } = await listing()
  reported.rows = [agent('a', 60)]
  await listNetworkAgents(session, null)
  reported.rows = [agent('a', 10)]
  expect(await listNetworkAgents(session, null)).toMatchObject({
    failure: {
      message: expect.stringMatching(
        /repeats it for ten minutes\. Does a cache or a proxy store answers, is a database replica behind, or do the clocks of its API servers differ\?/,
      ),
    },
  })
})

describe('a compute service that went down', () => {
  test('is believed though its time goes back by hours: its heartbeats were in memcache', async () => {
    const { session, reported } = await listing()
    for (const row of [service(7_200), service(10, 'down'), service(7_300)]) {
      reported.rows = [row]
      expect(await listComputeServices(session, null)).toMatchObject({ ok: true, value: [{ state: row.state }] })
    }
  })

  test('is not believed to be as it was before we changed it', async () => {
    const { session, reported } = await listing()
    reported.rows = [service(20, 'up', 'maintenance')]
    await setComputeService(session, 's1', { status: 'disabled', reason: 'maintenance' })
    reported.rows = [service(10, 'down')]
    expect(await listComputeServices(session, null)).toMatchObject({ ok: false })
    reported.rows = [service(10, 'down', 'maintenance')]
    expect(await listComputeServices(session, null)).toMatchObject({ ok: true })
  })
})
