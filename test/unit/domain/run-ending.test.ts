import { describe, expect, test } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import type { NodeVerdict } from '../../../shared/domain/node-verdict.ts'
import type { RunEventBody, RunOutcome } from '../../../shared/domain/run.ts'
import { endingOf, isReached } from '../../../shared/domain/run-ending.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { endingSentence, endingTone, endingWord } from '../../../shared/words/run-ending.ts'
import { samplePlan } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

const AT = '2026-11-21T10:05:00.000Z'
const LOOKED: NodeVerdict['looked'] = [{ what: 'instances', by: 'Nova', at: AT }]
const EMPTY: NodeVerdict = { kind: 'Empty', at: AT, looked: LOOKED, off: [], declined: [] }
const WEB = { id: 'id-web', name: 'web-01', status: 'ACTIVE', code: 'StillRuns', decided: null } as const
const LEFT: NodeVerdict = {
  kind: 'NotEmpty',
  at: AT,
  looked: LOOKED,
  instances: [WEB],
  pods: [],
  unread: [],
  declined: [],
}
const STOPS: NodeVerdict = { ...LEFT, instances: [{ ...WEB, code: 'StopsWithNode' }] }
const UNKNOWN: NodeVerdict = {
  kind: 'Unknown',
  at: AT,
  looked: [],
  unread: [{ what: 'instances', code: 'NoAnswer', message: '' }],
}

const SKIP: readonly RunEventBody[] = [
  {
    kind: 'gate-opened',
    stepId: 'migrate-instances',
    gateId: 'gate-1',
    question: 'web-01 could not be moved.',
    choices: ['retry', 'skip', 'abort'],
  },
  {
    kind: 'gate-answered',
    stepId: 'migrate-instances',
    gateId: 'gate-1',
    choice: 'skip',
    reason: 'agreed',
    by: 'olga',
  },
  { kind: 'step-skipped', stepId: 'migrate-instances', reason: 'agreed', by: 'operator' },
]
const OVERRIDE: readonly RunEventBody[] = [
  {
    kind: 'blocker-overridden',
    stepId: 'instances-classified',
    code: 'InstanceInError',
    message: 'web-01 is in ERROR.',
    flag: 'force',
    reason: 'known',
  },
]

function ended(verdict: NodeVerdict | null, more: readonly RunEventBody[] = [], outcome: RunOutcome = 'done') {
  const sample = createSampleRun()
  sample.created()
  for (const body of more) sample.add(body)
  if (verdict !== null) sample.fact('drain-node', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(verdict)))
  sample.finished(outcome)
  const view = foldRun(sample.events)
  return endingOf(view, must(view.state.kind === 'finished' ? view.state : null, 'the sample ends'))
}

