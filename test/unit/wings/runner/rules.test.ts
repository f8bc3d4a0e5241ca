import { describe, expect, test } from 'vitest'
import { isLeftByPerson, pauseAfterNodeAuthor } from '../../../../main/wings/runner/accepted.ts'
import { askerName, isProved } from '../../../../main/wings/runner/asker-name.ts'
import { agreedAnswer } from '../../../../main/wings/runner/follow-run.ts'
import { cloudsWithWork, nextDueMs } from '../../../../main/wings/runner/needs-work.ts'
import { holdFromMs, whyNotInTime } from '../../../../main/wings/runner/not-after.ts'
import {
  nodesEmptied,
  nodesToEmpty,
  stopsStorage,
  whyOwnNode,
  whyVolume,
} from '../../../../main/wings/runner/own-place.ts'
import { isOfShard } from '../../../../main/wings/runner/shard.ts'
import { runnerLease } from '../../../../shared/domain/lease-name.ts'
import type { AgreedAnswer, MaintenanceRun, MaintenanceRunControl } from '../../../../shared/domain/maintenance-run.ts'
import type { RunEventBody } from '../../../../shared/domain/run.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import type { RunLeft } from '../../../../shared/domain/run-left.ts'
import { samplePlan, sampleStep } from '../../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../../fixtures/cli/sample-run.ts'
import { plannedBatches } from '../../../fixtures/procedures/rolling-plan.ts'
import { RUNNER, sampleRun, sampleSpec, sampleStatus } from '../../../fixtures/runner/sample-maintenance-run.ts'

const NOW = '2026-11-21T12:00:00.000Z'
const nowMs = Date.parse(NOW)
const minutes = (count: number) => count * 60_000
const estimate = (...highMinutes: readonly (number | null)[]) => {
  const nodes = highMinutes.map((high, at) => ({
    node: `cmp-${at + 1}`,
    total: high === null ? null : { lowMs: 0, highMs: minutes(high) },
  }))
  return { nodes, total: nodes.length === 1 ? (nodes[0]?.total ?? null) : { lowMs: 0, highMs: minutes(600) }, why: '' }
}
const inMinutes = (count: number) => new Date(nowMs + minutes(count)).toISOString()

describe('a run starts for its end (notAfter)', () => {
  test.each([
    ['that has none', null, estimate(60), null],
    ['that is far enough', inMinutes(61), estimate(60), null],
    ['that is as far as it takes', inMinutes(60), estimate(60), null],
    ['when nothing is known of how long it takes', inMinutes(1), estimate(null), null],
    ['of many nodes when those fit that it begins with', inMinutes(10), estimate(5, 60), null, ['cmp-1']],
    ['of many nodes with an unknown duration of the first', inMinutes(1), estimate(null, 60), null, ['cmp-1']],
    ['not when it takes longer', inMinutes(59), estimate(60), /may take 1 h.* is in 59 min/],
    ['not of many nodes when the first does not fit', inMinutes(10), estimate(60, 5), /may take 1 h/, ['cmp-1']],
    ['not when one of the first batch does not', inMinutes(10), estimate(5, 60), /may take 1 h/, ['cmp-1', 'cmp-2']],
    ['not when it is past', inMinutes(0), estimate(null), /has passed/],
  ] as const)('%s', (_, notAfter, known, why, first: readonly string[] = []) => {
    const answer = whyNotInTime(notAfter, nowMs, first, known)
    if (why === null) expect(answer).toBeNull()
    else expect(answer?.message).toMatch(why)
  })
})

describe('no other node starts', () => {
  test.each([
    ['ever so late without an end', null, ['cmp-1'], estimate(10, 20), null],
    [
      'from when the longest of those left would not be finished',
      inMinutes(60),
      ['cmp-1', 'cmp-2'],
      estimate(10, 20),
      40,
    ],
    ['later when only a short one is left', inMinutes(60), ['cmp-1'], estimate(10, 20), 50],
    ['from the end itself when nothing is known', inMinutes(60), ['cmp-1'], null, 60],
  ] as const)('%s', (_, notAfter, left, known, from) => {
    expect(holdFromMs(notAfter, left, known)).toBe(from === null ? null : nowMs + minutes(from))
  })
})

