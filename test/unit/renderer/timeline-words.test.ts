import { describe, expect, test } from 'vitest'
import type { Ghost } from '../../../renderer/geometry/timeline-forecast.ts'
import { laneWords } from '../../../renderer/ui/timeline/lane-words.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import type { NodeLane, NodeStage } from '../../../shared/domain/update.ts'
import { sampleWaits } from '../../fixtures/cli/sample-waits.ts'

const AT = '2026-11-21T01:00:00.000Z'
const MS = Date.parse(AT)

const lane = (stage: NodeStage, evidence: string[] = [], waits: NodeLane['spans'][number]['waits'] = []): NodeLane => ({
  node: 'cmp-02',
  phase: 'worker-nodes',
  group: null,
  stage,
  spans: stage === 'pending' ? [] : [{ stage, fromAt: AT, toAt: null, note: '', evidence, waits, retries: [] }],
})

const waits = sampleWaits()
const named = (...names: readonly string[]) => ({ instances: names.map(name => ({ id: name, name })) })
/** The run waits on the node. */
const waiting = (wait: RunWait): RunCondition => ({
  kind: 'waiting',
  waits: [{ ...wait, node: 'cmp-02', since: AT }],
})

interface Known {
  readonly ghost?: Ghost
  readonly turn?: number
  readonly condition?: RunCondition
  readonly left?: number
  readonly toLeave?: number
}

const words = (of: NodeLane, known: Known = {}) =>
  laneWords(of, {
    ghost: known.ghost ?? null,
    turn: known.turn ?? null,
    condition: known.condition ?? null,
    left: known.left ?? 0,
    toLeave: known.toLeave ?? null,
    time: ms => new Date(ms).toISOString().slice(11, 16),
  })

const expected: Ghost = { kind: 'expected', fromMs: MS, toMs: MS + 600_000, lateMs: MS + 1_200_000 }

describe('beside the bar of a node is', () => {
  test.each<[wait: RunWait, text: string, title: string]>([
    [
      { ...waits.LeftToOwners, ...named('ledger-01') },
      'owner of ledger-01',
      'ledger-01 is still on cmp-02, left to its owner.',
    ],
    [
      { ...waits.LeftToOwners, ...named('a-1', 'b-1') },
      'owner of a-1 and b-1',
      'a-1 and b-1 are still on cmp-02, left to their owners.',
    ],
    [{ ...waits.Question, question: 'Is the work done?' }, 'your answer', 'Is the work done?'],
    [waits.MigrationStalled, 'an operator', 'web-1: its migration makes no progress.'],
    [
      { ...waits.LockHeld, controller: 'ceph', lock: 'ceph-cmp-02', message: '' },
      'controller ceph',
      'ceph, whose lock ceph-cmp-02 is active.',
    ],
    [waits.BudgetRefuses, 'a disruption budget', 'openstack/db-0: The budget db needs 3 healthy pods.'],
    [
      { ...waits.NotReadyYet, what: 'The node is not Ready yet' },
      'The node is not Ready yet',
      'The node is not Ready yet.',
    ],
  ])('who it waits for: %o, %s', (wait, text, title) => {
    expect(words(lane('locks'), { condition: waiting(wait), ghost: expected })).toEqual({
      text,
      since: AT,
      tone: 'waits',
      title,
    })
  })

  test('what it was seen to wait for, where somebody else drives it', () => {
    const open = { fromAt: AT, toAt: null, what: 'the lock of ceph' }
    expect(words(lane('locks', [], [open]))).toMatchObject({ text: 'waits: the lock of ceph', since: AT })
    expect(words(lane('locks', [], [{ ...open, toAt: AT }]))).toBeNull()
  })

  test('how far it is, and when it may be through', () => {
    expect(words(lane('draining'), { ghost: expected, left: 5, toLeave: 7 })).toMatchObject({
      text: '5 of 7 moved · done about 01:10',
      title: 'between 01:10 and 01:20',
      since: null,
    })
    expect(words(lane('draining'), { ghost: { kind: 'overdue' } })?.text).toBe('takes longer than other nodes')
    expect(words(lane('draining'), { ghost: { kind: 'unknown' } })?.text).toBe('no estimate yet')
  })

  test('its turn, while nothing says when that comes; nothing where the ghost says it', () => {
    const unknown = (turn: number) => words(lane('pending'), { ghost: { kind: 'unknown' }, turn })?.text
    expect([1, 2, 3, 4, 11, 22].map(unknown)).toEqual([
      'next · no estimate yet',
      '2nd in turn',
      '3rd in turn',
      '4th in turn',
      '11th in turn',
      '22nd in turn',
    ])
    expect(words(lane('pending'), { ghost: expected, turn: 1 })).toBeNull()
    expect(words(lane('pending'), { ghost: { kind: 'unknown' } })?.text).toBe('no estimate yet')
  })

  test('why it was left out, also when all has ended', () => {
    const left = lane('skipped')
    const passed = (reason: string) => ({ ...left, spans: left.spans.map(span => ({ ...span, passed: reason })) })
    expect(words(passed('it is being repaired'))?.text).toBe('left out: it is being repaired')
    expect(words(passed(' '))?.text).toBe('left out')
    expect(words(left)?.text).toBe('left out')
  })
})
