import { describe, expect, test } from 'vitest'
import { failure } from '../../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../../shared/domain/result.ts'
import { createFakeTerminal } from '../../../../fixtures/cli/fake-terminal.ts'

const POD = { POD_NAME: 'lockkeeper-runner-1', POD_NAMESPACE: 'ops', NODE_NAME: 'node-7' }

/** A runner that ends when it is stopped; `ready` says when it has started. */
function fakeRunner(ready: Promise<void> = Promise.resolve()) {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let stops = 0
  return {
    stops: () => stops,
    start: async () => {
      await ready
      return ok({
        ended,
        stop: () => {
          stops += 1
          resolve()
        },
      })
    },
  }
}

describe('lockkeeper runner run', () => {
  test.each([
    ['as its pod has it', {}, [], { namespace: 'ops', kubeconfig: null, shard: { index: 0, of: 1 }, port: 9464 }],
    ['as one of several', {}, ['--replicas', '3'], { shard: { index: 1, of: 3 } }],
    [
      'as given',
      {},
      ['--namespace', 'n', '--port', '8080', '--kubeconfig', 'k'],
      { namespace: 'n', port: 8080, kubeconfig: '/home/operator/k' },
    ],
    ['as usual', {}, [], { isVolumeElsewhere: false }],
    ['with a volume elsewhere', {}, ['--volume-elsewhere'], { isVolumeElsewhere: true }],
    ['with credentials elsewhere', {}, ['--secrets-dir', '/run/clouds'], { secretsDirectory: '/run/clouds' }],
  ] as const)('starts %s', async (_, env, words, asked) => {
    const runner = fakeRunner()
    const terminal = createFakeTerminal({ env: { ...POD, ...env }, runner: runner.start })
    const code = terminal.run('runner', 'run', ...words)
    await new Promise(resolve => setImmediate(resolve))
    while (terminal.ranRunners.length === 0) await new Promise(resolve => setImmediate(resolve))
    await new Promise(resolve => setImmediate(resolve))
    terminal.press('SIGTERM')
    expect(await code).toBe(0)
    expect(terminal.ranRunners).toMatchObject([{ ...asked, pod: { name: 'lockkeeper-runner-1', nodeName: 'node-7' } }])
    expect(runner.stops()).toBe(1)
  })

  test('that gets a signal while it starts ends in order once it has started', async () => {
    const { promise: ready, resolve } = Promise.withResolvers<void>()
    const runner = fakeRunner(ready)
    const terminal = createFakeTerminal({ env: POD, runner: runner.start })
    const code = terminal.run('runner', 'run')
    while (terminal.ranRunners.length === 0) await new Promise(next => setImmediate(next))
    terminal.press('SIGTERM')
    expect(runner.stops()).toBe(0)
    resolve()
    expect(await code).toBe(0)
    expect(runner.stops()).toBe(1)
  })

  test.each([
    ['one of several without a number', { POD_NAME: 'runner' }],
    ['one of several with a number too high', { POD_NAME: 'runner-3' }],
  ])('refuses to be %s', async (_, env) => {
    const terminal = createFakeTerminal({ env: { ...POD, ...env }, runner: fakeRunner().start })
    expect(await terminal.run('runner', 'run', '--replicas', '3')).toBe(2)
    expect(terminal.err()).toContain('POD_NAME')
    expect(terminal.ranRunners).toEqual([])
  })

  test('tells why it cannot be started', async () => {
    const terminal = createFakeTerminal({ env: POD, runner: async () => failed(failure('bad-input', 'No pod.')) })
    expect(await terminal.run('runner', 'run')).toBe(2)
    expect(terminal.err()).toContain('No pod.')
  })
})
