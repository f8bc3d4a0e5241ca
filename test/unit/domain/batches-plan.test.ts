import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BatchFacts } from '../../../shared/domain/batch-facts.ts'
import { beforeBatches, judgeBatch, judgeBatches, openCourt } from '../../../shared/domain/batch-judge.ts'
import { isControl } from '../../../shared/domain/batch-order.ts'
import { planBatches } from '../../../shared/domain/batch-plan.ts'
import type { BatchOptions } from '../../../shared/domain/batches.ts'
import { subsetsOf } from '../../fixtures/batches/brute-force.ts'
import { smallFacts } from '../../fixtures/batches/small-cloud.ts'
import { tries } from '../../fixtures/tries.ts'

const wishes: fc.Arbitrary<BatchOptions> = fc.record({
  zones: fc.constantFrom('one-at-a-time', 'spread'),
  atOnce: fc.oneof(
    fc.constant({}),
    fc.record({ compute: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ storage: fc.integer({ min: 1, max: 3 }), control: fc.integer({ min: 1, max: 2 }) }),
  ),
})

const drawn = (mostNodes: number, mostInstances: number) =>
  fc.record({ facts: smallFacts(mostNodes, mostInstances), wish: wishes })

const namesOf = (facts: BatchFacts) => facts.nodes.map(({ name }) => name)
const controlIn = (facts: BatchFacts, names: readonly string[]) =>
  facts.nodes.filter(node => names.includes(node.name) && isControl(node)).length

