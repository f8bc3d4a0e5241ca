import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BatchGround } from '../../../shared/domain/batch-ground.ts'
import { type BatchVerdict, judgeBatches } from '../../../shared/domain/batch-judge.ts'
import {
  moversOf,
  placementExists,
  type Standing,
  standingAtFirst,
  subsetsOf,
  wrongWith,
} from '../../fixtures/batches/brute-force.ts'
import { smallGround } from '../../fixtures/batches/small-cloud.ts'

const WISH = { zones: 'spread', atOnce: {} } as const
const RUNS = { numRuns: 800 }

const known = (ground: BatchGround) =>
  ground.hosts !== null && ground.providers !== null && ground.groups !== null && ground.instancesMissing.length === 0

/** A cloud and two batches of its nodes. */
const twoBatches = smallGround(6, 9).chain(ground =>
  fc.record({
    ground: fc.constant(ground),
    batches: fc
      .shuffledSubarray(
        ground.nodes.map(({ name }) => name),
        { minLength: 1 },
      )
      .chain(names => fc.integer({ min: 1, max: 2 }).map(cut => [names.slice(0, cut), names.slice(cut, 2 * cut)])),
  }),
)

const standingAfter = (standing: Standing, { witness }: BatchVerdict, nodes: readonly string[]): Standing => ({
  hostOf: new Map([...standing.hostOf, ...witness.map(({ instance, to }) => [instance, to] as const)]),
  back: new Set([...standing.back, ...nodes]),
})

describe('whether the rest of the cloud takes the instances of a batch', () => {
  it('fits: there is a placement that holds, also after an earlier batch moved instances', () => {
    let seen = 0
    fc.assert(
      fc.property(twoBatches, ({ ground, batches }) => {
        let standing = standingAtFirst(ground)
        judgeBatches(
          ground,
          WISH,
          batches.filter(names => names.length > 0).map(nodes => ({ nodes })),
        ).forEach((verdict, at) => {
          const nodes = batches[at] ?? []
          if (verdict.batch.capacity.kind === 'fits') {
            const placed = new Map(verdict.witness.map(({ instance, to }) => [instance, to]))
            expect(wrongWith(ground, standing, nodes, placed, 'sure')).toEqual([])
            expect(verdict.batch.capacity.moving).toBe(moversOf(ground, standing, nodes).length)
            if (placed.size > 0) seen += 1
          }
          standing = standingAfter(standing, verdict, nodes)
        })
      }),
      RUNS,
    )
    expect(seen).toBeGreaterThan(50)
  })

  it('does not fit: no placement holds, even if all that is not known allowed it', () => {
    let seen = 0
    fc.assert(
      fc.property(twoBatches, ({ ground, batches }) => {
        let standing = standingAtFirst(ground)
        judgeBatches(
          ground,
          WISH,
          batches.filter(names => names.length > 0).map(nodes => ({ nodes })),
        ).forEach((verdict, at) => {
          const nodes = batches[at] ?? []
          const { capacity } = verdict.batch
          if (capacity.kind === 'does-not-fit') {
            seen += 1
            expect(placementExists(ground, standing, nodes, 'at-best')).toBe(false)
            expect(capacity.instances.length).toBeGreaterThan(0)
            const movers = moversOf(ground, standing, nodes).map(({ id }) => id)
            for (const { id } of capacity.instances) expect(movers).toContain(id)
          }
          standing = standingAfter(standing, verdict, nodes)
        })
      }),
      RUNS,
    )
    expect(seen).toBeGreaterThan(50)
  })

  it('tells, in clouds this small, whenever everything is known and something can be told', () => {
    fc.assert(
      fc.property(smallGround(5, 8).filter(known), ground => {
        const standing = standingAtFirst(ground)
        for (const nodes of subsetsOf(ground.nodes.map(({ name }) => name))) {
          const kind = judgeBatches(ground, WISH, [{ nodes: [...nodes] }])[0]?.batch.capacity.kind
          const sure = placementExists(ground, standing, nodes, 'sure')
          const atBest = placementExists(ground, standing, nodes, 'at-best')
          expect(kind).toBe(sure ? 'fits' : atBest ? 'cannot-tell' : 'does-not-fit')
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is never better for a larger batch than for a part of it', () => {
    fc.assert(
      fc.property(smallGround(5, 8), ground => {
        const names = ground.nodes.map(({ name }) => name)
        const verdict = new Map(
          [...subsetsOf(names)].map(nodes => [
            nodes.join(),
            judgeBatches(ground, WISH, [{ nodes: [...nodes] }])[0]?.batch.capacity.kind,
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
      fc.property(smallGround(5, 8), ground => {
        const batches = [{ nodes: ground.nodes.map(({ name }) => name).slice(0, 3) }]
        const turned: BatchGround = {
          ...ground,
          nodes: ground.nodes.toReversed(),
          hosts: ground.hosts?.toReversed() ?? null,
          instances: ground.instances?.toReversed() ?? null,
          providers: ground.providers?.toReversed() ?? null,
          groups: ground.groups?.toReversed() ?? null,
        }
        const turnedBatches = batches.map(({ nodes }) => ({ nodes: nodes.toReversed() }))
        const [one, other] = [judgeBatches(ground, WISH, batches)[0], judgeBatches(turned, WISH, turnedBatches)[0]]
        expect(other?.batch.capacity).toEqual(one?.batch.capacity)
        expect(new Set(other?.witness.map(each => JSON.stringify(each)))).toEqual(
          new Set(one?.witness.map(each => JSON.stringify(each))),
        )
      }),
      RUNS,
    )
  })
})
