import { describe, expect, it } from 'vitest'
import type { CephPort } from '../../../main/ports/ceph.ts'
import type { WatcherPort } from '../../../main/ports/watcher.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { makePlan } from '../../../main/procedures/plans/node/make-plan.ts'
import type { CephOsd } from '../../../shared/domain/ceph.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import {
  DEFAULT_RUN_OPTIONS,
  type PlannedNodeRunKind,
  type PlannedStep,
  type RunOptions,
} from '../../../shared/domain/plan.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE, type RoleMaintenanceSettings } from '../../../shared/domain/role-maintenance.ts'
import type { WatcherPlan } from '../../../shared/domain/watcher.ts'
import { fakeAgent } from '../../fixtures/procedures/fake-records.ts'
import { fakeCluster, fakeNode, fakeService, fakeWorld } from '../../fixtures/procedures/fake-world.ts'
import { noCeph } from '../../fixtures/procedures/no-maintenance-api.ts'
import { fakeCommands, noCommands } from '../../fixtures/procedures/own-commands.ts'

const CONTROL = { 'node-role.kubernetes.io/control-plane': '' }
const osd = (id: number, host: string): CephOsd => ({ id, host, up: true, in: true, noout: false, hostNoout: false })
const OSDS = [osd(0, 'sun-1'), osd(1, 'sun-2')]
const withOsds: CephPort = { ...noCeph, osds: async () => ok(OSDS), osdsReported: async () => ok(OSDS) }

const RECOMMENDED: WatcherPlan = {
  uuid: 'plan-of-watcher',
  auditUuid: 'audit-1',
  state: 'RECOMMENDED',
  createdAt: '2026-01-01T00:00:00Z',
  actions: [
    {
      uuid: 'action-1',
      state: 'PENDING',
      kind: 'disable-service',
      type: 'change_nova_service_state',
      resourceId: 'hypervisor-1',
      resourceName: 'sun-1',
      destination: null,
      parents: [],
      statusMessage: null,
    },
  ],
}

/** A Watcher that keeps what it was asked; it recommends the same each time. */
function watcherOf(answers: Partial<WatcherPort> = {}) {
  const asked: unknown[] = []
  const none = async () => failed(failure('internal', 'not asked in these tests'))
  const port: WatcherPort = {
    about: async () =>
      ok({
        version: '1.5',
        canSkip: true,
        maintenanceParameters: ['maintenance_node', 'backup_node', 'disable_live_migration', 'disable_cold_migration'],
      }),
    figures: none,
    recommended: async () => ok([]),
    recommend: async request => {
      asked.push(request.parameters)
      return ok(RECOMMENDED)
    },
    plan: async () => ok(RECOMMENDED),
    skip: none,
    start: none,
    cancel: none,
    cancelRecommended: none,
    ...answers,
  }
  return { port, asked }
}

function hyperconverged(settings: Partial<RoleMaintenanceSettings> = {}, more: Partial<MaintenanceWorld> = {}) {
  const cloud = fakeWorld({
    nodes: ['sun-1', 'sun-2', 'sun-3'].map(name => fakeNode(name, { labels: CONTROL })),
    services: ['sun-1', 'sun-2', 'sun-3'].map(host => fakeService(host)),
  })
  const cluster = fakeCluster({ flavour: 'sunbeam', roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ...settings } })
  const world: MaintenanceWorld = { ...cloud.port, cluster, ceph: withOsds, watcher: watcherOf().port, ...more }
  return { cloud, world }
}

async function planned(
  world: MaintenanceWorld,
  kind: PlannedNodeRunKind,
  options: Partial<RunOptions> = {},
  node = 'sun-1',
) {
  const all: RunOptions = { ...DEFAULT_RUN_OPTIONS, strategy: 'watcher', ...options }
  const plan = await makePlan({ id: 'p-1', kind, node, madeAt: '', options: all }, world)
  if (!plan.ok) throw new Error(plan.failure.message)
  return plan.value.steps
}

const kinds = (steps: readonly PlannedStep[]) => steps.map(step => step.kind)
const applied = (steps: readonly PlannedStep[]) => kinds(steps.filter(({ verbs }) => verbs.includes('apply')))

