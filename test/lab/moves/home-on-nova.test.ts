import { afterAll, beforeAll, expect, test } from 'vitest'
import { tries } from '../../fixtures/tries.ts'
import { guardedPods, removeGuardedPods } from '../cli/guarded-pods.ts'
import { computeService, isSchedulable, kubectl, leaseHolder } from '../cli/referees.ts'
import { worldDump } from '../roles/lab-console.ts'
import { beside, HOST, IS_LONG, LONG_MS, type MovesLab, openMovesLab, played } from './moves-lab.ts'
import { novaTallyFromNow } from './nova-tally.ts'

/**
 * The way back on real Nova: instances that a maintenance took off their host are home again in their old places, and a run that was aborted is undone,
 * however often the console is killed.
 */
const ENTER = ['enter', 'lab', HOST, '--yes', '--concurrency', '3'] as const
const TWO = ['one', 'two'] as const
const SEVEN_MORE = ['three', 'four', 'five', 'six', 'seven', 'eight', 'nine'] as const
const GUARDED = `moves-guarded-${process.pid}`
let lab: MovesLab

beforeAll(async () => {
  lab = await openMovesLab('home')
  await lab.boot(TWO)
}, 300_000)

afterAll(async () => {
  await removeGuardedPods(GUARDED)
  await lab.end()
}, 300_000)

test('a run that was aborted while it drained is undone: services, cordon and instances are as before', {
  timeout: LONG_MS,
}, async () => {
  await guardedPods(GUARDED, HOST, 'cmp-2')
  await played('aborted and undone', tries(2, 20), async kills => {
    const before = await worldDump()
    const tally = await novaTallyFromNow()
    const runs: string[] = []
    let isAborted = false
    const entering = lab.driver.drive(ENTER, Math.ceil(kills / 2), runId => runs.push(runId))
    const entered = await beside(entering, async () => {
      const [runId] = runs
      if (isAborted || runId === undefined) return
      // From now on no pod may go, so the drain waits.
      await kubectl('scale', 'deployment/guarded', '-n', GUARDED, '--replicas=1')
      if (await isSchedulable(HOST)) return
      isAborted = (await lab.desk.run('run', 'abort', runId, '--yes')).code === 0
    })
    expect(isAborted, entered.said).toBe(true)
    expect(entered.answer.code, entered.said).not.toBe(0)
    expect(await computeService(HOST)).toMatchObject({ Status: 'disabled', State: 'up' })
    expect(await isSchedulable(HOST)).toBe(false)
    expect(Object.values(await lab.whereabouts())).toEqual(['away ACTIVE', 'away ACTIVE'])

    const undone = await lab.driver.drive(['undo', entered.runId, '--yes'], Math.floor(kills / 2))
    lab.ended(undone, 0)
    await kubectl('scale', 'deployment/guarded', '-n', GUARDED, '--replicas=2')
    expect(await worldDump(), undone.said).toEqual(before)
    expect(await computeService(HOST)).toMatchObject({ Status: 'enabled', State: 'up', 'Disabled Reason': null })
    expect(await leaseHolder(HOST)).toBe('')
    const records = await tally.records()
    for (const name of TWO) {
      const ends = records(lab.idOf(name)).map(({ status }) => status)
      expect({ name, ends, ...(await tally.asked(lab.idOf(name))) }, entered.said + undone.said).toEqual({
        name,
        ends: ['completed', 'completed'],
        actions: 2,
        aborts: 0,
        forced: 0,
      })
    }
    // Disabled once, enabled once.
    expect(await tally.services()).toBe(2)
    return entered.kills + undone.kills
  })
})

test.runIf(IS_LONG)(
  'ten instances are home again in their old places, also one that is stopped',
  {
    timeout: LONG_MS,
  },
  async () => {
    await lab.boot(SEVEN_MORE)
    await lab.boot(['off'], 'SHUTOFF')
    const all = [...TWO, ...SEVEN_MORE, 'off']
    await played('ten home again', 20, async kills => {
      const before = await worldDump()
      const tally = await novaTallyFromNow()
      const entered = await lab.driver.drive([...ENTER, '--cold-migration'], Math.floor(kills / 2))
      lab.ended(entered, 0)
      const away = await lab.whereabouts()
      expect(Object.values(away).filter(where => where.startsWith('away'))).toHaveLength(all.length)

      const left = await lab.driver.drive(
        ['leave', 'lab', HOST, '--home', '--cold-migration', '--concurrency', '3', '--yes'],
        Math.ceil(kills / 2),
      )
      lab.ended(left, 0)
      expect(await worldDump(), left.said).toEqual(before)
      const records = await tally.records()
      for (const name of all) {
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
  },
)
