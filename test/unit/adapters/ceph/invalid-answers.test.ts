import { expect, test } from 'vitest'
import { createCephPort } from '../../../../main/adapters/ceph/ceph-port.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import type { CephPort } from '../../../../main/ports/ceph.ts'
import { createCephSimulator } from '../../../../main/wings/simulators/ceph/ceph-simulator.ts'
import type { Lie } from '../../../../main/wings/simulators/lie.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'

const TABLE: Readonly<Record<keyof CephPort, (port: CephPort) => Promise<Result<unknown>>>> = {
  status: port => port.status(),
  osds: port => port.osds(),
  osdsReported: port => port.osdsReported(),
  okToStop: port => port.okToStop([0, 1]),
  setNoout: port => port.setNoout({ kind: 'host', host: 'st-1' }, true),
  services: port => port.services(),
}
const HOSTS = ['st-1', 'st-2', 'st-3']
const LIES: readonly Lie[] = ['html', 'empty', 'null', 'empty-object', 'empty-array', 'cut', 'other-key', 'empty-list']

function lyingCeph() {
  const simulator = createCephSimulator({ clock: systemClock, hosts: HOSTS, osdsPerHost: 2, monHosts: HOSTS })
  const port = createCephPort(async words => {
    const answer = simulator.command(['ceph', ...words, '--format', 'json'])
    return ok(answer === null ? { exitCode: 127, stdout: '', stderr: 'not found' } : await answer)
  })
  return { simulator, port }
}

test('no question to Ceph believes an invalid answer', async () => {
  const { simulator, port } = lyingCeph()
  expect(Object.keys(port).sort()).toEqual(Object.keys(TABLE).sort())
  const believed: string[] = []
  for (const name of Object.keys(TABLE) as (keyof CephPort)[]) {
    for (const lie of LIES) {
      // Ceph agrees to noout without a word on stdout, and has none that could be empty, cut or of others.
      if (name === 'setNoout' && ['empty', 'cut', 'other-key', 'empty-list'].includes(lie)) continue
      // No list here must have an item: an empty quorum and no groups are valid.
      if (['status', 'services', 'osdsReported'].includes(name) && lie === 'empty-list') continue
      const stop = simulator.lieAbout(/./, lie)
      const answer = await TABLE[name](port)
      stop()
      if (answer.ok) believed.push(`${name}: ${lie} gave ${JSON.stringify(answer.value).slice(0, 200)}`)
    }
  }
  expect(believed).toEqual([])
})

test('OSDs are believed only when tree and map list the same ones', async () => {
  for (const command of [/^osd tree/, /^osd dump/]) {
    for (const lie of ['empty-list', 'other-object'] as const) {
      const { simulator, port } = lyingCeph()
      simulator.lieAbout(command, lie)
      expect(await port.osds()).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
    }
  }
})

test('whether OSDs may be stopped is believed only for the requested ones', async () => {
  const { simulator, port } = lyingCeph()
  simulator.lieAbout(/ok-to-stop/, 'other-object')
  expect(await port.okToStop([0, 1])).toMatchObject({ ok: false, failure: { code: 'unreadable' } })
})

test.each([
  { exitCode: 0, stdout: 'key = AQDLdF5mAAAAABAAbnVtYmVyIG9uZSBzZWNyZXQga2V5IQ==', stderr: '' },
  { exitCode: 1, stdout: '', stderr: 'Error EACCES: password=hunter-two' },
])('a failure repeats no secret that came from Ceph', async output => {
  for (const call of Object.values(TABLE)) {
    const reported = JSON.stringify(await call(createCephPort(async () => ok(output))))
    expect(reported).not.toMatch(/hunter-two|AQDLdF5m/)
  }
})

test('the Ceph that tells no lies is believed', async () => {
  const { port } = lyingCeph()
  for (const [name, call] of Object.entries(TABLE))
    expect({ name, ok: (await call(port)).ok }).toEqual({ name, ok: true })
})
