import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WaveGround } from '../../../shared/domain/wave-ground.ts'
import { beforeWaves, judgeWave, judgeWaves, openCourt } from '../../../shared/domain/wave-judge.ts'
import { isControl } from '../../../shared/domain/wave-order.ts'
import { planWaves } from '../../../shared/domain/wave-plan.ts'
import type { WavesWish } from '../../../shared/domain/waves.ts'
import { tries } from '../../fixtures/tries.ts'
import { subsetsOf } from '../../fixtures/waves/brute-force.ts'
import { smallGround } from '../../fixtures/waves/small-cloud.ts'

const wishes: fc.Arbitrary<WavesWish> = fc.record({
  zones: fc.constantFrom('one-at-a-time', 'spread'),
  atOnce: fc.oneof(
    fc.constant({}),
    fc.record({ compute: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ storage: fc.integer({ min: 1, max: 3 }), control: fc.integer({ min: 1, max: 2 }) }),
  ),
})

const drawn = (mostNodes: number, mostInstances: number) =>
  fc.record({ ground: smallGround(mostNodes, mostInstances), wish: wishes })

const namesOf = (ground: WaveGround) => ground.nodes.map(({ name }) => name)
const controlIn = (ground: WaveGround, names: readonly string[]) =>
  ground.nodes.filter(node => names.includes(node.name) && isControl(node)).length

