import { describe, expect, it } from 'vitest'
import { readMachine } from '../../../main/maintenance/machine-outside.ts'
import { completeOptions, makePlan } from '../../../main/maintenance/plans/make-plan.ts'
import { machineFound } from '../../../main/maintenance/steps/machine-found.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { fakeCluster, fakeContext, fakeNode, fakeService, fakeWorld } from '../../fixtures/maintenance/fake-world.ts'

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
    ['it is a node by now', { nodes: ['sun-1', 'cmp-9'] }, 'machine-is-node'],
    ['Nova is silent', { silent: true }, 'cannot-ask'],
  ] as const)('%s: %s', async (_, more, says) => {
    const answer = await checked(sunbeam(more))
    expect(answer?.kind === 'blocked' ? answer.blockers.map(({ code }) => code) : [answer?.kind]).toEqual([says])
  })

  it('is none where its nova-compute is that of a node, which Kubernetes names differently', async () => {
    const world = sunbeam()
    const node = { ...fakeNode('rack-2-unit-7'), labels: { 'kubernetes.io/hostname': 'cmp-9' } }
    for (const named of [fakeNode('cmp-9.maas'), node]) {
      const kubernetes = { ...world.port.kubernetes, listNodes: async () => ok([fakeNode('sun-1'), named]) }
      const answer = await checked(Object.assign(sunbeam(), { port: { ...world.port, kubernetes } }))
      expect(answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'machine-is-node' }] })
      expect(JSON.stringify(answer)).toContain(`Make the plan for ${named.name}`)
    }
  })

  it('is none where pods run, though no list of nodes has it', async () => {
    const world = sunbeam()
    const listing = (pods: unknown) => ({ ...world.port.kubernetes, listPodsOnNode: async () => pods as never })
    const over = (pods: unknown) =>
      checked(Object.assign(sunbeam(), { port: { ...world.port, kubernetes: listing(pods) } }))
    expect(await over(ok([{ name: 'mysql-0' }]))).toMatchObject({
      kind: 'blocked',
      blockers: [{ code: 'machine-runs-pods' }],
    })
    expect(await over(failed(failure('unreachable', 'Silent.')))).toMatchObject({ blockers: [{ code: 'cannot-ask' }] })
  })

  it('is refused where Ceph has a disk on it: nothing would keep noout for it', async () => {
    const world = sunbeam()
    const osd = { id: 7, host: 'cmp-9', up: true, in: true, noout: false, hostNoout: false }
    const ceph = { ...world.port.ceph, osds: async () => ok([osd as never]) }
    const answer = await checked(Object.assign(world, { port: { ...world.port, ceph } }))
    expect(answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'node-outside', override: { kind: 'never' } }] })
  })

  it('is none where the list of nodes has it: one answer that a node is gone is not enough', async () => {
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
