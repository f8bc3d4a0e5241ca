import { afterEach, expect, test } from 'vitest'
import { readLcmReport } from '../../../../main/adapters/kubernetes/update-plans.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { hurriedClock } from '../../../fixtures/hurried-clock.ts'
import { type FakeAnswer, type FakeApi, startFakeApi, status } from '../../../fixtures/kubernetes/fake-api.ts'

const PLANS = '/apis/kaas.mirantis.com/v1alpha1/clusterupdateplans'
const LCM = '/apis/lcm.mirantis.com/v1alpha1'

let api: FakeApi | undefined
afterEach(() => api?.close())

async function read(paths: Readonly<Record<string, FakeAnswer>>) {
  api = await startFakeApi(({ path }) => paths[path] ?? status(404, 'NotFound', 'the server could not find it'))
  return readLcmReport(await api.session(hurriedClock(50)))()
}

const plan = (name: string, overall: string, steps: Readonly<Record<string, string>>) => ({
  metadata: { namespace: 'default', name },
  spec: {
    source: 'mosk-1',
    target: 'mosk-2',
    cluster: 'east',
    steps: ['openstack', 'ceph', 'k8s-controllers', 'k8s-workers-rack-1', 'mcc-components'].map(id => ({ id })),
  },
  status: { status: overall, steps: Object.entries(steps).map(([id, said]) => ({ id, status: said })) },
})
const plans = (...items: readonly unknown[]): FakeAnswer => ({ body: { items } })
const statuses = (kind: string, ...items: readonly object[]): FakeAnswer => ({
  body: { kind: `${kind}List`, items: items.map(item => ({ kind, ...item })) },
})

test('a cluster without LCM has no lines', async () => {
  expect(valueIn(await read({}))).toEqual({ lines: [], phase: null, upgraded: [], begun: [], done: [] })
})

test('what may not be read is as what is not there', async () => {
  const report = await read({ [PLANS]: status(403, 'Forbidden', 'no') })
  expect(valueIn(report).lines).toEqual([])
})

test('a failure of LCM is reported', async () => {
  expect(await read({ [PLANS]: status(500, 'InternalError', 'etcd') })).toMatchObject({ ok: false })
})

test.each([
  ['openstack', 'applications'],
  ['ceph', 'applications'],
  ['k8s-controllers', 'control-nodes'],
  ['k8s-workers-rack-1', 'worker-nodes'],
  ['mcc-components', 'finalize'],
])('docs/domain.md A.8: step %s in progress is phase %s', async (step, phase) => {
  const report = valueIn(await read({ [PLANS]: plans(plan('east-2', 'InProgress', { [step]: 'InProgress' })) }))
  expect(report.phase).toBe(phase)
  expect(report.lines[0]).toContain(`ClusterUpdatePlan default/east-2 of east (mosk-1 → mosk-2): InProgress;`)
  expect(report.lines[0]).toContain(`${step} InProgress`)
})

test('docs/domain.md A.8: between two steps it is the phase of the last one that is Completed', async () => {
  const reported = { 'k8s-controllers': 'Completed', 'k8s-workers-rack-1': 'Completed', 'mcc-components': 'NotStarted' }
  expect(valueIn(await read({ [PLANS]: plans(plan('east-2', 'InProgress', reported)) })).phase).toBe('worker-nodes')
})

test('of two updates under way nobody can tell which is this cluster', async () => {
  const running = { openstack: 'InProgress' }
  const report = valueIn(
    await read({ [PLANS]: plans(plan('a', 'InProgress', running), plan('b', 'InProgress', running)) }),
  )
  expect(report).toMatchObject({ phase: null, lines: [expect.stringContaining('a'), expect.stringContaining('b')] })
})

test("LCM's statuses are found by discovery; each has its stage, and machines whether they are upgraded", async () => {
  const stages = (...list: readonly (readonly [name: string, status: string])[]) =>
    list.map(([name, said]) => ({ name, status: said, timestamp: '2026-01-01T00:00:00Z', message: '' }))
  const report = await read({
    [LCM]: {
      body: {
        resources: [
          { name: 'nodeworkloadlocks' },
          { name: 'lcmclusterupgradestatuses', kind: 'LCMClusterUpgradeStatus' },
          { name: 'lcmmachineagentupgradestatuses', kind: 'LCMMachineAgentUpgradeStatus' },
        ],
      },
    },
    [`${LCM}/lcmclusterupgradestatuses`]: statuses('LCMClusterUpgradeStatus', {
      metadata: { name: 'east' },
      stages: stages(
        ['Requested cluster maintenance', 'Success'],
        ['Cluster workload locks are inactive', 'InProgress'],
      ),
    }),
    [`${LCM}/lcmmachineagentupgradestatuses`]: statuses(
      'LCMMachineAgentUpgradeStatus',
      { metadata: { name: 'cmp-1' }, status: { stages: stages(['Machine Upgraded', 'Success']) } },
      { metadata: { name: 'cmp-2' }, stages: stages(['Reboot done', 'Success'], ['Machine Upgraded', 'NotStarted']) },
    ),
  })
  expect(valueIn(report)).toEqual({
    phase: null,
    begun: [],
    upgraded: [{ machine: 'cmp-1', at: '2026-01-01T00:00:00Z', said: 'Machine Upgraded' }],
    done: [],
    lines: [
      'LCMClusterUpgradeStatus east: Cluster workload locks are inactive InProgress',
      'LCMMachineAgentUpgradeStatus cmp-1: Machine Upgraded Success',
      'LCMMachineAgentUpgradeStatus cmp-2: Reboot done Success',
    ],
  })
})

