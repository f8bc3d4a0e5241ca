import { describe, expect, test } from 'vitest'
import { laneWords } from '../../../renderer/features/timeline/lane-words.ts'
import type { Ghost } from '../../../renderer/geometry/timeline-forecast.ts'
import type { RunCondition, RunWait } from '../../../shared/domain/run-condition.ts'
import type { NodeLane, NodeStage } from '../../../shared/domain/update.ts'

const AT = '2026-11-21T01:00:00.000Z'
const MS = Date.parse(AT)

const lane = (stage: NodeStage, evidence: string[] = [], waits: NodeLane['spans'][number]['waits'] = []): NodeLane => ({
  node: 'cmp-02',
  phase: 'worker-nodes',
  group: null,
  stage,
  spans: stage === 'pending' ? [] : [{ stage, fromAt: AT, toAt: null, note: '', evidence, waits, retries: [] }],
})

const wait = (whom: RunWait['for'], what: string, names: readonly string[] = []): RunCondition => ({
  kind: 'waiting',
  waits: [
    {
      for: whom,
      node: 'cmp-02',
      what,
      who: '',
      since: AT,
      said: null,
      moves: false,
      asksAt: null,
      failsAt: null,
      instances: names.map(name => ({ id: name, name })),
    },
  ],
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

describe('beside the bar of a node stands', () => {
  test.each([
    ['owner', 'It is left to its owner.', ['ledger-01'], 'owner of ledger-01'],
    ['owner', 'They are left to their owners.', ['a-1', 'b-1'], 'owner of a-1 and b-1'],
    ['owner', 'Somebody owns it.', [], 'an owner'],
    ['answer', 'Is the work done?', [], 'your answer'],
    ['operator', 'It stands still.', [], 'an operator'],
    ['controller', 'ceph, whose lock ceph-cmp-02 is active.', [], 'controller ceph'],
    ['budget', 'rabbitmq-0: it may not.', [], 'a disruption budget'],
    ['world', 'The node is not Ready yet.', [], 'The node is not Ready yet'],
  ] as const)('who it waits for: %s, %s', (whom, what, names, text) => {
    expect(words(lane('locks'), { condition: wait(whom, what, names), ghost: expected })).toEqual({
      text,
      since: AT,
      tone: 'waits',
      title: what,
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
    expect(words(lane('draining'), { ghost: { kind: 'overdue' } })?.text).toBe('takes longer than the others did')
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

  test('why it was left out, also when all is over', () => {
    expect(words(lane('skipped', ['Work on cmp-02: passed, it is being repaired']))?.text).toBe(
      'left out: it is being repaired',
    )
    expect(words(lane('skipped'))?.text).toBe('left out')
  })
})
