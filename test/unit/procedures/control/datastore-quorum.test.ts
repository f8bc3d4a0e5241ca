import { describe, expect, test } from 'vitest'
import { controlQuorum } from '../../../../main/procedures/steps/control/control-quorum.ts'
import { snapServiceState } from '../../../../main/procedures/steps/control/datastore-members.ts'
import { datastoreQuorum } from '../../../../main/procedures/steps/control/datastore-quorum.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import { type FakeJuju, fakeJuju, output, UNREACHABLE, unit } from '../../../fixtures/procedures/fake-juju.ts'
import {
  CONTROL,
  decision,
  fakeContext,
  fakeNode,
  fakePod,
  fakeWorld,
  withSilentNova,
} from '../../../fixtures/procedures/fake-world.ts'

const NODES = ['n1', 'n2', 'n3'] as const
const services = (state: string) =>
  output(`Service         Startup  Current   Notes\nk8s.k8s-dqlite  enabled  ${state}  -\n`)

/** Three control nodes whose charm k8s runs dqlite; `silent` machines have their service stopped. */
function sunbeam(stopped: readonly string[] = [], juju: Partial<FakeJuju> = {}) {
  const controller = fakeJuju({
    units: NODES.map((name, at) => unit(`k8s/${at}`, name)),
    config: new Map([['k8s', { 'bootstrap-datastore': 'dqlite' }]]),
    commands: name => services(stopped.includes(name) ? 'inactive' : 'active'),
    ...juju,
  })
  return { controller, check: check(fakeWorldOf(controller)) }
}

function fakeWorldOf(controller: FakeJuju | null, pods: Parameters<typeof fakePod>[] = []) {
  const world = fakeWorld({
    nodes: NODES.map(name => fakeNode(name, { labels: CONTROL })),
    decisions: pods.map(pod => decision(fakePod(...pod))),
  })
  return Object.assign(world, { port: { ...world.port, juju: controller?.port ?? null } })
}

async function check(world: ReturnType<typeof fakeWorldOf>, node = 'n1'): Promise<CheckAnswer> {
  const answer = await datastoreQuorum.check?.({ node }, fakeContext(world))
  if (answer === undefined) throw new Error('the step has no check')
  return answer
}

const blockers = (answer: CheckAnswer) => (answer.kind === 'blocked' ? answer.blockers : [])