describe('waves that are computed', () => {
  it('break no rule, neither as they were planned nor when they are judged again', () => {
    fc.assert(
      fc.property(drawn(7, 10), ({ ground, wish }) => {
        const { waves } = planWaves(ground, wish, namesOf(ground))
        const judged = judgeWaves(
          ground,
          wish,
          waves.map(({ wave }) => ({ nodes: wave.nodes })),
        )
        expect(judged.map(({ wave }) => wave)).toEqual(waves.map(({ wave }) => wave))
        expect(judged.flatMap(({ wave }) => wave.problems)).toEqual([])
      }),
      { numRuns: tries(120, 3_000) },
    )
  })

  it('hold every node that was asked for once, or say why it is left', () => {
    fc.assert(
      fc.property(drawn(7, 10), ({ ground, wish }) => {
        const { waves, left } = planWaves(ground, wish, [...namesOf(ground), 'nobody'])
        const placed = waves.flatMap(({ wave }) => wave.nodes)
        expect([...placed, ...left.map(({ node }) => node)].sort()).toEqual([...namesOf(ground), 'nobody'].sort())
        for (const { why } of left) expect(why).not.toBe('')
      }),
      { numRuns: tries(120, 3_000) },
    )
  })

  it('leave out only nodes that break a rule even alone after all others, or say that they could only go before them', () => {
    let seen = 0
    let onlyEarlier = 0
    fc.assert(
      fc.property(drawn(7, 10), ({ ground, wish }) => {
        const { waves, left } = planWaves(ground, wish, namesOf(ground))
        const court = openCourt(ground, wish)
        const end = waves.at(-1)?.next ?? beforeWaves(court)
        for (const { node, why } of left) {
          seen += 1
          expect(judgeWave(court, end, [node]).wave.problems).not.toEqual([])
          const couldGoFirst = judgeWave(court, beforeWaves(court), [node]).wave.problems.length === 0
          expect(why.includes('before the others')).toBe(couldGoFirst)
          if (couldGoFirst) onlyEarlier += 1
        }
      }),
      { numRuns: tries(120, 3_000) },
    )
    expect(seen).toBeGreaterThan(50)
    expect(onlyEarlier).toBeLessThan(seen / 20)
  })

  it('are filled: no node could have been in an earlier wave as well', () => {
    fc.assert(
      fc.property(drawn(7, 10), ({ ground, wish }) => {
        const { waves } = planWaves(ground, wish, namesOf(ground))
        const court = openCourt(ground, wish)
        waves.forEach(({ wave: { nodes } }, at) => {
          const before = at === 0 ? beforeWaves(court) : (waves[at - 1]?.next ?? beforeWaves(court))
          for (const later of waves.slice(at + 1).flatMap(({ wave }) => wave.nodes)) {
            if (controlIn(ground, [later]) > 0 !== controlIn(ground, nodes) > 0) continue
            const { wave } = judgeWave(court, before, [...nodes, later])
            const uncertain = wave.capacity.kind === 'cannot-tell' && court.nodeNamed.get(later)?.host !== null
            expect(wave.problems.length > 0 || uncertain).toBe(true)
          }
        })
      }),
      { numRuns: tries(120, 3_000) },
    )
  })

  it('do not depend on the order in which nodes were asked for or read', () => {
    fc.assert(
      fc.property(drawn(7, 10), ({ ground, wish }) => {
        const one = planWaves(ground, wish, namesOf(ground))
        const turned: WaveGround = {
          ...ground,
          nodes: ground.nodes.toReversed(),
          hosts: ground.hosts?.toReversed() ?? null,
          instances: ground.instances?.toReversed() ?? null,
          providers: ground.providers?.toReversed() ?? null,
          groups: ground.groups?.toReversed() ?? null,
        }
        const other = planWaves(turned, wish, namesOf(ground).toReversed())
        expect(other.waves.map(({ wave }) => wave.nodes)).toEqual(one.waves.map(({ wave }) => wave.nodes))
        expect(other.left).toEqual(one.left)
      }),
      { numRuns: tries(80, 2_000) },
    )
  })

  it('have control nodes first and by themselves', () => {
    fc.assert(
      fc.property(drawn(7, 4), ({ ground, wish }) => {
        const controls = planWaves(ground, wish, namesOf(ground)).waves.map(({ wave }) => [
          controlIn(ground, wave.nodes),
          wave.nodes.length,
        ])
        for (const [control, all] of controls) expect([0, all]).toContain(control)
      }),
      { numRuns: tries(80, 2_000) },
    )
  })

  /**
   * The bound of first fit: where room never decides, a wave before a node's own refused it because it held a node that may not be with it
   * (a control node, another zone, other OSDs, a role at its limit that holds back all) or as many nodes of a role of its as there may be.
   */
  it('are never more than first fit allows: one, the nodes it conflicts with, and full waves of its roles', () => {
    fc.assert(
      fc.property(drawn(7, 0), ({ ground, wish }) => {
        const { waves } = planWaves(ground, wish, namesOf(ground))
        const court = openCourt(ground, wish)
        const placed = waves.flatMap(({ wave }) => wave.nodes)
        const bounds = placed.map(name => {
          const conflicts = placed.filter(
            other =>
              other !== name &&
              (controlIn(ground, [name, other]) === 1 ||
                judgeWave(court, beforeWaves(court), [name, other]).wave.problems.length > 0),
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
        expect(waves.length).toBeLessThanOrEqual(Math.max(0, ...bounds))
      }),
      { numRuns: tries(120, 3_000) },
    )
  })

  /** No bound is promised where room decides: a host that comes back early may let several others go at once. */
  it('are in nine of ten clouds the fewest that are possible at all, and on average hardly more', () => {
    const pairs: { readonly ours: number; readonly fewest: number }[] = []
    fc.assert(
      fc.property(drawn(5, 7), ({ ground, wish }) => {
        const { waves } = planWaves(ground, wish, namesOf(ground))
        const placed = waves.flatMap(({ wave }) => wave.nodes)
        pairs.push({ ours: waves.length, fewest: fewestWaves(ground, wish, placed, waves.length) })
      }),
      { numRuns: tries(50, 1_000) },
    )
    const sum = (of: (pair: (typeof pairs)[number]) => number) => pairs.reduce((total, pair) => total + of(pair), 0)
    expect(pairs.filter(({ ours, fewest }) => ours > fewest).length).toBeLessThan(pairs.length / 10)
    expect(sum(({ ours }) => ours)).toBeLessThan(1.05 * sum(({ fewest }) => fewest))
  })
})

/** By trying every way to put nodes into ordered waves that break nothing and keep control nodes apart; never more than `most`. */
function fewestWaves(ground: WaveGround, wish: WavesWish, nodes: readonly string[], most: number): number {
  const court = openCourt(ground, wish)
  const within = (waves: number, left: readonly string[], before: ReturnType<typeof beforeWaves>): boolean => {
    if (left.length === 0) return true
    if (waves === 0) return false
    for (const wave of subsetsOf(left)) {
      if (waves === 1 && wave.length < left.length) continue
      if (![0, wave.length].includes(controlIn(ground, wave))) continue
      const verdict = judgeWave(court, before, wave)
      if (verdict.wave.problems.length > 0) continue
      if (
        within(
          waves - 1,
          left.filter(name => !wave.includes(name)),
          verdict.next,
        )
      )
        return true
    }
    return false
  }
  for (let waves = 0; waves < most; waves += 1) if (within(waves, nodes, beforeWaves(court))) return waves
  return most
}
