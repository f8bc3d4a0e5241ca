import { describe, expect, it } from 'vitest'
import type { Json } from '../../../shared/domain/json.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import type { RunEventBody } from '../../../shared/domain/run.ts'
import { nodesOf } from '../../../shared/domain/run-advance.ts'
import {
  conditionOf,
  mayShowEnd,
  needsSomebody,
  type RunCondition,
  viewOfNode,
} from '../../../shared/domain/run-condition.ts'
import {
  EVICTION_REFUSED,
  EVICTION_REQUESTED,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCES_NOTED,
  LOCK_SETTLED,
  LOCK_WAITING,
  MIGRATION_ASKS,
  MIGRATION_REQUESTED,
  MIGRATION_STALLED,
  NOT_VERIFIED_YET,
  POD_HELD,
  TRANSIENT_RETRYING,
  WAITS_FOR,
} from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { talliesOf } from '../../../shared/domain/run-progress.ts'
import { stepWait } from '../../../shared/domain/run-wait.ts'
import { conditionSentence, conditionWord, isOrWaits } from '../../../shared/words/conditions.ts'
import { waitWords } from '../../../shared/words/runs.ts'
import { waitText } from '../../../shared/words/waits.ts'
import { asRolling, samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'

const WEB = '11111111-1111-4111-8111-111111111111'
const PAIR = '22222222-2222-4222-8222-222222222222'

/** What Rockoon writes on the lock of a node that owners have to empty (docs/domain.md A.6). */
const leftTo = (...ids: readonly string[]) =>
  `Some servers are still present on the host. Notify owners of the following server: ${JSON.stringify(ids)} Servers with unset maintenance action: ${JSON.stringify(ids)}`

/** Two nodes at once: each waits for its locks, then is drained. */
function twoNodes(): CheckedPlan {
  const { plan, ...checked } = samplePlan()
  const steps = ['cmp-1', 'cmp-2'].flatMap(node => {
    const more = { input: { node }, lane: { batch: 'workers', name: node } }
    return [
      { ...sampleStep('locks', `Locks of ${node}`, more), id: `locks@${node}` },
      { ...sampleStep('drain-node', `Drain ${node}`, more), id: `drain@${node}` },
    ]
  })
  return { ...checked, checks: [], plan: asRolling(plan, { steps }) }
}

type Reported = RunEventBody | readonly [stepId: string, fact: string, subject: string, values: Record<string, Json>]

function viewAfter(reported: readonly Reported[]) {
  const sample = createSampleRun(twoNodes())
  sample.created()
  for (const each of reported) {
    if (Array.isArray(each)) {
      const [stepId, fact, subject, values] = each as Extract<Reported, readonly unknown[]>
      sample.fact(stepId, fact, subject, values)
    } else sample.add(each as RunEventBody)
  }
  return foldRun(sample.events)
}

function conditionAfter(reported: readonly Reported[], nobodyDrives = false) {
  return conditionOf(viewAfter(reported), nobodyDrives)
}

const started = (stepId: string): Reported => ({ kind: 'step-started', stepId, attempt: 1 })
const gate = (stepId: string): Reported => ({
  kind: 'gate-opened',
  stepId,
  gateId: 'g',
  question: 'Is the work on cmp-1 done?',
  choices: ['continue', 'abort'],
})
const lock = (node: string, kind: string, message: string, controller = 'openstack', state = 'active'): Reported => [
  `locks@${node}`,
  LOCK_WAITING,
  `lock/${controller}-${node}`,
  { controller, state, kind, message },
]
const refused = (pod: string): Reported => [
  'drain@cmp-1',
  EVICTION_REFUSED,
  `pod/openstack/${pod}`,
  { uid: pod, sentence: 'The budget db needs 3 healthy pods.' },
]
const requested = (pod: string): Reported => [
  'drain@cmp-1',
  EVICTION_REQUESTED,
  `pod/openstack/${pod}`,
  { uid: pod, attempt: 1 },
]
const locks = started('locks@cmp-1')
const drain = started('drain@cmp-1')
const over = (outcome: 'done' | 'failed' | 'aborted' | 'checks-failed'): Reported => ({
  kind: 'run-finished',
  outcome,
  summary: 'That is how it ended.',
  leftBehind: [],
})

const firstText = (condition: RunCondition) => {
  const [first] = 'waits' in condition ? condition.waits : []
  return first === undefined ? null : waitText(first)
}

describe('what a step is that is carried out', () => {
  it.each<[rule: string, reported: readonly Reported[], words: string | null]>([
    ['an owner has to act', [locks, lock('cmp-1', 'blocked', leftTo(WEB))], `waits for the owner of ${WEB}`],
    ['an operator has to', [locks, lock('cmp-1', 'blocked', 'Node is hard locked by mariadb')], 'needs you'],
    ['its lock moves', [locks, lock('cmp-1', 'progress', 'Starting migration for a')], null],
    ['it is at work', [locks], null],
    ['it has not started', [], null],
  ])('when %s', (_rule, reported, words) => {
    const view = viewAfter(reported)
    const step = view.steps.find(each => each.step.id === 'locks@cmp-1')
    const wait = step === undefined ? null : stepWait(view, step)
    expect(wait === null ? null : waitWords(wait)).toBe(words)
  })

  it('makes its node one that waits, too', () => {
    const nodes = nodesOf(viewAfter([locks, lock('cmp-1', 'blocked', leftTo(WEB)), started('locks@cmp-2')]))
    expect(nodes.map(({ node, state }) => [node, state])).toEqual([
      ['cmp-1', 'waits'],
      ['cmp-2', 'at-work'],
    ])
  })

  it('is interrupted where the run ended before its node had finished, and not started where it never started', () => {
    const waits = [locks, lock('cmp-1', 'blocked', leftTo(WEB))]
    expect(nodesOf(viewAfter([...waits, over('aborted')])).map(({ node, state }) => [node, state])).toEqual([
      ['cmp-1', 'broken-off'],
      ['cmp-2', 'pending'],
    ])
  })
})

describe('what a run is', () => {
  it.each<[rule: string, reported: readonly Reported[], word: string, needsSomebody: boolean, mayShowEnd: boolean]>([
    ['its checks are made', [], 'running', false, true],
    ['a step is applied', [locks], 'running', false, true],
    [
      'a lock changes without help',
      [locks, lock('cmp-1', 'progress', 'Starting migration for a')],
      'running',
      false,
      true,
    ],
    ['a lock has said nothing yet', [locks, lock('cmp-1', 'none', '')], 'running', false, true],
    [
      'an instance is left to its owner',
      [locks, lock('cmp-1', 'blocked', leftTo(WEB))],
      'waits for an owner',
      true,
      false,
    ],
    [
      'an instance is left to its owner while another node moves',
      [locks, started('locks@cmp-2'), lock('cmp-1', 'blocked', leftTo(WEB)), lock('cmp-2', 'progress', 'Starting')],
      'waits for an owner',
      true,
      false,
    ],
    [
      'an operator has to decide about a lock',
      [locks, lock('cmp-1', 'blocked', 'Node is hard locked by mariadb')],
      'needs you',
      true,
      false,
    ],
    [
      'a controller says that it waits',
      [locks, lock('cmp-1', 'progress', 'Waiting for nova-compute')],
      'waits for a controller',
      false,
      false,
    ],
    [
      'a controller waits on one node and another one moves',
      [locks, started('drain@cmp-2'), lock('cmp-1', 'progress', 'Waiting for nova-compute')],
      'running',
      false,
      true,
    ],
    ...(['', 'Starting migration for a', 'Can not stop nova-compute'] as const).map(
      (said, at): [string, readonly Reported[], string, boolean, boolean] => [
        `seed 001: the controller of a lock gave up${said === '' ? '' : `, and says: ${said}`}`,
        [locks, lock('cmp-1', (['none', 'progress', 'trouble'] as const)[at] ?? '', said, 'openstack', 'failed')],
        'needs you',
        true,
        false,
      ],
    ),
    [
      'a lock was given meanwhile',
      [
        locks,
        lock('cmp-1', 'blocked', leftTo(WEB)),
        ['locks@cmp-1', LOCK_SETTLED, 'lock/openstack-cmp-1', { controller: 'openstack', state: 'inactive' }],
      ],
      'running',
      false,
      true,
    ],
    ['a budget refuses all that is left', [drain, requested('a'), refused('a')], 'waits for a budget', false, false],
    ['a budget refuses one pod and another leaves', [drain, refused('a'), requested('b')], 'running', false, true],
    [
      'a migration is stuck',
      [
        drain,
        ['drain@cmp-1', MIGRATION_REQUESTED, `server/${WEB}`, { name: 'web-1', attempt: 1 }],
        ['drain@cmp-1', MIGRATION_STALLED, `server/${WEB}`, { name: 'web-1', remedy: 'Abort it.' }],
      ],
      'needs you',
      true,
      false,
    ],
    [
      'a person is asked about an instance',
      [
        drain,
        ['drain@cmp-1', MIGRATION_REQUESTED, `server/${PAIR}`, { name: 'pair-1', attempt: 1 }],
        ['drain@cmp-1', MIGRATION_REQUESTED, `server/${WEB}`, { name: 'web-1', attempt: 1 }],
        ['drain@cmp-1', MIGRATION_ASKS, `server/${WEB}`, { name: 'web-1', cause: 'it is silent', choices: ['wait'] }],
      ],
      'needs you',
      true,
      false,
    ],
    [
      'it was decided about that instance',
      [
        drain,
        ['drain@cmp-1', MIGRATION_REQUESTED, `server/${WEB}`, { name: 'web-1', attempt: 1 }],
        ['drain@cmp-1', MIGRATION_ASKS, `server/${WEB}`, { name: 'web-1', cause: 'it is silent', choices: ['wait'] }],
        ['drain@cmp-1', INSTANCE_DECIDED, `server/${WEB}`, { name: 'web-1', choice: 'wait', by: 'eva', reason: '' }],
      ],
      'running',
      false,
      true,
    ],
    [
      'a service is away that may come back',
      [drain, ['drain@cmp-1', TRANSIENT_RETRYING, 'drain@cmp-1', { reason: 'Nova is busy.', since: 'x', until: 'y' }]],
      'waits',
      false,
      false,
    ],
    [
      'what was done does not hold yet',
      [drain, ['drain@cmp-1', NOT_VERIFIED_YET, 'drain@cmp-1', { reason: 'one pod is left', until: 'y' }]],
      'waits',
      false,
      false,
    ],
    [
      'a step follows a node that has to come back',
      [drain, ['drain@cmp-1', WAITS_FOR, 'node/cmp-1', { what: 'cmp-1 to come back' }]],
      'waits',
      false,
      false,
    ],
    ['it asks', [drain, gate('drain@cmp-1')], 'needs you', true, false],
    [
      'it asks while another node moves',
      [drain, gate('drain@cmp-1'), started('drain@cmp-2')],
      'needs you',
      true,
      false,
    ],
    ['its Lease is away', [drain, { kind: 'lease-away', node: 'cmp-1', why: 'it ran out' }], 'waits', false, false],
    ['it is paused', [drain, { kind: 'paused' }], 'paused', true, false],
    ['it is aborted', [drain, { kind: 'abort-requested', by: 'eva', reason: 'x' }], 'aborting', false, false],
    ['its driver left', [drain, { kind: 'driver-left', why: 'eva left it' }], 'interrupted', true, false],
    ['it is done', [drain, over('done')], 'done', false, false],
    ['it failed', [drain, over('failed')], 'failed', false, false],
    ['it was aborted', [drain, over('aborted')], 'stopped', false, false],
    ['its checks failed', [over('checks-failed')], 'checks failed', false, false],
  ])('when %s', (_rule, reported, word, needs, reports) => {
    const condition = conditionAfter(reported)
    expect(conditionWord(condition)).toBe(word)
    expect(needsSomebody(condition)).toBe(needs)
    expect(mayShowEnd(condition)).toBe(reports)
  })

  it('seed 001: a failed lock does not promise another try: its controller gave up', () => {
    const condition = conditionAfter([locks, lock('cmp-1', 'trouble', 'Can not stop it', 'ceph', 'failed')])
    expect(condition).toMatchObject({ waits: [{ code: 'LockHeld', state: 'failed', for: 'operator', moves: false }] })
    const [wait] = condition.kind === 'waiting' ? condition.waits : []
    expect(wait === undefined ? '' : waitText(wait).who).toContain('gave up')
  })

  it('it has no driver, whatever it waited for; a finished run needs none', () => {
    const waiting = [locks, lock('cmp-1', 'blocked', leftTo(WEB))]
    expect(conditionAfter(waiting, true)).toMatchObject({ kind: 'interrupted', at: 'Locks of cmp-1', waits: [] })
    expect(conditionAfter([...waiting, gate('locks@cmp-1')], true)).toMatchObject({
      kind: 'interrupted',
      waits: [{ for: 'answer', code: 'Question', stepId: 'locks@cmp-1', question: 'Is the work on cmp-1 done?' }],
    })
    expect(conditionWord(conditionAfter([over('done')], true))).toBe('done')
  })

  it('an instance that is left to its owner is named, with the node, since when, and the choices that end it', () => {
    const noted = { host: 'cmp-1', ids: [WEB, PAIR], instances: [{ id: WEB, name: 'web-1' }], running: [] }
    const condition = conditionAfter([
      locks,
      ['locks@cmp-1', INSTANCES_NOTED, 'node/cmp-1', noted],
      lock('cmp-1', 'blocked', leftTo(WEB)),
    ])
    expect(condition).toMatchObject({
      kind: 'waiting',
      waits: [
        {
          for: 'owner',
          node: 'cmp-1',
          code: 'LeftToOwners',
          controller: 'openstack',
          instances: [{ id: WEB, name: 'web-1' }],
          since: expect.stringMatching(/^2026-/),
          message: leftTo(WEB),
        },
      ],
    })
    const said = conditionSentence(condition)
    expect(said).toContain('Waits: web-1 is still on cmp-1, left to its owner.')
    expect(said).toContain('stop or delete it. You can set its mode')
  })

  it('an instance without a known name is named by its id', () => {
    const condition = conditionAfter([locks, lock('cmp-1', 'blocked', leftTo(WEB, PAIR))])
    expect(conditionSentence(condition)).toContain(`${WEB} and ${PAIR} are still on cmp-1, left to their owners.`)
  })

  it('a question comes before an owner, and other waits are counted', () => {
    const condition = conditionAfter([
      locks,
      started('locks@cmp-2'),
      lock('cmp-2', 'blocked', leftTo(WEB)),
      gate('locks@cmp-1'),
    ])
    expect(condition).toMatchObject({
      waits: [
        { for: 'answer', node: 'cmp-1' },
        { for: 'owner', node: 'cmp-2' },
      ],
    })
    expect(conditionSentence(condition)).toBe('Is the work on cmp-1 done? 1 more wait open.')
  })

  it('what an earlier driver saw of a lock is not claimed by the next one', () => {
    const waiting = [locks, lock('cmp-1', 'blocked', leftTo(WEB))]
    const driver = { operator: 'eva', machine: 'm', pid: 1, version: '1' }
    expect(conditionWord(conditionAfter([...waiting, { kind: 'run-driven', driver, resumed: true }]))).toBe('running')
  })

  it('the next driver does not claim that work of an earlier one continues', () => {
    const driver = { operator: 'eva', machine: 'm', pid: 1, version: '1' }
    const killed: Reported = { kind: 'run-driven', driver, resumed: true }
    const migrating: Reported = ['drain@cmp-1', MIGRATION_REQUESTED, `server/${WEB}`, { name: 'web-1', attempt: 1 }]
    expect(conditionWord(conditionAfter([drain, requested('a'), migrating, killed, refused('b')]))).toBe(
      'waits for a budget',
    )
  })

  it('it is paused since the pause, whatever events follow', () => {
    const pausedAt = (...after: readonly Reported[]) => conditionAfter([drain, { kind: 'paused' }, ...after])
    const { since } = pausedAt() as { since?: string }
    expect(since).toMatch(/^2026-/)
    const later: Reported = { kind: 'clocks-measured', clocks: [] }
    expect(pausedAt(later, later)).toMatchObject({ kind: 'paused', since })
    expect(pausedAt(later, { kind: 'paused' })).toMatchObject({ kind: 'paused', since })
    const again = pausedAt({ kind: 'resume-requested', by: 'eva' }, { kind: 'paused' }) as { since?: string }
    expect(Date.parse(again.since ?? '')).toBeGreaterThan(Date.parse(since ?? ''))
  })

  it.each<[reported: readonly Reported[], words: string]>([
    [[drain], 'is running'],
    [[drain, gate('drain@cmp-1')], 'needs you'],
    [[drain, { kind: 'paused' }], 'is paused'],
    [[over('done')], 'is done'],
    [[over('aborted')], 'is stopped'],
    [[over('failed')], 'has failed'],
    [[over('checks-failed')], 'has ended because its checks failed'],
  ])('ends a sentence about it', (reported, words) => {
    expect(isOrWaits(conditionAfter(reported))).toBe(words)
  })

  it('a pod that has ended and is kept waits for the owner of its finalizer', () => {
    const held: Reported = ['drain@cmp-1', POD_HELD, 'pod/openstack/a', { uid: 'a', by: 'its finalizer x/y' }]
    expect(conditionAfter([drain, requested('a'), held])).toMatchObject({
      kind: 'waiting',
      waits: [
        {
          for: 'operator',
          code: 'FinalizerKeepsPod',
          pod: 'openstack/a',
          by: 'its finalizer x/y',
          since: expect.any(String),
        },
      ],
    })
  })

  it('pods under one budget are one wait, since the first refusal, however often it is asked again', () => {
    const condition = conditionAfter([
      drain,
      requested('a'),
      requested('b'),
      refused('a'),
      refused('b'),
      requested('a'),
    ])
    expect(condition).toMatchObject({
      kind: 'waiting',
      waits: [
        {
          for: 'budget',
          code: 'BudgetRefuses',
          pods: ['openstack/a', 'openstack/b'],
          budget: 'The budget db needs 3 healthy pods.',
          since: expect.any(String),
        },
      ],
    })
  })

  it.each<[how: string, values: Record<string, Json>]>([
    ['by a field', { isSilent: true, message: 'it says nothing; it has not moved for 30 s' }],
    ['as earlier versions wrote it, by its text', { message: 'it says nothing; it has not moved for 30 s (no pod)' }],
  ])('only its controller can answer an unanswered lock, not a missing message: reported %s', (_, values) => {
    const reported: Reported = [
      'locks@cmp-1',
      LOCK_WAITING,
      'lock/ceph-cmp-1',
      { controller: 'ceph', state: 'active', kind: 'blocked', ...values },
    ]
    const condition = conditionAfter([locks, reported])
    expect(condition).toMatchObject({
      kind: 'waiting',
      waits: [{ code: 'LockHeld', controller: 'ceph', silent: true }],
    })
    expect(firstText(condition)?.who).toMatch(/The operator of its controller:/)
  })

  it('a fault that may pass shows since when, that the run continues alone, and when it asks', () => {
    const [since, until] = ['2026-11-21T12:03:00.000Z', '2026-11-21T12:08:00.000Z']
    const reported = conditionAfter([
      drain,
      ['drain@cmp-1', TRANSIENT_RETRYING, 'x', { reason: 'Nova failed.', since, until }],
    ])
    expect(reported).toMatchObject({
      waits: [
        {
          code: 'StepRetries',
          stepId: 'drain@cmp-1',
          step: 'Drain cmp-1',
          cause: 'Nova failed.',
          since,
          asksAt: until,
        },
      ],
    })
    expect(firstText(reported)).toMatchObject({
      what: 'Drain cmp-1: Nova failed.',
      who: 'The run tries again automatically.',
    })
  })

  it('as one of its nodes sees it, it is what it is there', () => {
    const sample = createSampleRun(twoNodes())
    sample.created()
    for (const node of ['cmp-1', 'cmp-2']) sample.started(`locks@${node}`)
    const values = { controller: 'openstack', state: 'active', kind: 'blocked', message: leftTo(WEB) }
    sample.fact('locks@cmp-1', LOCK_WAITING, 'lock/openstack-cmp-1', values)
    const view = foldRun(sample.events)
    const wordOn = (node: string) => conditionWord(conditionOf(viewOfNode(view, node), false))
    expect([wordOn('cmp-1'), wordOn('cmp-2')]).toEqual(['waits for an owner', 'running'])
    expect(conditionOf(viewOfNode(view, 'cmp-9'), false)).toMatchObject({ kind: 'moving', at: null, waits: [] })
  })

  it('the progress on one of its nodes covers that node alone', () => {
    const sample = createSampleRun(twoNodes())
    sample.created()
    sample.fact('drain@cmp-1', INSTANCE_MOVED, `server/${WEB}`, { name: 'web-1', to: 'cmp-3' })
    sample.fact('drain@cmp-2', MIGRATION_REQUESTED, `server/${PAIR}`, { name: 'pair-1', attempt: 1 })
    const view = foldRun(sample.events)
    const movesOn = (node: string) => talliesOf(viewOfNode(view, node)).moves
    expect(talliesOf(view).moves).toMatchObject({ moved: 1, total: 2 })
    expect([movesOn('cmp-1'), movesOn('cmp-2'), movesOn('osd-1')]).toMatchObject([
      { moved: 1, total: 1 },
      { moved: 0, total: 1 },
      null,
    ])
  })
})
