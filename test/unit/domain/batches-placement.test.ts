import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BatchFacts } from '../../../shared/domain/batch-facts.ts'
import { type BatchVerdict, judgeBatches } from '../../../shared/domain/batch-judge.ts'
import {
  moversOf,
  placementExists,
  type Status,
  statusAtFirst,
  subsetsOf,
  wrongWith,
} from '../../fixtures/batches/brute-force.ts'
import { smallFacts } from '../../fixtures/batches/small-cloud.ts'

const WISH = { zones: 'spread', atOnce: {} } as const
const RUNS = { numRuns: 800 }

const known = (facts: BatchFacts) =>
  facts.hosts !== null && facts.providers !== null && facts.groups !== null && facts.instancesMissing.length === 0

/** A cloud and two batches of its nodes. */
const twoBatches = smallFacts(6, 9).chain(facts =>
  fc.record({
    facts: fc.constant(facts),
    batches: fc
      .shuffledSubarray(
        facts.nodes.map(({ name }) => name),
        { minLength: 1 },
      )
      .chain(names => fc.integer({ min: 1, max: 2 }).map(cut => [names.slice(0, cut), names.slice(cut, 2 * cut)])),
  }),
)

const statusAfter = (status: Status, { witness }: BatchVerdict, nodes: readonly string[]): Status => ({
  hostOf: new Map([...status.hostOf, ...witness.map(({ instance, to }) => [instance, to] as const)]),
  back: new Set([...status.back, ...nodes]),
})

describe('whether the rest of the cloud takes the instances of a batch', () => {
  it('fits: there is a placement that holds, also after an earlier batch moved instances', () => {
    let seen = 0
    fc.assert(
      fc.property(twoBatches, ({ facts, batches }) => {
        let status = statusAtFirst(facts)
        judgeBatches(
          facts,
          WISH,
          batches.filter(names => names.length > 0).map(nodes => ({ nodes })),
        ).forEach((verdict, at) => {
          const nodes = batches[at] ?? []
          if (verdict.batch.capacity.kind === 'fits') {
            const placed = new Map(verdict.witness.map(({ instance, to }) => [instance, to]))
            expect(wrongWith(facts, status, nodes, placed, 'sure')).toEqual([])
            expect(verdict.batch.capacity.moving).toBe(moversOf(facts, status, nodes).length)
            if (placed.size > 0) seen += 1
          }
          status = statusAfter(status, verdict, nodes)
        })
      }),
      RUNS,
    )
    expect(seen).toBeGreaterThan(50)
  })

  it('does not fit: no placement works, even if everything unknown allowed it', () => {
    let seen = 0
    fc.assert(
      fc.property(twoBatches, ({ facts, batches }) => {
        let status = statusAtFirst(facts)
        judgeBatches(
          facts,
          WISH,
          batches.filter(names => names.length > 0).map(nodes => ({ nodes })),
        ).forEach((verdict, at) => {
          const nodes = batches[at] ?? []
          const { capacity } = verdict.batch
          if (capacity.kind === 'does-not-fit') {
            seen += 1
            expect(placementExists(facts, status, nodes, 'at-best')).toBe(false)
            expect(capacity.instances.length).toBeGreaterThan(0)
            const movers = moversOf(facts, status, nodes).map(({ id }) => id)
            for (const { id } of capacity.instances) expect(movers).toContain(id)
          }
          status = statusAfter(status, verdict, nodes)
        })
      }),
      RUNS,
    )
    expect(seen).toBeGreaterThan(50)
  })

  it('has a verdict, in clouds this small, whenever everything is known and one is possible', () => {
    fc.assert(
      fc.property(smallFacts(5, 8).filter(known), facts => {
        const status = statusAtFirst(facts)
        for (const nodes of subsetsOf(facts.nodes.map(({ name }) => name))) {
          const kind = judgeBatches(facts, WISH, [{ nodes: [...nodes] }])[0]?.batch.capacity.kind
          const sure = placementExists(facts, status, nodes, 'sure')
          const atBest = placementExists(facts, status, nodes, 'at-best')
          expect(kind).toBe(sure ? 'fits' : atBest ? 'cannot-tell' : 'does-not-fit')
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is never better for a larger batch than for a part of it', () => {
    fc.assert(
      fc.property(smallFacts(5, 8), facts => {
        const names = facts.nodes.map(({ name }) => name)
        const verdict = new Map(
          [...subsetsOf(names)].map(nodes => [
            nodes.join(),
            judgeBatches(facts, WISH, [{ nodes: [...nodes] }])[0]?.batch.capacity.kind,
          ]),
        )
        for (const nodes of subsetsOf(names)) {
          for (const name of nodes) {
            const part = nodes.filter(each => each !== name)
            if (part.length === 0) continue
            if (verdict.get(part.join()) === 'does-not-fit') expect(verdict.get(nodes.join())).toBe('does-not-fit')
            if (verdict.get(nodes.join()) === 'fits') expect(verdict.get(part.join())).toBe('fits')
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('the order of nodes and instances in what was read changes nothing', () => {
    fc.assert(
      fc.property(smallFacts(5, 8), facts => {
        const batches = [{ nodes: facts.nodes.map(({ name }) => name).slice(0, 3) }]
        const turned: BatchFacts = {
          ...facts,
          nodes: facts.nodes.toReversed(),
          hosts: facts.hosts?.toReversed() ?? null,
          instances: facts.instances?.toReversed() ?? null,
          providers: facts.providers?.toReversed() ?? null,
          groups: facts.groups?.toReversed() ?? null,
        }
        const turnedBatches = batches.map(({ nodes }) => ({ nodes: nodes.toReversed() }))
        const [one, other] = [judgeBatches(facts, WISH, batches)[0], judgeBatches(turned, WISH, turnedBatches)[0]]
        expect(other?.batch.capacity).toEqual(one?.batch.capacity)
        expect(new Set(other?.witness.map(each => JSON.stringify(each)))).toEqual(
          new Set(one?.witness.map(each => JSON.stringify(each))),
        )
      }),
      RUNS,
    )
  })
})
