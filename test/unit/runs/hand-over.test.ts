import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../../main/journal/journal.ts'
import { readHistory as readStoryAt, packHistory as storyIn } from '../../../main/runs/handed-over-history.ts'
import { endTakenOver, takeOverRun } from '../../../main/runs/take-over.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { Json } from '../../../shared/domain/json.ts'
import type { AcceptedRun, HandedOver } from '../../../shared/domain/maintenance-run.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import { conditionOf, needsSomebody } from '../../../shared/domain/run-condition.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { type Disk, emptyDisk } from '../../fixtures/engine/memory-journal.ts'
import { switchStep, type ToyCloud, toyCloud, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { toyConsole } from '../../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const first = switchStep('first')
/** Nothing depends on it: it is verified only at the end. */
const second = switchStep('second', { verifyEarly: false })
const third = switchStep('third')
const steps = [first, second, third]
const NOW_MS = Date.parse('2035-01-01T00:00:00Z')
const readStory = (given: HandedOver, plan: Plan) => readStoryAt(given, plan, NOW_MS)
const storyOf = (events: readonly RunEvent[]) => valueIn(storyIn(events))
const TO = { by: 'mgmt', namespace: 'lockkeeper', object: 'enter-cmp-1-0123456789ab' }
const ASKED: AcceptedRun = {
  name: TO.object,
  uid: 'uid-1',
  planHash: '4'.repeat(64),
  confirmedBy: 'ada',
  startAfter: null,
  notAfter: null,
  answers: [],
  resumePolicy: 'Always',
  campaign: null,
}

/** A run of a console that was left before its third step. */
async function leftRun(): Promise<{ readonly disk: Disk; readonly runId: string; readonly world: ToyCloud }> {
  const disk = emptyDisk()
  const clock = createVirtualClock({ auto: true })
  const world = toyCloud()
  const { engine } = toyConsole({ disk, clock, steps })
  const started = valueIn(engine.start(toyPlan(steps), world))
  world.onEffect = thing => {
    if (thing === 'second/1') started.control({ kind: 'detach', by: 'eva' })
  }
  await started.finished
  world.onEffect = () => {}
  expect(world.effects).toEqual(['first/0', 'first/1', 'second/0', 'second/1'])
  return { disk, runId: started.runId, world }
}

function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error('it was expected to fail')
  return result.failure
}

const planOf = (events: readonly RunEvent[]): Plan => foldRun(events).plan

