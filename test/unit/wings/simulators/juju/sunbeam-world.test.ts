import { describe, expect, it } from 'vitest'
import { type CephSimulator, createCephSimulator } from '../../../../../main/wings/simulators/ceph/ceph-simulator.ts'
import { createMicroCeph } from '../../../../../main/wings/simulators/ceph/microceph.ts'
import type { ActionEnd, ExecEnd } from '../../../../../main/wings/simulators/juju/juju-world.ts'
import { sunbeamMachines, sunbeamWorld } from '../../../../../main/wings/simulators/juju/sunbeam-world.ts'
import { createVirtualClock } from '../../../../fixtures/virtual-clock.ts'

const HOSTS = ['sun-1', 'sun-2', 'sun-3']

function world() {
  const ceph = createCephSimulator({ clock: createVirtualClock(), hosts: HOSTS, osdsPerHost: 1, monHosts: HOSTS })
  const microceph = createMicroCeph(ceph, HOSTS)
  const machines = sunbeamMachines(HOSTS)
  const ovnChanges: string[] = []
  const juju = sunbeamWorld({
    hosts: HOSTS,
    storageOnly: [],
    machines,
    ceph,
    microceph,
    onOvn: host => ovnChanges.push(host),
  })
  const act = async (hostname: string, action: string, parameters: Readonly<Record<string, unknown>> = {}) => {
    const handler = juju.applications.find(({ name }) => name === 'microceph')?.actions[action]
    if (handler === undefined) throw new Error(`microceph has no action ${action}`)
    const end: ActionEnd = await handler({ unit: 'microceph/0', hostname, action, parameters })
    const steps = Object.values(end.output.actions as Record<string, { readonly id: string; readonly error: string }>)
    return {
      ...end,
      ids: steps.map(({ id }) => id),
      failed: steps.filter(({ error }) => error !== '').map(({ id }) => id),
    }
  }
  const exec = async (hostname: string, command: string): Promise<ExecEnd> =>
    juju.onExec({ unit: 'k8s/0', hostname, command })
  return { ceph, machines, microceph, ovnChanges, act, exec }
}

function hasNoout(ceph: CephSimulator): boolean {
  return ceph.command(['ceph', 'osd', 'dump', '-f', 'json'])?.stdout.includes('noout') === true
}

function isUp(ceph: CephSimulator, host: string): boolean {
  return ceph.osds().every(osd => osd.host !== host || osd.up)
}

const CHECKS = ['check-osd-ok-to-stop-ops', 'check-non-osd-svc-enough-ops']
const NOOUT = ['set-noout-ops', 'assert-noout-flag-set-ops']

