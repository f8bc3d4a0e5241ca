import { expect, test } from 'vitest'
import { createEventLines } from '../../../main/faces/cli/render/event-lines.ts'
import type { RunEnding } from '../../../shared/domain/run-ending.ts'
import { eventLine } from '../../../shared/words/run-events.ts'
import { terminalLook } from '../../fixtures/cli/looks.ts'
import { createSampleRun, sampleNotEmpty } from '../../fixtures/cli/sample-run.ts'

const OVERRIDE = { code: 'Override', flag: 'force', message: 'web-1 is in ERROR.', reason: 'known' } as const

test.each<[RunEnding | null, string]>([
  [{ kind: 'Finished', accepted: [] }, 'good'],
  [{ kind: 'Finished', accepted: [OVERRIDE] }, 'caution'],
  [sampleNotEmpty('cmp-1'), 'bad'],
  [null, 'plain'],
])('the last line of the log of a run that went through has the colour of its end: %#', (ending, tone) => {
  const event = createSampleRun().finished()
  expect(eventLine(event, new Map(), { ending })).toMatchObject({ tone, text: 'Ended done.' })
})

test.each([
  ['they may go down', 'skipped by the operator: they may go down.'],
  ['', 'skipped by the operator.'],
])('a skipped step, with the reason "%s"', (reason, words) => {
  const event = createSampleRun().add({ kind: 'step-skipped', stepId: 'drain-node', reason, by: 'operator' })
  expect(eventLine(event, new Map()).text).toContain(words)
})

test('the terminal gives it the same colour, by the events before', () => {
  const look = terminalLook(120)
  const lastLine = (isLeft: boolean) => {
    const sample = createSampleRun()
    sample.created()
    const { verdict } = sampleNotEmpty('cmp-1')
    if (isLeft) sample.fact('drain-node', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(verdict)))
    sample.finished()
    const lines = createEventLines(look, true)
    return sample.events.flatMap(event => lines.linesOf(event)).at(-1)
  }
  expect(lastLine(false)).toContain(look.palette.good('Ended done.'))
  expect(lastLine(true)).toContain(look.palette.bad('Ended done.'))
})