describe('an agreed answer', () => {
  const retry: AgreedAnswer = { step: 'migrate-instances', choice: 'retry', reason: 'Nova is slow', atMost: 2 }
  const asked = (...before: readonly string[]) => {
    const sample = createSampleRun()
    sample.created()
    before.forEach((reason, at) => {
      sample.gate(`old-${at}`)
      sample.add({
        kind: 'gate-answered',
        stepId: 'migrate-instances',
        gateId: `old-${at}`,
        choice: 'retry',
        reason,
        by: 'eva',
      })
    })
    sample.gate('gate-1')
    return sample.events
  }
  const AGREED = 'Agreed beforehand: Nova is slow'
  test.each([
    ['is given to a question of its step', asked(), [retry], [], { gateId: 'gate-1', choice: 'retry', reason: AGREED }],
    [
      'is given again as often as agreed',
      asked(AGREED),
      [retry],
      [],
      { gateId: 'gate-1', choice: 'retry', reason: AGREED },
    ],
    ['is not given once more', asked(AGREED, AGREED), [retry], [], null],
    [
      'does not count what a person answered',
      asked('continue', 'continue'),
      [retry],
      [],
      { gateId: 'gate-1', choice: 'retry', reason: AGREED },
    ],
    ['is not given to what was answered just now', asked(), [retry], ['gate-1'], null],
    ['is not given to another step', asked(), [{ ...retry, step: 'drain-node' }], [], null],
    ['is not given where its choice is not offered', asked(), [{ ...retry, choice: 'continue' as const }], [], null],
    ['is not given where nothing was agreed', asked(), [], [], null],
  ] as const)('%s', (_, events, answers, given, answer) => {
    expect(agreedAnswer(foldRun(events), events, answers, new Set(given))).toEqual(answer)
  })
})

describe('the node under the runner’s own feet', () => {
  const place = { nodeName: 'cmp-1', pod: 'runner-0', isOwn: true as boolean | null }
  test.each([
    ['keeps it waiting', ['cmp-1'], place, /and waits until it is rescheduled\. Cordon cmp-1 and delete pod runner-0/],
    [
      'keeps it waiting when the cloud may be its own',
      ['cmp-1'],
      { ...place, isOwn: null },
      /or on a node of that name in another cloud:/,
    ],
    ['does not count in another cloud', ['cmp-1'], { ...place, isOwn: false }, null],
    ['does not count for other nodes', ['cmp-2'], place, null],
    ['does not count when it is unknown', ['cmp-1'], { ...place, nodeName: null }, null],
  ] as const)('%s', (_, nodes, where, why) => {
    const answer = whyOwnNode(nodes, where)
    if (why === null) expect(answer).toBeNull()
    else expect(answer?.message).toMatch(why)
  })

  test('is asked about by what a plan empties, and no more once that is drained', () => {
    expect(nodesEmptied(samplePlan({ kind: 'enter' }).plan)).toEqual(['cmp-1'])
    expect(nodesEmptied(samplePlan({ kind: 'leave' }).plan)).toEqual([])
    expect(nodesEmptied(plannedBatches())).toEqual(['cmp-1', 'cmp-2', 'cmp-3'])
    const sample = createSampleRun()
    sample.created()
    expect(nodesToEmpty(foldRun(sample.events))).toEqual(['cmp-1'])
    sample.started('drain-node')
    sample.applied('drain-node', '')
    expect(nodesToEmpty(foldRun(sample.events))).toEqual([])
  })
})

describe('who made an object is proved', () => {
  test.each([
    ['by admission that existed long before', NOW, '2026-11-21T09:00:00Z', true],
    ['once every API server has received it', NOW, '2026-11-21T11:59:30Z', true],
    ['not in the moment in which it was installed', NOW, '2026-11-21T11:59:31Z', false],
    ['not by admission that came, or was changed, afterwards', NOW, '2026-11-21T12:00:01Z', false],
    ['not without admission', NOW, null, false],
    ['not when nobody tells when it was made', '', '2026-11-21T09:00:00Z', false],
  ] as const)('%s', (_, createdAt, since, proved) => {
    expect(isProved(createdAt, since)).toBe(proved)
  })
})

