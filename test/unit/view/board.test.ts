import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBoard } from '../../../main/clusters/view/board.ts'
import { ClusterFacts } from '../../../main/clusters/view/facts.ts'
import { createSettling } from '../../../main/clusters/view/settling.ts'
import { ClusterFlavour } from '../../../shared/domain/cluster.ts'
import { SourceName, type SourceState } from '../../../shared/domain/cluster-view.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import { fakeCluster, fakeInstance, fakeNode, fakePod, fakeService } from '../../fixtures/procedures/fake-world.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const NAMES = ['cmp-1', 'cmp-2', 'cmp-3.east']
const nameOf = fc.constantFrom(...NAMES, 'gone')

const STATES: readonly SourceState[] = [
  { kind: 'catching-up' },
  { kind: 'live', lastAnswerAt: '2026-01-01T00:00:00Z' },
  { kind: 'offline', since: '2026-01-01T00:00:00Z', why: 'no answer' },
  { kind: 'not-permitted', why: 'forbidden' },
  { kind: 'absent', why: 'there is none' },
]

type Change = (facts: ClusterFacts, putState: (source: SourceName, state: SourceState) => void) => void

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ name: nameOf, unschedulable: fc.boolean() }).map(({ name, unschedulable }): Change => {
    return facts => facts.changeNodes([fakeNode(name, { unschedulable })], [])
  }),
  nameOf.map(
    (name): Change =>
      facts =>
        facts.changeNodes([], [fakeNode(name).uid]),
  ),
  fc
    .array(
      fc.record({
        name: nameOf,
        status: fc.constantFrom('enabled' as const, 'disabled' as const),
        state: fc.constantFrom('up' as const, 'down' as const),
        updatedAt: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'),
      }),
    )
    .map(
      (all): Change =>
        facts =>
          facts.putServices(all.map(({ name, ...more }) => fakeService(name, more))),
    ),
  fc.record({ name: nameOf, at: fc.nat(3) }).map(({ name, at }): Change => {
    return facts => facts.changePods([fakePod(`p${at}`, { nodeName: name })], [])
  }),
  fc.record({ name: nameOf, at: fc.nat(3), moves: fc.boolean() }).map(({ name, at, moves }): Change => {
    const more = moves ? { status: 'MIGRATING', taskState: 'migrating' } : {}
    return facts => facts.changeInstances([fakeInstance(`i${at}`, name, more)], [])
  }),
  fc.record({ name: nameOf, at: fc.nat(3) }).map(({ name, at }): Change => {
    const migration = fakeMigration({ instanceId: `i${at}`, status: 'running', sourceHost: 'cmp-1', destHost: name })
    return facts => facts.putMove(`i${at}`, migration)
  }),
  fc.constantFrom(...SourceName.options).map(
    (source): Change =>
      facts =>
        facts.learn(source),
  ),
  fc.record({ source: fc.constantFrom(...SourceName.options), state: fc.constantFrom(...STATES) }).map(
    ({ source, state }): Change =>
      (_, putState) =>
        putState(source, state),
  ),
)

test('whatever changes in whatever order, all is drawn that comes out differently', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ClusterFlavour.options), fc.array(change, { maxLength: 30 }), (flavour, changes) => {
      const facts = new ClusterFacts()
      const clock = createVirtualClock()
      const monotonicMs = () => 0
      const settling = createSettling({ polled: () => [], hasFailed: () => false, monotonicMs })
      const board = createBoard({ cluster: fakeCluster({ flavour }), facts, settling, hasCloud: true, clock })
      const putState = (source: SourceName, state: SourceState) => void board.putState(source, state)
      for (const each of changes) {
        each(facts, putState)
        board.draw()
        facts.everyNode()
        for (const name of NAMES) facts.dirtyNodes.add(name)
        for (const id of facts.instances.keys()) facts.dirtyInstances.add(id)
        expect(board.draw()).toEqual([])
      }
    }),
    { numRuns: 1000 },
  )
})