describe('a recorded run', () => {
  test('is read again word for word, whatever events follow its announcement', async () => {
    const { disk } = await leftRun()
    const story = storyOf(disk.events)
    expect(valueIn(readStory(story, planOf(disk.events)))).toEqual(disk.events)
    const seq = disk.events.length + 1
    const announced = { kind: 'hand-over-announced', by: 'eva', to: TO, storyHash: story.storyHash } as const
    const after = [...disk.events, { ...must(disk.events.at(-1), 'told'), seq, body: announced }]
    expect(storyOf(after)).toEqual(story)
    const failedThen = {
      ...must(after.at(-1), 'told'),
      seq: seq + 1,
      body: { kind: 'hand-over-failed', why: 'x' } as const,
    }
    expect(storyOf([...after, failedThen]).storyHash).not.toBe(story.storyHash)
  })

  test.each<[string, (events: readonly RunEvent[]) => readonly RunEvent[], RegExp]>([
    ['without its beginning', events => events.slice(1), /does not begin/],
    ['of two runs', events => events.map((event, at) => (at === 2 ? { ...event, runId: 'other' } : event)), /one run/],
    [
      'out of order',
      events =>
        events
          .toReversed()
          .toSorted((a, b) => Number(b.body.kind === 'run-created') - Number(a.body.kind === 'run-created')),
      /one run, in order/,
    ],
    [
      'that has ended',
      events => [...events, later(events, { kind: 'run-finished', outcome: 'done', summary: '', leftBehind: [] })],
      /the run has ended: done/,
    ],
    [
      'with a step that its plan has not',
      events => [...events, later(events, { kind: 'step-applied', stepId: 'other', note: '' })],
      /its history has steps that its plan lacks/,
    ],
    [
      'that a runner took over before',
      events => [
        ...events,
        later(events, { kind: 'run-taken-over', driver: DRIVER, asked: ASKED, storyHash: 'f'.repeat(64) }),
      ],
      /its history has a second start/,
    ],
    [
      'that lifts what its plan does not lift',
      events => [
        ...events,
        later(events, {
          kind: 'blocker-overridden',
          stepId: 'first',
          code: 'x',
          message: 'x',
          flag: 'force',
          reason: 'x',
        }),
      ],
      /its history overrides checks that its plan does not/,
    ],
    [
      'nested deeper than anything',
      events => [
        ...events,
        later(events, {
          kind: 'fact',
          stepId: 'first',
          fact: 'x',
          subject: 'x',
          announces: false,
          values: { deep: JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)) as Json },
        }),
      ],
      /cannot be read/,
    ],
    [
      'with an invalid time',
      events => events.map((event, at) => (at === 3 ? { ...event, at: 'yesterday' } : event)),
      /event 4 of its history has no valid time/,
    ],
    [
      'with a time of the far future',
      events => events.map((event, at) => (at === 3 ? { ...event, at: '2035-01-01T02:00:00.000Z' } : event)),
      /event 4 of its history has no valid time/,
    ],
    [
      'that a runner began',
      events =>
        events.map(event =>
          event.body.kind === 'run-created' ? { ...event, body: { ...event.body, asked: ASKED } } : event,
        ),
      /a runner started it/,
    ],
  ])('%s is not continued', async (_, change, why) => {
    const { disk } = await leftRun()
    const plan = planOf(disk.events)
    expect(failureOf(readStory(storyOf(change(disk.events)), plan))).toMatchObject({
      code: 'bad-input',
      message: expect.stringMatching(why),
    })
  })

  test('of another plan, or another hash, is not continued', async () => {
    const { disk } = await leftRun()
    const story = storyOf(disk.events)
    const plan = planOf(disk.events)
    expect(failureOf(readStory(story, { ...plan, id: 'plan-2' })).message).toContain(
      'its history belongs to another plan',
    )
    expect(failureOf(readStory({ ...story, storyHash: 'f'.repeat(64) }, plan)).message).toContain(
      'its history does not match its hash',
    )
    expect(failureOf(readStory({ ...story, story: 'AAAA' }, plan)).message).toContain('cannot be unpacked')
  })
})

function later(events: readonly RunEvent[], body: RunEvent['body']): RunEvent {
  const last = must(events.at(-1), 'it began')
  return { ...last, seq: last.seq + 1, body }
}

describe('a console that announced that it hands a run over', () => {
  test('continues it only once it is proved that no runner does', async () => {
    const { disk, runId, world } = await leftRun()
    const clock = createVirtualClock({ auto: true })
    const { engine } = toyConsole({ disk, clock, steps, pid: 2 })
    const announced = { by: 'eva', to: TO, storyHash: 'f'.repeat(64) }
    expect(failureOf(engine.announceHandOver(runId, announced, disk.events.length - 1)).reason).toBe('RunWentOn')
    valueIn(engine.announceHandOver(runId, announced, disk.events.length))
    // Requested again after a lost answer: each try is recorded, and the recorded run is the same.
    const story = storyOf(disk.events).storyHash
    valueIn(engine.announceHandOver(runId, announced, disk.events.length))
    expect(storyOf(disk.events).storyHash).toBe(story)
    expect(failureOf(engine.resume(runId, world)).reason).toBe('RunHandedOver')
    expect(failureOf(engine.abortUndriven(runId, 'x')).reason).toBe('RunHandedOver')
    valueIn(engine.endHandOver(runId, { kind: 'handed-over', said: { message: 'There.' } }))
    expect(foldRun(disk.events).state).toMatchObject({ kind: 'finished', outcome: 'handed-over', leftBehind: [] })
    expect(failureOf(engine.resume(runId, world)).reason).toBe('RunHandedOver')
    expect(failureOf(engine.resume(runId, world, { takesBack: 1 })).reason).toBe('RunWentOn')
    await valueIn(engine.resume(runId, world, { takesBack: disk.events.length })).finished
    expect(foldRun(disk.events).state).toMatchObject({ kind: 'finished', outcome: 'done' })
    expect(world.effects.filter(thing => thing.startsWith('third'))).toHaveLength(2)
  })

  test('first handles the requests made without a driver: an abort ends it, and nothing is left to hand over', async () => {
    const { disk, runId } = await leftRun()
    const { engine } = toyConsole({ disk, clock: createVirtualClock({ auto: true }), steps, pid: 2 })
    disk.controls.push({ kind: 'abort', by: 'olga', reason: 'enough' })
    valueIn(engine.receiveLate(runId))
    expect(foldRun(disk.events).state).toMatchObject({
      kind: 'finished',
      outcome: 'aborted',
      summary: 'Stopped by olga: enough.',
    })
  })

  test('continues as before where it was refused', async () => {
    const { disk, runId, world } = await leftRun()
    const clock = createVirtualClock({ auto: true })
    const { engine } = toyConsole({ disk, clock, steps, pid: 2 })
    valueIn(engine.announceHandOver(runId, { by: 'eva', to: TO, storyHash: 'f'.repeat(64) }, disk.events.length))
    const lastSeq = disk.events.length
    valueIn(engine.endHandOver(runId, { kind: 'not-handed-over', said: { message: 'Not permitted.' }, lastSeq }))
    await valueIn(engine.resume(runId, world)).finished
    expect(foldRun(disk.events).state).toMatchObject({ kind: 'finished', outcome: 'done' })
  })
})

