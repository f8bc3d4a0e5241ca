import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import type { RunEvent, RunEventBody, RunView } from '../../../shared/domain/run.ts'
import { applyRunEvent, beginRunView, foldRun } from '../../../shared/domain/run-fold.ts'
import type { Blocker, CheckAnswer, VerifyAnswer } from '../../../shared/domain/step-answers.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'

const plan = toyPlan([switchStep('first'), switchStep('second')])
const created: RunEventBody = { kind: 'run-created', plan, driver: DRIVER }
const lists = { evidence: [], warnings: [], effects: [] }
const blocker = (code: string) => ({
  code,
  message: `${code}.`,
  remedy: 'Repair it.',
  override: { kind: 'flag' as const, flag: 'force' as const },
})
const checks: readonly CheckAnswer[] = [
  { kind: 'done', reason: '', ...lists },
  { kind: 'ready', reason: '', ...lists },
  { kind: 'blocked', blockers: [blocker('one'), blocker('two')], ...lists },
]
const verifies: readonly VerifyAnswer[] = [
  { kind: 'holds', reason: '', evidence: [] },
  { kind: 'fails', reason: '', remedy: '', evidence: [], mayStillHold: true },
  { kind: 'cannot-tell', reason: '', remedy: '', evidence: [], mayStillHold: true },
]

const stepId = fc.constantFrom('first', 'second', 'a-step-of-no-plan')
const gateId = fc.constantFrom('gate-1', 'gate-2')
const body: fc.Arbitrary<RunEventBody> = fc.oneof(
  fc.constantFrom<RunEventBody>(
    created,
    { kind: 'run-driven', driver: DRIVER, resumed: true },
    { kind: 'lease-acquired', node: 'cmp-1', identity: 'x' },
    { kind: 'lease-lost', node: 'cmp-1', why: 'gone' },
    { kind: 'pause-requested', by: 'eva' },
    { kind: 'paused' },
    { kind: 'resume-requested', by: 'eva' },
    { kind: 'abort-requested', by: 'eva', reason: '' },
    { kind: 'driver-left', why: 'left' },
    { kind: 'run-finished', outcome: 'failed', summary: '', leftBehind: [] },
  ),
  fc
    .tuple(stepId, fc.constantFrom(...checks))
    .map(([id, answer]): RunEventBody => ({ kind: 'step-checked', stepId: id, answer })),
  fc.tuple(stepId, fc.constantFrom('one', 'two')).map(
    ([id, code]): RunEventBody => ({
      kind: 'blocker-overridden',
      stepId: id,
      code,
      message: `${code}.`,
      flag: 'force',
      reason: 'must',
    }),
  ),
  stepId.map((id): RunEventBody => ({ kind: 'step-started', stepId: id, attempt: 1 })),
  fc
    .tuple(stepId, fc.string())
    .map(
      ([id, subject]): RunEventBody => ({ kind: 'fact', stepId: id, fact: 'f', subject, announces: true, values: {} }),
    ),
  stepId.map((id): RunEventBody => ({ kind: 'step-applied', stepId: id, note: '' })),
  stepId.map((id): RunEventBody => ({ kind: 'step-failed', stepId: id, failure: failure('internal', 'no') })),
  fc
    .tuple(stepId, fc.constantFrom('operator' as const, 'nothing-to-do' as const))
    .map(([id, by]): RunEventBody => ({ kind: 'step-skipped', stepId: id, reason: '', by })),
  fc
    .tuple(stepId, fc.constantFrom('early' as const, 'final' as const), fc.constantFrom(...verifies))
    .map(([id, round, answer]): RunEventBody => ({ kind: 'step-verified', stepId: id, round, answer })),
  fc.tuple(stepId, gateId).map(
    ([id, gate]): RunEventBody => ({
      kind: 'gate-opened',
      stepId: id,
      gateId: gate,
      question: '?',
      choices: ['retry'],
    }),
  ),
  fc.tuple(stepId, gateId).map(
    ([id, gate]): RunEventBody => ({
      kind: 'gate-answered',
      stepId: id,
      gateId: gate,
      choice: 'retry',
      reason: '',
      by: 'eva',
    }),
  ),
)

