import { describe, expect, test } from 'vitest'
import type { PlanBlock, WindowJudgement } from '../../../shared/domain/window-judgement.ts'
import { headingLine, judgementLine, leftWords, pastLine } from '../../../shared/words/window-judgements.ts'
import { runOf } from '../../fixtures/renderer/windows.ts'

const MINUTE = 60_000
const TIMES = { startsAt: '2026-11-28T00:00:00.000Z', endsAt: '2026-11-28T02:00:00.000Z' }

function judged(said: Partial<WindowJudgement>): WindowJudgement {
  return {
    judgedAt: TIMES.startsAt,
    nodes: 8,
    left: 0,
    blocks: [],
    span: { lowMs: 100 * MINUTE, highMs: 110 * MINUTE },
    ...said,
  }
}

const block = (node: string | null, said: Partial<PlanBlock> = {}): PlanBlock => ({
  node,
  code: 'InstanceNotMovable',
  values: { id: '6f1c', name: 'gpu-02' },
  message: 'Instance gpu-02 (6f1c) cannot be moved now: it has a device.',
  remedy: 'Stop it.',
  passes: false,
  ...said,
})

const UNREAD = block('cmp-04', { code: 'NotRead', values: {}, message: 'Nova does not answer.', passes: true })

describe('the line of a window that comes', () => {
  test.each([
    [judged({}), 'good', '8 nodes fit, about 1 h 40 min'],
    [judged({ left: 1 }), 'caution', '8 of 9 nodes, 1 left out, about 1 h 40 min'],
    [judged({ nodes: 1 }), 'good', '1 node fits, about 1 h 40 min'],
    [
      judged({ span: { lowMs: 110 * MINUTE, highMs: 124 * MINUTE } }),
      'caution',
      '8 nodes, about 1 h 50 min, may end 4 min late',
    ],
    [judged({ span: { lowMs: 124 * MINUTE, highMs: 130 * MINUTE } }), 'bad', '8 nodes, ends 4 min late'],
    [judged({ span: null }), 'quiet', '8 nodes, nothing blocks, time unknown'],
    [judged({ nodes: 0, span: null }), 'quiet', 'You start nodes yourself'],
    [judged({ blocks: [block('cmp-04')] }), 'bad', 'cmp-04 cannot go out: gpu-02 cannot move'],
    [
      judged({ blocks: [block('cmp-04', { code: 'InstanceInError', values: { id: '1', name: 'broken-01' } })] }),
      'bad',
      'cmp-04 cannot go out: broken-01 is in ERROR',
    ],
    [
      judged({ blocks: [block('cmp-04'), block('cmp-04'), block('cmp-06')] }),
      'bad',
      '2 nodes cannot go out: cmp-04 and cmp-06',
    ],
    [
      judged({ blocks: [block('cmp-04'), block('cmp-04', { values: { id: '7', name: 'gpu-03' } })] }),
      'bad',
      'cmp-04 cannot go out: gpu-02 and gpu-03 cannot move',
    ],
    [judged({ blocks: [block(null, { values: {}, message: 'The cloud refuses.' })] }), 'bad', 'The cloud refuses'],
    [judged({ blocks: [block('cmp-04', { passes: true })] }), 'good', '8 nodes fit, about 1 h 40 min'],
    [judged({ blocks: [UNREAD] }), 'caution', 'Cannot tell yet: Nova does not answer'],
    [judged({ blocks: [UNREAD, block('cmp-06')] }), 'bad', 'cmp-06 cannot go out: gpu-02 cannot move'],
    [judged({ blocks: [{ ...UNREAD, passes: false }] }), 'bad', 'cmp-04 cannot go out: Nova does not answer'],
  ] as const)('is %#', (judgement, tone, words) => {
    expect(judgementLine(judgement, TIMES, Date.parse(TIMES.startsAt) - MINUTE)).toEqual({ tone, words })
  })
})

test('of an open window only the rest of its time counts', () => {
  const line = judgementLine(judged({}), TIMES, Date.parse(TIMES.startsAt) + 30 * MINUTE)
  expect(line).toEqual({ tone: 'bad', words: '8 nodes, ends 10 min late' })
})

test.each([
  ['in-time', 'good', 'Running, 20 min to spare'],
  ['may-overrun', 'caution', 'Running, may end 4 min late'],
  ['overruns', 'bad', 'Running, ends 2 min late'],
  ['not-known', 'quiet', 'Running, end unknown'],
] as const)('a window at work that ends %s', (verdict, tone, words) => {
  const late =
    verdict === 'in-time'
      ? { lowAt: '2026-11-28T01:30:00Z', highAt: '2026-11-28T01:40:00Z' }
      : { lowAt: '2026-11-28T02:02:00Z', highAt: '2026-11-28T02:04:00Z' }
  const eta = verdict === 'not-known' ? null : late
  expect(headingLine({ verdict, endsAt: TIMES.endsAt, eta })).toEqual({ tone, words })
})

describe('the line of a window that has ended says what it did', () => {
  const window = { ...TIMES, cancelled: null }
  const ran = runOf({ nodes: ['cmp-1', 'cmp-2'], createdAt: '2026-11-28T00:00:00Z', endedAt: '2026-11-28T00:21:00Z' })

  test.each([
    [[ran], 'good', '2 nodes done in 21 min'],
    [[{ ...ran, endedAt: '2026-11-28T02:04:00Z' }], 'caution', '2 nodes done in 2 h 4 min, ended 4 min late'],
    [[ran, runOf({ ...ran, id: 'b', state: 'aborted' })], 'caution', '1 of 2 runs done in 21 min'],
    [[], 'quiet', 'Nothing ran'],
  ] as const)('%#', (runs, tone, words) => {
    expect(pastLine(window, runs)).toEqual({ tone, words })
  })

  test('a cancelled one says only that', () => {
    const cancelled = { at: TIMES.startsAt, by: 'eva', why: 'rain' }
    expect(pastLine({ ...window, cancelled }, [ran]).words).toBe('Cancelled')
  })
})

test('a node that was left out has its reasons in short, else the words of its rule', () => {
  const of = (name: string) => ({ code: 'OwnerMustAct', values: { id: name, name } })
  const left = { node: 'cmp-06', reasons: [of('licence-01'), of('licence-02')], why: 'Instance licence-01 (9ce3…): …' }
  expect(leftWords(left)).toBe('licence-01 and licence-02 wait for their owners.')
  const rule = { node: 'cmp-08', reasons: [{ code: 'OnlyBeforeOthers', values: {} }], why: 'Only before the others.' }
  expect(leftWords(rule)).toBe('Only before the others.')
  expect(leftWords({ node: 'cmp-01', why: '' })).toBe('')
})
