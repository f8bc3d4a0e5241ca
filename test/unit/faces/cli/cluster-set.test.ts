import { describe, expect, it } from 'vitest'
import { requests } from '../../../../shared/contract/index.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { DEFAULT_ROLE_LABELS } from '../../../../shared/domain/roles.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

const lab = fakeCluster({ name: 'lab' })

async function set(...words: string[]) {
  const fake = createFakeContract({
    'cluster.list': () => ok([lab]),
    'cluster.update': () => ok({ ...lab, production: true }),
  })
  const terminal = createFakeTerminal({ contract: fake.contract })
  const code = await terminal.run('cluster', 'set', ...words)
  return { code, inputs: fake.inputsOf('cluster.update'), err: terminal.err(), out: terminal.out() }
}

describe('cluster set', () => {
  it('changes only what was given, and shows the cluster as it is then', async () => {
    const { code, inputs, out } = await set('lab', '--production')
    expect(code).toBe(0)
    expect(inputs).toEqual([{ name: 'lab', change: { production: true } }])
    expect(out).toMatch(/lab +plain +yes/)
  })

  it('keeps the limits and the roles that were not given', async () => {
    const { inputs } = await set(
      ...['lab', '--no-production', '--colour', 'auto', '--concurrency', '2', '--return-timeout', '10m'],
      ...['--role-label', 'compute=hypervisor'],
    )
    expect(inputs).toEqual([
      {
        name: 'lab',
        change: {
          production: false,
          colour: null,
          limits: { ...lab.limits, migrationsPerSource: 2, returnTimeoutMs: 600_000 },
          roleLabels: { ...DEFAULT_ROLE_LABELS, compute: ['hypervisor'] },
        },
      },
    ])
    expect(requests['cluster.update'].input.safeParse(inputs[0]).success).toBe(true)
  })

  it('says who answers maintenance requests, and keeps the other settings of the API', async () => {
    const { inputs } = await set(
      ...['lab', '--flavour', 'mosk', '--controller', 'openstack=console', '--controller', 'ceph=none'],
      ...['--role-limits', 'own', '--no-respect-zone', '--blocked-after', '2m', '--ceph-toolbox', 'ceph/app=tools'],
    )
    expect(inputs).toEqual([
      {
        name: 'lab',
        change: {
          flavour: 'mosk',
          maintenanceApi: {
            ...lab.maintenanceApi,
            controllers: { openstack: 'console', ceph: 'none', tungstenfabric: 'none', stacklight: 'none' },
            roleLimits: 'own',
            respectZone: false,
            blockedAfterMs: 120_000,
            cephNamespace: 'ceph',
            cephToolbox: 'app=tools',
          },
        },
      },
    ])
    expect(requests['cluster.update'].input.safeParse(inputs[0]).success).toBe(true)
  })

  it('a cluster that is not registered is not found', async () => {
    const { code, err } = await set('moon', '--production')
    expect(code).toBe(1)
    expect(err).toContain('There is no cloud named moon.')
  })
})
