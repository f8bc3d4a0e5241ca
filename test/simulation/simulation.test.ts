import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { tries } from '../fixtures/tries.ts'
import { figureLines, type Reported, simulateMany } from './many-seeds.ts'

/** A stretch of seeds: as many as CI has the time for on two cores; others by LOCKKEEPER_SCHEDULES, more by the soak. */
const SCHEDULES = Number(process.env.LOCKKEEPER_SCHEDULES ?? tries(1_000, 10_000))

const DAY_MS = 86_400_000

/** Runs add up: beside the stretch that every run plays, the day decides one of a thousand others. */
const OF_THE_DAY = 1 + SCHEDULES * (1 + (Math.floor(Date.now() / DAY_MS) % 1000))

/** Seeds that are played twice: a few of a short run, no more than 30 of a long one. */
const REPLAYED = Math.max(5, Math.min(30, Math.ceil(SCHEDULES / 30)))

/** Kinds by the flag that makes every schedule one: even the first 1,000 schedules have no campaign and no update of a MOSK. */
const KINDS = [
  ['--rescue', 'rescue'],
  ['--hand-over', 'hand-over'],
  ['--campaign', 'campaign'],
  ['--fenced', 'fenced'],
  ['--namesake', 'namesakes'],
  ['--update', 'mosk update'],
  ['--every-kind', 'every kind'],
] as const

describe('the deterministic simulation', () => {
  it('replays a seed exactly', async () => {
    const hashes = async (): Promise<readonly string[]> => {
      const reported: Reported[] = []
      await simulateMany({ from: 1, count: REPLAYED, workers: 1, onReported: one => reported.push(one) })
      return reported.map(({ hash }) => hash)
    }
    const first = await hashes()
    expect(new Set(first).size).toBe(REPLAYED)
    expect(await hashes()).toEqual(first)
  })

  it.each([1, OF_THE_DAY])(`keeps every promise in ${SCHEDULES} schedules from %i on`, async from => {
    const began = performance.now()
    const figures = await simulateMany({ from, count: SCHEDULES, workers: Math.min(4, availableParallelism()) })
    const lines = figureLines(figures, performance.now() - began)
    console.log(lines.join('\n'))
    expect(figures.broken.length, lines.join('\n')).toBe(0)
    // A simulation in which nothing is ever done, or nothing ever goes wrong, proves nothing.
    expect(figures.ways.done ?? 0).toBeGreaterThan(SCHEDULES / 4)
    expect(figures.ways.killed ?? 0).toBeGreaterThan(SCHEDULES / 20)
  })

  it.each(KINDS)('plays and keeps every promise in schedules of %s, however short the run', async (flag, kind) => {
    const figures = await simulateMany({ from: 1, count: 2, workers: 1, options: [flag] })
    expect(figures.kinds[kind], figureLines(figures, 1).join('\n')).toBe(2)
    expect(figures.broken).toEqual([])
  })

  it('says the same in every face of runs of every kind, with all that may be chosen, decided and passed', async () => {
    const count = tries(20, 1_000)
    const figures = await simulateMany({ from: 1, count, workers: 1, options: ['--every-kind'] })
    expect(figures.broken, figureLines(figures, 1).join('\n')).toEqual([])
    expect(figures.ways.done ?? 0).toBeGreaterThan(count / 2)
  })
})
