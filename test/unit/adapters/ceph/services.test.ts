import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createCephPort } from '../../../../main/adapters/ceph/ceph-port.ts'
import { ok } from '../../../../shared/domain/result.ts'

/** Recorded of Ceph 16.2.15: three monitors, one manager, no file system, all on one machine. */
const recorded = (name: string) => readFile(new URL(`../../../fixtures/ceph/${name}.json`, import.meta.url), 'utf8')
const RECORDED: Readonly<Record<string, string>> = {
  quorum_status: await recorded('quorum-status'),
  'mgr dump': await recorded('mgr-dump'),
  'fs dump': await recorded('fs-dump'),
  'node ls': await recorded('node-ls'),
}

const portOf = (answers: Readonly<Record<string, object>> = {}) =>
  createCephPort(async words => {
    const command = words.join(' ')
    const edit = answers[command]
    return ok({
      exitCode: 0,
      stdout: edit === undefined ? (RECORDED[command] ?? '') : JSON.stringify(edit),
      stderr: '',
    })
  })

test('monitors, the manager, the release and the host of each are read from a real Ceph', async () => {
  expect(await portOf().services()).toEqual({
    ok: true,
    value: {
      release: 16,
      monsTotal: 3,
      filesystems: 0,
      daemons: [
        { kind: 'mon', name: 'a', node: 'vm', active: true },
        { kind: 'mon', name: 'b', node: 'vm', active: true },
        { kind: 'mon', name: 'c', node: 'vm', active: true },
        { kind: 'mgr', name: 'x', node: 'vm', active: true },
      ],
    },
  })
})

test('a monitor out of quorum is not active, standbys are recognized, and a daemon under no host has no node', async () => {
  const services = await portOf({
    quorum_status: { quorum_names: ['a'], monmap: { mons: [{ name: 'a' }, { name: 'b' }] } },
    'mgr dump': { active_name: 'x', standbys: [{ name: 'y' }] },
    'fs dump': {
      filesystems: [{ mdsmap: { info: { gid_1: { name: 'm1', state: 'up:active' } } } }],
      standbys: [{ name: 'm2', state: 'up:standby' }],
    },
    'node ls': { mon: { 'st-1': ['a'], '': ['b'] }, mgr: { 'st-1': ['x'] }, mds: { 'st-2': ['m1', 'm2'] } },
  }).services()
  expect(services).toEqual({
    ok: true,
    value: {
      release: null,
      monsTotal: 2,
      filesystems: 1,
      daemons: [
        { kind: 'mon', name: 'a', node: 'st-1', active: true },
        { kind: 'mon', name: 'b', node: null, active: false },
        { kind: 'mgr', name: 'x', node: 'st-1', active: true },
        { kind: 'mgr', name: 'y', node: null, active: false },
        { kind: 'mds', name: 'm1', node: 'st-2', active: true },
        { kind: 'mds', name: 'm2', node: 'st-2', active: false },
      ],
    },
  })
})

test('one question that is not answered is a failure of the whole', async () => {
  const port = createCephPort(async words =>
    ok({ exitCode: words[0] === 'mgr' ? 1 : 0, stdout: RECORDED[words.join(' ')] ?? '', stderr: 'timed out' }),
  )
  expect(await port.services()).toMatchObject({ ok: false, failure: { code: 'server-fault' } })
})

test('noout is set by host or everywhere; a release without flags by host differs from an unknown host', async () => {
  const asked: string[] = []
  const answers: Readonly<Record<string, string>> = {
    'osd set-group noout old': 'no valid command found; 10 closest matches:\nosd perf\nError EINVAL: invalid command',
    'osd set-group noout nobody': 'Error EINVAL: unable to parse osd id or crush node or device class: "nobody". ',
  }
  const port = createCephPort(async words => {
    const command = words.join(' ')
    asked.push(command)
    const stderr = answers[command] ?? ''
    return ok({ exitCode: stderr === '' ? 0 : 22, stdout: '', stderr })
  })
  expect(await port.setNoout({ kind: 'cluster' }, true)).toMatchObject({ ok: true })
  expect(await port.setNoout({ kind: 'cluster' }, false)).toMatchObject({ ok: true })
  expect(await port.setNoout({ kind: 'host', host: 'st-1' }, false)).toMatchObject({ ok: true })
  expect(asked).toEqual(['osd set noout', 'osd unset noout', 'osd unset-group noout st-1'])
  expect(await port.setNoout({ kind: 'host', host: 'old' }, true)).toMatchObject({ failure: { code: 'bad-input' } })
  expect(await port.setNoout({ kind: 'host', host: 'nobody' }, true)).toMatchObject({
    failure: { code: 'server-fault' },
  })
})

test('OSDs have the host they reported, and only by a Ceph that has a monitor', async () => {
  const reported = await portOf().osdsReported()
  expect(reported).toEqual({ ok: true, value: [0, 1, 2, 3, 4, 5].map(id => ({ id, host: 'vm' })) })
  expect((await portOf({ 'node ls': { mon: { vm: ['a'] } } }).osdsReported()).ok).toBe(true)
  for (const lie of [{}, { mon: {} }, { mon: { vm: [] }, osd: { vm: [0] } }, { mon: { vm: ['a'] }, osd: [] }]) {
    expect((await portOf({ 'node ls': lie }).osdsReported()).ok).toBe(false)
  }
})
