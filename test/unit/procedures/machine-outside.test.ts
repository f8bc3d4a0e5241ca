import { describe, expect, it } from 'vitest'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { completeOptions, makePlan } from '../../../main/procedures/plans/node/make-plan.ts'
import { machineFound, machineInput } from '../../../main/procedures/steps/general/machine-found.ts'
import { readMachine } from '../../../main/procedures/steps/general/machine-outside.ts'
import { failure } from '../../../shared/domain/failure.ts'
import type { JujuUnit } from '../../../shared/domain/juju.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import type { NodeRole } from '../../../shared/domain/roles.ts'
import { fakeJuju } from '../../fixtures/procedures/fake-juju.ts'
import { fakeCluster, fakeContext, fakeNode, fakeService, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

/** A Sunbeam cloud in which cmp-9 computes outside of Kubernetes. */
function sunbeam(more: { nodes?: readonly string[]; silent?: true; flavour?: 'plain' } = {}) {
  const world = fakeWorld({
    nodes: (more.nodes ?? ['sun-1']).map(name => fakeNode(name)),
    services: [fakeService('sun-1'), fakeService('cmp-9')],
  })
  const { openstack } = world.port
  const port: MaintenanceWorld = {
    ...world.port,
    cluster: fakeCluster({ flavour: more.flavour ?? 'sunbeam' }),
    openstack:
      openstack === null || more.silent === undefined
        ? openstack
        : { ...openstack, computeServices: async () => failed(failure('unreachable', 'Nova is silent.')) },
  }
  return Object.assign(world, { port })
}

const checked = async (world: ReturnType<typeof sunbeam>) => machineFound.check?.({ node: 'cmp-9' }, fakeContext(world))

describe('a machine outside of Kubernetes', () => {
  it('is read by what Nova has of it, on Sunbeam alone, and only where Kubernetes says that it has none', async () => {
    expect(await readMachine('cmp-9', sunbeam().port)).toMatchObject({ ok: true, value: { name: 'cmp-9', labels: {} } })
    expect(await readMachine('cmp-9', sunbeam({ flavour: 'plain' }).port)).toMatchObject({ ok: false })
    expect(await readMachine('cmp-8', sunbeam().port)).toMatchObject({ ok: false, failure: { code: 'not-found' } })
    expect(await readMachine('cmp-9', sunbeam({ silent: true }).port)).toMatchObject({
      failure: { code: 'unreachable' },
    })
    const { port } = sunbeam()
    const torn = { ...port.kubernetes, getNode: async () => failed(failure('unreadable', 'A login page.')) }
    expect(await readMachine('cmp-9', { ...port, kubernetes: torn })).toMatchObject({ failure: { code: 'unreadable' } })
  })

  it.each([
    ['Nova alone knows it', {}, 'ready'],
    ['it is a node by now', { nodes: ['sun-1', 'cmp-9'] }, 'MachineIsNode'],
    ['Nova is silent', { silent: true }, 'NotRead'],
  ] as const)('%s: %s', async (_, more, says) => {
    const answer = await checked(sunbeam(more))
    expect(answer?.kind === 'blocked' ? answer.blockers.map(({ code }) => code) : [answer?.kind]).toEqual([says])
  })

  it('is not one where its nova-compute belongs to a node with another name in Kubernetes', async () => {
    const world = sunbeam()
    const node = { ...fakeNode('rack-2-unit-7'), labels: { 'kubernetes.io/hostname': 'cmp-9' } }
    for (const named of [fakeNode('cmp-9.maas'), node]) {
      const kubernetes = { ...world.port.kubernetes, listNodes: async () => ok([fakeNode('sun-1'), named]) }
      const answer = await checked(Object.assign(sunbeam(), { port: { ...world.port, kubernetes } }))
      expect(answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'MachineIsNode' }] })
      expect(JSON.stringify(answer)).toContain(`Make the plan for ${named.name}`)
    }
  })

  it('is not one where pods run, although no list of nodes has it', async () => {
    const world = sunbeam()
    const listing = (pods: unknown) => ({ ...world.port.kubernetes, listPodsOnNode: async () => pods as never })
    const over = (pods: unknown) =>
      checked(Object.assign(sunbeam(), { port: { ...world.port, kubernetes: listing(pods) } }))
    expect(await over(ok([{ name: 'mysql-0' }]))).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'MachineRunsPods' }],
    })
    expect(await over(failed(failure('unreachable', 'Silent.')))).toMatchObject({ blockers: [{ code: 'NotRead' }] })
  })

  it('is refused where Ceph has a disk on it: nothing would keep noout for it', async () => {
    const world = sunbeam()
    const osd = { id: 7, host: 'cmp-9', up: true, in: true, noout: false, hostNoout: false }
    const ceph = { ...world.port.ceph, osds: async () => ok([osd as never]) }
    const answer = await checked(Object.assign(world, { port: { ...world.port, ceph } }))
    expect(answer).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'OsdsWithoutUnit', override: { kind: 'never' } }],
    })
  })

  describe('that stores', () => {
    const unitOf = (application: string, hostname: string): JujuUnit => ({
      name: `${application}/3`,
      application,
      machine: '3',
      hostname,
      workload: { status: 'active', message: '' },
      agent: { status: 'idle', message: '' },
      isLeader: false,
    })
    /** st-9 stores; where cmp-9 is asked about it computes and stores. */
    const storing = (
      more: {
        units?: readonly JujuUnit[]
        host?: string
        nodes?: readonly string[]
        down?: true
        services?: readonly string[]
      } = {},
    ) => {
      const { units = [unitOf('microceph', 'st-9')], host = 'st-9', nodes = ['sun-1'], down, services = [] } = more
      const world = sunbeam({ nodes })
      world.services = ['sun-1', ...services].map(name => fakeService(name))
      const osd = { id: 7, host, up: true, in: true, noout: false, hostNoout: false }
      const juju = fakeJuju({
        units: [...units],
        down: down === undefined ? null : failure('unreachable', 'Juju is silent.'),
      })
      const ceph = { ...world.port.ceph, osds: async () => ok([osd as never]) }
      return Object.assign(world, { port: { ...world.port, juju: juju.port, ceph } })
    }
    const found = async (
      world: ReturnType<typeof sunbeam>,
      name = 'st-9',
      roles: readonly NodeRole[] = ['storage'],
    ) => {
      const answer = await machineFound.check?.(machineInput({ name, roles }), fakeContext(world))
      return answer?.kind === 'blocked' ? answer.blockers.map(({ code }) => code) : [answer?.kind]
    }
    const planned = async (world: ReturnType<typeof sunbeam>, kind: 'enter' | 'leave', node = 'st-9') => {
      const options = completeOptions({ strategy: 'nova' }, world.port.cluster)
      const made = await makePlan({ id: 'p', kind, node, madeAt: '2026-01-01T00:00:00Z', options }, world.port)
      return made.ok ? made.value.steps.map(step => step.kind) : made.failure.code
    }

    it('has the checks and steps of storage, and nothing to cordon, to drain or to empty', async () => {
      const world = storing()
      const general = ['machine-found', 'permissions-suffice', 'no-other-run']
      const checks = ['osds-ok-to-stop', 'ceph-services-enough', 'ceph-healthy']
      expect(await planned(world, 'enter')).toEqual([...general, ...checks, 'set-noout', 'node-emptied'])
      expect(await planned(world, 'leave')).toEqual([
        ...general,
        'start-osds',
        'unset-noout',
        'ceph-clean',
        'node-serves',
      ])
      expect(await found(world)).toEqual(['ready'])
      expect(await readMachine('st-9', world.port)).toMatchObject({ ok: true, value: { name: 'st-9' } })
    })

    it('and computes too has both, under the one name', async () => {
      const world = storing({ units: [unitOf('microceph', 'cmp-9')], host: 'cmp-9', services: ['cmp-9'] })
      const steps = await planned(world, 'enter', 'cmp-9')
      expect(steps).toEqual(
        expect.arrayContaining(['machine-found', 'disable-compute', 'osds-ok-to-stop', 'set-noout']),
      )
      expect(steps).not.toContain('drain-node')
      expect(await planned(world, 'leave', 'cmp-9')).toEqual(expect.arrayContaining(['enable-compute', 'unset-noout']))
      expect(await found(world, 'cmp-9', ['compute', 'storage'])).toEqual(['ready'])
      expect(await found(world, 'cmp-9', ['compute'])).toEqual(['OsdsUnplanned'])
      expect(await found(world, 'cmp-9', ['storage'])).toEqual(['ComputeNotPlanned'])
    })

    it.each([
      ['it is a node by now', { nodes: ['sun-1', 'st-9'] }, 'MachineIsNode'],
      ['Juju has k8s on it', { units: [unitOf('microceph', 'st-9'), unitOf('k8s', 'st-9')] }, 'MachineRunsKubernetes'],
      ['Nova computes on it by now', { services: ['st-9'] }, 'ComputeNotPlanned'],
      ['Nova computes on it under another name', { services: ['st-9.maas'] }, 'ComputeNotPlanned'],
      [
        'Juju says that it computes, and Nova does not',
        { units: [unitOf('microceph', 'st-9'), unitOf('openstack-hypervisor', 'st-9')] },
        'HypervisorNotInNova',
      ],
      ['its microceph unit is gone', { units: [] }, 'OsdsWithoutUnit'],
      ['Juju names it differently', { units: [unitOf('microceph', 'st-9.maas')] }, 'MachineNamedApart'],
      ['Juju is silent', { down: true }, 'NotRead'],
    ] as const)('is not one where %s: %s', async (_, more, code) => {
      expect(await found(storing(more))).toEqual([code])
    })

    it('has no plan where Juju is silent, and none under a name that is not Nova’s', async () => {
      expect(await planned(storing({ down: true }), 'enter')).toBe('unreachable')
      expect(await planned(storing({ services: ['st-9.maas'] }), 'enter')).toEqual(['node-exists'])
      expect(await planned(storing({ units: [] }), 'enter')).toEqual(['node-exists'])
    })
  })

  it('is not one where the list of nodes has it: one answer that a node is gone is not enough', async () => {
    const { port } = sunbeam({ nodes: ['sun-1', 'cmp-9'] })
    const gone = failure('not-found', 'nodes "cmp-9" not found')
    const kubernetes = { ...port.kubernetes, getNode: async () => failed(gone) }
    expect(await readMachine('cmp-9', { ...port, kubernetes })).toMatchObject({ failure: { code: 'unreadable' } })
  })

  it.each([
    ['leave', true],
    ['enter', false],
  ] as const)('with its nova-compute down, right after its reboot, it has a plan to %s: %s', async (kind, has) => {
    const world = sunbeam()
    world.services = [fakeService('sun-1'), fakeService('cmp-9', { state: 'down' })]
    const { port } = world
    const options = completeOptions({ strategy: 'nova' }, port.cluster)
    const made = await makePlan({ id: 'p', kind, node: 'cmp-9', madeAt: '2026-01-01T00:00:00Z', options }, port)
    expect(made.ok && made.value.steps.some(step => step.kind === 'machine-found')).toBe(has)
  })
})
