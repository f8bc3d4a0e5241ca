import { describe, expect, it } from 'vitest'
import { findRun, shortIds } from '../../../../main/faces/cli/find-run.ts'
import type { ClusterTestReport, RunSummary } from '../../../../shared/contract/index.ts'
import { type Cluster, DEFAULT_LIMITS } from '../../../../shared/domain/cluster.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../../shared/domain/maintenance-api.ts'
import type { InstanceSummary, NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../../../shared/domain/roles.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { sampleSummary } from '../../../fixtures/cli/sample-run.ts'

const node = (name: string, more: Partial<NodeSummary> = {}): NodeSummary => ({
  name,
  roles: ['compute'],
  ready: 'ready',
  schedulable: true,
  state: 'active',
  roleTellers: [],
  roleContradictions: [],
  stateReason: '',
  conditions: [],
  zone: 'az1',
  kubeletVersion: 'v1.32.0',
  computeService: { status: 'enabled', state: 'up', disabledReason: null },
  runId: null,
  migrationMode: null,
  ...more,
})

const instance = (name: string, more: Partial<InstanceSummary> = {}): InstanceSummary => ({
  id: `id-of-${name}`,
  name,
  projectId: null,
  host: 'cmp-1',
  zone: 'az1',
  status: 'ACTIVE',
  taskState: null,
  action: 'live_migrate',
  actionSource: 'host-mode',
  actionReason: 'moves to another host',
  warnings: [],
  ...more,
})

const cluster = (name: string): Cluster => ({
  name,
  flavour: 'plain',
  kubeconfig: { paths: ['/home/operator/kubeconfig'], context: 'admin' },
  cloud: null,
  roleLabels: DEFAULT_ROLE_LABELS,
  limits: DEFAULT_LIMITS,
  maintenanceApi: DEFAULT_MAINTENANCE_API,
  roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
  openstackNamespace: 'openstack',
  leaseNamespace: 'default',
  production: false,
  colour: null,
  addedAt: '2026-11-21T10:00:00.000Z',
})

describe('nodes', () => {
  const listed = (unreachable: string[] = []) =>
    createFakeContract({
      'node.list': () =>
        ok({
          nodes: [
            node('cmp-10'),
            node('cmp-2', {
              schedulable: false,
              state: 'maintenance',
              stateReason: 'cordoned and empty',
              runId: 'run-7',
            }),
          ],
          readAt: '2026-11-21T10:00:00.000Z',
          unreachable,
        }),
    }).contract

  it('are listed by name, numbers counted as numbers', async () => {
    const terminal = createFakeTerminal({ contract: listed() })
    expect(await terminal.run('nodes', 'lab')).toBe(0)
    expect(terminal.out().indexOf('cmp-2')).toBeLessThan(terminal.out().indexOf('cmp-10'))
  })

  it('as JSON are an array with name, roles, ready, schedulable and state', async () => {
    const terminal = createFakeTerminal({ contract: listed() })
    await terminal.run('nodes', 'lab', '-o', 'json')
    expect(terminal.json()).toMatchObject([
      { name: 'cmp-2', roles: ['compute'], ready: 'ready', schedulable: false, state: 'maintenance' },
      { name: 'cmp-10', state: 'active' },
    ])
    expect(terminal.err()).toBe('')
  })

  it('what could not be asked is told on standard error, never in the list', async () => {
    const terminal = createFakeTerminal({ contract: listed(['Nova does not answer.']) })
    expect(await terminal.run('nodes', 'lab', '-o', 'json')).toBe(0)
    expect(terminal.err()).toContain('Nova does not answer.')
    expect(terminal.json()).toHaveLength(2)
  })
})

it('nodes and instances read as they should', async () => {
  const machine = node('sun-9', { ready: 'none', schedulable: null, kubeletVersion: '' })
  const unreachable = ['Nova does not answer.']
  const cordoned = node('cmp-2', { schedulable: false, state: 'maintenance', stateReason: 'cordoned', runId: 'run-7' })
  const fake = createFakeContract({
    'node.list': () => ok({ nodes: [node('cmp-10'), cordoned, node('cmp-1'), machine], readAt: '', unreachable }),
    'node.show': () =>
      ok({
        cluster: 'lab',
        node: 'cmp-1',
        readAt: '2026-11-21T10:00:00.000Z',
        labels: {},
        pods: {
          ok: true,
          value: [
            {
              namespace: 'openstack',
              name: 'nova-0',
              uid: 'u',
              phase: 'Running',
              ready: true,
              controller: null,
              fate: 'evict',
              reason: 'it leaves',
              warnings: [],
              budgets: [],
              claims: [],
              emptyDirs: [],
              createdAt: '2026-11-21T10:00:00.000Z',
            },
          ],
        },
        services: failed(failure('unreachable', 'Nova does not answer.')),
        events: { ok: true, value: [] },
      }),
    'instance.list': () =>
      ok({
        instances: [
          instance('web-2', { taskState: 'migrating', warnings: ['it is locked'] }),
          instance('db-1', { action: 'blocked', projectId: 'p-1' }),
        ],
        projects: [{ id: 'p-1', name: 'shop' }],
        readAt: '',
        unreachable: [],
      }),
  })
  const terminal = createFakeTerminal({ contract: fake.contract })
  await terminal.run('nodes', 'lab')
  await terminal.run('nodes', 'lab', '-o', 'json')
  await terminal.run('node', 'show', 'lab', 'cmp-9')
  await terminal.run('node', 'show', 'lab', 'sun-9')
  await terminal.run('node', 'show', 'lab', 'cmp-1')
  expect(fake.inputsOf('node.show')).toEqual([])
  await terminal.run('node', 'show', 'lab', 'cmp-1', '--all')
  await terminal.run('instances', 'lab', 'cmp-1')
  await terminal.run('instances', 'lab', '-v')
  expect(fake.inputsOf('instance.list')).toEqual([
    { cluster: 'lab', node: 'cmp-1' },
    { cluster: 'lab', node: null },
  ])
  await expect(terminal.session()).toMatchFileSnapshot('transcripts/nodes.txt')
})

describe('runs', () => {
  const runs: RunSummary[] = [
    sampleSummary('done', {
      id: 'aaaaaaaa11',
      createdAt: '2026-11-20T10:00:00.000Z',
      endedAt: '2026-11-20T10:02:03.000Z',
    }),
    sampleSummary('interrupted', { id: 'aaaaaaaa22', createdAt: '2026-11-21T10:00:00.000Z' }),
    sampleSummary('failed', { id: 'bbbbbbbbcc', createdAt: '2026-11-19T10:00:00.000Z' }),
  ]
  const contract = () =>
    createFakeContract({ 'run.list': () => ok(runs), 'run.abort': () => ok(sampleSummary('aborted')) })

  it('are listed newest first, by beginnings of ids that are enough to name them', async () => {
    const terminal = createFakeTerminal({ contract: contract().contract })
    expect(await terminal.run('runs')).toBe(0)
    const [, first, second, third] = terminal.out().split('\n')
    expect(first).toMatch(/^aaaaaaaa2 +enter +lab +cmp-1 +interrupted +2026-11-21 10:00:00 +- +olga@bastion/)
    expect(second).toMatch(/^aaaaaaaa1 .* 2 min 3 s /)
    expect(third).toMatch(/^bbbbbbbb +/)
  })

  it('as JSON have whole ids, kind, node and state, newest first', async () => {
    const fake = contract()
    const terminal = createFakeTerminal({ contract: fake.contract })
    await terminal.run('runs', 'lab', '-o', 'json')
    expect(terminal.json()).toMatchObject([runs[1], runs[0], runs[2]])
    expect(fake.inputsOf('run.list')).toEqual([{ cluster: 'lab' }])
  })

  it('a run is named by any beginning that fits one run only', async () => {
    const { contract: asked } = contract()
    expect(await findRun(asked, 'b')).toEqual(ok(runs[2]))
    expect(await findRun(asked, 'aaaaaaaa22')).toEqual(ok(runs[1]))
    const many = await findRun(asked, 'aaaa')
    expect(!many.ok && many.failure.code).toBe('bad-input')
    expect(!many.ok && many.failure.message).toContain('aaaaaaaa11 (enter cmp-1')
    const none = await findRun(asked, 'zz')
    expect(!none.ok && none.failure.code).toBe('not-found')
  })

  it('a whole id is that run, though another id begins with it', async () => {
    const { contract: asked } = createFakeContract({
      'run.list': () => ok([sampleSummary('done', { id: 'ab' }), sampleSummary('done', { id: 'abc' })]),
    })
    const found = await findRun(asked, 'ab')
    expect(found.ok && found.value.id).toBe('ab')
  })

  it('shortened ids stay different', () => {
    const short = shortIds(['0123456789', '01234567zz', 'abc'])
    expect([...short.values()]).toEqual(['012345678', '01234567z', 'abc'])
  })

  it('abort asks first, and passes the reason on', async () => {
    const fake = contract()
    const refused = createFakeTerminal({ tty: true, env: { NO_COLOR: '1' }, contract: fake.contract, answers: ['n'] })
    expect(await refused.run('run', 'abort', 'bbb')).toBe(4)
    expect(fake.inputsOf('run.abort')).toEqual([])
    const silent = createFakeTerminal({ contract: fake.contract })
    expect(await silent.run('run', 'abort', 'bbb')).toBe(2)
    expect(await silent.run('run', 'abort', 'bbb', '--yes', '--reason', 'wrong node')).toBe(0)
    expect(fake.inputsOf('run.abort')).toEqual([{ runId: 'bbbbbbbbcc', reason: 'wrong node' }])
  })

  it('pause is only asked of a run that somebody drives', async () => {
    const fake = contract()
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('run', 'pause', 'aaaaaaaa22')).toBe(1)
    expect(terminal.err()).toContain('Run aaaaaaaa22 cannot be paused. Nobody drives it.')
    expect(fake.inputsOf('run.pause')).toEqual([])
  })
})

