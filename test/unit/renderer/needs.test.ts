import { describe, expect, test } from 'vitest'
import { isOutOfService, lastOutOf } from '../../../renderer/ui/clusters/out-of-service.ts'
import { needOfNode, needOfRun, needOfWindow } from '../../../renderer/ui/needs/needs.ts'
import { disabledReasonOf } from '../../../shared/domain/disabled-reason.ts'
import type { NodeVerdict, StayReason } from '../../../shared/domain/node-verdict.ts'
import { nodeView } from '../../fixtures/renderer/views.ts'
import { listedWindow, runOf } from '../../fixtures/renderer/windows.ts'

const AT = '2026-11-20T03:00:00.000Z'
const OUT = runOf({
  cluster: 'lab',
  node: 'cmp-01',
  nodes: ['cmp-01'],
  kind: 'enter',
  state: 'done',
  endedAt: AT,
  operator: 'ada',
})
const BACK = { ...OUT, id: 'back', kind: 'leave' as const }
const SILENT = { state: 'unknown', ready: 'unknown', readinessSince: AT } as const

function notEmpty(code: StayReason): NodeVerdict {
  const instances = [{ id: 'i', name: 'web-04', code, status: 'ACTIVE', decided: null }]
  return { kind: 'NotEmpty', at: AT, looked: [], instances, pods: [], unread: [], declined: [] }
}

describe('a node', () => {
  test.each([
    ['in maintenance is out', { state: 'maintenance' }, [], true],
    ['partly out without a run is out', { state: 'partial' }, [], true],
    ['in service is not', { state: 'active' }, [OUT], false],
    ['that a run works on is not', { state: 'maintenance', runId: 'r' }, [OUT], false],
    ['that was taken out and then switched off is still out', SILENT, [OUT], true],
    ['that does not answer is not out', SILENT, [], false],
    ['that came back and went silent is not out', SILENT, [BACK, OUT], false],
  ] as const)('%s', (_rule, more, runs, isOut) => {
    expect(isOutOfService('lab', nodeView('cmp-01', more), runs)).toBe(isOut)
  })

  test('is out since the end of its last run, by who started it, for what was typed', () => {
    const disabledReason = disabledReasonOf('r1', 'DIMM, HW-902')
    const computeService = { status: 'disabled', state: 'up', disabledReason } as const
    expect(lastOutOf('lab', nodeView('cmp-01', { computeService }), [OUT])).toEqual({
      since: AT,
      by: 'ada',
      why: 'DIMM, HW-902',
      runId: OUT.id,
    })
    const silent = { status: 'disabled', state: 'up', disabledReason: disabledReasonOf('r1', '') } as const
    expect(lastOutOf('lab', nodeView('cmp-01', { computeService: silent }), [])).toEqual({
      since: null,
      by: null,
      why: '',
      runId: null,
    })
  })

  test.each([
    ['that is not empty needs you', { state: 'maintenance', verdict: notEmpty('StillRuns') }, [OUT], 'enter'],
    [
      'whose instances stop with it as agreed does not',
      { state: 'maintenance', verdict: notEmpty('StopsWithNode') },
      [OUT],
      null,
    ],
    ['that is silent in service needs you', SILENT, [], 'rescue'],
    ['without instances is not rescued', { ...SILENT, roles: ['storage'] }, [], 'look'],
    ['that was taken out and switched off does not', SILENT, [OUT], null],
    ['in service does not', {}, [], null],
  ] as const)('%s', (_rule, more, runs, plan) => {
    const need = needOfNode(
      'lab',
      nodeView('cmp-01', { ...more, roles: 'roles' in more ? [...more.roles] : ['compute'] }),
      runs,
    )
    expect(need?.about.kind === 'node' ? (need.about.plan ?? 'look') : null).toBe(plan)
  })
})

describe('a run', () => {
  test('that moves needs nobody', () => {
    expect(needOfRun(runOf({ condition: { kind: 'moving', at: null, waits: [] } }))).toBeNull()
  })

  test('that waits for a decision about one instance names it', () => {
    const wait = {
      code: 'MigrationNotConverging',
      for: 'operator',
      node: 'cmp-03',
      since: AT,
      moves: false,
      asksAt: null,
      failsAt: null,
      instances: [{ id: 'i', name: 'db-01' }],
      advice: '',
    } as const
    expect(
      needOfRun(runOf({ condition: { kind: 'waiting', waits: [{ ...wait, instances: [...wait.instances] }] } })),
    ).toMatchObject({
      title: ['', 'db-01', 'writes memory as fast as the network copies it'],
      detail: null,
      since: AT,
    })
  })
})

test.each([
  ['open', null],
  ['overrunning', 'is past its end and still open'],
  ['closed', null],
] as const)('a window that is %s', (status, words) => {
  expect(needOfWindow(listedWindow({}), status)?.title[2] ?? null).toBe(words)
})