function eventsOf(bodies: readonly RunEventBody[]): readonly RunEvent[] {
  return bodies.map((each, at) => ({
    seq: at + 1,
    runId: 'run-1',
    at: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
    body: each,
  }))
}

function viewOf(...bodies: readonly RunEventBody[]): RunView {
  return foldRun(eventsOf([created, ...bodies]))
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) frozen(each)
  }
  return value
}

describe('folding a run', () => {
  test('in one go equals folding step by step, in any order of events, and changes neither events nor views', () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 40 }), bodies => {
        const events = frozen(eventsOf([created, ...bodies]))
        const [first, ...rest] = events
        const stepwise = rest.reduce(
          (view, event) => frozen(applyRunEvent(view, event)),
          frozen(must(beginRunView(first), 'the first event creates the run')),
        )
        expect(foldRun(events)).toEqual(stepwise)
      }),
      { numRuns: 400 },
    )
  })

  test('a view taken earlier does not change with the events that follow', () => {
    const facts = ['a', 'b', 'c'].map<RunEventBody>(subject => ({
      kind: 'fact',
      stepId: 'first',
      fact: 'f',
      subject,
      announces: true,
      values: {},
    }))
    const early = viewOf(...facts.slice(0, 2))
    const [next] = eventsOf(facts.slice(2))
    const later = applyRunEvent(early, must(next, 'there is a third fact'))
    expect(early.steps[0]?.facts.map(({ subject }) => subject)).toEqual(['a', 'b'])
    expect(later.steps[0]?.facts.map(({ subject }) => subject)).toEqual(['a', 'b', 'c'])
  })

  test('facts of every step are kept, in order', () => {
    fc.assert(
      fc.property(fc.array(body, { maxLength: 40 }), bodies => {
        const reported = bodies.flatMap(each => (each.kind === 'fact' && each.stepId === 'first' ? [each.subject] : []))
        expect(viewOf(...bodies).steps[0]?.facts.map(({ subject }) => subject)).toEqual(reported)
      }),
    )
  })

  test('a list without its beginning is a bug, not an empty run', () => {
    expect(() => foldRun(eventsOf([{ kind: 'paused' }]))).toThrow('run-created')
  })
})

describe('the state of a run', () => {
  test('a finished run stays finished, whatever is written late, until it is driven again', () => {
    const end: RunEventBody = { kind: 'run-finished', outcome: 'failed', summary: 'no', leftBehind: ['x'] }
    const late: readonly RunEventBody[] = [
      { kind: 'paused' },
      { kind: 'abort-requested', by: 'eva', reason: '' },
      { kind: 'driver-left', why: '' },
      { kind: 'gate-opened', stepId: 'first', gateId: 'g', question: '?', choices: ['retry'] },
    ]
    for (const event of late) expect(viewOf(end, event).state.kind).toBe('finished')
    const again = viewOf(end, { kind: 'run-driven', driver: DRIVER, resumed: true })
    expect(again.state.kind).toBe('running')
    expect(again.endedAt).toBeNull()
  })

  test('an answer to a gate lets the run continue, an answer to another gate does not', () => {
    const open: RunEventBody = { kind: 'gate-opened', stepId: 'first', gateId: 'g', question: '?', choices: ['retry'] }
    const answered = (id: string): RunEventBody => ({
      kind: 'gate-answered',
      stepId: 'first',
      gateId: id,
      choice: 'retry',
      reason: '',
      by: 'eva',
    })
    expect(viewOf(open).state).toEqual({ kind: 'waiting', stepId: 'first', gateId: 'g', question: '?' })
    expect(viewOf(open, answered('other')).state.kind).toBe('waiting')
    expect(viewOf(open, answered('g')).state.kind).toBe('running')
  })

  test('only a paused run can resume', () => {
    expect(viewOf({ kind: 'paused' }, { kind: 'resume-requested', by: 'eva' }).state.kind).toBe('running')
    const aborting = viewOf({ kind: 'abort-requested', by: 'eva', reason: '' }, { kind: 'resume-requested', by: 'eva' })
    expect(aborting.state.kind).toBe('aborting')
  })
})

