import { describe, expect, it } from 'vitest'
import type { ExecPlugin } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

const PLUGIN: ExecPlugin = {
  fingerprint: 'sha256-of-it',
  file: '/home/operator/.kube/config',
  user: 'admin',
  command: '/usr/bin/login-helper',
  args: ['--cluster', 'my lab', '\u001b[2Jhidden'],
  envNames: ['REGION'],
  consented: false,
}
const EMPTY = { nodes: [], readAt: '2026-11-21T10:00:00.000Z', unreachable: [] }
const INTERACTIVE = { tty: true, env: { NO_COLOR: '1', LANG: 'C.UTF-8' } } as const

function withPlugin(plugin: ExecPlugin = PLUGIN) {
  return createFakeContract({
    'cluster.exec-plugin': () => ok(plugin),
    'cluster.consent': () => ok({}),
    'node.list': () => ok(EMPTY),
  })
}

describe('a credential command of a kubeconfig', () => {
  it('is shown in full before it is run the first time, and run only after a yes', async () => {
    const fake = withPlugin()
    const terminal = createFakeTerminal({ ...INTERACTIVE, contract: fake.contract, answers: ['y'] })
    expect(await terminal.run('nodes', 'lab')).toBe(0)
    for (const part of [
      '/home/operator/.kube/config',
      '/usr/bin/login-helper',
      "--cluster 'my lab' '\\u{1b}[2Jhidden'",
      'REGION',
      'admin',
    ]) {
      expect(terminal.all()).toContain(part)
    }
    expect(terminal.all()).not.toContain('\u001b')
    expect(fake.asked.map(({ name }) => name)).toEqual([
      'cluster.exec-plugin',
      'cluster.consent',
      'cluster.connect',
      'node.list',
    ])
    expect(fake.inputsOf('cluster.consent')).toEqual([{ name: 'lab', fingerprint: 'sha256-of-it' }])
  })

  it('is not run after a no: the cluster is not even connected to', async () => {
    const fake = withPlugin()
    const terminal = createFakeTerminal({ ...INTERACTIVE, contract: fake.contract, answers: ['n'] })
    expect(await terminal.run('nodes', 'lab')).toBe(1)
    expect(fake.asked.map(({ name }) => name)).toEqual(['cluster.exec-plugin'])
  })

  it.each([
    ['nodes', 'lab'],
    ['instances', 'lab'],
    ['cluster', 'test', 'lab'],
    ['plan', 'enter', 'lab', 'n'],
    ['enter', 'lab', 'n', '--yes'],
  ])('without a terminal stops `%s %s` and says how to agree', async (...words) => {
    const fake = withPlugin()
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run(...words)).toBe(1)
    expect(terminal.err()).toContain('lockkeeper cluster consent lab')
    expect(fake.asked.map(({ name }) => name)).toEqual(['cluster.exec-plugin'])
  })

  it('that was agreed to is not asked for again', async () => {
    const fake = withPlugin({ ...PLUGIN, consented: true })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('nodes', 'lab')).toBe(0)
    expect(fake.inputsOf('cluster.consent')).toEqual([])
  })

  it('is agreed to with `cluster consent`, without a terminal only with --yes', async () => {
    const fake = withPlugin()
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('cluster', 'consent', 'lab')).toBe(2)
    expect(terminal.out()).toContain('/usr/bin/login-helper')
    expect(fake.inputsOf('cluster.consent')).toEqual([])
    expect(await terminal.run('cluster', 'consent', 'lab', '--yes')).toBe(0)
    expect(fake.inputsOf('cluster.consent')).toEqual([{ name: 'lab', fingerprint: 'sha256-of-it' }])
  })
})

it('what could not be looked at is not passed over: the command is agreed to, and the addresses of the cloud are not', async () => {
  const fake = createFakeContract({
    'cluster.exec-plugin': () => ok(PLUGIN),
    'cluster.consent': () => ok({}),
    'cluster.endpoints': () => failed(failure('unreachable', 'Keystone does not answer.')),
  })
  const terminal = createFakeTerminal({ contract: fake.contract })
  expect(await terminal.run('cluster', 'consent', 'lab', '--yes')).toBe(0)
  expect(terminal.err()).toContain('nothing is agreed about them: Keystone does not answer.')
  expect(fake.inputsOf('cluster.agree-to-endpoints')).toEqual([])
})

describe('what is unsafe about a connection', () => {
  it('is shown with every command that uses it, on standard error', async () => {
    const fake = createFakeContract({
      'cluster.connect': () =>
        ok({
          warnings: [{ code: 'tls-not-verified', message: 'the certificate of the API server is not verified' }],
          openstack: failure('unreachable', 'Keystone does not answer.'),
        }),
      'node.list': () => ok(EMPTY),
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('nodes', 'lab', '-o', 'json')).toBe(0)
    expect(terminal.err()).toContain('! lab: the certificate of the API server is not verified')
    expect(terminal.err()).toContain('! OpenStack of lab cannot be asked: Keystone does not answer.')
    expect(terminal.json()).toEqual([])
  })
})