describe('the runner’s own volume', () => {
  const { plan } = samplePlan()
  const stops = { ...plan, steps: [sampleStep('stop-osds', 'Stop OSDs')] }
  const ceph = { kind: 'ceph', claim: 'data-runner-0', storageClass: 'rbd', clusterId: 'rook-ceph' } as const
  const cloud = { isOwn: true as boolean | null, cephNamespace: 'rook-ceph', isElsewhere: false }
  const said = { ...cloud, isElsewhere: true }
  const unknown = { kind: 'unknown', why: 'Not permitted.' } as const
  test.each([
    [
      'on the Ceph that is stopped refuses',
      stops,
      ceph,
      cloud,
      /The runner keeps its journal on a volume of the same Ceph whose OSDs this run stops \(claim data-runner-0/,
    ],
    [
      'on the Ceph that is stopped refuses, whatever the installer says',
      stops,
      ceph,
      said,
      /or move the runner's volume to other storage\./,
    ],
    ['says nothing of a plan that stops no storage', plan, ceph, cloud, null],
    ['on other storage says nothing', stops, { kind: 'other', what: 'local' }, cloud, null],
    ['says nothing of a cloud elsewhere', stops, ceph, { ...cloud, isOwn: false }, null],
    [
      'that is unknown refuses',
      stops,
      unknown,
      cloud,
      /tell the runner so \(lockkeeper runner manifests --volume-elsewhere;/,
    ],
    ['that is unknown does not where the installer says so', stops, unknown, said, null],
    ['of a cloud in an unknown place refuses', stops, ceph, { ...cloud, isOwn: null }, /Run it from a console/],
    ['of a class that names no Ceph refuses', stops, { ...ceph, clusterId: '' }, cloud, /names no Ceph/],
    ['of a Ceph by another name refuses', stops, { ...ceph, clusterId: 'b9127830-b0cc' }, cloud, /b9127830-b0cc/],
    ['of a Ceph by another name does not where the installer says so', stops, { ...ceph, clusterId: 'b9' }, said, null],
  ] as const)('%s', (_, asked, volume, where, why) => {
    const answer = whyVolume(asked, volume, where)
    if (why === null) expect(answer).toBeNull()
    else expect(answer?.message).toMatch(why)
  })
  test('is asked about for plans that stop OSDs or look whether they may be stopped', () => {
    expect(stopsStorage(plan)).toBe(false)
    expect(
      ['stop-osds', 'osds-ok-to-stop', 'storage-unchecked'].map(kind =>
        stopsStorage({ ...plan, steps: [sampleStep(kind, '')] }),
      ),
    ).toEqual([true, true, true])
  })
})

describe('work is on a cloud', () => {
  const look = {
    nowMs,
    runner: RUNNER,
    resting: new Set<string>(),
    isHidden: () => false,
    isOfShard: () => true,
    gone: new Set<string>(),
  }
  const running = { runner: RUNNER, id: 'd', epoch: 1 }
  const control = (run: string, status: MaintenanceRunControl['status'] = null): MaintenanceRunControl => ({
    name: 'c',
    uid: 'c-1',
    createdAt: NOW,
    spec: { run, control: 'pause', by: 'eva', reason: '' },
    status,
  })
  const scheduled = sampleRun({
    spec: sampleSpec({ startAfter: inMinutes(5) }),
    status: sampleStatus({ phase: 'Scheduled' }),
  })
  const over = sampleRun({ status: sampleStatus({ phase: 'Done' }) })
  test.each([
    ['with a new run', [sampleRun()], [], ['lab']],
    ['with a run under way', [sampleRun({ status: sampleStatus({ phase: 'Running', driver: running }) })], [], ['lab']],
    [
      'with none but another runner’s',
      [sampleRun({ status: sampleStatus({ phase: 'Running', driver: { ...running, runner: 'b' } }) })],
      [],
      [],
    ],
    ['with none but one that has ended', [over], [], []],
    ['with none but one that is scheduled', [scheduled], [], []],
    ['with a control of one that has ended', [over], [control('enter-cmp-1')], ['lab']],
    [
      'with none but a control that was answered',
      [over],
      [control('enter-cmp-1', { outcome: 'Accepted', message: '', at: NOW })],
      [],
    ],
    ['that nobody can name: a control of no run', [over], [control('none')], [null]],
    ['that nobody can name: an unreadable run', [sampleRun({ spec: { unreadable: 'x' } })], [], [null]],
  ] as const)('%s', (_, runs, controls, clouds) => {
    expect([...cloudsWithWork({ runs, controls, campaigns: [] }, look)]).toEqual(clouds)
  })
  test('comes with the time of what is scheduled', () => {
    expect(nextDueMs({ runs: [over, scheduled], controls: [], campaigns: [] }, nowMs)).toBe(nowMs + minutes(5))
    expect([
      ...cloudsWithWork({ runs: [scheduled], controls: [], campaigns: [] }, { ...look, nowMs: nowMs + minutes(5) }),
    ]).toEqual(['lab'])
  })
  describe('as replicas are now', () => {
    const elsewhere = { ...look, isOfShard: (cloud: string | null) => cloud === 'west' }
    const mine = sampleRun({ status: sampleStatus({ phase: 'Running', driver: running }) })
    const theirs = sampleRun({ status: sampleStatus({ phase: 'Running', driver: { ...running, runner: 'pod-2/b' } }) })
    test.each([
      ['is that of whose shard it is', [sampleRun()], [], elsewhere, []],
      ['stays with the runner that has its run in its journal', [mine], [], elsewhere, ['lab']],
      ['with a control goes where its run is', [mine], [control('enter-cmp-1')], elsewhere, ['lab']],
      ['with a control of another’s run is not ours', [theirs], [control('enter-cmp-1')], elsewhere, []],
      ['is to end what a runner had that is gone', [theirs], [], { ...look, gone: new Set(['pod-2/b']) }, ['lab']],
      [
        'is to end it also where it was left alone before',
        [theirs],
        [],
        { ...look, resting: new Set(['uid-1']), gone: new Set(['pod-2/b']) },
        ['lab'],
      ],
      ['of another shard is not ours to end', [theirs], [], { ...elsewhere, gone: new Set(['pod-2/b']) }, []],
    ] as const)('a cloud %s', (_, runs, controls, from, clouds) => {
      expect([...cloudsWithWork({ runs, controls, campaigns: [] }, from)]).toEqual(clouds)
    })
  })
  test('is not with what its campaign holds back, once its status says so: by codes, or as an earlier version wrote it', () => {
    const held = (more: Parameters<typeof sampleStatus>[0]) =>
      sampleRun({ spec: sampleSpec({ campaign: 'night' }), status: sampleStatus({ phase: 'Scheduled', ...more }) })
    const cloudsOf = (run: MaintenanceRun) => [...cloudsWithWork({ runs: [run], controls: [], campaigns: [] }, look)]
    const missing = { code: 'CampaignMissing', campaign: 'night' }
    const earlier =
      'There is no MaintenanceCampaign night in this namespace, which says when it begins: that is waited for.'
    expect(cloudsOf(held({ reason: missing.code, reasons: [missing], message: 'Other words.' }))).toEqual([])
    expect(cloudsOf(held({ message: earlier }))).toEqual([])
    expect(cloudsOf(held({ reason: 'CampaignHolds', reasons: [{ ...missing, code: 'CampaignHolds' }] }))).toEqual([
      'lab',
    ])
    expect(cloudsOf(held({ reason: missing.code, reasons: [{ ...missing, campaign: 'day' }] }))).toEqual(['lab'])
    expect(cloudsOf(held({ message: 'Other words.' }))).toEqual(['lab'])
  })
  test('is with a run of the journal that its object hides, and rests once its status is what it is', () => {
    const forged = { ...look, isHidden: () => true, isOfShard: () => false }
    const cloudsOf = (run: MaintenanceRun, from = forged) => [
      ...cloudsWithWork({ runs: [run], controls: [], campaigns: [] }, from),
    ]
    const another = sampleRun({ status: sampleStatus({ phase: 'Done', driver: { ...running, runner: 'b' } }) })
    expect(cloudsOf(over)).toEqual(['lab'])
    expect(cloudsOf(another)).toEqual(['lab'])
    const resting = { ...forged, resting: new Set(['uid-1']) }
    expect(cloudsOf(over, resting), 'its status must be written').toEqual(['lab'])
    expect(cloudsOf(another, resting), 'it cannot be written').toEqual([])
  })
  test('is absent for a run that rests until an operator acts', () => {
    const run = sampleRun({ status: sampleStatus({ phase: 'Interrupted', driver: running }) })
    expect([
      ...cloudsWithWork({ runs: [run], controls: [], campaigns: [] }, { ...look, resting: new Set(['uid-1']) }),
    ]).toEqual([])
  })
})

describe('a run that was left', () => {
  const leftAs = (body: Omit<Extract<RunEventBody, { kind: 'driver-left' }>, 'kind'>) => {
    const sample = createSampleRun()
    sample.created()
    sample.add({ kind: 'driver-left', ...body })
    return foldRun(sample.events)
  }
  test.each<[rule: string, left: RunLeft, earlier: string, byPerson: boolean]>([
    ['by a person is taken up when one says so', { code: 'Detached', by: 'olga' }, 'olga left it', true],
    [
      'by the runner itself is taken up again',
      { code: 'Detached', by: 'lockkeeper-runner' },
      'lockkeeper-runner left it',
      false,
    ],
    [
      'because its Lease was lost is taken up again',
      { code: 'LeaseLost', node: 'cmp-1', cause: 'olga left it' },
      'The lease of cmp-1 was lost, so nothing more was begun.',
      false,
    ],
  ])('%s', (_, left, earlier, byPerson) => {
    // Its message decides nothing where there is a code.
    expect(isLeftByPerson(leftAs({ why: 'Whatever.', left }), 'lockkeeper-runner')).toBe(byPerson)
    expect(isLeftByPerson(leftAs({ why: earlier }), 'lockkeeper-runner'), 'as an earlier version wrote it').toBe(
      byPerson,
    )
  })
  test('does not start its next node until it is resumed', () => {
    const sample = createSampleRun()
    sample.created()
    expect(pauseAfterNodeAuthor(sample.events)).toBeNull()
    sample.add({ kind: 'pause-after-node-requested', by: 'runner' })
    sample.add({ kind: 'paused' })
    expect(pauseAfterNodeAuthor(sample.events)).toBe('runner')
    sample.add({ kind: 'resume-requested', by: 'eva' })
    expect(pauseAfterNodeAuthor(sample.events)).toBeNull()
  })
})

test('who asks is named with how it is known', () => {
  expect([askerName('eva', true), askerName('eva', false)]).toEqual(['eva', 'eva (unverified)'])
})

test('each cloud is one runner’s, whatever there are, and what names none is the first’s', () => {
  const clouds = Array.from({ length: 200 }, (_, at) => `cloud-${at}`)
  for (const of of [1, 2, 3, 7]) {
    const shards = Array.from({ length: of }, (_, index) => clouds.filter(cloud => isOfShard(cloud, { index, of })))
    expect(shards.flat().sort()).toEqual(clouds.toSorted())
    expect(Math.min(...shards.map(({ length }) => length)), 'shared out').toBeGreaterThan(200 / of / 2)
  }
  expect(isOfShard(null, { index: 0, of: 3 })).toBe(true)
  expect(isOfShard(null, { index: 1, of: 3 })).toBe(false)
})

test('the Lease of a cloud has a name that Kubernetes takes, another for each cloud', () => {
  expect(runnerLease('lab')).toBe('lockkeeper-runner-lab')
  expect(runnerLease(null)).toBe('lockkeeper-runner')
  const names = ['East_1', 'east-1', 'East-1', 'east_1', '_'].map(runnerLease)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
})
