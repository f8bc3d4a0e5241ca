import { describe, expect, test } from 'vitest'
import { createCephPort } from '../../../../main/adapters/ceph/ceph-port.ts'
import { type CephSimulator, createCephSimulator } from '../../../../main/wings/simulators/ceph/ceph-simulator.ts'
import { type CephDaemon, type CephServices, isActiveClean } from '../../../../shared/domain/ceph.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

function cloud(hosts = 4, osdsPerHost = 3) {
  const clock = createVirtualClock()
  const names = Array.from({ length: hosts }, (_, index) => `osd-${index + 1}`)
  const ceph = createCephSimulator({ clock, hosts: names, osdsPerHost, monHosts: ['ctl-1', 'ctl-2', 'ctl-3'] })
  const port = createCephPort(async words => {
    const answer = ceph.command(['ceph', ...words, '--format', 'json'])
    if (answer === null) throw new Error('no such command')
    return { ok: true, value: answer }
  })
  return { clock, ceph, port }
}

/** Where the services of a kind run, the active ones first. */
const placed = (services: CephServices, kind: CephDaemon['kind']) =>
  services.daemons.filter(each => each.kind === kind).map(each => `${each.node} ${each.active ? 'active' : 'waits'}`)

function must<T>(result: Result<T>): T {
  if (result.ok) return result.value
  throw new Error(result.failure.message)
}

const idsOn = (ceph: CephSimulator, host: string) =>
  ceph
    .osds()
    .filter(osd => osd.host === host)
    .map(osd => osd.id)

function setHostUp(ceph: CephSimulator, host: string, up: boolean) {
  for (const id of idsOn(ceph, host)) ceph.setOsdUp(id, up)
}