describe('a run that its runner refused', () => {
  const announced = (storyHash = 'f'.repeat(64)) => ({ by: 'eva', to: TO, storyHash })

  test('has no driver again, with its question, and may be handed over once more as another record', async () => {
    const { disk, runId, world } = await leftRun()
    const { engine } = toyConsole({ disk, clock: createVirtualClock({ auto: true }), steps, pid: 2 })
    const first = storyOf(disk.events)
    valueIn(engine.announceHandOver(runId, announced(first.storyHash), disk.events.length))
    valueIn(engine.endHandOver(runId, { kind: 'handed-over', said: { message: 'There.' } }))
    const refused = (lastSeq: number) =>
      engine.endHandOver(runId, { kind: 'not-handed-over', said: { message: 'Another plan.' }, lastSeq })
    expect(failureOf(refused(disk.events.length - 1)).reason, 'it was read before').toBe('RunWentOn')
    valueIn(refused(disk.events.length))
    const view = foldRun(disk.events)
    expect(view).toMatchObject({
      state: { kind: 'left', left: { code: 'HandOverFailed', cause: 'Another plan.' } },
      handedTo: null,
      endedAt: null,
    })
    expect(conditionOf(view, true)).toMatchObject({ kind: 'interrupted', left: { cause: 'Another plan.' } })
    expect(needsSomebody(conditionOf(view, true))).toBe(true)
    const second = storyOf(disk.events)
    expect(second.storyHash).not.toBe(first.storyHash)
    expect(valueIn(readStory(second, planOf(disk.events)))).toEqual(disk.events)
    await valueIn(engine.resume(runId, world)).finished
    expect(foldRun(disk.events).state).toMatchObject({ kind: 'finished', outcome: 'done' })
    expect(world.effects.filter(thing => thing.startsWith('second'))).toHaveLength(2)
  })

  test('before the answer to its hand-over does not count as ended', async () => {
    const { disk, runId } = await leftRun()
    const { engine } = toyConsole({ disk, clock: createVirtualClock({ auto: true }), steps, pid: 2 })
    valueIn(engine.announceHandOver(runId, announced(), disk.events.length))
    const lastSeq = disk.events.length
    valueIn(engine.endHandOver(runId, { kind: 'not-handed-over', said: { message: 'Another plan.' }, lastSeq }))
    expect(failureOf(engine.endHandOver(runId, { kind: 'handed-over', said: { message: 'There.' } })).reason).toBe(
      'RunWentOn',
    )
    expect(foldRun(disk.events).state).toMatchObject({ kind: 'left', left: { cause: 'Another plan.' } })
  })

  test('is not taken from a console that took it back meanwhile', async () => {
    const { disk, runId, world } = await leftRun()
    const clock = createVirtualClock({ auto: true })
    const { engine } = toyConsole({ disk, clock, steps, pid: 2 })
    valueIn(engine.announceHandOver(runId, announced(), disk.events.length))
    valueIn(engine.endHandOver(runId, { kind: 'handed-over', said: { message: 'There.' } }))
    const seen = disk.events.length
    const driven = valueIn(engine.resume(runId, world, { takesBack: seen }))
    const other = toyConsole({ disk, clock, steps, pid: 3, alive: () => true }).engine
    expect(other.endHandOver(runId, { kind: 'not-handed-over', said: { message: 'x' }, lastSeq: seen })).toMatchObject({
      ok: false,
    })
    await driven.finished
    expect(disk.events.map(({ body }) => body.kind)).not.toContain('hand-over-failed')
    expect(foldRun(disk.events).state).toMatchObject({ kind: 'finished', outcome: 'done' })
  })
})

