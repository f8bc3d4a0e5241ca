import { describe, expect, test } from 'vitest'
import { type InstanceMove, movesOf, moveWords } from '../../../renderer/ui/instances/instance-moves.tsx'
import { INSTANCE_STARTED, INSTANCE_STOPPED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { MOVING_ID, playedRun } from '../../fixtures/renderer/played-runs.ts'

const NOW = Date.parse('2026-11-24T06:00:00Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()

describe('what runs do to instances just now', () => {
  test('is those that migrate, with how far and until when; what arrived is not among them', () => {
    const moves = movesOf([foldRun(playedRun('moving', { nowMs: NOW }).events)])
    expect([...moves.keys()]).toHaveLength(2)
    expect(moves.get(MOVING_ID)).toMatchObject({ kind: 'moving', percent: 71, copying: 'copying' })
  })

  test('is nothing once a run has ended', () => {
    expect(movesOf([foldRun(playedRun('done').events)]).size).toBe(0)
  })

  test('is those that it stopped and did not start again', () => {
    const { events } = playedRun('done')
    const last = events.at(-1)
    if (last === undefined) throw new Error('no event')
    const reported = (seq: number, name: string, id: string, seconds: number) => ({
      seq: last.seq + seq,
      runId: last.runId,
      at: at(seconds),
      body: {
        kind: 'fact' as const,
        stepId: 'migrate-instances',
        fact: name,
        subject: `server/${id}`,
        announces: false,
        values: { name: id },
      },
    })
    const more = [
      reported(1, INSTANCE_STOPPED, 'a', -60),
      reported(2, INSTANCE_STOPPED, 'b', -50),
      reported(3, INSTANCE_STARTED, 'b', -40),
    ]
    expect([...movesOf([foldRun([...events, ...more])])]).toEqual([['a', { kind: 'down', from: at(-60) }]])
  })
})

const moving = (more: Partial<Extract<InstanceMove, { kind: 'moving' }>>): InstanceMove => ({
  kind: 'moving',
  percent: 71,
  copying: 'copying',
  endAt: null,
  from: at(-30),
  ...more,
})

test.each<readonly [InstanceMove, string]>([
  [moving({ endAt: at(12) }), '71 %, about 12 s'],
  [moving({ endAt: at(0) }), '71 %, any moment'],
  [moving({}), '71 %, for 30 s'],
  [moving({ percent: null }), 'moving, for 30 s'],
  [moving({ copying: 'still', endAt: at(12) }), '71 %, makes no progress'],
  [moving({ copying: 'not-converging', endAt: at(12) }), '71 %, not getting done'],
  [{ kind: 'down', from: at(-90) }, 'down for 1 min 30 s'],
])('a move has a few words', (move, words) => expect(moveWords(move, NOW)).toBe(words))
