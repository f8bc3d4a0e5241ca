import { expect, it } from 'vitest'
import type { DemoCluster } from '../../../../main/faces/cli/process-io.ts'
import type { DemoTrouble } from '../../../../shared/domain/demo-troubles.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { playScenes, type Scene } from '../../../fixtures/cli/scenes.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

const PLAIN: DemoCluster = {
  ...{ name: 'demo-plain', context: 'demo-plain', cloud: 'demo-plain' },
  ...{ kubeconfigPath: '/tmp/my demo/kubeconfig', cloudsYamlPath: '/tmp/my demo/clouds.yaml' },
}
const TROUBLE: DemoTrouble = { name: 'stuck', on: true, cloud: 'demo-plain', node: 'cmp-01', object: 'db-01' }
/** Troubles as the embedded clouds list them. */
const troubles = (...listed: readonly DemoTrouble[]) => ({ list: () => listed })
const JUJU = { kind: 'client-files', directory: '/tmp/my demo/juju', controller: 'sun', model: 'admin/m' } as const
/** Demo clouds that run until Ctrl-C. */
const clouds = (says: string, more: Partial<DemoCluster> = {}, json = false): Scene => ({
  says,
  terminal: { demoClouds: { clusters: [{ ...PLAIN, ...more }], troubles: troubles(), stop: async () => undefined } },
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

it('a trouble is on from the start, and says how to meet it', async () => {
  const demoClouds = {
    clusters: [PLAIN],
    troubles: troubles(TROUBLE, { ...TROUBLE, name: 'fails', on: false }),
    stop: async () => undefined,
  }
  const terminal = createFakeTerminal({ demoClouds })
  const code = terminal.run('demo', '--trouble', 'stuck', '--trouble', 'fails')
  await terminal.printed('until Ctrl-C')
  terminal.press('SIGINT')
  expect(await code).toBe(0)
  expect(terminal.started[0]?.troubles).toEqual(['stuck', 'fails'])
  expect(terminal.all()).toContain(
    'A move never ends: db-01 writes memory as fast as the network copies it. To meet it: Take cmp-01 out.',
  )
  expect(terminal.all()).not.toContain('A move fails')
})

it.each(['demo', 'serve --demo'])('%s --trouble lists the troubles when it does not know one', async command => {
  const terminal = createFakeTerminal({})
  expect(await terminal.run(...command.split(' '), '--trouble', 'stock')).toBe(2)
  expect(terminal.err()).toContain(
    'The demo has no trouble "stock". Troubles: stuck, fails, silent-owner, silent-node, html, lost, ceph, full, budget.',
  )
})

it.each(['SIGINT', 'SIGTERM'] as const)('the demo runs until %s and leaves nothing behind', async signal => {
  let stopped = 0
  const stop = async () => {
    stopped += 1
  }
  const terminal = createFakeTerminal({ demoClouds: { clusters: [PLAIN], troubles: troubles(), stop } })
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
  const terminal = createFakeTerminal({
    demoClouds: { clusters: [PLAIN], troubles: troubles(), stop: async () => undefined },
  })
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
