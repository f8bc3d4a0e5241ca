import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { guardedPods, removeGuardedPods } from '../cli/guarded-pods.ts'
import { computeService, isSchedulable, kubectl, leaseHolder } from '../cli/referees.ts'
import { clearFaults, worldDump } from '../roles/lab-console.ts'
import {
  beside,
  ENTER,
  HANG,
  HOST,
  IS_LONG,
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
const OWN = ['a', 'b', 'c', 'd'] as const
const FAILS_ONCE = { fail: true, times: 1 }
const GUARDED = `moves-guarded-${process.pid}`
const guarded: string[] = []
let lab: MovesLab

describe.runIf(IS_LONG)('on real Nova', () => {
  beforeAll(async () => {
    lab = await openMovesLab('wrong')
    await lab.boot(OWN)
  }, READY_MS)

  afterAll(async () => {
    for (const namespace of guarded) await removeGuardedPods(namespace)
    await lab.end()
  }, READY_MS)

  /** Aborts a run once it is time, takes back what it did, and judges that all is as before; `isTime` is asked beside the run. */
  async function abortedAndUndone(kills: number, isTime: () => Promise<boolean>): Promise<Undone> {
    const before = await worldDump()
    const tally = await novaTallyFromNow()
    const runs: string[] = []
    let isAborted = false
    const entering = lab.driver.drive(ENTER, Math.ceil(kills / 2), runId => runs.push(runId))
    const entered = await beside(entering, async () => {
      const [runId] = runs
      if (isAborted || runId === undefined || !(await isTime())) return
      isAborted = (await lab.desk.run('run', 'abort', runId, '--yes')).code === 0
    })
    expect(isAborted, entered.said).toBe(true)
    expect(entered.answer.code, entered.said).not.toBe(0)
    expect(await computeService(HOST)).toMatchObject({ Status: 'disabled', State: 'up' })
    const wasCordoned = !(await isSchedulable(HOST))
    await clearFaults()

    const undone = await lab.driver.drive(['undo', entered.runId, '--yes'], Math.floor(kills / 2))
    lab.ended(undone, 0)
    expect(await worldDump(), undone.said).toEqual(before)
    expect(await computeService(HOST)).toMatchObject({ Status: 'enabled', State: 'up', 'Disabled Reason': null })
    expect(await leaseHolder(HOST)).toBe('')
    const records = await tally.records()
    const moved: string[] = []
    for (const name of OWN) {
      const ends = records(lab.idOf(name)).map(({ status }) => status)
      if (ends.length > 0) moved.push(name)
      const thereAndBack = ends.length === 0 ? [] : ['completed', 'completed']
      const said = { name, ends, ...(await tally.asked(lab.idOf(name))) }
      const once = { name, ends: thereAndBack, actions: thereAndBack.length, aborts: 0, forced: 0 }
      expect(said, entered.said + undone.said).toEqual(once)
    }
    // Disabled once, enabled once.
    expect(await tally.services()).toBe(2)
    return { kills: entered.kills + undone.kills, moved, wasCordoned }
  }

  interface Undone {
    readonly kills: number
    /** The instances that left the host before the abort, and came back. */
    readonly moved: readonly string[]
    readonly wasCordoned: boolean
  }

  test('a run that was aborted in the middle of its moves is undone: services, node and instances are as before', {
    timeout: LONG_MS,
  }, async () => {
    await played('aborted while it moves, undone', Math.ceil(KILLS / 2), async kills => {
      await lab.fresh()
      await lab.faults({ a: { delay: 2 }, b: { delay: 12 } })
      const came = await abortedAndUndone(kills, async () => (await lab.underWay())?.name === 'b')
      expect(came.moved).toContain('b')
      return came.kills
    })
  })

  test('one that was aborted while it drained is undone, its cordon too', { timeout: LONG_MS }, async () => {
    await played('aborted while it drains, undone', Math.ceil(KILLS / 2), async kills => {
      await lab.fresh()
      const namespace = `${GUARDED}-${guarded.length}`
      guarded.push(namespace)
      await guardedPods(namespace, HOST, 'cmp-2')
      const pods = (await kubectl('get', 'pods', '-n', namespace, '-o', 'name')).split('\n').filter(Boolean)
      const finalized = (by: readonly string[]) =>
        Promise.all(
          pods.map(pod =>
            kubectl(
              'patch',
              pod,
              '-n',
              namespace,
              '--type=merge',
              '-p',
              JSON.stringify({ metadata: { finalizers: by } }),
            ),
          ),
        )
      // A finalizer keeps each pod, so the drain waits.
      await finalized(['lab.lockkeeper.dev/held'])
      const came = await abortedAndUndone(kills, async () => !(await isSchedulable(HOST))).finally(() => finalized([]))
      expect(came).toMatchObject({ moved: OWN, wasCordoned: true })
      return came.kills
    })
  })

  test('migrations that hang are forced, aborted and tried again, or aborted and left, by decisions during the run; a failed one is tried again', {
    timeout: LONG_MS,
  }, async () => {
    await played('hanging, decided by a person', Math.ceil(KILLS / 2), async kills => {
      await lab.fresh()
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
})
