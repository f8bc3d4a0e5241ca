import { describe, expect, test } from 'vitest'
import { timelineForecast } from '../../../renderer/geometry/timeline-forecast.ts'
import { type NodeLane, NodeStage, turnOf } from '../../../shared/domain/update.ts'
import { updateEta } from '../../../shared/domain/update-eta.ts'

const TURNS: Readonly<Record<NodeStage, ReturnType<typeof turnOf>>> = {
  pending: 'to-come',
  requested: 'under-way',
  locks: 'under-way',
  draining: 'under-way',
  work: 'under-way',
  returning: 'under-way',
  done: 'over',
  skipped: 'over',
  unseen: 'over',
}

const NOW = '2026-11-21T02:00:00Z'
const span = (stage: NodeStage, fromAt: string, toAt: string | null): NodeLane['spans'][number] => ({
  stage,
  fromAt,
  toAt,
  note: '',
  evidence: [],
  waits: [],
  retries: [],
})
const lane = (node: string, stage: NodeStage, spans: NodeLane['spans'] = []): NodeLane => ({
  node,
  phase: 'worker-nodes',
  group: null,
  stage,
  spans,
})
/** A finished one, so that there is a pace. */
const THROUGH = lane('through', 'done', [
  span('requested', '2026-11-21T01:00:00Z', '2026-11-21T01:10:00Z'),
  span('done', '2026-11-21T01:10:00Z', '2026-11-21T01:10:00Z'),
])

describe.each(NodeStage.options)('a node in the stage %s', stage => {
  const turn = TURNS[stage]
  const timeline = { lanes: [THROUGH, lane('it', stage)], endedAt: null }
  const isLeft = turn !== 'over'

  test(`has its turn ${turn}`, () => expect(turnOf(stage)).toBe(turn))

  test(`${isLeft ? 'counts' : 'does not count'} among those that are left`, () => {
    expect(updateEta(timeline, [], NOW) === null).toBe(!isLeft)
  })

  test(`is ${isLeft ? '' : 'not '}expected to have its work, and ${turn === 'to-come' ? 'has' : 'has not'} a turn`, () => {
    const { ghosts, turns } = timelineForecast(timeline, [], new Map(), Date.parse(NOW))
    expect([ghosts.has('it'), turns.has('it')]).toEqual([isLeft, turn === 'to-come'])
  })
})
