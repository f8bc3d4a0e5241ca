import { describe, expect, test } from 'vitest'
import { jsonText } from '../../../../main/faces/cli/words/json-text.ts'
import { waitText } from '../../../../shared/words/waits.ts'
import { sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { sampleWaits } from '../../../fixtures/cli/sample-waits.ts'

const asJson = (value: unknown): unknown => JSON.parse(jsonText(value))

describe('what `-o json` prints', () => {
  test('has of each wait its code, its values and its text', () => {
    const waits = Object.values(sampleWaits())
    const condition = { kind: 'waiting' as const, waits: [...waits] }
    expect(asJson({ runs: [sampleSummary('waiting', { condition })] })).toMatchObject({
      runs: [{ condition: { waits: waits.map(wait => ({ ...wait, ...waitText(wait) })) } }],
    })
  })

  test('says why a run has no driver, by code and text', () => {
    const left = { code: 'Detached', by: 'eva' } as const
    const condition = { kind: 'interrupted' as const, since: '2026-11-21T10:00:00.000Z', at: null, left, waits: [] }
    expect(asJson(sampleSummary('interrupted', { condition }))).toMatchObject({
      condition: { left, why: 'eva detached from it' },
    })
    expect(asJson({ condition: { ...condition, left: null } })).toMatchObject({ condition: { why: null } })
  })

  test('leaves unchanged what is not a wait', () => {
    const lanes = {
      waits: [{ fromAt: '2026-11-21T10:00:00.000Z', toAt: null, what: 'a lock' }, 'ceph'],
      condition: 'x',
    }
    expect(asJson(lanes)).toEqual(lanes)
  })
})
