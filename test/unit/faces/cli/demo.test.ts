import { expect, it } from 'vitest'
import type { DemoCluster } from '../../../../main/faces/cli/process-io.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { playScenes, type Scene } from '../../../fixtures/cli/scenes.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

const PLAIN: DemoCluster = {
  ...{ name: 'demo-plain', context: 'demo-plain', cloud: 'demo-plain' },
  ...{ kubeconfigPath: '/tmp/my demo/kubeconfig', cloudsYamlPath: '/tmp/my demo/clouds.yaml' },
}
const JUJU = { kind: 'client-files', directory: '/tmp/my demo/juju', controller: 'sun', model: 'admin/m' } as const
/** Demo clouds that run until Ctrl-C. */
const clouds = (says: string, more: Partial<DemoCluster> = {}, json = false): Scene => ({
  says,
  terminal: { demoClouds: { clusters: [{ ...PLAIN, ...more }], stop: async () => undefined } },
  play: async terminal => {
    await terminal.printed('until Ctrl-C')
    terminal.press('SIGINT')
  },
  ...(json ? { json: { clusters: [PLAIN] } } : {}),
})

playScenes('the demo', 'transcripts/demo.txt', () => createFakeContract({}), {
  'has commands that can be copied as they stand': clouds('demo'),
  'has a cloud of sunbeam, with the Juju controller of its machines': clouds('demo', {
    ...{ flavour: 'sunbeam', roleMaintenance: { juju: JUJU } },
  }),
  'is as JSON one object that names the files': clouds('demo -o json', {}, true),
})

it.each(['SIGINT', 'SIGTERM'] as const)('the demo runs until %s and leaves nothing behind', async signal => {
  let stopped = 0
  const stop = async () => {
    stopped += 1
  }
  const terminal = createFakeTerminal({ demoClouds: { clusters: [PLAIN], stop } })
  const code = terminal.run('demo')
  await terminal.printed('until Ctrl-C')
  expect([stopped, terminal.foldersLeft()]).toEqual([0, 1])
  terminal.press(signal)
  expect(await code).toBe(0)
  expect([stopped, terminal.foldersLeft()]).toEqual([1, 0])
})

it.each([
  ['renamed-compute=cmp-02', 0],
  ['held-evictions=cmp-08', 0],
  ['renamed-compute', 2],
  ['renamed-compute=ctl-1', 2],
  ['renamed-compute=cmp-09', 2],
  ['renamed=cmp-02', 2],
  ['renamed-compute=cmp-02=cmp-03', 2],
])('--play %s: exit %i', async (text, expected) => {
  const terminal = createFakeTerminal({ demoClouds: { clusters: [PLAIN], stop: async () => undefined } })
  const code = terminal.run('demo', '--play', text)
  if (expected === 0) {
    await terminal.printed('plays')
    terminal.press('SIGINT')
  }
  expect(await code).toBe(expected)
})

it.each([
  ['none', [], []],
  ['none that is marked as production', ['demo-edge', 'demo-plain'], [{ name: 'demo-plain' }]],
])('the tour opens embedded clouds whatever else is asked, and takes %s', async (_, names, connected) => {
  const clusters = names.map(name => fakeCluster({ name, production: name === 'demo-edge' }))
  const fake = createFakeContract({ 'cluster.list': () => ok(clusters) })
  const terminal = createFakeTerminal({ contract: fake.contract })
  expect(await terminal.run('demo', 'tour', '--data-dir', '/real/data')).toBe(1)
  expect(terminal.opened).toEqual([{ dataDirectory: null, demo: true }])
  expect(fake.inputsOf('cluster.connect')).toEqual(connected)
  expect(terminal.closed()).toBe(1)
})