test('docs/domain.md A.8: the phases of a Completed plan have the times of their last steps', async () => {
  const step = (id: string, completedAt: string) => ({ id, status: 'Completed', completedAt })
  const over = plan('east-2', 'Completed', {})
  const steps = [
    step('openstack', '2026-01-01T00:10:00Z'),
    step('ceph', '2026-01-01T00:20:00Z'),
    { id: 'k8s-controllers', status: 'InProgress' },
    step('k8s-workers-rack-1', '2026-01-01T01:00:00Z'),
  ]
  const status = { status: 'Completed', completedAt: '2026-01-01T01:10:00Z', steps }
  expect(valueIn(await read({ [PLANS]: plans({ ...over, status }) })).done).toEqual([
    { phase: 'applications', at: '2026-01-01T00:20:00Z' },
    { phase: 'worker-nodes', at: '2026-01-01T01:00:00Z' },
  ])
})

test('docs/domain.md A.8: a Completed step of workers tells the nodes of its update group, by their Machines', async () => {
  const machine = (name: string, labels: Readonly<Record<string, string>>, node?: string) => ({
    metadata: { namespace: 'default', name, labels: { 'cluster.sigs.k8s.io/cluster-name': 'east', ...labels } },
    ...(node === undefined ? {} : { status: { nodeRef: { name: node } } }),
  })
  const group = (of: string) => ({ 'kaas.mirantis.com/update-group': of })
  const running = plan('east-2', 'InProgress', {})
  const at = '2026-01-01T00:30:00Z'
  const step = (id: string, status: string) => ({ id, status, ...(status === 'Completed' ? { completedAt: at } : {}) })
  const workers = ['k8s-workers-gateways', 'k8s-workers-rack-1', 'k8s-workers-east-default']
  const read3 = (...said: readonly string[]) =>
    read({
      [PLANS]: plans({
        ...running,
        spec: { ...running.spec, steps: workers.map(id => ({ id })) },
        status: { status: 'InProgress', steps: workers.map((id, index) => step(id, said[index] ?? 'NotStarted')) },
      }),
      '/apis/cluster.k8s.io/v1alpha1/machines': {
        body: {
          items: [
            machine('gtw-1', group('gateways'), 'kaas-node-1'),
            machine('gtw-2', group('gateways')),
            machine('cmp-1', group('rack-1')),
            machine('cmp-2', {}),
            machine('other', { ...group('gateways'), 'cluster.sigs.k8s.io/cluster-name': 'west' }),
          ],
        },
      },
    })
  const reported = (machines: readonly string[], said: string) => machines.map(each => ({ machine: each, at, said }))
  expect(valueIn(await read3('Completed', 'InProgress')).upgraded).toEqual(
    reported(['kaas-node-1', 'gtw-2'], 'k8s-workers-gateways Completed'),
  )
  await api?.close()
  // A machine without a group is in the one that each cluster has from the beginning (docs/domain.md A.4).
  expect(valueIn(await read3('NotStarted', 'NotStarted', 'Completed')).upgraded).toEqual(
    reported(['cmp-2'], 'k8s-workers-east-default Completed'),
  )
})

test('a phase begins when the first of its steps does, by LCM; what a step says is shown with it', async () => {
  const reported = plan('east-2', 'InProgress', {
    openstack: 'Completed',
    ceph: 'InProgress',
    'k8s-controllers': 'NotStarted',
  })
  const starts: Readonly<Record<string, string>> = { openstack: '2026-01-01T00:00:05Z', ceph: '2026-01-01T00:10:00Z' }
  const steps = reported.status.steps.map(step =>
    step.id in starts
      ? { ...step, startedAt: starts[step.id], message: step.id === 'ceph' ? '3 of 5 OSDs' : '' }
      : step,
  )
  const report = valueIn(await read({ [PLANS]: plans({ ...reported, status: { ...reported.status, steps } }) }))
  expect(report.begun).toEqual([{ phase: 'applications', at: '2026-01-01T00:00:05Z' }])
  expect(report.lines[0]).toContain('ceph InProgress (3 of 5 OSDs)')
})
