import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectedTotal } from '../../../shared/domain/move-durations.ts'
import { schedule } from '../../../shared/domain/schedule.ts'
import { updateEta } from '../../../shared/domain/update-eta.ts'
import { etaOfParts } from '../../../shared/domain/window-forecast.ts'
import { tries } from '../../fixtures/tries.ts'

const NOW = '2026-11-22T21:00:00.000Z'
const ago = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString()

it('moves, a window and an update are estimated alike: the same work at the same time ends at the same moment', () => {
  const many = fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(many, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 9000 }), (lasts, atOnce, took) => {
      const moves = expectedTotal(
        lasts.map(ms => ({ low: ms, high: ms })),
        atOnce,
      )
      const nodes = lasts.map((ms, at) => ({ node: `n${at}`, begunAt: null, span: { lowMs: ms, highMs: ms } }))
      const eta = etaOfParts([{ nodes, atOnce }], { from: NOW, besides: { lowMs: 0, highMs: 0 }, reasonsGiven: [] })
      expect(Date.parse(eta?.lowAt ?? '') - Date.parse(NOW)).toBe(moves?.low)
      // An update knows its nodes by a finished one.
      const span = (stage: 'requested' | 'done', fromAt: string, toAt: string | null) => ({
        ...{ stage, fromAt, toAt, note: '', evidence: [], waits: [], retries: [] },
      })
      const lane = { phase: 'worker-nodes' as const, group: 'g' }
      const through = [span('requested', ago(took), NOW), span('done', NOW, null)]
      const lanes = [
        { ...lane, node: 'first', stage: 'done' as const, spans: through },
        ...lasts.map((_, at) => ({ ...lane, node: `n${at}`, stage: 'pending' as const, spans: [] })),
      ]
      const planned = lanes.map(({ node, phase, group }) => ({ node, phase, group, atOnce }))
      const work = lasts.map(() => ({ name: '', begunAt: null, span: { lowMs: took, highMs: took } }))
      expect(updateEta({ lanes, endedAt: null }, planned, NOW)?.highAt).toBe(
        new Date(Date.parse(NOW) + (schedule([{ work, atOnce }], NOW)?.highMs ?? 0)).toISOString(),
      )
    }),
    { numRuns: tries(100, 2000) },
  )
})
