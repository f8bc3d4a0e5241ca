import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createCephPort } from '../../../../main/adapters/ceph/ceph-port.ts'
import { isActiveClean } from '../../../../shared/domain/ceph.ts'
import { ok } from '../../../../shared/domain/result.ts'

/** Recorded of Ceph 16.2.15 with noout set for host osd-1. */
const recorded = (name: string) => readFile(new URL(`../../../fixtures/ceph/${name}.json`, import.meta.url), 'utf8')
const RECORDED = {
  status: await recorded('status'),
  'osd tree': await recorded('osd-tree'),
  'osd dump': await recorded('osd-dump'),
}

type Output = { readonly exitCode?: number; readonly stdout?: string; readonly stderr?: string }

/** A port whose commands answer as given; what is not given answers as recorded. */
function port(answers: Readonly<Record<string, Output>> = {}) {
  const asked: string[] = []
  const ceph = createCephPort(async words => {
    const command = words.join(' ')
    asked.push(command)
    const stdout = RECORDED[command as keyof typeof RECORDED] ?? ''
    return ok({ exitCode: 0, stdout, stderr: '', ...answers[command] })
  })
  return { ceph, asked }
}

const edited = (text: string, edit: (object: Record<string, unknown>) => void) => {
  const object = JSON.parse(text) as Record<string, unknown>
  edit(object)
  return JSON.stringify(object)
}

describe('status of a real cluster', () => {
  test('health, checks, monitors, OSDs, groups and flags are read', async () => {
    const status = await port().ceph.status()
    expect(status).toMatchObject({
      ok: true,
      value: {
        health: 'HEALTH_WARN',
        monsInQuorum: ['a', 'b', 'c'],
        monsTotal: 3,
        osds: { total: 6, up: 6, in: 6 },
        pgs: { total: 33, byState: { 'active+clean': 33 } },
      },
    })
    const value = status.ok ? status.value : null
    expect(value?.checks.map(check => check.code)).toContain('OSD_FLAGS')
    expect(value?.flags).toContain('sortbitwise')
    expect(value && isActiveClean(value)).toBe(true)
  })

  test('releases up to Nautilus, which put the OSD counts one level deeper and list the monitors, are read alike', async () => {
    const old = edited(RECORDED.status, answer => {
      answer.osdmap = { osdmap: answer.osdmap }
      answer.monmap = { epoch: 1, mons: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }
    })
    const flags = edited(RECORDED['osd dump'], answer => {
      delete answer.flags_set
      answer.flags = 'noout,sortbitwise'
    })
    expect(await port({ status: { stdout: old }, 'osd dump': { stdout: flags } }).ceph.status()).toMatchObject({
      ok: true,
      value: { monsTotal: 3, osds: { total: 6 }, flags: ['noout', 'sortbitwise'] },
    })
  })

  test('groups that are scrubbed are clean all the same; ones that are not active are not', () => {
    const of = (byState: Record<string, number>) =>
      isActiveClean({
        health: 'HEALTH_OK',
        checks: [],
        monsInQuorum: [],
        monsTotal: 0,
        osds: { total: 0, up: 0, in: 0 },
        pgs: { total: 10, byState },
        flags: [],
      })
    expect(of({ 'active+clean': 8, 'active+clean+scrubbing+deep': 2 })).toBe(true)
    expect(of({ 'active+clean': 9, 'active+undersized+degraded': 1 })).toBe(false)
    expect(of({ 'active+clean': 9 })).toBe(false)
  })
})

describe('OSDs of a real cluster', () => {
  test('each is on its CRUSH host; noout of one host covers its OSDs and no others', async () => {
    const osds = await port().ceph.osds()
    expect(osds.ok && osds.value).toEqual(
      [0, 1, 2, 3, 4, 5].map(id => ({
        id,
        host: `osd-${Math.floor(id / 2) + 1}`,
        up: true,
        in: true,
        noout: id < 2,
        hostNoout: id < 2,
      })),
    )
  })

  test.each([
    ['the cluster', { flags: 'noout,sortbitwise', crush_node_flags: {} }, [0, 1, 2, 3, 4, 5]],
    ['the root bucket', { crush_node_flags: { default: ['noout'] } }, [0, 1, 2, 3, 4, 5]],
    ['a device class', { crush_node_flags: {}, device_class_flags: { hdd: ['noout'] } }, [0, 1, 2, 3, 4, 5]],
    ['nobody', { crush_node_flags: {} }, []],
  ])('noout of %s is seen', async (_, change, protects) => {
    const stdout = edited(RECORDED['osd dump'], answer => Object.assign(answer, change))
    const osds = await port({ 'osd dump': { stdout } }).ceph.osds()
    expect(osds.ok && osds.value.filter(osd => osd.noout).map(osd => osd.id)).toEqual(protects)
  })
})