describe('batches that are computed', () => {
  it('break no rule, neither as they were planned nor when they are judged again', () => {
    fc.assert(
      fc.property(drawn(7, 10), ({ facts, wish }) => {
        const { batches } = planBatches(facts, wish, namesOf(facts))
        const judged = judgeBatches(
          facts,
          wish,
          batches.map(({ batch }) => ({ nodes: [...batch.nodes] })),
        )
        expect(judged.map(({ batch }) => batch)).toEqual(batches.map(({ batch }) => batch))
        expect(judged.flatMap(({ batch }) => batch.problems)).toEqual([])
      }),
      { numRuns: tries(120, 3_000) },
    )
  })

  it('hold every requested node once, or say why it is left', () => {
    fc.assert(
      fc.property(drawn(7, 10), ({ facts, wish }) => {
        const { batches, left } = planBatches(facts, wish, [...namesOf(facts), 'nobody'])
        const placed = batches.flatMap(({ batch }) => batch.nodes)
        expect([...placed, ...left.map(({ node }) => node)].sort()).toEqual([...namesOf(facts), 'nobody'].sort())
        for (const { reasons } of left) expect(reasons).not.toEqual([])
      }),
      { numRuns: tries(120, 3_000) },
    )
  })

  it('leave out only nodes that break a rule even alone after all others, or say that they could only go before them', () => {
    let seen = 0
    let onlyEarlier = 0
    fc.assert(
      fc.property(drawn(7, 10), ({ facts, wish }) => {
        const { batches, left } = planBatches(facts, wish, namesOf(facts))
        const court = openCourt(facts, wish)
        const end = batches.at(-1)?.next ?? beforeBatches(court)
        for (const { node, reasons } of left) {
          seen += 1
          expect(judgeBatch(court, end, [node]).batch.problems).not.toEqual([])
          const couldGoFirst = judgeBatch(court, beforeBatches(court), [node]).batch.problems.length === 0
          expect(reasons.some(({ code }) => code === 'OnlyBeforeOthers')).toBe(couldGoFirst)
          if (couldGoFirst) onlyEarlier += 1
        }
      }),
      { numRuns: tries(120, 3_000) },
    )
    expect(seen).toBeGreaterThan(50)
    expect(onlyEarlier).toBeLessThan(seen / 20)
  })

  it('are filled: no node could have been in an earlier batch as well', () => {
    fc.assert(
      fc.property(drawn(7, 10), ({ facts, wish }) => {
        const { batches } = planBatches(facts, wish, namesOf(facts))
        const court = openCourt(facts, wish)
        batches.forEach(({ batch: { nodes } }, at) => {
          const before = at === 0 ? beforeBatches(court) : (batches[at - 1]?.next ?? beforeBatches(court))
          for (const later of batches.slice(at + 1).flatMap(({ batch }) => batch.nodes)) {
            if (controlIn(facts, [later]) > 0 !== controlIn(facts, nodes) > 0) continue
            const { batch } = judgeBatch(court, before, [...nodes, later])
            const uncertain = batch.capacity.kind === 'cannot-tell' && court.nodeNamed.get(later)?.host !== null
            expect(batch.problems.length > 0 || uncertain).toBe(true)
          }
        })
      }),
      { numRuns: tries(120, 3_000) },
    )
  })

  it('do not depend on the order in which nodes were requested or read', () => {
    fc.assert(
      fc.property(drawn(7, 10), ({ facts, wish }) => {
        const one = planBatches(facts, wish, namesOf(facts))
        const turned: BatchFacts = {
          ...facts,
          nodes: facts.nodes.toReversed(),
          hosts: facts.hosts?.toReversed() ?? null,
          instances: facts.instances?.toReversed() ?? null,
          providers: facts.providers?.toReversed() ?? null,
          groups: facts.groups?.toReversed() ?? null,
        }
        const other = planBatches(turned, wish, namesOf(facts).toReversed())
        expect(other.batches.map(({ batch }) => batch.nodes)).toEqual(one.batches.map(({ batch }) => batch.nodes))
        expect(other.left).toEqual(one.left)
      }),
      { numRuns: tries(80, 2_000) },
    )
  })

  it('have control nodes first and alone', () => {
    fc.assert(
      fc.property(drawn(7, 4), ({ facts, wish }) => {
        const controls = planBatches(facts, wish, namesOf(facts)).batches.map(({ batch }) => [
          controlIn(facts, batch.nodes),
          batch.nodes.length,
        ])
        for (const [control, all] of controls) expect([0, all]).toContain(control)
      }),
      { numRuns: tries(80, 2_000) },
    )
  })

  /**
   * The bound of first fit: where room never decides, a batch before a node's own refused it because it held a node that may not be with it
   * (a control node, another zone, other OSDs, a role at its limit that holds back all) or as many nodes of a role of its as there may be.
   */
  it('are never more than first fit allows: one, the nodes it conflicts with, and full batches of its roles', () => {
    fc.assert(
      fc.property(drawn(7, 0), ({ facts, wish }) => {
        const { batches } = planBatches(facts, wish, namesOf(facts))
        const court = openCourt(facts, wish)
        const placed = batches.flatMap(({ batch }) => batch.nodes)
        const bounds = placed.map(name => {
          const conflicts = placed.filter(
            other =>
              other !== name &&
              (controlIn(facts, [name, other]) === 1 ||
                judgeBatch(court, beforeBatches(court), [name, other]).batch.problems.length > 0),
          )
          const roles = court.nodeNamed.get(name)?.roles ?? []
          const full = (['control', 'gateway', 'compute', 'storage'] as const).map(role => {
            const limit = court.rules.limits.perRole[role]
            const many = placed.filter(each => court.nodeNamed.get(each)?.roles.includes(role)).length
            // A role at its limit holds back nodes of others too where the controllers count so.
            const counts = roles.includes(role) || court.rules.limits.roleLimits === 'any'
            return limit === null || !counts ? 0 : Math.floor(many / limit.most)
          })
          return 1 + conflicts.length + full.reduce((sum, each) => sum + each, 0)
        })
        expect(batches.length).toBeLessThanOrEqual(Math.max(0, ...bounds))
      }),
      { numRuns: tries(120, 3_000) },
    )
  })

  /** No bound is promised where room decides: a host that comes back early may let several others go at once. */
  it('are in nine of ten clouds the fewest that are possible at all, and on average hardly more', () => {
    const pairs: { readonly ours: number; readonly fewest: number }[] = []
    fc.assert(
      fc.property(drawn(5, 7), ({ facts, wish }) => {
        const { batches } = planBatches(facts, wish, namesOf(facts))
        const placed = batches.flatMap(({ batch }) => batch.nodes)
        pairs.push({ ours: batches.length, fewest: fewestBatches(facts, wish, placed, batches.length) })
      }),
      // How often it holds is counted: the same clouds every time, or luck would judge.
      { numRuns: tries(50, 1_000), seed: 20_260_501 },
    )
    const sum = (of: (pair: (typeof pairs)[number]) => number) => pairs.reduce((total, pair) => total + of(pair), 0)
    expect(pairs.filter(({ ours, fewest }) => ours > fewest).length).toBeLessThan(pairs.length / 10)
    expect(sum(({ ours }) => ours)).toBeLessThan(1.05 * sum(({ fewest }) => fewest))
  })
})

/** By trying every way to put nodes into ordered batches that break nothing and keep control nodes apart; never more than `most`. */
function fewestBatches(facts: BatchFacts, wish: BatchOptions, nodes: readonly string[], most: number): number {
  const court = openCourt(facts, wish)
  const within = (batches: number, left: readonly string[], before: ReturnType<typeof beforeBatches>): boolean => {
    if (left.length === 0) return true
    if (batches === 0) return false
    for (const batch of subsetsOf(left)) {
      if (batches === 1 && batch.length < left.length) continue
      if (![0, batch.length].includes(controlIn(facts, batch))) continue
      const verdict = judgeBatch(court, before, batch)
      if (verdict.batch.problems.length > 0) continue
      if (
        within(
          batches - 1,
          left.filter(name => !batch.includes(name)),
          verdict.next,
        )
      )
        return true
    }
    return false
  }
  for (let batches = 0; batches < most; batches += 1) if (within(batches, nodes, beforeBatches(court))) return batches
  return most
}
