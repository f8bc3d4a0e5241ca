import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { makePlan } from '../../../renderer/bridge/plans.ts'
import { acceptingDataLoss, RescueChoices } from '../../../renderer/features/plan/rescue-choices.tsx'
import { choicesOnUndo } from '../../../renderer/features/plan/undo-choices.tsx'
import type { PlanChoices } from '../../../shared/contract/index.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'
import { samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'

const asked = vi.hoisted(() => vi.fn(async () => ({ ok: false })))
vi.mock('../../../renderer/bridge/transport.ts', () => ({
  askMain: asked,
  listen: () => () => {},
  onResync: () => () => {},
}))
afterEach(() => asked.mockClear())

describe('what is planned', () => {
  it('for a node, by the name of a procedure', async () => {
    await makePlan('lab', 'cmp-1', { kind: 'rescue' }, { machineIsOff: 'BMC' })
    const input = { cluster: 'lab', node: 'cmp-1', kind: 'rescue', choices: { machineIsOff: 'BMC' } }
    expect(asked).toHaveBeenCalledExactlyOnceWith('plan.make', input)
  })

  test.each<[PlanChoices, boolean]>([
    [{}, false],
    [{ home: true }, false],
    [{ home: false }, true],
  ])('for the undo of a run, whose instances come back unless they should stay: %o', async (choices, instancesStay) => {
    await makePlan('lab', 'cmp-1', { kind: 'undo', undoes: 'run-1' }, choices)
    expect(asked).toHaveBeenCalledExactlyOnceWith('plan.undo', {
      runId: 'run-1',
      node: 'cmp-1',
      choices,
      instancesStay,
    })
  })
})

describe('choices when a run is undone', () => {
  const planOf = (home: boolean, ...kinds: readonly string[]) => ({
    options: { ...DEFAULT_RUN_OPTIONS, home },
    steps: kinds.map(kind => sampleStep(kind, kind)),
  })

  it('are about what it did to instances', () => {
    expect(choicesOnUndo(planOf(true, 'take-back-cordon'))).toEqual({ homing: false, starting: false })
    expect(choicesOnUndo(planOf(true, 'bring-home'))).toEqual({ homing: true, starting: false })
    expect(choicesOnUndo(planOf(true, 'instances-return'))).toEqual({ homing: false, starting: true })
  })

  it('an instance that should stay may come back after all', () => {
    expect(choicesOnUndo(planOf(false, 'take-back-cordon')).homing).toBe(true)
  })
})

describe('choices of a rescue', () => {
  const force = { flag: 'force', reason: 'agreed' } as const

  it('the loss of local disks is accepted for a reason, and no longer without one', () => {
    const accepted = acceptingDataLoss([force], 'caches only')
    expect(accepted).toEqual([force, { flag: 'allow-data-loss', reason: 'caches only' }])
    expect(acceptingDataLoss(accepted, 'nothing on them')).toEqual([
      force,
      { flag: 'allow-data-loss', reason: 'nothing on them' },
    ])
    expect(acceptingDataLoss(accepted, '')).toEqual([force])
  })

  it('show what the operator chose, and nothing else', () => {
    const { plan } = samplePlan()
    const drawn = (choices: PlanChoices) => {
      const html = renderToStaticMarkup(createElement(RescueChoices, { plan, choices, onChoose: () => {} }))
      return [...html.matchAll(/value="([^"]*)"/g)].map(([, value]) => value)
    }
    expect(drawn({})).toEqual(['', '', ''])
    const overrides = acceptingDataLoss([], 'caches only')
    expect(drawn({ machineIsOff: 'BMC says off', sharedDisks: 'Ceph', overrides })).toEqual([
      'BMC says off',
      'Ceph',
      'caches only',
    ])
  })
})
