import { describe, expect, test } from 'vitest'
import type { ExecPlugin, FoundCluster } from '../../../../shared/contract/index.ts'
import type { Cluster } from '../../../../shared/domain/cluster.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract, type FakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { sampleWindow } from '../../../fixtures/cli/sample-window.ts'
import { playScenes } from '../../../fixtures/cli/scenes.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

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

const cluster = (name: string, production = false) => fakeCluster({ name, production })

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

const lab = (plugin: ExecPlugin | null = null) => console([found('lab', plugin === null ? {} : { plugin })])
const consent: readonly ['exec-plugin.consent', unknown] = [
  'exec-plugin.consent',
  { paths: ['/home/operator/.kube/config'], context: 'lab', fingerprint: 'f00' },
]

playScenes('lockkeeper alone', 'transcripts/welcome.txt', lab, {
  'offers the demo, what was found, the console and the doctor': { says: '--no-color', answers: ['7', 'x', '5'] },
  'keeps nothing that was not named': { says: '', answers: ['2', 'all', '1', '', '5'] },
  'keeps nothing after a no': { says: '', answers: ['2', 'all', '1', 'n', '5'] },
  'neither runs nor tests a command without a yes': {
    says: '',
    fake: () => lab(PLUGIN),
    answers: ['2', '1', 'n', '5'],
    asks: [],
  },
  'tests a cluster with its command after a yes': {
    says: '',
    fake: () => lab(PLUGIN),
    answers: ['2', '1', 'y', '1', 'n', '5'],
    asks: [consent],
  },
  'adds nothing where the input ends in the middle': { says: '', answers: ['2', '1', '1', 'y', 'y', null, null] },
})

describe('lockkeeper alone at a terminal', () => {
  test('tests a found cluster before it is kept, under a name that may be changed', async () => {
    const fake = console([found('admin@lab')])
    const answers = ['2', '1', '1', 'y', 'y', '', '4']
    const terminal = createFakeTerminal({ tty: true, contract: fake.contract, answers })
    expect(await terminal.run()).toBe(0)
    const names = fake.asked.map(({ name }) => name)
    expect(names.filter(name => name === 'cluster.try' || name === 'cluster.add')).toEqual([
      'cluster.try',
      'cluster.add',
    ])
    expect(fake.inputsOf('cluster.add')).toMatchObject([
      { name: 'admin-lab', cloud: { path: '/clouds.yaml', cloud: 'admin@lab' }, production: true },
    ])
  })

  test('tests nothing without a yes to its command', async () => {
    const [refused, agreed] = [lab(PLUGIN), lab(PLUGIN)]
    await createFakeTerminal({ tty: true, contract: refused.contract, answers: ['2', '1', 'n', '5'] }).run()
    await createFakeTerminal({ tty: true, contract: agreed.contract, answers: ['2', '1', 'y', '1', 'n', '5'] }).run()
    expect([refused, agreed].map(({ inputsOf }) => inputsOf('cluster.try').length)).toEqual([0, 1])
  })

  test('with clouds it shows the state of each and what needs you, and opens the console on the same data', async () => {
    const fake = createFakeContract({
      'cluster.list': () => ok([cluster('lab', true), cluster('edge')]),
      'cluster.found': () => ok({ clusters: [], unread: [] }),
      'node.list': ({ cluster: of }) =>
        of === 'edge'
          ? failed(failure('unreachable', 'edge does not answer.'))
          : ok({ nodes: [], readAt: '', unreachable: [] }),
      'run.list': () => ok([]),
      'window.list': () => ok([sampleWindow({ status: 'over' })]),
    })
    const console_ = ok({
      port: 1,
      freshAddress: () => 'http://127.0.0.1:1/enter',
      openBrowser: async () => false,
      onDemo: () => () => {},
      stop: async () => {},
    })
    const terminal = createFakeTerminal({ tty: true, contract: fake.contract, answers: ['1', null], console: console_ })
    const running = terminal.run('--data-dir', 'here')
    await terminal.printed('Open the console:')
    terminal.press('SIGINT')
    expect(await running).toBe(0)
    expect(terminal.out()).toMatch(/lab {3}production; 0 nodes/)
    expect(terminal.out()).toMatch(/edge {2}edge does not answer\./)
    expect(terminal.out()).toContain('has ended. Close it')
    expect(terminal.closed()).toBe(1)
    const demoWish = { troubles: [], update: false }
    expect(terminal.served).toEqual([
      { dataDirectory: '/home/operator/here', demo: false, demoWish, port: 0, alsoCalled: [] },
    ])
  })
})
