import { describe, expect, it } from 'vitest'
import type { DemoCluster } from '../../../../main/faces/cli/process-io.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

function clouds(more: Partial<DemoCluster> = {}) {
  let stopped = 0
  return {
    stopped: () => stopped,
    demoClouds: {
      clusters: [
        {
          name: 'demo-plain',
          kubeconfigPath: '/tmp/my demo/kubeconfig',
          context: 'demo-plain',
          cloudsYamlPath: '/tmp/my demo/clouds.yaml',
          cloud: 'demo-plain',
          ...more,
        },
      ],
      stop: async () => {
        stopped += 1
      },
    },
  }
}

describe('demo', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'keeps the clouds running until %s, then leaves nothing behind and ends with 0',
    async signal => {
      const { stopped, demoClouds } = clouds()
      const terminal = createFakeTerminal({ demoClouds })
      const code = terminal.run('demo')
      await terminal.printed('until Ctrl-C')
      expect(stopped()).toBe(0)
      expect(terminal.foldersLeft()).toBe(1)
      terminal.press(signal)
      expect(await code).toBe(0)
      expect(stopped()).toBe(1)
      expect(terminal.foldersLeft()).toBe(0)
    },
  )

  it('prints commands that can be copied as they stand', async () => {
    const { demoClouds } = clouds()
    const terminal = createFakeTerminal({ demoClouds })
    const code = terminal.run('demo')
    await terminal.printed('until Ctrl-C')
    terminal.press('SIGINT')
    await code
    expect(terminal.out()).toContain("kubectl --kubeconfig '/tmp/my demo/kubeconfig' --context demo-plain get nodes")
    expect(terminal.out()).toContain(
      "OS_CLIENT_CONFIG_FILE='/tmp/my demo/clouds.yaml' openstack --os-cloud demo-plain compute service list",
    )
  })

  it('adds a sunbeam cloud with the Juju controller that operates its machines', async () => {
    const juju = { kind: 'client-files', directory: '/tmp/my demo/juju', controller: 'sun', model: 'admin/m' } as const
    const { demoClouds } = clouds({ flavour: 'sunbeam', roleMaintenance: { juju } })
    const terminal = createFakeTerminal({ demoClouds })
    const code = terminal.run('demo')
    await terminal.printed('until Ctrl-C')
    terminal.press('SIGINT')
    await code
    expect(terminal.out()).toContain(
      " --flavour sunbeam --juju-directory '/tmp/my demo/juju' --juju-controller sun --juju-model admin/m",
    )
  })

  it('as JSON is one object that names the files', async () => {
    const { demoClouds } = clouds()
    const terminal = createFakeTerminal({ demoClouds })
    const code = terminal.run('demo', '-o', 'json')
    await terminal.printed('until Ctrl-C')
    terminal.press('SIGINT')
    await code
    expect(terminal.json()).toEqual({ clusters: demoClouds.clusters })
  })
})

describe('demo tour', () => {
  it('always opens embedded clouds, whatever else was asked', async () => {
    const { createFakeContract } = await import('../../../fixtures/cli/fake-contract.ts')
    const fake = createFakeContract({ 'cluster.list': () => ok([]) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('demo', 'tour', '--data-dir', '/real/data')).toBe(1)
    expect(terminal.opened).toEqual([{ dataDirectory: null, demo: true }])
    expect(terminal.err()).toContain('No embedded cloud with OpenStack was started.')
    expect(terminal.closed()).toBe(1)
  })

  it('passes over a cloud that is marked as production, which would ask for its name', async () => {
    const { createFakeContract } = await import('../../../fixtures/cli/fake-contract.ts')
    const fake = createFakeContract({
      'cluster.list': () =>
        ok([fakeCluster({ name: 'demo-edge', production: true }), fakeCluster({ name: 'demo-plain' })]),
    })
    await createFakeTerminal({ contract: fake.contract }).run('demo', 'tour')
    expect(fake.inputsOf('cluster.connect')).toEqual([{ name: 'demo-plain' }])
  })
})
