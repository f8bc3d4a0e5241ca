import { describe, expect, test } from 'vitest'
import { createCephPort } from '../../../../main/adapters/ceph/ceph-port.ts'
import { cephController } from '../../../../main/lcm/controllers/ceph.ts'
import { createCephSimulator } from '../../../../main/wings/simulators/ceph/ceph-simulator.ts'
import { type CephStatus, isActiveClean } from '../../../../shared/domain/ceph.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { MaintenanceApiSettings } from '../../../../shared/domain/maintenance-api.ts'
import { must } from '../../../../shared/domain/must.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fakeMaintenance } from '../../../fixtures/procedures/fake-controllers.ts'
import { COMPUTE, fakeNode } from '../../../fixtures/procedures/fake-world.ts'
import { seededRandom } from '../../../fixtures/seeded-random.ts'

const HOSTS = ['osd-1', 'osd-2', 'osd-3', 'osd-4']

function storage(settings: Partial<MaintenanceApiSettings> = {}, nodeNames: readonly string[] = HOSTS) {
  const fake = fakeMaintenance(
    { nodes: [...nodeNames, 'cmp-1'].map(name => fakeNode(name, { labels: COMPUTE })) },
    settings,
  )
  const simulator = createCephSimulator({
    clock: fake.clock,
    hosts: HOSTS,
    osdsPerHost: 2,
    monHosts: ['ctl-1', 'ctl-2', 'ctl-3'],
  })
  const asked: string[] = []
  let answers = true
  const ceph = createCephPort(async words => {
    if (!answers) return failed(failure('unreachable', 'The toolbox is missing.'))
    if (/set-group/.test(words.join(' '))) asked.push(words.join(' '))
    const answer = simulator.command(['ceph', ...words, '--format', 'json'])
    return { ok: true, value: must(answer, 'the simulator knows ceph') }
  })
  Object.assign(fake.world, { ceph })
  const setHostUp = (host: string, up: boolean) => {
    for (const osd of simulator.osds()) if (osd.host === host) simulator.setOsdUp(osd.id, up)
  }
  return {
    fake,
    ceph,
    asked,
    simulator,
    setHostUp,
    setAnswers: (on: boolean) => {
      answers = on
    },
    noout: async (host: string) => {
      const osds = await ceph.osds()
      return osds.ok && osds.value.filter(osd => osd.host === host).every(osd => osd.noout)
    },
    start: async () => {
      const stop = fake.start([cephController(fake.world.cluster, fake.clock)])
      await fake.clock.advance(5_000)
      return stop
    },
  }
}