describe('the simulated Ceph', () => {
  test('begins whole: every group active+clean, health OK', async () => {
    const { port } = cloud()
    const status = must(await port.status())
    expect(status.health).toBe('HEALTH_OK')
    expect(status.pgs).toEqual({ total: 96, byState: { 'active+clean': 96 } })
    expect(isActiveClean(status)).toBe(true)
  })

  test('lets one host of three replicas stop, and no two, whichever they are', async () => {
    const { ceph, port } = cloud(3)
    for (const host of ['osd-1', 'osd-2', 'osd-3']) {
      expect(must(await port.okToStop(idsOn(ceph, host)))).toMatchObject({ ok: true, pgsAtRisk: 0 })
    }
    const two = must(await port.okToStop([...idsOn(ceph, 'osd-1'), ...idsOn(ceph, 'osd-2')]))
    expect(two).toMatchObject({ ok: false, pgsAtRisk: 96 })
  })

  test('does not let a second host stop while the first is down, and lets it again once the groups are whole', async () => {
    const { ceph, clock, port } = cloud()
    await port.setNoout({ kind: 'host', host: 'osd-1' }, true)
    setHostUp(ceph, 'osd-1', false)
    expect(must(await port.okToStop(idsOn(ceph, 'osd-2'))).ok).toBe(false)
    setHostUp(ceph, 'osd-1', true)
    const catchingUp = must(await port.status())
    expect(isActiveClean(catchingUp)).toBe(false)
    await clock.advance(60_000)
    expect(isActiveClean(must(await port.status()))).toBe(true)
    expect(must(await port.okToStop(idsOn(ceph, 'osd-2'))).ok).toBe(true)
  })

  test('keeps the OSDs of a host under noout in, however long they are down, and nothing is moved', async () => {
    const { ceph, clock, port } = cloud()
    await port.setNoout({ kind: 'host', host: 'osd-1' }, true)
    setHostUp(ceph, 'osd-1', false)
    await clock.advance(3_600_000)
    const osds = must(await port.osds()).filter(osd => osd.host === 'osd-1')
    expect(osds.every(osd => osd.in && !osd.up && osd.noout)).toBe(true)
    expect(Object.keys(must(await port.status()).pgs.byState).sort()).toEqual([
      'active+clean',
      'active+undersized+degraded',
    ])
  })

  test('expels OSDs that are down for ten minutes without noout, and fills their groups onto others until all is clean', async () => {
    const { ceph, clock, port } = cloud()
    setHostUp(ceph, 'osd-1', false)
    await clock.advance(599_000)
    expect(must(await port.status()).osds).toEqual({ total: 12, up: 9, in: 12 })
    await clock.advance(3_000)
    const moving = must(await port.status())
    expect(moving.osds.in).toBe(9)
    expect(Object.keys(moving.pgs.byState).some(state => state.includes('backfilling'))).toBe(true)
    await clock.advance(600_000)
    expect(isActiveClean(must(await port.status()))).toBe(true)
  })

  test('shows what is down as Ceph does: health checks, flags, groups that nobody serves', async () => {
    const { ceph, port } = cloud(3)
    await port.setNoout({ kind: 'host', host: 'osd-1' }, true)
    setHostUp(ceph, 'osd-1', false)
    setHostUp(ceph, 'osd-2', false)
    const status = must(await port.status())
    expect(status.health).toBe('HEALTH_WARN')
    expect(status.checks.map(check => check.code).sort()).toEqual([
      'OSD_DOWN',
      'OSD_FLAGS',
      'OSD_HOST_DOWN',
      'PG_AVAILABILITY',
      'PG_DEGRADED',
    ])
    expect(status.pgs.byState).toEqual({ 'peered+undersized+degraded': 96 })
  })

  test('does not answer without a quorum of its monitors', async () => {
    const { ceph, port } = cloud()
    ceph.setMonsUp('ctl-1', false)
    expect(must(await port.status()).monsInQuorum).toEqual(['b', 'c'])
    ceph.setMonsUp('ctl-2', false)
    expect(await port.status()).toMatchObject({ ok: false, failure: { code: 'server-fault', retryable: true } })
  })

  test('has a manager and a metadata server that work and others that wait; a standby takes over when their node goes away', async () => {
    const clock = createVirtualClock()
    const nodes = ['ctl-1', 'ctl-2', 'ctl-3']
    const ceph = createCephSimulator({
      clock,
      hosts: nodes,
      osdsPerHost: 1,
      monHosts: nodes,
      mdsHosts: nodes,
      release: 19,
    })
    const port = createCephPort(async words => {
      const answer = ceph.command(['ceph', ...words, '--format', 'json'])
      if (answer === null) throw new Error('no such command')
      return { ok: true, value: answer }
    })
    const before = must(await port.services())
    expect(before).toMatchObject({ release: 19, monsTotal: 3, filesystems: 1 })
    for (const kind of ['mgr', 'mds'] as const) {
      expect(placed(before, kind)).toEqual(['ctl-1 active', 'ctl-2 waits', 'ctl-3 waits'])
    }
    ceph.setMonsUp('ctl-1', false)
    const after = must(await port.services())
    expect(placed(after, 'mon')).toEqual(['ctl-1 waits', 'ctl-2 active', 'ctl-3 active'])
    expect(placed(after, 'mgr')).toEqual(['ctl-2 active', 'ctl-3 waits'])
  })

  test('knows no host that is not there', async () => {
    const { port } = cloud()
    expect(await port.setNoout({ kind: 'host', host: 'nobody' }, true)).toMatchObject({
      ok: false,
      failure: { retryable: false },
    })
  })

  test('answers people in text, and in JSON where a request asks for JSON', () => {
    const { ceph } = cloud(3)
    setHostUp(ceph, 'osd-2', false)
    const said = (words: string) => ceph.command(['ceph', ...words.split(' ')])?.stdout ?? ''
    expect(said('-s')).toMatch(
      /health: HEALTH_WARN[\s\S]*3 osds down[\s\S]*mgr: \S+\(active\), standbys: \S+[\s\S]*osd: 9 osds: 6 up, 9 in[\s\S]*96 active\+undersized/,
    )
    expect(said('osd tree')).toMatch(/host osd-2\n +3 ssd +osd\.3 +down +1\.00000/)
    expect(said('health')).toMatch(/^HEALTH_WARN\n/)
    for (const words of ['-s -f json', 'status --format=json', 'osd tree --format json', 'health -f json-pretty']) {
      expect(() => JSON.parse(said(words))).not.toThrow()
    }
    expect(ceph.command(['rados', 'df'])).toBeNull()
  })
})