describe('how a run ends', () => {
  test.each<[what: string, ending: ReturnType<typeof ended>, kind: string, tone: string, reached: boolean]>([
    ['proved empty', ended(EMPTY), 'NodeEmpty', 'good', true],
    ['an instance runs', ended(LEFT), 'NodeNotEmpty', 'bad', false],
    ['what runs was agreed to stop with the node', ended(STOPS), 'NodeNotEmpty', 'good', true],
    ['what is left is unknown', ended(UNKNOWN), 'NodeNotEmpty', 'bad', false],
    ['empty in spite of a failed check', ended(EMPTY, OVERRIDE), 'NodeEmpty', 'attention', true],
    ['empty, with a step skipped', ended(EMPTY, SKIP), 'NodeEmpty', 'attention', true],
    ['failed', ended(null, [], 'failed'), 'Stopped', 'bad', false],
    ['stopped by a person', ended(null, [], 'aborted'), 'Stopped', 'rest', false],
    ['its checks failed', ended(null, [], 'checks-failed'), 'Untouched', 'bad', false],
    // Versions before this one took no last look.
    ['of an earlier version', ended(null), 'Finished', 'good', true],
    ['of an earlier version, with a step skipped', ended(null, SKIP), 'NodeNotEmpty', 'bad', false],
  ])('%s', (_, ending, kind, tone, reached) => {
    expect([ending.kind, endingTone(ending), isReached(ending)]).toEqual([kind, tone, reached])
  })

  test('a node that was brought back and could not be read may take no work, and the text says nothing about power', () => {
    const sample = createSampleRun(samplePlan({ kind: 'leave' }))
    sample.created()
    // As in journals of earlier versions, without the request.
    sample.fact('drain-node', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(UNKNOWN)))
    sample.finished()
    const view = foldRun(sample.events)
    const ending = endingOf(view, must(view.state.kind === 'finished' ? view.state : null, 'the sample ends'))
    expect(ending).toMatchObject({ kind: 'HeldBack', verdict: { kind: 'Unknown', about: 'service' } })
    expect(endingSentence(ending, '')).toBe(
      'Lockkeeper cannot tell whether cmp-1 takes work: Its instances could not be read.',
    )
    expect(endingWord(ending)).toBe('maybe not in service')
  })

  test('who skipped the step that moves instances left them there', () => {
    expect(ended(LEFT, SKIP)).toMatchObject({
      verdict: { instances: [{ code: 'LeftHere', decided: { by: 'olga', reason: 'agreed' } }] },
    })
  })

  test('the last reading counts, whichever step made it', () => {
    const sample = createSampleRun()
    sample.created()
    for (const [step, verdict] of [
      ['migrate-instances', LEFT],
      ['drain-node', EMPTY],
    ] as const) {
      sample.fact(step, 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(verdict)))
    }
    sample.finished()
    const view = foldRun(sample.events)
    expect(endingOf(view, must(view.state.kind === 'finished' ? view.state : null, 'it ended')).kind).toBe('NodeEmpty')
  })

  test('the last look counts by the plan, not by the clocks of those who drove', () => {
    const sample = createSampleRun()
    sample.created()
    for (const [step, verdict, at] of [
      ['migrate-instances', EMPTY, '2026-11-21T10:30:00.000Z'],
      ['drain-node', LEFT, '2026-11-21T10:01:00.000Z'],
    ] as const) {
      Object.assign(sample.fact(step, 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(verdict))), { at })
    }
    sample.finished()
    const view = foldRun(sample.events)
    expect(endingOf(view, must(view.state.kind === 'finished' ? view.state : null, 'it ended')).kind).toBe(
      'NodeNotEmpty',
    )
  })

  test.each([
    ['of a newer version', { ...LEFT, instances: [{ ...WEB, code: 'Haunts' }] }],
    ['garbage', { kind: 'Empty' }],
  ])('a look that cannot be read, %s, proves nothing', (_, values) => {
    const sample = createSampleRun()
    sample.created()
    sample.fact('migrate-instances', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(EMPTY)))
    sample.fact('drain-node', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(values)))
    sample.finished()
    const view = foldRun(sample.events)
    const ending = endingOf(view, must(view.state.kind === 'finished' ? view.state : null, 'it ended'))
    expect([ending.kind, endingTone(ending), isReached(ending)]).toEqual(['NodeNotEmpty', 'bad', false])
  })

  test.each<[NodeVerdict, readonly RunEventBody[], string]>([
    [EMPTY, [], 'cmp-1 is empty. Safe to power off.'],
    [LEFT, [], 'cmp-1 is not empty: web-01 still runs on it. Do not power it off.'],
    [STOPS, [], 'cmp-1 is empty but for web-01. It stops with the node, as planned. Safe to power off.'],
    [
      { ...STOPS, unread: [{ what: 'migrations', code: 'NoAnswer', message: '' }] },
      [],
      'cmp-1 is not empty: web-01 runs on it until it stops with the node. Migrations to and from it could not be read. Do not power it off.',
    ],
    [
      { ...LEFT, instances: [], pods: ['default/web'] },
      [],
      'cmp-1 is not empty: 1 pod that had to leave: default/web. Do not power it off.',
    ],
    [EMPTY, OVERRIDE, 'cmp-1 is empty. Safe to power off. Started anyway (force): web-01 is in ERROR.'],
  ])('%j in words', (verdict, more, words) => {
    expect(endingSentence(ended(verdict, more), '')).toBe(words)
  })
})