const BY_FORCE = { kind: 'flag', flag: 'force' } as const

describe('the state of a step', () => {
  const stateOf = (...bodies: readonly RunEventBody[]) => viewOf(...bodies).steps[0]?.state
  const checked = (answer: CheckAnswer | undefined): RunEventBody => ({
    kind: 'step-checked',
    stepId: 'first',
    answer: must(answer, 'there are three answers'),
  })
  const lift = (code: string): RunEventBody => ({
    kind: 'blocker-overridden',
    stepId: 'first',
    code,
    message: `${code}.`,
    flag: 'force',
    reason: 'must',
  })
  const verified = (answer: VerifyAnswer | undefined): RunEventBody => ({
    kind: 'step-verified',
    stepId: 'first',
    round: 'final',
    answer: must(answer, 'there are two answers'),
  })

  test('is overridden only when every one of its blockers is lifted', () => {
    const blockedCheck = checked(checks[2])
    expect(stateOf(blockedCheck)).toBe('blocked')
    expect(stateOf(blockedCheck, lift('one'))).toBe('blocked')
    expect(stateOf(blockedCheck, lift('one'), lift('two'))).toBe('overridden')
  })

  test.each<[what: string, of: Partial<Blocker>, lifts: boolean]>([
    ['of the same values, whatever its text', { values: { pods: ['a'] }, message: 'In other words.' }, true],
    ['of other values, whatever its text', { values: { pods: ['a', 'b'] } }, false],
    ['of an earlier version, which kept the text alone', {}, true],
    ['of an earlier version, with another text', { message: 'Another.' }, false],
  ])('an override is given for a blocker %s: %s', (_, of, lifts) => {
    const blocker: Blocker = { code: 'PodsBlock', message: 'One.', remedy: '', override: BY_FORCE, ...of }
    const given = { code: 'PodsBlock', message: 'One.', values: { pods: ['a'] } }
    const state = stateOf(checked({ kind: 'blocked', blockers: [blocker], evidence: [], warnings: [], effects: [] }), {
      kind: 'blocker-overridden',
      stepId: 'first',
      flag: 'force',
      reason: 'must',
      ...given,
    })
    expect(state).toBe(lifts ? 'overridden' : 'blocked')
  })

  test('the same override recorded again after a restart is kept once', () => {
    expect(viewOf(checked(checks[2]), lift('one'), checked(checks[2]), lift('one')).overrides).toHaveLength(1)
  })

  test('an override of what is measured a little otherwise after a restart is kept once, and lifts it', () => {
    const ahead = (...aheadMs: readonly number[]): readonly RunEventBody[] => {
      const blockers = aheadMs.map(ms => ({ ...blocker('ClocksApart'), values: { server: 'Keystone', aheadMs: ms } }))
      return [
        checked({ kind: 'blocked', blockers, ...lists }),
        ...blockers.map(({ code, values, message }): RunEventBody => {
          return { kind: 'blocker-overridden', stepId: 'first', code, values, message, flag: 'force', reason: 'must' }
        }),
      ]
    }
    const { overrides, steps } = viewOf(...ahead(35_012), ...ahead(35_047))
    expect(overrides).toMatchObject([{ values: { aheadMs: 35_047 } }])
    expect(steps[0]?.state).toBe('overridden')
    // Two of one check are two, whatever their texts.
    expect(stateOf(...ahead(35_012, 36_000))).toBe('overridden')
    expect(viewOf(...ahead(35_012, 36_000)).overrides).toHaveLength(2)
  })

  test('a check made again says nothing about a step that is applied', () => {
    const applied: RunEventBody = { kind: 'step-applied', stepId: 'first', note: '' }
    expect(stateOf(applied, checked(checks[2]))).toBe('applied')
  })

  test('a check that finds nothing to do leaves the step open: a separate event skips it', () => {
    expect(stateOf(checked(checks[0]))).toBe('ready')
    expect(stateOf({ kind: 'step-skipped', stepId: 'first', reason: '', by: 'nothing-to-do' })).toBe('nothing-to-do')
  })

  test('a verify that fails fails an applied step, and not one that the operator skipped', () => {
    expect(stateOf({ kind: 'step-applied', stepId: 'first', note: '' }, verified(verifies[1]))).toBe('failed')
    const skipped = viewOf({ kind: 'step-skipped', stepId: 'first', reason: '', by: 'operator' }, verified(verifies[1]))
    expect(skipped.steps[0]?.state).toBe('skipped')
    expect(skipped.steps[0]?.verify?.kind).toBe('fails')
  })

  test('a verify that cannot tell is neither verified nor failed, and does not count for a step that was skipped', () => {
    expect(stateOf({ kind: 'step-applied', stepId: 'first', note: '' }, verified(verifies[2]))).toBe('cannot-tell')
    const skipped = viewOf({ kind: 'step-skipped', stepId: 'first', reason: '', by: 'operator' }, verified(verifies[2]))
    expect(skipped.steps[0]?.state).toBe('skipped')
  })

  test('a repeated attempt starts again: no end, no failure, one attempt more', () => {
    const view = viewOf(
      { kind: 'step-started', stepId: 'first', attempt: 1 },
      { kind: 'step-failed', stepId: 'first', failure: failure('server-fault', 'no') },
      { kind: 'step-started', stepId: 'first', attempt: 2 },
    )
    expect(view.steps[0]).toMatchObject({ state: 'applying', attempts: 2, endedAt: null, failure: null })
  })
})