describe('the maintenance actions of MicroCeph on the machines of demo-sunbeam', () => {
  it('enter checks, then sets noout for the whole of Ceph, and stops OSDs only on request', async () => {
    const { act, ceph } = world()
    const entered = await act('sun-1', 'enter-maintenance')
    expect(entered).toMatchObject({ status: 'completed', ids: [...CHECKS, ...NOOUT], failed: [] })
    expect(entered.output).toMatchObject({ errors: '', status: 'success' })
    expect([hasNoout(ceph), isUp(ceph, 'sun-1')]).toEqual([true, true])
    expect((await act('sun-1', 'enter-maintenance', { 'stop-osds': true })).ids).toContain('stop-osd-ops')
    expect(isUp(ceph, 'sun-1')).toBe(false)
  })

  it('exit removes noout, even if another node needs it, and starts the OSDs of the node', async () => {
    const { act, ceph } = world()
    await act('sun-1', 'enter-maintenance', { 'stop-osds': true })
    const left = await act('sun-1', 'exit-maintenance')
    expect(left).toMatchObject({
      status: 'completed',
      ids: ['unset-noout-ops', 'assert-noout-flag-unset-ops', 'start-osd-ops'],
    })
    expect([hasNoout(ceph), isUp(ceph, 'sun-1')]).toEqual([false, true])
  })

  it.each([
    ['dry-run', [...CHECKS, ...NOOUT]],
    ['check-only', CHECKS],
  ])('with %s nothing is done', async (choice, ids) => {
    const { act, ceph } = world()
    expect((await act('sun-1', 'enter-maintenance', { [choice]: true })).ids).toEqual(ids)
    expect(hasNoout(ceph)).toBe(false)
  })

  it('refuses when the OSDs cannot be spared; ignore-check skips the check, force continues', async () => {
    const { act, ceph } = world()
    ceph.setOsdUp(1, false)
    const refused = await act('sun-1', 'enter-maintenance')
    expect(refused).toMatchObject({ status: 'failed', ids: CHECKS, failed: ['check-osd-ok-to-stop-ops'] })
    expect(String(refused.output.errors)).toContain('maintenance operations failed')
    expect(hasNoout(ceph)).toBe(false)
    expect(await act('sun-1', 'enter-maintenance', { 'ignore-check': true })).toMatchObject({ ids: NOOUT, failed: [] })
    await act('sun-1', 'exit-maintenance')
    expect((await act('sun-1', 'enter-maintenance', { force: true })).ids).toEqual([...CHECKS, ...NOOUT])
    expect(hasNoout(ceph)).toBe(true)
  })

  it('refuses when too few monitors would be left', async () => {
    const { act, ceph } = world()
    ceph.setMonsUp('sun-3', false)
    expect((await act('sun-1', 'enter-maintenance')).failed).toContain('check-non-osd-svc-enough-ops')
  })

  it('refuses to check only and to ignore checks at once', async () => {
    const both = await world().act('sun-1', 'enter-maintenance', { 'check-only': true, 'ignore-check': true })
    expect(both.output).toMatchObject({ errors: 'check-only and ignore-check cannot be used together' })
    expect(both.status).toBe('failed')
  })
})

describe('commands on the machines of demo-sunbeam', () => {
  it('ceph answers from the same Ceph', async () => {
    const { exec, act } = world()
    await act('sun-2', 'enter-maintenance')
    expect((await exec('sun-1', "sudo microceph.ceph osd dump --format 'json'")).stdout).toContain('noout')
  })

  it('snap tells whether dqlite and the OSDs of the machine run', async () => {
    const { exec, machines, act } = world()
    const stateOf = async (host: string, service: string) =>
      (await exec(host, `snap services ${service}`)).stdout.split('\n')[1]?.split(/\s+/).slice(0, 3)
    expect(await stateOf('sun-1', 'k8s.k8s-dqlite')).toEqual(['k8s.k8s-dqlite', 'enabled', 'active'])
    machines.dqlite.set('sun-1', false)
    expect((await stateOf('sun-1', 'k8s.k8s-dqlite'))?.[2]).toBe('inactive')
    expect((await stateOf('sun-2', 'k8s.k8s-dqlite'))?.[2]).toBe('active')
    await act('sun-1', 'enter-maintenance', { 'stop-osds': true })
    expect(await stateOf('sun-1', 'microceph.osd')).toEqual(['microceph.osd', 'disabled', 'inactive'])
  })

  it('MicroOVN enables what is disabled, once', async () => {
    const { exec, ovnChanges } = world()
    const services = async () =>
      /- sun-2 .*\n {2}Services: (.*)/.exec((await exec('sun-1', 'microovn status')).stdout)?.[1]
    expect(await services()).toBe('central, chassis, switch')
    expect((await exec('sun-2', 'microovn disable chassis')).exitCode).toBe(0)
    expect(await services()).toBe('central, switch')
    expect((await exec('sun-2', 'microovn enable chassis')).exitCode).toBe(0)
    expect((await exec('sun-2', 'microovn enable chassis')).exitCode).toBe(1)
    expect(ovnChanges).toEqual(['sun-2', 'sun-2'])
  })

  it('what is not installed is not found', async () => {
    expect((await world().exec('sun-1', 'kubectl get nodes')).exitCode).toBe(127)
  })
})