describe('entering a node of a sunbeam cloud (seed 004, "Enabling Maintenance Mode")', () => {
  // Ceph that nobody can ask by Juju is still Ceph: its role is planned, and its checks say what does not answer.
  const { world } = hyperconverged({ ceph: 'toolbox' })

  it('checks every role of the seed', async () => {
    const all = kinds(await planned(world, 'enter'))
    for (const check of [
      ...['node-exists', 'not-last-node', 'other-nodes-in-maintenance'],
      ...['watcher-available', 'instances-status', 'no-ephemeral-disks'],
      ...['osds-ok-to-stop', 'ceph-services-enough', 'ceph-healthy'],
      ...['other-control-node', 'datastore-quorum', 'no-juju-controller', 'replicas-redundancy'],
    ])
      expect(all).toContain(check)
  })

  it('applies compute, then storage, then control, and drains last', async () => {
    const order = applied(await planned(world, 'enter', { stopOsds: true }))
    expect(order).toEqual(['run-watcher-plan', 'set-noout', 'stop-osds', 'cordon-node', 'drain-node'])
  })

  it('runs exactly the action plan that Watcher recommended, by its uuid', async () => {
    const steps = await planned(world, 'enter')
    const run = must(
      steps.find(({ kind }) => kind === 'run-watcher-plan'),
      'it is planned',
    )
    expect(run.input).toMatchObject({ node: 'sun-1', host: 'sun-1', planUuid: 'plan-of-watcher' })
  })

  it('asks Watcher only when it is to empty the node', async () => {
    const watcher = watcherOf()
    const { world: asked } = hyperconverged({}, { watcher: watcher.port })
    await planned(asked, 'enter', { strategy: 'nova' })
    await planned(asked, 'enter', { scope: 'drain' })
    await planned(asked, 'leave')
    expect(watcher.asked).toEqual([])
    await planned(asked, 'enter')
    expect(watcher.asked).toEqual([{ maintenance_node: 'sun-1' }])
  })

  it('cannot be started when Watcher recommends nothing, and says what Watcher said', async () => {
    const watcher = watcherOf({ recommend: async () => failed(failure('server-fault', 'The audit failed.')) })
    const steps = await planned({ ...world, watcher: watcher.port }, 'enter')
    expect(applied(steps)).not.toContain('run-watcher-plan')
    expect(steps.find(({ kind }) => kind === 'watcher-recommends')?.input).toMatchObject({
      problem: 'The audit failed.',
    })
  })

  it('names the known hosts when the backup node is not one of them, and does not ask Watcher', async () => {
    const watcher = watcherOf()
    const steps = await planned({ ...world, watcher: watcher.port }, 'enter', { backupNode: 'sun-9' })
    expect(steps.find(({ kind }) => kind === 'watcher-recommends')?.input.problem).toContain(
      'Nova has these hosts: sun-1, sun-2, sun-3.',
    )
    expect(watcher.asked).toEqual([])
  })

  it('refuses the node itself as its backup node, also by its name in Nova, and does not ask Watcher', async () => {
    const watcher = watcherOf()
    const itself = { ...world, watcher: watcher.port }
    const options: RunOptions = { ...DEFAULT_RUN_OPTIONS, strategy: 'watcher', backupNode: 'sun-1' }
    const plan = await makePlan({ id: 'p', kind: 'enter', node: 'sun-1', madeAt: '', options }, itself)
    expect(plan.ok ? '' : plan.failure.message).toContain('sun-1 goes into maintenance')
    const services = ['sun-1.maas', 'sun-2'].map(host => fakeService(host))
    const openstack = { ...must(world.openstack, 'it has one'), computeServices: async () => ok(services) }
    const steps = await planned({ ...itself, openstack }, 'enter', { backupNode: 'sun-1.maas' })
    expect(steps.find(({ kind }) => kind === 'watcher-recommends')?.input.problem).toContain(
      'sun-1.maas goes into maintenance',
    )
    expect(watcher.asked).toEqual([])
  })

  it('leaves moving to Nova with strategy nova, with the same checks of instances', async () => {
    const steps = await planned(world, 'enter', { strategy: 'nova' })
    expect(applied(steps).slice(0, 2)).toEqual(['disable-compute', 'migrate-instances'])
    expect(kinds(steps)).toEqual(expect.arrayContaining(['instances-status', 'no-ephemeral-disks']))
    expect(kinds(steps)).not.toContain('watcher-available')
  })

  it('names an unknown node and plans nothing else', async () => {
    expect(kinds(await planned(world, 'enter', {}, 'sun-9'))).toEqual(['node-exists'])
  })
})

