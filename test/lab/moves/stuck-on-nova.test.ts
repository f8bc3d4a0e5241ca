import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import { clearFaults } from '../roles/lab-console.ts'
import type { Driven } from './killed-console.ts'
import {
  beside,
  ENTER,
  HANG,
  host,
  IS_LONG,
  KILLS,
  LONG_MS,
  letSecondThrough,
  type MovesLab,
  openMovesLab,
  played,
  READY_MS,
} from './moves-lab.ts'
import { DECIDED, type NovaTally, novaTallyFromNow } from './nova-tally.ts'

/**
 * Live migrations of real Nova that make no progress, end where they started, or lose their destination. The decision
 * of the plan's rule or of an operator is carried out once, however often the console is killed. Nova's own log and
 * records count.
 */
let lab: MovesLab

describe.runIf(IS_LONG)('on real Nova', () => {
  beforeAll(async () => {
    lab = await openMovesLab('stuck')
    await lab.boot(['a', 'b', 'c'])
  }, READY_MS)

  afterAll(() => lab.end(), READY_MS)

  /** What came of an instance, and what Nova counts. */
  async function cameOf(name: string, tally: NovaTally): Promise<Readonly<Record<string, unknown>>> {
    const records = (await tally.records())(lab.idOf(name)).map(({ status }) => status)
    return { where: (await lab.whereabouts())[name], ...(await tally.asked(lab.idOf(name))), records }
  }

  /**
   * Decides about `a` while its run waits, drives the run on, and checks the result; returns how many consoles were
   * killed. If the run then asks about another instance for the same cause, `takeCauseAway` removes the cause.
   */
  async function continuesAsDecided(
    { runId, said: asked }: Driven,
    [choice, reason]: readonly [choice: string, reason: string],
    kills: number,
    tally: NovaTally,
    takeCauseAway?: () => Promise<void>,
  ): Promise<number> {
    const said = await lab.desk.run('run', 'decide', runId, lab.nameOf('a'), choice, '--reason', reason)
    expect(said, said.stdout + said.stderr).toMatchObject({ code: 0 })
    let resumed = await lab.driver.drive(['run', 'resume', runId], kills)
    if (resumed.answer.code === 4 && takeCauseAway !== undefined) {
      expect(resumed.answer.stdout).not.toContain(`run decide ${runId} ${lab.idOf('a')}`)
      await takeCauseAway()
      const further = await lab.driver.drive(['run', 'resume', runId], kills - resumed.kills)
      resumed = { ...further, kills: resumed.kills + further.kills, said: resumed.said + further.said }
    }
    lab.ended(resumed, 0)
    expect(await cameOf('a', tally), asked + resumed.said).toEqual(DECIDED[choice])
    return resumed.kills
  }

  describe('a migration that hangs', () => {
    test.each(Object.entries(DECIDED))(
      'after a minute, by the rule of the plan: %s',
      {
        timeout: LONG_MS,
      },
      async (rule, came) => {
        await played(`hanging, rule ${rule}`, Math.ceil(KILLS / 5), async kills => {
          await lab.fresh()
          const tally = await novaTallyFromNow()
          await lab.faults({ a: HANG })
          const driving = lab.driver.drive([...ENTER, '--stuck', `1m=${rule}`], kills)
          const driven = await beside(driving, letSecondThrough(lab, 'a', tally))
          lab.ended(driven, 0)
          expect(await cameOf('a', tally), driven.said).toEqual(came)
          expect(driven.said).toMatch(/gets nowhere|told nothing/)
          return driven.kills
        })
      },
    )

    test('asks after a minute, ends the script, and continues as decided', {
      timeout: LONG_MS,
    }, async () => {
      await played('hanging, asked', Math.ceil(KILLS / 5), async kills => {
        await lab.fresh()
        const tally = await novaTallyFromNow()
        await lab.faults({ a: HANG })
        const asked = await lab.driver.drive([...ENTER, '--stuck', '1m=ask'], Math.ceil(kills / 2))
        lab.ended(asked, 4)
        expect(asked.said).toContain(`run decide ${asked.runId}`)
        const more = await continuesAsDecided(asked, ['force-complete', 'it hangs'], Math.floor(kills / 2), tally)
        return asked.kills + more
      })
    })
  })

  test('one that ends with its host unchanged is tried again as often as allowed, then reported, and the run asks', {
    timeout: LONG_MS,
  }, async () => {
    await played('host unchanged', KILLS, async kills => {
      await lab.fresh()
      const tally = await novaTallyFromNow()
      await lab.faults({ a: { fail: true, times: 1 }, b: { fail: true } })
      const asked = await lab.driver.drive([...ENTER, '--attempts', '2'], Math.ceil(kills / 2))
      lab.ended(asked, 4)
      expect(asked.said).toMatch(new RegExp(`${lab.nameOf('b')} .*the migration to cmp-\\d failed`))
      expect(await cameOf('a', tally), asked.said).toMatchObject({
        where: 'away ACTIVE',
        records: ['failed', 'completed'],
      })
      const twice = { where: 'here ACTIVE', actions: 2, aborts: 0, forced: 0, records: ['failed', 'failed'] }
      expect(await cameOf('b', tally), asked.said).toEqual(twice)

      await clearFaults()
      const resume = ['run', 'resume', asked.runId, '--answer', 'migrate-instances=retry']
      const resumed = await lab.driver.drive(resume, Math.floor(kills / 2))
      lab.ended(resumed, 0)
      expect(await cameOf('b', tally), resumed.said).toMatchObject({
        where: 'away ACTIVE',
        actions: 3,
        records: ['failed', 'failed', 'completed'],
      })
      expect(await tally.services()).toBe(1)
      return asked.kills + resumed.kills
    })
  })

  describe('a migration whose destination dies', () => {
    /** The destination of the first migration dies once that is under way; its name. */
    function destinationDies() {
      let died: string | null = null
      return {
        /** It is back, and Nova says so. */
        again: async () => {
          const name = must(died, 'a destination died')
          await host('up', name)
          await lab.untilIs('up', name)
        },
        look: async () => {
          if (died !== null) return
          const moving = await lab.underWay()
          if (moving?.name !== 'a') return
          died = moving.to
          await host('down', died)
        },
        name: () => must(died, 'a destination died'),
      }
    }

    test('goes elsewhere at once where the rule of the plan says so', { timeout: LONG_MS }, async () => {
      await played('destination dead, rule abort-and-retry', Math.ceil(KILLS / 2), async kills => {
        await lab.fresh()
        const tally = await novaTallyFromNow()
        await lab.faults({ a: HANG })
        const dies = destinationDies()
        const through = letSecondThrough(lab, 'a', tally)
        const began = performance.now()
        const driving = lab.driver.drive([...ENTER, '--stuck', '30m=abort-and-retry'], kills)
        const driven = await beside(driving, async () => {
          await dies.look()
          await through()
        })
        lab.ended(driven, 0)
        expect(performance.now() - began).toBeLessThan(1_000_000)
        expect(driven.said).toContain(`nova-compute of its destination ${dies.name()} is down`)
        expect(await cameOf('a', tally), driven.said).toEqual(DECIDED['abort-and-retry'])
        await dies.again()
        return driven.kills
      })
    })

    test('asks at once, with the cause, by default', { timeout: LONG_MS }, async () => {
      await played('destination dead, asked', Math.ceil(KILLS / 2), async kills => {
        await lab.fresh()
        const tally = await novaTallyFromNow()
        await lab.faults({ a: HANG })
        const dies = destinationDies()
        const asked = await beside(lab.driver.drive(ENTER, Math.ceil(kills / 2)), dies.look)
        lab.ended(asked, 4)
        expect(asked.said).toContain(`nova-compute of its destination ${dies.name()} is down`)
        const choice = ['abort-and-leave', 'its destination is dead'] as const
        const more = await continuesAsDecided(asked, choice, Math.floor(kills / 2), tally, dies.again)
        await dies.again()
        return asked.kills + more
      })
    })
  })
})