describe('a runner that takes a run over', () => {
  test.each([
    [false, 'believes its own journal of a step on which nothing leans', 'failed'],
    [true, 'verifies each finished step again, and repeats what fails', 'done'],
  ] as const)('(%s) %s', async (isTakenOver, _, outcome) => {
    const { disk, runId, world } = await leftRun()
    // The event of the second step is wrong.
    world.on.delete('second/1')
    const clock = createVirtualClock({ auto: true })
    const { engine, journal } = toyConsole({ disk, clock, steps, pid: 2 })
    if (isTakenOver) {
      const row = must(journal.row(runId), 'it is driven')
      const driver = { ...DRIVER, id: 'driver-2', bootId: 'boot-1' }
      const epoch = must(journal.claim(runId, driver, row), 'it is free')
      journal.append(
        runId,
        { kind: 'run-taken-over', driver, asked: ASKED, storyHash: 'f'.repeat(64) },
        { id: 'driver-2', epoch },
      )
    }
    await valueIn(engine.resume(runId, world)).finished
    expect(foldRun(disk.events).state).toMatchObject({ kind: 'finished', outcome })
    expect(world.on.has('second/1')).toBe(isTakenOver)
  })
})

describe('the journal of a runner', () => {
  let directory: string
  let journal: Journal
  const clock = createVirtualClock()
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lockkeeper-hand-over-'))
    journal = valueIn(openJournal({ path: join(directory, 'journal.db'), clock }))
  })
  afterEach(() => {
    journal.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const driver = { ...DRIVER, id: 'runner-1', bootId: null }
  const parts = (seen: RunEvent[] = []) => ({
    journal,
    driver,
    clock: { now: () => NOW_MS },
    knowsWindow: () => false,
    onEvent: (event: RunEvent) => seen.push(event),
  })

  test('reports a run that was taken over at its original times, under its own numbers, with a valid chain', async () => {
    const { disk, runId } = await leftRun()
    const seen: RunEvent[] = []
    const plan = planOf(disk.events)
    const given = { handedOver: storyOf(disk.events), plan, asked: ASKED, operator: 'ada' }
    expect(valueIn(takeOverRun(given, parts(seen)))).toBe(runId)
    const kept = valueIn(journal.events(runId))
    expect(kept.map(({ at, body }) => ({ at, body })).slice(0, -1)).toEqual(
      disk.events.map(({ at, body }) => ({ at, body })),
    )
    expect(kept.at(-1)?.body).toMatchObject({ kind: 'run-taken-over', driver: { id: 'runner-1', operator: 'ada' } })
    expect(seen).toEqual(kept)
    expect(journal.runOfPlan(plan.id)).toBe(runId)
    expect(valueIn(journal.care.check()).ok).toBe(true)
    // Asked again, it is there.
    expect(failureOf(takeOverRun(given, parts())).message).toContain('already')
  })

  test('keeps nothing of one that does not fit', async () => {
    const { disk, runId } = await leftRun()
    const story = { ...storyOf(disk.events), storyHash: 'f'.repeat(64) }
    const given = { handedOver: story, plan: planOf(disk.events), asked: ASKED, operator: 'ada' }
    expect(failureOf(takeOverRun(given, parts())).code).toBe('bad-input')
    expect(journal.row(runId)).toBeNull()
  })
})

test('a console whose answer was lost ends its run when the runner reports this recorded run, and no other', async () => {
  const { disk, runId } = await leftRun()
  const clock = createVirtualClock({ auto: true })
  const { engine } = toyConsole({ disk, clock, steps, pid: 2 })
  const { storyHash } = storyOf(disk.events)
  valueIn(engine.announceHandOver(runId, { by: 'eva', to: TO, storyHash }, disk.events.length))
  const own = {
    endHandOver: engine.endHandOver,
    view: () => ok({ view: foldRun(disk.events) }) as never,
  }
  const log = { warn: () => {} }
  const taken = (hash: string) =>
    later(disk.events, { kind: 'run-taken-over', driver: DRIVER, asked: ASKED, storyHash: hash })
  endTakenOver(taken('0'.repeat(64)), own, log)
  expect(foldRun(disk.events).state.kind).toBe('left')
  endTakenOver(taken(storyHash), own, log)
  expect(foldRun(disk.events).state).toMatchObject({ kind: 'finished', outcome: 'handed-over' })
})
