import { expect, test } from 'vitest'
import type { RunRow } from '../../../../main/ports/journal.ts'
import { isInterrupted, SILENT_AFTER_MS } from '../../../../main/runs/engine/liveness.ts'
import { summarizeRun } from '../../../../main/runs/engine/run-summary.ts'
import type { RunEventBody } from '../../../../shared/domain/run.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { DRIVER } from '../../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const clock = createVirtualClock()
const row: RunRow = {
  id: 'r',
  cluster: 'test',
  node: 'cmp-1',
  machine: 'laptop-1',
  pid: 7,
  bootId: 'boot-1',
  driverId: 'driver-1',
  epoch: 1,
  heartbeatAtMs: clock.now(),
}

function view(...bodies: readonly RunEventBody[]) {
  const all: readonly RunEventBody[] = [
    { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver: DRIVER },
    { kind: 'run-driven', driver: DRIVER, resumed: false },
    ...bodies,
  ]
  return foldRun(all.map((body, at) => ({ seq: at + 1, runId: 'r', at: '2026-01-01T00:00:00.000Z', body })))
}

const here = (alive: boolean, at = clock) => ({
  clock: at,
  self: { id: 'driver-2', machine: 'laptop-1', bootId: 'boot-1', pid: 8 },
  pidAlive: () => alive,
  heartbeats: new Map(),
})

test.each([
  ['its process lives and says so', true, row, false],
  ['its process on this machine is gone', false, row, true],
  ['its process is on another machine and says that it lives', false, { ...row, machine: 'laptop-2' }, false],
  ['its pid is of another boot of a machine of this name', false, { ...row, bootId: 'boot-2' }, false],
  ['its pid is of a machine that does not tell its boot', false, { ...row, bootId: null }, false],
  ['its pid is given to this very process now', true, { ...row, pid: 8 }, true],
  ['it has been silent for too long', true, { ...row, heartbeatAtMs: clock.now() - SILENT_AFTER_MS - 1 }, true],
] as const)('a running run is interrupted or not: %s', (_why, alive, driven, interrupted) => {
  expect(isInterrupted(view(), driven, here(alive))).toBe(interrupted)
})

test('a driver with heartbeats lives, however far its clock is from ours', async () => {
  const at = createVirtualClock()
  const liveness = here(true, at)
  const old = { ...row, heartbeatAtMs: at.now() - 300_000 }
  isInterrupted(view(), old, liveness)
  await at.advance(2_000)
  expect(isInterrupted(view(), { ...old, heartbeatAtMs: old.heartbeatAtMs + 2_000 }, liveness)).toBe(false)
})

test('a driver without heartbeats is gone, although its clock was ahead', async () => {
  const at = createVirtualClock()
  const liveness = here(true, at)
  const ahead = { ...row, heartbeatAtMs: at.now() + 300_000 }
  expect(isInterrupted(view(), ahead, liveness)).toBe(false)
  await at.advance(SILENT_AFTER_MS + 1)
  expect(isInterrupted(view(), ahead, liveness)).toBe(true)
})

test('a run that was left is interrupted, a finished one never is', () => {
  expect(isInterrupted(view({ kind: 'driver-left', why: 'eva left it' }), row, here(true))).toBe(true)
  const end: RunEventBody = { kind: 'run-finished', outcome: 'done', summary: 'Done.', leftBehind: [] }
  expect(isInterrupted(view(end), row, here(false))).toBe(false)
})

test('a summary says what the run does, waits for, or how it ended', () => {
  expect(summarizeRun(view({ kind: 'step-started', stepId: 'first', attempt: 1 }), false)).toMatchObject({
    state: 'running',
    summary: 'Turn on first',
  })
  const gate: RunEventBody = {
    kind: 'gate-opened',
    stepId: 'first',
    gateId: 'g',
    question: 'What now?',
    choices: ['retry'],
  }
  expect(summarizeRun(view(gate), false)).toMatchObject({ state: 'waiting', summary: 'What now?' })
  const end: RunEventBody = { kind: 'run-finished', outcome: 'failed', summary: 'Nova said no.', leftBehind: [] }
  expect(summarizeRun(view(end), false)).toMatchObject({ state: 'failed', summary: 'Nova said no.' })
})

test.each<[string, readonly RunEventBody[]]>([
  ['was left', [{ kind: 'driver-left', why: 'eva left it' }]],
  ['has lost its driver', []],
  ['was paused before', [{ kind: 'paused' }]],
])('a run that %s still asks its question, and its summary says so, without a word of one face alone', (_, after) => {
  const gate = (gateId: string, stepId: string, question: string): RunEventBody => {
    return { kind: 'gate-opened', stepId, gateId, question, choices: ['retry', 'abort'] }
  }
  const of = (...gates: readonly RunEventBody[]) => summarizeRun(view(...gates, ...after), true)
  const asked = of(gate('g', 'first', 'What now?'))
  expect(asked.state).toBe('interrupted')
  expect(asked.summary).toMatch(/Paused with an open question: What now\? No console runs it;/)
  expect(asked.summary).not.toContain('lockkeeper')
  expect(of(gate('g', 'first', 'What now?'), gate('h', 'second', 'And now?')).summary).toContain('1 more is open.')
})

test('a run that is paused says which question it has open', () => {
  const gate: RunEventBody = {
    kind: 'gate-opened',
    stepId: 'first',
    gateId: 'g',
    question: 'What now?',
    choices: ['retry'],
  }
  expect(summarizeRun(view(gate, { kind: 'paused' }), false).summary).toBe('Paused, with an open question: What now?')
})

test('a run that the journal took no more of says why, in its line and in its condition alike', () => {
  const why = 'The disk is full.'
  const left = summarizeRun(view({ kind: 'step-started', stepId: 'first', attempt: 1 }), true, why)
  expect(left.summary).toBe(
    `No console runs it; it was at: Turn on first. It stopped because the journal could not be written. ${why}`,
  )
  expect(left.condition).toMatchObject({ kind: 'interrupted', left: { code: 'JournalRefused', cause: why } })
})