describe('a wait for a fault that may pass', () => {
  const at = (minute: number) => `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`
  const waitsAfter = (...bodies: readonly RunEventBody[]) =>
    foldRun([created, ...bodies].map((one, index) => ({ seq: index + 1, runId: 'r', at: at(index), body: one })))
      .passingWaits
  const fact = (name: string, values = {}): RunEventBody => ({
    kind: 'fact',
    stepId: 'first',
    fact: name,
    subject: 'first',
    announces: false,
    values,
  })
  const waiting = fact('outlasting', { reason: 'Nova failed.', since: at(3), until: at(8) })
  const reported = { stepId: 'first', lease: null, reason: 'Nova failed.', since: at(3), asksAt: at(8), failsAt: null }

  test('has its start and the time of the question', () => {
    expect(waitsAfter(waiting)).toEqual([reported])
    expect(waitsAfter(waiting, waiting)).toEqual([reported])
  })

  test('is also an unmet condition, with the start of the wait and the time at which its step fails', () => {
    const seen = fact('not-verified-yet', { reason: 'One is left.', until: at(9), leftMs: 1 })
    const wait = {
      stepId: 'first',
      lease: null,
      reason: 'One is left.',
      since: at(1),
      asksAt: null,
      failsAt: at(9),
    }
    expect(waitsAfter(seen)).toEqual([wait])
    expect(waitsAfter(seen, seen)).toEqual([wait])
  })

  test.each<[string, RunEventBody]>([
    ['it passed', fact('outlasted', { passed: true })],
    ['it is asked about', { kind: 'gate-opened', stepId: 'first', gateId: 'g', question: '?', choices: ['retry'] }],
    ['the run pauses', { kind: 'paused' }],
    ['its driver leaves', { kind: 'driver-left', why: '' }],
    ['another driver takes it up', { kind: 'run-driven', driver: DRIVER, resumed: true }],
    ['it has ended', { kind: 'run-finished', outcome: 'done', summary: '', leftBehind: [] }],
  ])('is gone once %s', (_, after) => {
    expect(waitsAfter(waiting, after)).toEqual([])
  })

  test('is the Lease alone while it is away: the steps have stopped', () => {
    const away: RunEventBody = { kind: 'lease-away', node: 'cmp-1', why: 'It ran out.' }
    expect(waitsAfter(waiting, away)).toEqual([
      { stepId: null, lease: 'cmp-1', reason: 'It ran out.', since: at(2), asksAt: null, failsAt: null },
    ])
    expect(waitsAfter(away, { kind: 'lease-back', node: 'cmp-1', awayMs: 1 })).toEqual([])
  })
})
