import { describe, expect, test } from 'vitest'
import { drainNode } from '../../../../main/procedures/steps/general/drain-node.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { BoundVolume, Pod } from '../../../../shared/domain/kubernetes.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { reachesVolume } from '../../../../shared/domain/volume-reach.ts'
import { decision, fakeContext, fakeNode, fakePod, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'

const onlyOn = (...names: string[]): BoundVolume['reach'] => [
  [{ key: 'kubernetes.io/hostname', operator: 'In', values: names }],
]
const volume = (claim: string, reach: BoundVolume['reach']): BoundVolume => ({
  name: `pv-${claim}`,
  namespace: 'openstack',
  claim,
  reach,
})
const node = (name: string) => fakeNode(name, { labels: { 'kubernetes.io/hostname': name } })

function drain(pods: readonly Pod[], volumes: BoundVolume[]) {
  const world = fakeWorld({
    nodes: ['n1', 'n2', 'n3'].map(node),
    decisions: pods.map(pod => decision(pod)),
    volumes,
  })
  return { world, check: () => drainNode.check?.({ node: 'n1' }, fakeContext(world)) }
}

const mysql = fakePod('mysql-0', { claims: ['data-mysql-0'], nodeName: 'n1' })
const warningsOf = (answer: Awaited<ReturnType<ReturnType<typeof drain>['check']>>) =>
  answer?.effects.flatMap(effect => (effect.kind === 'pod' ? effect.warnings : []))

describe('pods whose volumes stay on the node stay Pending (seed 004, "Drain the node")', () => {
  test('a local volume holds its pod back: said at the pod and of them all', async () => {
    const answer = await drain([mysql], [volume('data-mysql-0', onlyOn('n1'))]).check()
    expect(warningsOf(answer)).toEqual([
      'No other node in service reaches volume pv-data-mysql-0 of its claim data-mysql-0: it stays Pending until n1 is back.',
    ])
    expect(answer?.warnings.map(({ message }) => message)).toEqual([
      'These pods stay Pending until n1 is back, because their volumes stay: openstack/mysql-0.',
    ])
    expect(answer?.kind).toBe('ready')
  })

  test.each<[string, BoundVolume[]]>([
    ['every node reaches its volume', [volume('data-mysql-0', null)]],
    ['another node in service reaches it', [volume('data-mysql-0', onlyOn('n1', 'n3'))]],
    ['it is bound to no volume yet', []],
  ])('%s: nothing to warn of', async (_why, volumes) => {
    const answer = await drain([mysql], volumes).check()
    expect(warningsOf(answer)).toEqual([])
    expect(answer?.warnings).toEqual([])
  })

  test('the only other node that reaches it is cordoned: it stays Pending', async () => {
    const { world, check } = drain([mysql], [volume('data-mysql-0', onlyOn('n1', 'n3'))])
    world.nodes = world.nodes.map(other => (other.name === 'n3' ? { ...other, unschedulable: true } : other))
    expect(warningsOf(await check())).toHaveLength(1)
  })

  test('a claim of the same name in another namespace is another claim', async () => {
    const other = { ...volume('data-mysql-0', onlyOn('n1')), namespace: 'elsewhere' }
    expect(warningsOf(await drain([mysql], [other]).check())).toEqual([])
  })

  test('volumes may not be listed: whether it waits is unknown, and the check says so', async () => {
    const { world, check } = drain([mysql], [])
    const denied = async () => failed(failure('not-permitted', 'You may not list persistentvolumes.'))
    Object.assign(world, {
      port: { ...world.port, kubernetes: { ...world.port.kubernetes, listBoundVolumes: denied } },
    })
    const answer = await check()
    expect(warningsOf(answer)?.[0]).toContain('You may not list persistentvolumes.')
    expect(answer?.warnings[0]?.message).toContain('may stay Pending')
  })

  test('a pod that stays needs no warning', async () => {
    const world = fakeWorld({
      nodes: ['n1', 'n2'].map(node),
      decisions: [decision(mysql, { fate: 'keep' })],
      volumes: [volume('data-mysql-0', onlyOn('n1'))],
    })
    expect(warningsOf(await drainNode.check?.({ node: 'n1' }, fakeContext(world)))).toEqual([])
  })
})

describe('which nodes reach a volume', () => {
  test.each<[string, BoundVolume['reach'], boolean]>([
    ['no affinity', null, true],
    ['a value of the list', onlyOn('n1', 'n2'), true],
    ['no value of the list', onlyOn('n2'), false],
    ['not a value of the list', [[{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['n1'] }]], false],
    ['an existing label', [[{ key: 'kubernetes.io/hostname', operator: 'Exists', values: [] }]], true],
    ['a label that is not there', [[{ key: 'zone', operator: 'Exists', values: [] }]], false],
    ['the name of the node', [[{ key: 'metadata.name', operator: 'In', values: ['n1'] }]], true],
    ['any of several terms', [...(onlyOn('n2') ?? []), ...(onlyOn('n1') ?? [])], true],
    ['all of one term', [[...(onlyOn('n1')?.[0] ?? []), ...(onlyOn('n2')?.[0] ?? [])]], false],
    ['no term at all', [], false],
    ['an operator nobody knows', [[{ key: 'kubernetes.io/hostname', operator: 'Like', values: ['n1'] }]], false],
  ])('%s', (_rule, reach, reaches) => {
    expect(reachesVolume(node('n1'), { reach })).toBe(reaches)
  })
})