describe('the Ceph controller', () => {
  test('docs/domain.md A.10: storage nodes are those with OSDs, by CRUSH host or the first label of the name; others have no lock', async () => {
    const { fake, start } = storage({}, ['osd-1', 'osd-2', 'osd-3.kaas.local', 'osd-4'])
    const stop = await start()
    expect(fake.objects.nodeLocks.map(lock => [lock.name, lock.state])).toEqual([
      ['ceph-osd-1', 'active'],
      ['ceph-osd-2', 'active'],
      ['ceph-osd-3.kaas.local', 'active'],
      ['ceph-osd-4', 'active'],
    ])
    await stop()
  })

  test('docs/domain.md C.3: a node is released with noout set for its host, and only for its host', async () => {
    const { fake, start, noout } = storage()
    const stop = await start()
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    expect(fake.lock('osd-1').state).toBe('inactive')
    expect([await noout('osd-1'), await noout('osd-2')]).toEqual([true, false])
    await stop()
  })

  test('docs/domain.md C.3: ok-to-stop of all its OSDs decides; while groups would go offline the lock says why', async () => {
    const { fake, start, setHostUp, simulator } = storage()
    const stop = await start()
    setHostUp('osd-2', false)
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    expect(fake.lock('osd-1')).toMatchObject({ state: 'active' })
    expect(fake.lock('osd-1').errorMessage).toContain('placement groups are not active+clean')
    setHostUp('osd-2', true)
    await fake.clock.advance(60_000)
    expect(fake.lock('osd-1').state).toBe('inactive')
    expect(simulator.osds().every(osd => osd.up)).toBe(true)
    await stop()
  })

  test('docs/domain.md E 14: one failure domain at a time, and the next only when Ceph is active+clean again', async () => {
    const { fake, start, setHostUp, ceph } = storage()
    const stop = await start()
    const wholeAtRelease: Promise<boolean>[] = []
    fake.onInactive = () => {
      wholeAtRelease.push(ceph.status().then(status => status.ok && isActiveClean(status.value)))
    }
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    fake.request('osd-2')
    await fake.clock.advance(10_000)
    expect([fake.lock('osd-1').state, fake.lock('osd-2').state]).toEqual(['inactive', 'active'])
    expect(fake.lock('osd-2').errorMessage).toContain('Deferring processing for node osd-2')
    setHostUp('osd-1', false)
    await fake.clock.advance(60_000)
    setHostUp('osd-1', true)
    fake.remove('nmr-osd-1')
    await fake.clock.advance(1_000)
    expect(fake.lock('osd-1').state).toBe('inactive')
    await fake.clock.advance(60_000)
    expect([fake.lock('osd-1').state, fake.lock('osd-2').state]).toEqual(['active', 'inactive'])
    expect(await Promise.all(wholeAtRelease)).toEqual([true, true])
    await stop()
  })

  test('a list that has lost the OSDs of a node does not release it: they reported to run there', async () => {
    const { fake, ceph, start, noout } = storage()
    const stop = await start()
    const whole = ceph.osds
    Object.assign(ceph, {
      osds: async () => {
        const read = await whole()
        return read.ok ? ok(read.value.filter(({ host }) => host !== 'osd-1')) : read
      },
    })
    fake.request('osd-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('osd-1')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining('1 reported from there'),
    })
    Object.assign(ceph, { osds: whole })
    await fake.clock.advance(120_000)
    expect(fake.lock('osd-1').state).toBe('inactive')
    expect(await noout('osd-1')).toBe(true)
    await stop()
  })

  /** Ceph's map without the OSDs of a host, as it shows it where that host has another name there. */
  function hide(ceph: ReturnType<typeof createCephPort>, host: string): () => void {
    const whole = ceph.osds
    Object.assign(ceph, {
      osds: async (signal?: AbortSignal) => {
        const read = await whole(signal)
        return read.ok ? ok(read.value.map(osd => (osd.host === host ? { ...osd, host: 'rack-7' } : osd))) : read
      },
    })
    return () => {
      Object.assign(ceph, { osds: whole })
    }
  }

  test('a node whose OSDs the CRUSH map shows under another host gets a lock, which says so when the node is requested', async () => {
    const { fake, ceph, start } = storage()
    hide(ceph, 'osd-1')
    const stop = await start()
    expect(fake.objects.nodeLocks.map(({ name }) => name)).toContain('ceph-osd-1')
    fake.request('osd-1')
    await fake.clock.advance(5_000)
    expect(fake.lock('osd-1')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining('1 reported from there'),
    })
    await stop()
  })

  test('while Ceph is silent no node counts as without OSDs: a requested one gets a lock and waits', async () => {
    const { fake, setAnswers, start } = storage()
    setAnswers(false)
    const stop = await start()
    expect(fake.objects.nodeLocks).toEqual([])
    fake.request('osd-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('osd-1')).toMatchObject({
      state: 'active',
      errorMessage: expect.stringContaining('The toolbox is missing.'),
    })
    setAnswers(true)
    await fake.clock.advance(60_000)
    expect(fake.lock('osd-1').state).toBe('inactive')
    await stop()
  })

  test('while only where the OSDs reported to run cannot be read, nodes that the CRUSH map shows get their locks', async () => {
    const { fake, ceph, start } = storage()
    Object.assign(ceph, { osdsReported: async () => failed(failure('timed-out', 'No answer.')) })
    const stop = await start()
    expect(fake.objects.nodeLocks.map(({ name }) => name)).toContain('ceph-osd-1')
    await stop()
  })

  test('a node that proves to have no OSDs is back while Ceph is not whole', async () => {
    const { fake, setAnswers, setHostUp, start } = storage()
    setAnswers(false)
    const stop = await start()
    fake.request('cmp-1')
    await fake.clock.advance(10_000)
    setAnswers(true)
    await fake.clock.advance(60_000)
    expect(fake.lock('cmp-1').state).toBe('inactive')
    setHostUp('osd-1', false)
    fake.remove('nmr-cmp-1')
    await fake.clock.advance(30_000)
    expect(fake.objects.nodeRequests).toEqual([])
    expect(fake.writes.slice(-2)).toEqual(['nmr-cmp-1 -finalizer', 'delete ceph-cmp-1'])
    await stop()
  })

  describe('a lock that was made while nobody could tell whether the node has OSDs', () => {
    /** A lock of cmp-1, which has no OSDs, made while Ceph was silent; then nobody asks any more. */
    async function inDoubt() {
      const made = storage()
      made.setAnswers(false)
      const stop = await made.start()
      made.fake.request('cmp-1')
      await made.fake.clock.advance(10_000)
      made.fake.remove('nmr-cmp-1')
      await made.fake.clock.advance(10_000)
      expect(made.fake.lock('cmp-1').state).toBe('active')
      return { ...made, stop }
    }
    const names = ({ fake }: ReturnType<typeof storage>) => fake.objects.nodeLocks.map(({ name }) => name)

    test('stays while Ceph is silent, and goes once the node is proved to have none; locks of nodes with OSDs stay', async () => {
      const { stop, ...made } = await inDoubt()
      expect(names(made)).toEqual(['ceph-cmp-1'])
      made.setAnswers(true)
      await made.fake.clock.advance(120_000)
      expect(names(made)).toEqual(HOSTS.map(host => `ceph-${host}`))
      await stop()
    })

    test('stays when Lockkeeper did not make it', async () => {
      const { stop, ...made } = await inDoubt()
      made.fake.objects = {
        ...made.fake.objects,
        nodeLocks: made.fake.objects.nodeLocks.map(lock => ({ ...lock, annotations: {} })),
      }
      made.setAnswers(true)
      made.fake.changed()
      await made.fake.clock.advance(120_000)
      expect(names(made)).toContain('ceph-cmp-1')
      await stop()
    })

    test('stays while somebody asks for the node', async () => {
      const { stop, ...made } = await inDoubt()
      made.fake.request('cmp-1')
      made.setAnswers(true)
      await made.fake.clock.advance(120_000)
      expect(made.fake.lock('cmp-1').state).toBe('inactive')
      await stop()
    })

    test('stays if another request does not prove it', async () => {
      const { stop, ...made } = await inDoubt()
      await stop()
      made.setAnswers(true)
      const { fake } = made
      let asked = 0
      const controller = {
        ...cephController(fake.world.cluster, fake.clock),
        provesAbsent: async () => {
          asked += 1
          return false
        },
      }
      const stopAgain = fake.start([controller])
      await fake.clock.advance(120_000)
      expect(asked).toBeGreaterThan(0)
      expect(names(made)).toContain('ceph-cmp-1')
      await stopAgain()
    })

    test("is proved unnecessary only if both of Ceph's current answers say so", async () => {
      const { fake, ceph, setAnswers } = storage()
      const controller = cephController(fake.world.cluster, fake.clock)
      const proves = async (name: string) =>
        await controller.provesAbsent?.({
          node: fakeNode(name),
          world: fake.world,
          snapshot: () => ({ objects: fake.objects, nodes: [] }),
          signal: new AbortController().signal,
        })
      expect([await proves('cmp-1'), await proves('osd-1')]).toEqual([true, false])
      const show = hide(ceph, 'osd-1')
      expect(await proves('osd-1')).toBe(false)
      show()
      setAnswers(false)
      expect(await proves('cmp-1')).toBe(false)
    })
  })

  test('an answer of Ceph older than a minute proves of no node that it has no OSDs', async () => {
    const { fake, setAnswers, start } = storage()
    const stop = await start()
    setAnswers(false)
    await fake.clock.advance(120_000)
    fake.request('cmp-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('cmp-1').state).toBe('active')
    setAnswers(true)
    await fake.clock.advance(60_000)
    expect(fake.lock('cmp-1').state).toBe('inactive')
    await stop()
  })

  test('OSDs that the list loses after noout was set are not taken for protected', async () => {
    const { fake, ceph, start, asked } = storage()
    const stop = await start()
    const { setNoout, osds } = ceph
    Object.assign(ceph, {
      setNoout: async (...args: Parameters<typeof setNoout>) => {
        const others = async () => {
          const read = await osds()
          return read.ok ? ok(read.value.filter(({ host }) => host !== 'osd-1')) : read
        }
        Object.assign(ceph, { osds: others })
        return setNoout(...args)
      },
    })
    let released = false
    fake.onInactive = () => {
      released = true
    }
    fake.request('osd-1')
    await fake.clock.advance(10_000)
    expect([asked.length, released, fake.lock('osd-1').state]).toEqual([1, false, 'active'])
    await stop()
  })

  test('that noout cannot be kept for a node that is down is reported on its lock, until it can', async () => {
    const { fake, start, setHostUp, noout, ceph } = storage()
    const stop = await start()
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    setHostUp('osd-1', false)
    const show = hide(ceph, 'osd-1')
    await fake.clock.advance(20_000)
    expect(fake.lock('osd-1').errorMessage).toContain('noout could not be set for its OSDs:')
    expect(fake.lock('osd-1').state).toBe('inactive')
    show()
    await fake.clock.advance(20_000)
    expect(fake.lock('osd-1')).toMatchObject({ state: 'inactive', errorMessage: '' })
    expect(await noout('osd-1')).toBe(true)
    await stop()
  })

  test('that noout cannot be kept takes no words from the way back', async () => {
    const { fake, start, setHostUp, ceph } = storage()
    const stop = await start()
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    setHostUp('osd-1', false)
    hide(ceph, 'osd-1')
    await fake.clock.advance(20_000)
    expect(fake.lock('osd-1').errorMessage).toContain('noout could not be set for its OSDs:')
    fake.remove('nmr-osd-1')
    await fake.clock.advance(60_000)
    expect(fake.lock('osd-1')).toMatchObject({ state: 'inactive' })
    expect(fake.lock('osd-1').errorMessage).toContain("Ceph's CRUSH map has no OSD on host osd-1")
    await stop()
  })

  test('the way back: OSDs up, noout off, active+clean, and only then active', async () => {
    const { fake, start, setHostUp, noout } = storage()
    const stop = await start()
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    setHostUp('osd-1', false)
    await fake.clock.advance(1_000)
    fake.remove('nmr-osd-1')
    await fake.clock.advance(30_000)
    expect(fake.lock('osd-1')).toMatchObject({ state: 'inactive' })
    expect(fake.lock('osd-1').errorMessage).toContain('Waiting for OSDs 0, 1 of osd-1 to be up')
    expect(await noout('osd-1')).toBe(true)
    setHostUp('osd-1', true)
    await fake.clock.advance(2_500)
    expect(await noout('osd-1')).toBe(false)
    expect(fake.lock('osd-1').errorMessage).toContain(
      'Waiting for Ceph to recover: 51 of 96 placement groups are not active+clean (51 active+degraded+recovery_wait)',
    )
    await fake.clock.advance(60_000)
    expect(fake.lock('osd-1')).toMatchObject({ state: 'active', errorMessage: '' })
    expect(Object.keys(fake.lock('osd-1').annotations)).not.toContain('lockkeeper.dev/osds')
    await stop()
  })

  test('an OSD that was dead before need not come back; one that ran has to, also when Ceph expelled it meanwhile', async () => {
    const { fake, start, setHostUp, simulator } = storage()
    const stop = await start()
    simulator.setOsdUp(0, false)
    await fake.clock.advance(1_800_000)
    fake.request('osd-1')
    await fake.clock.advance(5_000)
    expect(fake.lock('osd-1').state).toBe('inactive')
    setHostUp('osd-1', false)
    await fake.clock.advance(1_000)
    fake.remove('nmr-osd-1')
    await fake.clock.advance(10_000)
    expect(fake.lock('osd-1').errorMessage).toContain('Waiting for OSDs 1 of osd-1 to be up')
    simulator.setOsdUp(1, true)
    await fake.clock.advance(120_000)
    expect(fake.lock('osd-1').state).toBe('active')
    await stop()
  })

  test('docs/domain.md C.3: noout that Rook takes away after 30 minutes is set again while the node is down', async () => {
    const { fake, start, setHostUp, noout, ceph } = storage()
    const stop = await start()
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    setHostUp('osd-1', false)
    await ceph.setNoout({ kind: 'host', host: 'osd-1' }, false)
    await fake.clock.advance(20_000)
    expect(await noout('osd-1')).toBe(true)
    await stop()
  })

  test('killed with the node down and started again: the node is still held, and its OSDs are still waited for', async () => {
    const { fake, start, setHostUp, setAnswers } = storage()
    const first = await start()
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    await first()
    setHostUp('osd-1', false)
    setAnswers(false)
    const second = await start()
    fake.remove('nmr-osd-1')
    await fake.clock.advance(30_000)
    expect(fake.lock('osd-1')).toMatchObject({ state: 'inactive' })
    expect(fake.lock('osd-1').errorMessage).toContain('The toolbox is missing.')
    setAnswers(true)
    await fake.clock.advance(5_000)
    expect(fake.lock('osd-1').errorMessage).toContain('Waiting for OSDs 0, 1')
    setHostUp('osd-1', true)
    await fake.clock.advance(60_000)
    expect(fake.lock('osd-1').state).toBe('active')
    await second()
  })

  test('a quorum that one more monitor would break holds every node', async () => {
    const { fake, start, simulator } = storage()
    const stop = await start()
    simulator.setMonsUp('ctl-1', false)
    fake.request('osd-1')
    await fake.clock.advance(3_000)
    expect(fake.lock('osd-1')).toMatchObject({ state: 'active' })
    expect(fake.lock('osd-1').errorMessage).toContain('2 of 3 Ceph monitors are in quorum')
    await stop()
  })

  test('seed 003, phase 2: the cluster lock of Ceph waits for that of OpenStack', async () => {
    const { fake, start } = storage({
      controllers: { openstack: 'cluster', ceph: 'console', tungstenfabric: 'none', stacklight: 'none' },
    })
    const stop = await start()
    fake.clusterRequest('update')
    await fake.clock.advance(3_000)
    const own = () => fake.objects.clusterLocks.find(lock => lock.controller === 'ceph')
    expect(own()).toMatchObject({ state: 'active' })
    expect(own()?.errorMessage).toContain('Waiting for the ClusterWorkloadLock of openstack to be inactive')
    const made = await fake.world.locks.createClusterLock({
      name: 'openstack-test',
      controller: 'openstack',
      annotations: {},
    })
    const { name, uid } = must(made.ok ? made.value : null, 'the lock of openstack')
    await fake.clock.advance(3_000)
    expect(own()).toMatchObject({ state: 'active' })
    await fake.world.locks.setLockStatus({ kind: 'ClusterWorkloadLock', name, uid }, { state: 'inactive' })
    await fake.clock.advance(3_000)
    expect(own()).toMatchObject({ state: 'inactive', errorMessage: '' })
    await stop()
  })

  test('nothing is set on Ceph and no lock written while nothing is requested', async () => {
    const { fake, start, asked } = storage()
    const stop = await start()
    const before = fake.writes.length
    await fake.clock.advance(600_000)
    expect(asked).toEqual([])
    expect(fake.writes).toHaveLength(before)
    await stop()
  })

  test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
    'whatever the order of events (%i): one host at most is released, only while Ceph is whole, and data is never unavailable',
    async seed => {
      const { fake, start, setHostUp, ceph } = storage()
      const random = seededRandom(seed)
      let stop = await start()
      const statuses: Promise<Result<CephStatus>>[] = []
      fake.onInactive = () => {
        statuses.push(ceph.status())
      }
      const inactive = () => fake.objects.nodeLocks.filter(lock => lock.state === 'inactive').map(lock => lock.nodeName)
      for (let event = 0; event < 40; event += 1) {
        const host = HOSTS[Math.floor(random() * HOSTS.length)] ?? ''
        const requested = fake.objects.nodeRequests.some(request => request.nodeName === host)
        switch (Math.floor(random() * 5)) {
          case 0:
            if (!requested) fake.request(host, { scope: random() < 0.5 ? 'os' : 'drain' })
            break
          case 1:
            fake.remove(`nmr-${host}`)
            break
          case 2:
            // The work: only what was released is stopped.
            if (inactive().includes(host)) setHostUp(host, false)
            break
          case 3:
            setHostUp(host, true)
            break
          default:
            await stop()
            stop = await start()
        }
        await fake.clock.advance(Math.floor(random() * 20_000))
        expect(inactive().length).toBeLessThanOrEqual(1)
        const unavailable = await ceph.status()
        expect(unavailable.ok && Object.keys(unavailable.value.pgs.byState).every(state => /^active/.test(state))).toBe(
          true,
        )
      }
      for (const status of await Promise.all(statuses)) expect(status.ok && isActiveClean(status.value)).toBe(true)
      // What everybody gave back comes to rest.
      for (const host of HOSTS) {
        setHostUp(host, true)
        fake.remove(`nmr-${host}`)
      }
      await fake.clock.advance(300_000)
      expect(fake.objects.nodeLocks.map(lock => lock.state)).toEqual(HOSTS.map(() => 'active'))
      expect(fake.objects.nodeRequests).toEqual([])
      const osds = await ceph.osds()
      expect(osds.ok && osds.value.filter(osd => osd.noout)).toEqual([])
      await stop()
    },
  )
})