describe('leaving (seed 004, "Disabling Maintenance Mode")', () => {
  it('uncordons, brings disks and Nova back, and offers to spread the instances last', async () => {
    const { world } = hyperconverged({ ceph: 'toolbox' })
    const order = applied(await planned(world, 'leave'))
    expect(order[0]).toBe('uncordon-node')
    expect(order).toContain('unset-noout')
    expect(order.slice(-3)).toEqual(['compute-returns', 'enable-compute', 'rebalance-instances'])
  })

  it('docs/domain.md B.1: --disable-instance-workload-rebalancing leaves the instances where they are', async () => {
    const { world } = hyperconverged()
    expect(applied(await planned(world, 'leave', { disableInstanceRebalancing: true }))).not.toContain(
      'rebalance-instances',
    )
  })

  it('docs/domain.md B.1: the network role is enabled again before Nova waits for its agents, and really applied', async () => {
    const { cloud, world } = hyperconverged()
    cloud.agents = [fakeAgent('sun-1', { id: 'agent-1' })]
    const order = applied(await planned(world, 'leave'))
    expect(order.indexOf('enable-ovn')).toBeGreaterThan(-1)
    expect(order.indexOf('enable-ovn')).toBeLessThan(order.indexOf('compute-returns'))
  })
})

it('strategy watcher is refused on flavour mosk, where the OpenStack Controller empties nodes', async () => {
  const { world } = hyperconverged()
  const mosk: MaintenanceWorld = { ...world, cluster: fakeCluster({ flavour: 'mosk' }) }
  const options: RunOptions = { ...DEFAULT_RUN_OPTIONS, strategy: 'watcher' }
  const plan = await makePlan({ id: 'p', kind: 'enter', node: 'sun-1', madeAt: '', options }, mosk)
  expect(plan.ok ? '' : plan.failure.message).toContain('strategy watcher is not available')
})

it.each<[string, Parameters<typeof fakeCluster>[0], Partial<RunOptions>]>([
  ['the OpenStack Controller', { flavour: 'mosk' }, {}],
  ['Watcher', { flavour: 'sunbeam' }, { strategy: 'watcher' }],
])('a rule for migrations without progress is refused where %s moves the instances', async (mover, cluster, choice) => {
  const { world } = hyperconverged()
  const options: RunOptions = { ...DEFAULT_RUN_OPTIONS, ...choice, stuck: { afterMs: 60_000, do: 'cold' } }
  const there: MaintenanceWorld = { ...world, cluster: fakeCluster(cluster) }
  const plan = await makePlan({ id: 'p', kind: 'enter', node: 'sun-1', madeAt: '', options }, there)
  expect(plan.ok ? '' : plan.failure.message).toContain(`${mover} moves the instances`)
})

it('work that is a command is planned for one maintenance alone, and only where one may be started', async () => {
  const { world } = hyperconverged()
  const options: RunOptions = { ...DEFAULT_RUN_OPTIONS, work: { kind: 'command', command: 'flash', directory: '/srv' } }
  const planned = (kind: 'maintain' | 'enter', commands: MaintenanceWorld['commands']) =>
    makePlan({ id: 'p', kind, node: 'sun-1', madeAt: '', options }, { ...world, commands })
  const page = await planned('maintain', noCommands)
  expect(page.ok ? '' : page.failure.message).toContain('only a terminal')
  const { port } = fakeCommands()
  const enter = await planned('enter', port)
  expect(enter.ok ? '' : enter.failure.message).toContain('Only `lockkeeper maintain` runs a command as the work')
  const terminal = await planned('maintain', port)
  expect(terminal.ok && terminal.value.steps.find(({ kind }) => kind === 'node-work')?.title).toContain(
    'this machine runs `flash`',
  )
})

it.each<[Partial<RunOptions>, string]>([
  [{ backupNode: 'sun-2' }, 'A backup node'],
  [{ excludedInstances: ['vm-1'] }, 'Instances to leave out'],
  [{ novaForRest: true }, 'Moving the rest through Nova'],
])(
  '%j is refused where Watcher does not empty the node: it would be passed over without a word',
  async (choice, said) => {
    const { world } = hyperconverged()
    const options: RunOptions = { ...DEFAULT_RUN_OPTIONS, strategy: 'nova', ...choice }
    const plan = await makePlan({ id: 'p', kind: 'enter', node: 'sun-1', madeAt: '', options }, world)
    expect(plan.ok ? '' : plan.failure.message).toContain(`${said} needs strategy watcher`)
  },
)
