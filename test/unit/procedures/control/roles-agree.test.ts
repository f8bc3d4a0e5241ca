import { describe, expect, test } from 'vitest'
import { makePlan } from '../../../../main/procedures/plans/node/make-plan.ts'
import { rolesAgree } from '../../../../main/procedures/steps/general/roles-agree.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { must } from '../../../../shared/domain/must.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../../shared/domain/plan.ts'
import { failed } from '../../../../shared/domain/result.ts'
import {
  COMPUTE,
  CONTROL,
  decision,
  fakeCluster,
  fakeContext,
  fakeNode,
  fakePod,
  fakeService,
  fakeWorld,
} from '../../../fixtures/procedures/fake-world.ts'

const FORCE = { kind: 'flag', flag: 'force' }
const check = (fake: ReturnType<typeof fakeWorld>, world = fake.port) =>
  must(rolesAgree.check, 'it is a check')({ node: 'n1' }, { ...fakeContext(fake), world })

describe('the roles of a node come from its labels and from what runs there (seed 004: "all roles on the node")', () => {
  test('both agree: every source is named', async () => {
    const fake = fakeWorld({ nodes: [fakeNode('n1', { labels: COMPUTE })], services: [fakeService('n1')] })
    expect(await check(fake)).toMatchObject({
      kind: 'ready',
      reason: "compute by its label openstack-compute-node=enabled and Nova's compute service.",
    })
  })

  test('a nova-compute without the label blocks until it is resolved or forced, and the plan empties the node all the same', async () => {
    const fake = fakeWorld({ nodes: [fakeNode('n1')], services: [fakeService('n1')] })
    expect(await check(fake)).toMatchObject({
      kind: 'blocked',
      blockers: [
        {
          code: 'RolesContradict',
          override: FORCE,
          remedy: expect.stringContaining('openstack-compute-node=enabled'),
        },
      ],
    })
    for (const flavour of ['plain', 'mosk', 'sunbeam'] as const) {
      const world = { ...fake.port, cluster: fakeCluster({ flavour }) }
      const options = { ...DEFAULT_RUN_OPTIONS, strategy: 'nova' as const }
      const plan = await makePlan({ id: 'p', kind: 'enter', node: 'n1', madeAt: '', options }, world)
      const kinds = plan.ok ? plan.value.steps.map(({ kind }) => kind) : []
      expect(kinds).toEqual(expect.arrayContaining(['roles-agree', 'instances-classified']))
    }
  })

  test('a compute label without a nova-compute blocks', async () => {
    const fake = fakeWorld({ nodes: [fakeNode('n1', { labels: COMPUTE })] })
    expect(await check(fake)).toMatchObject({ blockers: [{ code: 'RolesContradict', override: FORCE }] })
  })

  test('pods of the control plane without the label block, and its quorums are looked after', async () => {
    const api = fakePod('api-1', { nodeName: 'n1', nodeSelector: CONTROL })
    const fake = fakeWorld({ nodes: [fakeNode('n1')], decisions: [decision(api)] })
    expect(await check(fake)).toMatchObject({
      blockers: [{ code: 'RolesContradict', message: expect.stringContaining('openstack/api-1') }],
    })
    const options = { ...DEFAULT_RUN_OPTIONS, strategy: 'nova' as const }
    const plan = await makePlan({ id: 'p', kind: 'enter', node: 'n1', madeAt: '', options }, fake.port)
    expect(plan.ok && plan.value.steps.map(({ kind }) => kind)).toContain('datastore-quorum')
  })

  test('a silent Nova does not prove that a node has no compute role; one with the label has its own checks', async () => {
    const silent = (labels: Record<string, string>) => {
      const fake = fakeWorld({ nodes: [fakeNode('n1', { labels })] })
      const openstack = must(fake.port.openstack, 'it has a cloud')
      const away = async () => failed(failure('unreachable', 'Nova does not answer.', { retryable: true }))
      return check(fake, { ...fake.port, openstack: { ...openstack, computeServices: away } })
    }
    expect(await silent(CONTROL)).toMatchObject({ blockers: [{ code: 'RolesNotKnown', override: FORCE }] })
    expect(await silent(COMPUTE)).toMatchObject({ kind: 'ready' })
  })
})