describe('clusters', () => {
  it('are listed by name; as JSON they are an array', async () => {
    const fake = createFakeContract({ 'cluster.list': () => ok([cluster('lab-10'), cluster('lab-2')]) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    await terminal.run('cluster', 'list')
    expect(terminal.out()).toMatch(/lab-2 +plain +no +admin +none +\/home\/operator\/kubeconfig\nlab-10/)
    const script = createFakeTerminal({ contract: fake.contract })
    await script.run('cluster', 'list', '-o', 'json')
    expect(script.json()).toEqual([cluster('lab-2'), cluster('lab-10')])
  })

  it('an empty list says how to begin, and is an empty array as JSON', async () => {
    const fake = createFakeContract({ 'cluster.list': () => ok([]) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    await terminal.run('cluster', 'list')
    expect(terminal.out()).toContain('No cluster is registered.')
    const script = createFakeTerminal({ contract: fake.contract })
    await script.run('cluster', 'list', '-o', 'json')
    expect(script.json()).toEqual([])
  })

  it('a test tells each answer with its remedy and the manifest that is missing, and ends with 3 when not ready', async () => {
    const report: ClusterTestReport = {
      cluster: 'lab',
      testedAt: '2026-11-21T10:00:00.000Z',
      ok: false,
      items: [
        { area: 'kubernetes', name: 'version', outcome: 'ok', message: 'v1.20.15', remedy: null },
        {
          area: 'permissions',
          name: 'pods/eviction',
          outcome: 'missing',
          message: 'create is forbidden',
          remedy: 'Apply the manifest below.',
        },
      ],
      missingRbac: 'kind: ClusterRole\nrules:\n  - verbs: [create]\n',
    }
    const fake = createFakeContract({ 'cluster.test': () => ok(report) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('cluster', 'test', 'lab')).toBe(3)
    expect(terminal.out()).toMatch(/^✓ kubernetes version +v1\.20\.15$/m)
    expect(terminal.out()).toMatch(/^✗ permissions pods\/eviction +create is forbidden$/m)
    expect(terminal.out()).toContain('next: Apply the manifest below.')
    expect(terminal.out()).toContain('rules:\n  - verbs: [create]\n')
    const good = createFakeContract({ 'cluster.test': () => ok({ ...report, ok: true, missingRbac: null }) })
    expect(await createFakeTerminal({ contract: good.contract }).run('cluster', 'test', 'lab')).toBe(0)
  })

  it('removal asks first; without a terminal it wants --yes', async () => {
    const fake = createFakeContract({ 'cluster.remove': () => ok({}) })
    const silent = createFakeTerminal({ contract: fake.contract })
    expect(await silent.run('cluster', 'remove', 'lab')).toBe(2)
    const asked = createFakeTerminal({ tty: true, env: { NO_COLOR: '1' }, contract: fake.contract, answers: ['n'] })
    expect(await asked.run('cluster', 'remove', 'lab')).toBe(4)
    expect(fake.asked).toEqual([])
    expect(await silent.run('cluster', 'remove', 'lab', '--yes')).toBe(0)
    expect(fake.inputsOf('cluster.remove')).toEqual([{ name: 'lab' }])
  })
})

describe('a command that cannot be carried out', () => {
  it.each([
    ['not-found', 1],
    ['bad-input', 2],
    ['checks-failed', 3],
    ['held', 3],
    ['aborted', 4],
    ['unreachable', 1],
    ['internal', 1],
  ] as const)('ends, when it is %s, with %d', async (code, exit) => {
    const fake = createFakeContract({ 'node.list': () => failed(failure(code, 'No.')) })
    expect(await createFakeTerminal({ contract: fake.contract }).run('nodes', 'lab')).toBe(exit)
  })

  it('the application that cannot be opened is told, and nothing is asked', async () => {
    const terminal = createFakeTerminal()
    const io = {
      ...terminal.io,
      openApp: async () => failed(failure('damaged', 'The journal in /data cannot be read.')),
    }
    const { runCli } = await import('../../../../main/faces/cli/run-cli.ts')
    expect(await runCli(['runs'], io)).toBe(1)
    expect(terminal.err()).toContain('The journal in /data cannot be read.')
  })

  it('--data-dir is made absolute and --demo is passed on', async () => {
    const fake = createFakeContract({ 'run.list': () => ok([]) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    await terminal.run('runs', '--data-dir', 'here', '--demo')
    await terminal.run('runs')
    expect(terminal.opened).toEqual([
      { dataDirectory: '/home/operator/here', demo: true },
      { dataDirectory: null, demo: false },
    ])
  })
})
