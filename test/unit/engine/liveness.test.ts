import { expect, test } from 'vitest'
import type { RunRow } from '../../../main/engine/journal-port.ts'
import { isInterrupted, SILENT_AFTER_MS } from '../../../main/engine/liveness.ts'
import { summarizeRun } from '../../../main/engine/run-summary.ts'
import type { RunEventBody } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { switchStep, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

const clock = createVirtualClock()
const driver = { operator: 'eva', machine: 'laptop-1', pid: 7, version: '0.0.0' }
const row: RunRow = { id: 'r', cluster: 'test', node: 'cmp-1', machine: 'laptop-1', pid: 7, heartbeatAtMs: clock.now() }

function view(...bodies: readonly RunEventBody[]) {
  const all: readonly RunEventBody[] = [
    { kind: 'run-created', plan: toyPlan([switchStep('first')]), driver },
    { kind: 'run-driven', driver, resumed: false },
    ...bodies,
  ]
  return foldRun(all.map((body, at) => ({ seq: at + 1, runId: 'r', at: '2026-01-01T00:00:00.000Z', body })))
}

const here = (alive: boolean) => ({ clock, machine: 'laptop-1', pidAlive: () => alive })

test.each([
  ['its process lives and says so', true, row, false],
  ['its process on this machine is gone', false, row, true],
  ['its process is on another machine and says that it lives', false, { ...row, machine: 'laptop-2' }, false],
  ['it has been silent for too long', true, { ...row, heartbeatAtMs: clock.now() - SILENT_AFTER_MS - 1 }, true],
] as const)('a running run is interrupted or not: %s', (_why, alive, driven, interrupted) => {
  expect(isInterrupted(view(), driven, here(alive))).toBe(interrupted)
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
  expect(summarizeRun(view(gate), true)).toMatchObject({
    state: 'interrupted',
    summary: expect.stringContaining('run resume r'),
  })
  const end: RunEventBody = { kind: 'run-finished', outcome: 'failed', summary: 'Nova said no.', leftBehind: [] }
  expect(summarizeRun(view(end), false)).toMatchObject({ state: 'failed', summary: 'Nova said no.' })
})
