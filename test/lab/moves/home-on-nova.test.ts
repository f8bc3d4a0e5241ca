import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { worldDump } from '../roles/lab-console.ts'
import { HOST, IS_LONG, KILLS, LONG_MS, type MovesLab, openMovesLab, played, READY_MS } from './moves-lab.ts'
import { novaTallyFromNow } from './nova-tally.ts'

/** Instances that a maintenance took off their host of real Nova are home again in their old places, however often the console is killed. */
const RUNNING = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const
const ALL = [...RUNNING, 'off'] as const
let lab: MovesLab

describe.runIf(IS_LONG)('the way home', () => {
  beforeAll(async () => {
    lab = await openMovesLab('home')
    await lab.boot(RUNNING, ['off'])
  }, READY_MS)

  afterAll(() => lab.end(), READY_MS)

  test('ten instances are home again in their old places, also one that is stopped', {
    timeout: LONG_MS,
  }, async () => {
    await played('ten home again', KILLS, async kills => {
      await lab.fresh()
      const before = await worldDump()
      const tally = await novaTallyFromNow()
      const entered = await lab.driver.drive(
        ['enter', 'lab', HOST, '--concurrency', '3', '--cold-migration', '--yes'],
        Math.floor(kills / 2),
      )
      lab.ended(entered, 0)
      const away = await lab.whereabouts()
      expect(Object.values(away).filter(where => where.startsWith('away'))).toHaveLength(ALL.length)

      const left = await lab.driver.drive(
        ['leave', 'lab', HOST, '--home', '--cold-migration', '--concurrency', '3', '--yes'],
        Math.ceil(kills / 2),
      )
      lab.ended(left, 0)
      expect(await worldDump(), left.said).toEqual(before)
      const records = await tally.records()
      for (const name of ALL) {
        const isOff = name === 'off'
        const ends = records(lab.idOf(name)).map(({ status }) => status)
        expect({ name, ends, ...(await tally.asked(lab.idOf(name))) }).toEqual({
          name,
          ends: isOff ? ['confirmed', 'confirmed'] : ['completed', 'completed'],
          // A cold migration is confirmed.
          actions: isOff ? 4 : 2,
          aborts: 0,
          forced: 0,
        })
      }
      expect(await tally.services()).toBe(2)
      return entered.kills + left.kills
    })
  })
})
