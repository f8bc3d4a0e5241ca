import { describe, expect, test } from 'vitest'
import { createMicroCeph } from '../../../../main/adapters/ceph/microceph.ts'
import { enableOvn } from '../../../../main/procedures/steps/control/enable-ovn.ts'
import { rolesAgree } from '../../../../main/procedures/steps/general/roles-agree.ts'
import type { JujuUnit } from '../../../../shared/domain/juju.ts'
import { jujuMachinesOf, unitOnNode } from '../../../../shared/domain/juju-units.ts'
import { must } from '../../../../shared/domain/must.ts'
import { fakeJuju, unit } from '../../../fixtures/procedures/fake-juju.ts'
import { fakeCluster, fakeContext, fakeNode, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'

const FQDN = 'n1.maas'

/** A unit on a machine of Juju's; one that is lost reports no more. */
function on(application: string, machine: string, hostname: string, status = 'idle'): JujuUnit {
  return { ...unit(`${application}/${machine}`, hostname), machine, agent: { status, message: '' } }
}

type Case = readonly [what: string, units: readonly JujuUnit[], kind: string, counts: string | null]

const CASES: readonly Case[] = [
  ['none', [on('microceph', '7', 'n10')], 'none', null],
  ['one', [on('microceph', '0', 'n1')], 'one', 'microceph/0'],
  ['one under its FQDN', [on('microceph', '0', FQDN)], 'one', 'microceph/0'],
  ['several units of one machine', [on('k8s', '0', 'n1'), on('microceph', '0', 'n1')], 'one', 'microceph/0'],
  [
    'added again, with a dead leftover',
    [on('microceph', '0', 'n1', 'lost'), on('microceph', '3', 'n1')],
    'one',
    'microceph/3',
  ],
  [
    'renamed, with a dead leftover',
    [on('microceph', '0', 'n1', 'lost'), on('microceph', '3', FQDN)],
    'one',
    'microceph/3',
  ],
  ['its machine is off', [on('microceph', '0', 'n1', 'lost')], 'one', 'microceph/0'],
  ['two that report', [on('microceph', '0', 'n1'), on('microceph', '3', FQDN)], 'several', 'microceph/0'],
  [
    'two that do not',
    [on('microceph', '0', 'n1', 'lost'), on('microceph', '3', 'n1', 'lost')],
    'several',
    'microceph/0',
  ],
]

describe("Juju's machines of a node", () => {
  test.each(CASES)('%s', (_, units, kind, counts) => {
    expect(jujuMachinesOf(units, 'n1').kind).toBe(kind)
    expect(unitOnNode(units, 'microceph', 'n1')?.name ?? null).toBe(counts)
  })

  test.each(CASES)('%s: on the way in', async (_, units, kind) => {
    const fake = fakeWorld({ nodes: [fakeNode('n1')] })
    const world = {
      ...fake.port,
      cluster: fakeCluster({ flavour: 'sunbeam' }),
      juju: fakeJuju({ units: [...units] }).port,
    }
    const answer = await must(rolesAgree.check, 'it is a check')({ node: 'n1' }, { ...fakeContext(fake), world })
    const blockers = answer.kind === 'blocked' ? answer.blockers : []
    expect(blockers.map(({ code, override }) => [code, override.kind])).toEqual(
      kind === 'several' ? [['SeveralJujuMachines', 'never']] : [],
    )
    const hasLeftover = kind === 'one' && new Set(units.map(({ machine }) => machine)).size > 1
    expect(answer.warnings.map(({ message }) => message)).toEqual(
      hasLeftover ? [expect.stringContaining('juju remove-machine --force 0')] : [],
    )
  })

  test.each(CASES)(
    '%s: MicroCeph acts on the machine that counts, and on none of two',
    async (_, units, kind, counts) => {
      const acted: string[] = []
      const juju = {
        ...fakeJuju({ units: [...units, on('microceph', '9', 'n9')] }).port,
        runAction: async (name: string) => {
          acted.push(name)
          return {
            ok: true,
            value: { id: '1', status: 'completed', message: '', output: { status: 'success' } },
          } as const
        },
      }
      const choices = {
        setNoout: true,
        stopOsds: false,
        checkOnly: false,
        dryRun: false,
        ignoreCheck: true,
        force: false,
      }
      const answer = await createMicroCeph(juju).enterMaintenance('n1', choices)
      expect(acted).toEqual(kind === 'one' ? [counts] : [])
      if (kind === 'several' && !answer.ok) expect(answer.failure.reason).toBe('MicroCephSeveralUnits')
    },
  )

  test('OVN is enabled on none of two machines that report', async () => {
    const juju = fakeJuju({ units: [on('microovn', '0', 'n1'), on('microovn', '3', FQDN)] })
    const fake = fakeWorld()
    const ctx = { ...fakeContext(fake), world: { ...fake.port, juju: juju.port } }
    expect(await must(enableOvn.check, 'it has one')({ node: 'n1' }, ctx)).toMatchObject({
      kind: 'blocked',
      blockers: [{ message: expect.stringContaining('Several machines of Juju match n1') }],
    })
    expect(juju.ran).toEqual([])
  })
})
