import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createJujuPort } from '../../../../../main/adapters/juju/juju-port.ts'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../../main/platform/log/logger.ts'
import { type DemoClouds, startDemoClouds } from '../../../../../main/wings/simulators/demo-clouds.ts'
import { isAgentAlive, isComputeUp } from '../../../../../main/wings/simulators/openstack/world.ts'
import type { SunbeamCloud } from '../../../../../main/wings/simulators/start-sunbeam.ts'
import { must } from '../../../../../shared/domain/must.ts'
import { ok } from '../../../../../shared/domain/result.ts'

describe('demo-sunbeam, whose parts are one cloud', () => {
  let directory: string
  let demo: DemoClouds
  let juju: ReturnType<typeof createJujuPort>

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-demo-sunbeam-'))
    demo = await startDemoClouds({
      clock: systemClock,
      directory: join(directory, 'clouds'),
      speed: 20,
      sunbeam: { jujuControllerOn: 'sun-3' },
    })
    const { name, address, caCertificate, user, password, model } = sunbeam().juju
    const resolve = async () => ok({ name, endpoints: [address], caCertificate, user, password, model, warnings: [] })
    juju = createJujuPort({ resolve, clock: systemClock, log: silentLogger })
    await becomes(() => podPhase('controller-0'), 'Running')
    await becomes(() => podPhase('mysql-2'), 'Running')
  })

  afterAll(async () => {
    juju?.close()
    await demo?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const sunbeam = (): SunbeamCloud => must(demo.sunbeam, 'the demo has Sunbeam')
  const becomes = (look: () => unknown, wanted: unknown) =>
    vi.waitFor(async () => expect(await look()).toEqual(wanted), { timeout: 20_000, interval: 50 })
  const podPhase = (name: string) => {
    const pod = sunbeam()
      .kubernetes.objects.list('Pod')
      .find(({ metadata }) => metadata.name === name)
    return (pod as { status?: { phase?: string } } | undefined)?.status?.phase
  }
  const osdsUp = () =>
    must(sunbeam().ceph, 'it has Ceph')
      .osds()
      .filter(osd => osd.up)
      .map(osd => osd.host)
  const computesUp = () =>
    sunbeam()
      .openstack.state.services.filter(
        each => each.binary === 'nova-compute' && isComputeUp(sunbeam().openstack.state, each.host),
      )
      .map(each => each.host)
  const agentsAlive = () => [
    ...new Set(
      sunbeam().openstack.state.agents.flatMap(agent =>
        isAgentAlive(sunbeam().openstack.state, agent) ? [agent.host] : [],
      ),
    ),
  ]
  const lostUnits = async () => {
    const status = await juju.port.status()
    return status.ok ? status.value.units.filter(({ agent }) => agent.status === 'lost').map(({ name }) => name) : null
  }
  const runOn = (unit: string, action: string, parameters: Readonly<Record<string, boolean>>) =>
    juju.port.runAction(unit, action, parameters, { timeoutMs: 10_000 })

  it("keeps the files of Juju's client from others", async () => {
    const access = sunbeam().cluster.roleMaintenance.juju
    if (access?.kind !== 'client-files') throw new Error('it has the files of a client')
    for (const file of ['controllers.yaml', 'accounts.yaml', 'models.yaml']) {
      expect((await stat(join(access.directory, file))).mode & 0o777).toBe(0o600)
    }
  })

  it('a lost node loses its nova-compute, OVN, OSD and machine agent, and a returning node gets them back', async () => {
    sunbeam().kubernetes.setNodeReady('sun-1', 'Unknown')
    await becomes(osdsUp, ['sun-2', 'sun-3'])
    await becomes(computesUp, ['sun-2', 'sun-3'])
    await becomes(agentsAlive, ['sun-2', 'sun-3'])
    await becomes(lostUnits, ['k8s/0', 'microceph/0', 'microovn/0', 'openstack-hypervisor/0'])
    sunbeam().kubernetes.setNodeReady('sun-1', true)
    for (const look of [osdsUp, computesUp, agentsAlive]) await becomes(look, ['sun-1', 'sun-2', 'sun-3'])
    await becomes(lostUnits, [])
  })

  it('OSDs that were stopped for a maintenance do not start with their machine', async () => {
    expect(await runOn('microceph/0', 'enter-maintenance', { 'stop-osds': true })).toMatchObject({ ok: true })
    expect(osdsUp()).toEqual(['sun-2', 'sun-3'])
    sunbeam().kubernetes.setNodeReady('sun-1', 'Unknown')
    await becomes(computesUp, ['sun-2', 'sun-3'])
    sunbeam().kubernetes.setNodeReady('sun-1', true)
    await becomes(computesUp, ['sun-1', 'sun-2', 'sun-3'])
    expect(osdsUp()).toEqual(['sun-2', 'sun-3'])
    await runOn('microceph/0', 'exit-maintenance', {})
    expect(osdsUp()).toEqual(['sun-1', 'sun-2', 'sun-3'])
  })

  it("disabling OVN's chassis takes the agents of the machine out of Neutron", async () => {
    const exec = (command: string) => juju.port.exec('microovn/1', command, { timeoutMs: 10_000 })
    await exec('microovn disable chassis')
    expect(agentsAlive()).toEqual(['sun-1', 'sun-3'])
    await exec('microovn enable chassis')
    expect(agentsAlive()).toEqual(['sun-1', 'sun-2', 'sun-3'])
  })

  it('Juju does not answer while the pod of its controller is gone', async () => {
    const { kubernetes } = sunbeam()
    const cordon = (unschedulable: boolean) =>
      kubernetes.objects.change('Node', null, 'sun-3', node => ({ ...node, spec: { unschedulable } }))
    cordon(true)
    const controller = must(
      kubernetes.objects.list('Pod').find(({ metadata }) => metadata.name === 'controller-0'),
      'there is the controller',
    )
    kubernetes.objects.remove('Pod', controller.metadata.namespace ?? null, 'controller-0')
    await becomes(lostUnits, null)
    cordon(false)
    await becomes(lostUnits, [])
  })
})
