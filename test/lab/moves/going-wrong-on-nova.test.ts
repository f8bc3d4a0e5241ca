import { afterAll, beforeAll, expect, test } from 'vitest'
import { tries } from '../../fixtures/tries.ts'
import { guardedPods, removeGuardedPods } from '../cli/guarded-pods.ts'
import { computeService, isSchedulable, kubectl, leaseHolder } from '../cli/referees.ts'
import { worldDump } from '../roles/lab-console.ts'
import {
  beside,
  HOST,
  KILLS,
  LONG_MS,
  letSecondThrough,
  type MovesLab,
  openMovesLab,
  played,
  READY_MS,
} from './moves-lab.ts'
import { DECIDED, novaTallyFromNow } from './nova-tally.ts'

/**
 * Runs on real Nova that go wrong in the middle: what is decided about migrations that hang is done, and a run that was aborted is undone; each thing once,
 * however often the console is killed. Nova's own log and records count.
 */
const ENTER = ['enter', 'lab', HOST, '--yes', '--concurrency', '3'] as const
const OWN = ['a', 'b', 'c', 'd'] as const
const HANG = { hang: true }
const FAILS_ONCE = { fail: true, times: 1 }
const GUARDED = `moves-guarded-${process.pid}`
const guarded: string[] = []
let lab: MovesLab

beforeAll(async () => {
  lab = await openMovesLab('wrong')
  await lab.boot(OWN)
}, READY_MS)

afterAll(async () => {
  for (const namespace of guarded) await removeGuardedPods(namespace)
  await lab.end()
}, READY_MS)

test('a run that was aborted while it drained is undone: services, cordon and instances are as before', {
  timeout: LONG_MS,
}, async () => {
  await played('aborted and undone', tries(2, KILLS), async kills => {
    await lab.afresh()
    const namespace = `${GUARDED}-${guarded.length}`
    guarded.push(namespace)
    await guardedPods(namespace, HOST, 'cmp-2')
    const before = await worldDump()
    const tally = await novaTallyFromNow()
    const runs: string[] = []
    let isAborted = false
    const entering = lab.driver.drive(ENTER, Math.ceil(kills / 2), runId => runs.push(runId))
    const entered = await beside(entering, async () => {
      const [runId] = runs
      if (isAborted || runId === undefined) return
      // From now on no pod may go, so the drain waits.
      await kubectl('scale', 'deployment/guarded', '-n', namespace, '--replicas=1')
      if (await isSchedulable(HOST)) return
      isAborted = (await lab.desk.run('run', 'abort', runId, '--yes')).code === 0
    })
    expect(isAborted, entered.said).toBe(true)
    expect(entered.answer.code, entered.said).not.toBe(0)
    expect(await computeService(HOST)).toMatchObject({ Status: 'disabled', State: 'up' })
    expect(await isSchedulable(HOST)).toBe(false)
    expect(Object.values(await lab.whereabouts())).toEqual(OWN.map(() => 'away ACTIVE'))

    const undone = await lab.driver.drive(['undo', entered.runId, '--yes'], Math.floor(kills / 2))
    lab.ended(undone, 0)
    await kubectl('scale', 'deployment/guarded', '-n', namespace, '--replicas=2')
    expect(await worldDump(), undone.said).toEqual(before)
    expect(await computeService(HOST)).toMatchObject({ Status: 'enabled', State: 'up', 'Disabled Reason': null })
    expect(await leaseHolder(HOST)).toBe('')
    const records = await tally.records()
    for (const name of OWN) {
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

test('migrations that hang are forced, aborted and tried again, or aborted and left, as is decided while the run goes on; one that failed is tried again', {
  timeout: LONG_MS,
}, async () => {
  await played('hanging, decided by a person', tries(1, KILLS), async kills => {
    await lab.afresh()
    const tally = await novaTallyFromNow()
    await lab.faults({ a: HANG, b: HANG, c: HANG, d: FAILS_ONCE })
    const undecided = ['force-complete', 'abort-and-retry', 'abort-and-leave']
    const decided = new Map<string, string>()
    const runs: string[] = []
    let retried: (() => Promise<void>) | null = null
    const driving = lab.driver.drive(ENTER, kills, runId => runs.push(runId))
    const driven = await beside(driving, async () => {
      const [runId] = runs
      if (runId === undefined) return
      await retried?.()
      const [choice] = undecided
      const name = choice === undefined ? undefined : (await lab.underWay())?.name
      if (choice === undefined || name === undefined || name === 'd' || decided.has(name)) return
      const said = await lab.desk.run('run', 'decide', runId, lab.nameOf(name), choice, '--reason', 'it hangs')
      expect(said, said.stdout + said.stderr).toMatchObject({ code: 0 })
      decided.set(name, choice)
      undecided.shift()
      const others = ['a', 'b', 'c'].filter(each => each !== name)
      if (choice === 'abort-and-retry') {
        retried = letSecondThrough(lab, name, tally, () => ({
          ...Object.fromEntries(others.map(each => [each, HANG])),
          d: FAILS_ONCE,
        }))
      }
    })
    lab.ended(driven, 0)
    expect([...decided.values()].toSorted()).toEqual(Object.keys(DECIDED).toSorted())
    const where = await lab.whereabouts()
    const records = await tally.records()
    for (const [name, choice] of decided) {
      const id = lab.idOf(name)
      const ends = records(id).map(({ status }) => status)
      const came = { where: where[name], ...(await tally.asked(id)), records: ends }
      expect({ choice, ...came }, driven.said).toEqual({ choice, ...Object(DECIDED[choice]) })
    }
    const ends = records(lab.idOf('d')).map(({ status }) => status)
    expect({ where: where.d, ends }, driven.said).toEqual({ where: 'away ACTIVE', ends: ['failed', 'completed'] })
    expect(await tally.services()).toBe(1)
    return driven.kills
  })
})
