import { describe, expect, it } from 'vitest'
import { requests } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'

async function added(...words: string[]) {
  const fake = createFakeContract({ 'cluster.add': () => failed(failure('not-found', 'not in this test')) })
  const terminal = createFakeTerminal({ contract: fake.contract })
  await terminal.run('cluster', 'add', ...words)
  return { inputs: fake.inputsOf('cluster.add') }
}

describe('cluster add', () => {
  it('makes paths absolute and leaves missing options to the defaults', async () => {
    const { inputs } = await added(
      'lab',
      '--kubeconfig',
      'a.yaml:/b.yaml:',
      '--clouds-yaml',
      '../clouds.yaml',
      '--cloud',
      'lab',
    )
    expect(inputs).toEqual([
      {
        name: 'lab',
        flavour: 'plain',
        kubeconfig: { paths: ['/home/operator/a.yaml', '/b.yaml'], context: null },
        cloud: { path: '/home/clouds.yaml', cloud: 'lab' },
      },
    ])
  })

  it('passes every setting on in a form the contract takes', async () => {
    const { inputs } = await added(
      ...['edge', '--context', 'admin', '--no-openstack', '--flavour', 'mosk', '--concurrency', '2', '--attempts', '4'],
      ...[
        '--drain-timeout',
        '0',
        '--return-timeout',
        '5m',
        '--openstack-namespace',
        'os',
        '--lease-namespace',
        'kube-system',
      ],
      ...['--role-label', 'compute=nova=enabled', '--role-label', 'compute=hypervisor', '--role-label', 'storage=ceph'],
      ...['--production', '--colour', 'pink'],
    )
    expect(inputs).toEqual([
      {
        name: 'edge',
        flavour: 'mosk',
        kubeconfig: { paths: [], context: 'admin' },
        cloud: null,
        limits: { migrationsPerSource: 2, migrationAttempts: 4, drainTimeoutMs: 0, returnTimeoutMs: 300_000 },
        roleLabels: { compute: ['nova=enabled', 'hypervisor'], storage: ['ceph'] },
        openstackNamespace: 'os',
        leaseNamespace: 'kube-system',
        production: true,
        colour: 'pink',
      },
    ])
    expect(requests['cluster.add'].input.safeParse(inputs[0]).success).toBe(true)
  })
})