describe('the datastore keeps its quorum without the node (docs/domain.md B.1)', () => {
  test('two of three dqlite members stay: it may go', async () => {
    const answer = await sunbeam().check
    expect(answer).toMatchObject({ kind: 'ready', reason: expect.stringContaining('2 of 3 members (dqlite) stay') })
  })

  test("the node's own member is never asked: it does not count whatever it says", async () => {
    const { controller, check: answer } = sunbeam()
    await answer
    expect(controller.ran).toEqual(['k8s/1: snap services k8s.k8s-dqlite', 'k8s/2: snap services k8s.k8s-dqlite'])
  })

  test('one of the others is stopped: one of three would be left, a quorum needs two', async () => {
    const answer = await sunbeam(['k8s/2']).check
    expect(blockers(answer)).toMatchObject([
      {
        code: 'DatastoreQuorumLost',
        message: expect.stringContaining('Only 1 of 3 members (dqlite) would be serving without n1'),
        override: { flag: 'force' },
      },
    ])
    expect(JSON.stringify(answer.evidence)).toContain('k8s/2 on n3: k8s.k8s-dqlite is inactive')
  })

  test('a second node of three: the one in maintenance counts as gone although its member still serves', async () => {
    const world = fakeWorldOf(
      fakeJuju({
        units: NODES.map((name, at) => unit(`k8s/${at}`, name)),
        config: new Map([['k8s', { 'bootstrap-datastore': 'dqlite' }]]),
        commands: () => services('active'),
      }),
    )
    world.nodes = world.nodes.map(node => (node.name === 'n2' ? { ...node, unschedulable: true } : node))
    expect(blockers(await check(world))).toMatchObject([
      {
        code: 'DatastoreQuorumLost',
        message:
          'Only 1 of 3 members (dqlite) would be serving without n1 and n2 (in maintenance: cordoned); a quorum needs 2.',
        override: { flag: 'force' },
      },
    ])
    // The control nodes of a cloud without Juju are judged alike.
    const { juju: _, ...port } = world.port
    const answer = await must(controlQuorum.check, 'it is a check')(
      { node: 'n1' },
      { ...fakeContext(world), world: { ...port, juju: null } },
    )
    expect(blockers(answer)).toMatchObject([{ code: 'ControlQuorumLost', override: { flag: 'force' } }])
  })

  test.each([controlQuorum, datastoreQuorum])(
    'it names a Nova that is silent about the other nodes: $kind',
    async step => {
      const world = fakeWorldOf(null)
      const reported = async (port: typeof world.port) =>
        must(step.check, 'it is a check')({ node: 'n1' }, { ...fakeContext(world), world: port })
      expect(await reported(world.port)).toMatchObject({ kind: 'ready', warnings: [] })
      expect(await reported({ ...world.port, ...withSilentNova(world.port), juju: null })).toMatchObject({
        kind: 'ready',
        warnings: [{ message: expect.stringMatching(/so Lockkeeper counts none as out: Nova does not answer/) }],
      })
    },
  )

  test('a node that is not ready has no member that serves, whatever Juju says; nothing is run on a machine that is gone', async () => {
    const juju = fakeJuju({
      units: NODES.map((name, at) => unit(`k8s/${at}`, name)),
      config: new Map([['k8s', { 'bootstrap-datastore': 'dqlite' }]]),
      commands: () => services('active'),
    })
    const world = fakeWorldOf(juju)
    world.nodes = world.nodes.map(node => (node.name === 'n2' ? { ...node, readiness: 'unknown' } : node))
    const answer = await check(world)
    expect(blockers(answer)).toMatchObject([
      {
        message: expect.stringContaining(
          'Only 1 of 3 members (dqlite) would be serving without n1 and n2 (its kubelet does not report)',
        ),
      },
    ])
    expect(juju.ran).toEqual(['k8s/2: snap services k8s.k8s-dqlite'])
  })

  test('a machine that does not answer does not count as serving, and the evidence says so', async () => {
    const answer = await sunbeam([], {
      commands: name => (name === 'k8s/1' ? failure('timed-out', 'k8s/1 gave no result in 60 s.') : services('active')),
    }).check
    expect(blockers(answer)[0]?.code).toBe('DatastoreQuorumLost')
    expect(JSON.stringify(answer.evidence)).toContain('k8s/1 gave no result')
  })

  test('Juju does not answer: the state is unknown, which only --force passes', async () => {
    const answer = await sunbeam([], { down: UNREACHABLE }).check
    expect(blockers(answer)).toMatchObject([
      {
        code: 'DatastoreQuorumNotKnown',
        message: expect.stringContaining('Lockkeeper could not ask Juju'),
        override: { kind: 'flag', flag: 'force' },
        passing: { retryAfterMs: 0 },
      },
    ])
  })

  test('another datastore is counted by the etcd pods of kube-system', async () => {
    const juju = fakeJuju({ config: new Map([['k8s', { 'bootstrap-datastore': 'etcd' }]]) })
    const etcd = (node: string, ready: boolean): Parameters<typeof fakePod> => [
      `etcd-${node}`,
      { namespace: 'kube-system', labels: { component: 'etcd' }, nodeName: node, ready },
    ]
    const answer = await check(fakeWorldOf(juju, [etcd('n1', true), etcd('n2', true), etcd('n3', false)]))
    expect(blockers(answer)[0]?.message).toContain('Only 1 of 3 members (etcd) would be serving without n1;')
  })

  test('where etcd is not a pod, API servers are counted', async () => {
    const server = (node: string): Parameters<typeof fakePod> => [
      `kube-apiserver-${node}`,
      { namespace: 'kube-system', labels: { component: 'kube-apiserver' }, nodeName: node },
    ]
    const answer = await check(fakeWorldOf(null, NODES.map(server)))
    expect(answer).toMatchObject({ kind: 'ready', reason: expect.stringContaining('2 of 3 members (API servers)') })
  })

  test('where neither is seen, ready control nodes are counted', async () => {
    const world = fakeWorldOf(null)
    expect(await check(world)).toMatchObject({ kind: 'ready', reason: expect.stringContaining('(control nodes)') })
    world.nodes = world.nodes.map(node => (node.name === 'n2' ? { ...node, readiness: 'not-ready' } : node))
    expect(blockers(await check(world))[0]?.code).toBe('DatastoreQuorumLost')
  })

  test('a single member never leaves a quorum', async () => {
    const answer = await sunbeam([], { units: [unit('k8s/0', 'n1')] }).check
    expect(blockers(answer)[0]?.message).toContain('Only 0 of 1 members (dqlite) would be serving without n1;')
  })

  test('"inactive" is not "active": the column is compared whole', () => {
    expect(snapServiceState(services('inactive').stdout, 'k8s.k8s-dqlite')).toBe('inactive')
    expect(snapServiceState('error: no matching services', 'k8s.k8s-dqlite')).toBeNull()
  })
})
