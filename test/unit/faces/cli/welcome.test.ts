import { describe, expect, test } from 'vitest'
import type { ExecPlugin, FoundCluster } from '../../../../shared/contract/index.ts'
import { type Cluster, DEFAULT_LIMITS } from '../../../../shared/domain/cluster.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { DEFAULT_MAINTENANCE_API } from '../../../../shared/domain/maintenance-api.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../../shared/domain/role-maintenance.ts'
import { DEFAULT_ROLE_LABELS } from '../../../../shared/domain/roles.ts'
import { createFakeContract, type FakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { sampleWindow } from '../../../fixtures/cli/sample-window.ts'

const PLUGIN: ExecPlugin = {
  fingerprint: 'f00',
  file: '/home/operator/.kube/config',
  user: 'eva',
  command: 'aws',
  args: ['eks', 'get-token'],
  envNames: [],
  consented: false,
}

function found(name: string, more: Partial<FoundCluster> & { readonly plugin?: ExecPlugin } = {}): FoundCluster {
  const { plugin = null, ...rest } = more
  return {
    paths: ['/home/operator/.kube/config'],
    context: {
      name,
      current: true,
      cluster: name,
      host: '10.0.0.1:6443',
      user: 'eva',
      credentials: plugin === null ? 'token' : 'exec',
      execPlugin: plugin,
      file: '/home/operator/.kube/config',
    },
    cloud: { path: '/clouds.yaml', cloud: name, host: '10.0.0.2:5000', because: 'name' },
    registered: null,
    ...rest,
  }
}

function cluster(name: string, production = false): Cluster {
  return {
    name,
    flavour: 'plain',
    kubeconfig: { paths: ['/k'], context: name },
    cloud: null,
    roleLabels: DEFAULT_ROLE_LABELS,
    limits: DEFAULT_LIMITS,
    maintenanceApi: DEFAULT_MAINTENANCE_API,
    roleMaintenance: DEFAULT_ROLE_MAINTENANCE,
    openstackNamespace: 'openstack',
    leaseNamespace: 'default',
    production,
    colour: null,
    addedAt: '2026-01-01T00:00:00.000Z',
  }
}

const TEST_FINE = {
  testedAt: '',
  cluster: '',
  ok: true,
  items: [{ area: 'kubernetes', name: 'API server', outcome: 'ok', message: 'It answers.', remedy: null }],
  missingRbac: null,
} as const

/** A console that remembers what was added. */
function console(offers: readonly FoundCluster[]): FakeContract {
  const kept: Cluster[] = []
  return createFakeContract({
    'cluster.list': () => ok([...kept]),
    'cluster.found': () => ok({ clusters: [...offers], unread: [] }),
    'file.suggest': () => ok({ paths: ['/clouds.yaml'] }),
    'clouds.inspect': () =>
      ok({
        path: '/clouds.yaml',
        clouds: [{ name: 'other', host: 'o:5000', user: null, project: null, region: null, problem: null }],
      }),
    'cluster.try': () => ok({ ...TEST_FINE, items: [...TEST_FINE.items] }),
    'exec-plugin.consent': () => ok({}),
    'cluster.add': input => {
      const added = { ...cluster(input.name, input.production), cloud: null }
      kept.push(added)
      return ok(added)
    },
    'node.list': () => ok({ nodes: [], readAt: '', unreachable: [] }),
    'run.list': () => ok([]),
    'window.list': () => ok([]),
  })
}

describe('lockkeeper alone', () => {
  test('without a terminal it says how it is used, and opens nothing', async () => {
    const terminal = createFakeTerminal({})
    expect(await terminal.run()).toBe(2)
    expect(terminal.err()).toContain('Say which command:')
    expect(terminal.opened).toEqual([])
  })

  test('with no cluster it offers the demo, what was found, the console and the doctor', async () => {
    const fake = console([found('lab')])
    const terminal = createFakeTerminal({ tty: true, contract: fake.contract, answers: ['7', 'x', '5'], columns: 80 })
    expect(await terminal.run('--no-color')).toBe(0)
    expect(terminal.out()).toMatch(
      /1 {2}try the demo[\s\S]*2 {2}add 1 cluster found[\s\S]*3 {2}open the console[\s\S]*4 {2}doctor[\s\S]*5 {2}quit/,
    )
    expect(terminal.out().match(/Type a number from 1 to 5/g)).toHaveLength(2)
    expect(terminal.closed()).toBe(1)
    expect(terminal.out()).not.toContain('\u001b')
  })

  test('a found cluster is tested before it is kept, under a name that may be changed', async () => {
    const fake = console([found('admin@lab')])
    const answers = ['2', '1', '1', 'y', 'y', '', '4']
    const terminal = createFakeTerminal({ tty: true, contract: fake.contract, answers })
    expect(await terminal.run()).toBe(0)
    const names = fake.asked.map(({ name }) => name)
    expect(names.indexOf('cluster.try')).toBeGreaterThan(-1)
    expect(names.indexOf('cluster.try')).toBeLessThan(names.indexOf('cluster.add'))
    expect(fake.inputsOf('cluster.add')).toMatchObject([
      { name: 'admin-lab', cloud: { path: '/clouds.yaml', cloud: 'admin@lab' }, production: true },
    ])
    expect(terminal.out()).toContain('It is ready for maintenance.')
  })

  test.each([
    ['', []],
    ['n', []],
  ])('what is answered with %j is not kept', async (answer, kept) => {
    const fake = console([found('lab')])
    const terminal = createFakeTerminal({ tty: true, contract: fake.contract, answers: ['2', 'all', '1', answer, '5'] })
    expect(await terminal.run()).toBe(0)
    expect(fake.inputsOf('cluster.add')).toEqual(kept)
  })

  test('a command of a kubeconfig is shown, and without a yes neither run nor tested', async () => {
    const fake = console([found('lab', { plugin: PLUGIN })])
    const terminal = createFakeTerminal({ tty: true, contract: fake.contract, answers: ['2', '1', 'n', '5'] })
    await terminal.run()
    expect(terminal.out()).toContain('eks get-token')
    expect(fake.inputsOf('exec-plugin.consent')).toEqual([])
    expect(fake.inputsOf('cluster.try')).toEqual([])
    const agreeing = console([found('lab', { plugin: PLUGIN })])
    await createFakeTerminal({ tty: true, contract: agreeing.contract, answers: ['2', '1', 'y', '1', 'n', '5'] }).run()
    expect(agreeing.inputsOf('exec-plugin.consent')).toMatchObject([{ fingerprint: 'f00' }])
    expect(agreeing.inputsOf('cluster.try')).toHaveLength(1)
  })

  test('an input that ends in the middle adds nothing and ends well', async () => {
    const fake = console([found('lab')])
    const terminal = createFakeTerminal({
      tty: true,
      contract: fake.contract,
      answers: ['2', '1', '1', 'y', 'y', null, null],
    })
    expect(await terminal.run()).toBe(0)
    expect(fake.inputsOf('cluster.add')).toEqual([])
  })

  test('with clusters it says where each stands and what waits, and opens the console on the same data', async () => {
    const fake = createFakeContract({
      'cluster.list': () => ok([cluster('lab', true), cluster('edge')]),
      'cluster.found': () => ok({ clusters: [], unread: [] }),
      'node.list': ({ cluster: of }) =>
        of === 'edge'
          ? failed(failure('unreachable', 'edge does not answer.'))
          : ok({ nodes: [], readAt: '', unreachable: [] }),
      'run.list': () => ok([]),
      'window.list': () => ok([sampleWindow({ standing: 'over' })]),
    })
    const console_ = ok({
      port: 1,
      freshAddress: () => 'http://127.0.0.1:1/enter',
      openBrowser: async () => false,
      stop: async () => {},
    })
    const terminal = createFakeTerminal({ tty: true, contract: fake.contract, answers: ['1', null], console: console_ })
    const running = terminal.run('--data-dir', 'here')
    await terminal.printed('Open the console:')
    terminal.press('SIGINT')
    expect(await running).toBe(0)
    expect(terminal.out()).toMatch(/lab {3}production; 0 nodes/)
    expect(terminal.out()).toMatch(/edge {2}edge does not answer\./)
    expect(terminal.out()).toContain('is over and was not closed')
    expect(terminal.closed()).toBe(1)
    expect(terminal.served).toEqual([{ dataDirectory: '/home/operator/here', demo: false, port: 0, alsoCalled: [] }])
  })
})