describe('ok-to-stop (docs/domain.md C.3)', () => {
  const COMMAND = 'osd ok-to-stop 0 2 4'
  const okToStop = (output: Output) => port({ [COMMAND]: output }).ceph.okToStop([0, 2, 4])

  test('a safe answer is ok', async () => {
    const stdout = '\n{"ok_to_stop":true,"osds":[0,2,4],"num_ok_pgs":33,"num_not_ok_pgs":0}\n'
    expect(await okToStop({ stdout })).toEqual({
      ok: true,
      value: { ok: true, osds: [0, 2, 4], pgsAtRisk: 0, message: 'ok to stop' },
    })
  })

  test('an unsafe answer comes with EBUSY, JSON beside it, and is an answer, not a failure', async () => {
    const stdout =
      '\n{"ok_to_stop":false,"osds":[0,2,4],"num_ok_pgs":11,"num_not_ok_pgs":13,"bad_become_inactive":["2.4","2.5"]}\n'
    const stderr = 'Error EBUSY: unsafe to stop osd(s) at this time (13 PGs are or would become offline)\n'
    expect(await okToStop({ exitCode: 16, stdout, stderr })).toEqual({
      ok: true,
      value: {
        ok: false,
        osds: [0, 2, 4],
        pgsAtRisk: 13,
        message: 'unsafe to stop osd(s) at this time (13 PGs are or would become offline)',
      },
    })
  })

  test('groups nobody knows about make it unsafe', async () => {
    const stdout = '{"ok_to_stop":false,"osds":[0,2,4],"num_ok_pgs":0,"num_not_ok_pgs":0,"unknown_pgs":["1.0","1.1"]}'
    expect(await okToStop({ exitCode: 16, stdout })).toMatchObject({ ok: true, value: { ok: false, pgsAtRisk: 2 } })
  })

  test('old releases answer in text, either way', async () => {
    const safe = 'OSD(s) 0,2,4 are ok to stop without reducing availability or risking data'
    expect(await okToStop({ stderr: safe })).toMatchObject({ ok: true, value: { ok: true } })
    const unsafe = 'Error EBUSY: 5 PGs are already too degraded, would become too degraded or might become unavailable'
    expect(await okToStop({ exitCode: 16, stderr: unsafe })).toMatchObject({
      ok: true,
      value: { ok: false, osds: [0, 2, 4], pgsAtRisk: null },
    })
  })

  test('what is neither is a failure, never a yes', async () => {
    expect(await okToStop({ stdout: '' })).toMatchObject({ ok: false })
    expect(await okToStop({ exitCode: 1, stderr: '[errno 110] RADOS timed out' })).toMatchObject({
      ok: false,
      failure: { code: 'server-fault', retryable: true },
    })
    const says = '{"ok_to_stop":true,"osds":[0,2,4],"num_ok_pgs":1,"num_not_ok_pgs":0}'
    expect(await okToStop({ exitCode: 16, stdout: says })).toMatchObject({ ok: true, value: { ok: false } })
  })

  test('no OSDs need no question', async () => {
    const { ceph, asked } = port()
    expect(await ceph.okToStop([])).toMatchObject({ ok: true, value: { ok: true } })
    expect(asked).toEqual([])
  })
})

test('noout is set and removed for one CRUSH host; a host Ceph does not know fails in its words', async () => {
  const unknown = 'Error EINVAL: unable to parse osd id or crush node or device class: "nobody". '
  const { ceph, asked } = port({ 'osd set-group noout nobody': { exitCode: 22, stderr: unknown } })
  expect(await ceph.setNoout({ kind: 'host', host: 'osd-1' }, true)).toMatchObject({ ok: true })
  expect(await ceph.setNoout({ kind: 'host', host: 'osd-1' }, false)).toMatchObject({ ok: true })
  expect(asked).toEqual(['osd set-group noout osd-1', 'osd unset-group noout osd-1'])
  const refused = await ceph.setNoout({ kind: 'host', host: 'nobody' }, true)
  expect(refused).toMatchObject({ ok: false, failure: { retryable: false } })
  expect(refused.ok ? '' : refused.failure.message).toContain('unable to parse osd id or crush node')
})

test.each(['osds', 'status'] as const)('%s from a map older than one received before is refused', async what => {
  let epoch = 25
  const ceph = createCephPort(async words => {
    const command = words.join(' ') as keyof typeof RECORDED
    const stdout = edited(RECORDED[command], answer => {
      if (command === 'osd dump') answer.epoch = epoch
      if (command === 'status') answer.osdmap = { ...(answer.osdmap as object), epoch }
    })
    return ok({ exitCode: 0, stdout, stderr: '' })
  })
  expect((await ceph.osds()).ok).toBe(true)
  epoch = 24
  expect(await ceph[what]()).toMatchObject({ ok: false, failure: { code: 'unreadable', retryable: true } })
  epoch = 26
  expect((await ceph[what]()).ok).toBe(true)
})
