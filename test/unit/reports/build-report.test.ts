import { describe, expect, it } from 'vitest'
import { reportHtml } from '../../../main/reports/html.ts'
import { reportMarkdown } from '../../../main/reports/markdown.ts'
import { redactReport } from '../../../main/reports/redact-report.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { demoVersion } from '../../../shared/domain/run.ts'
import { blocking, holding, sampleBlocker, samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun, RUN_ID, sampleNotEmpty } from '../../fixtures/cli/sample-run.ts'
import { playedUpdatePlan } from '../../fixtures/renderer/update-run.ts'
import { extractOf } from '../../fixtures/reports/journal-extract.ts'
import { announced, reportedRun, reportOf, WINDOW_ID, windowEvents } from '../../fixtures/reports/reported-run.ts'

const answered = (choice: 'continue', reason: string) =>
  ({ kind: 'gate-answered', stepId: 'migrate-instances', gateId: 'gate-1', choice, reason, by: 'olga' }) as const

const AT = '2026-11-21T10:00:30.000Z'
const NOT_EMPTY = sampleNotEmpty('cmp-1').verdict
const EMPTY = { kind: 'Empty', at: AT, looked: [], off: [{ id: 'id-web', name: 'web-1' }], declined: [] } as const
const NOT_READ = {
  kind: 'Unknown',
  at: AT,
  looked: [],
  unread: [{ what: 'instances', code: 'NoAnswer', message: 'web-1 could not be read.' }],
} as const
const IN_SERVICE = { kind: 'InService', at: AT, looked: [] } as const
const HELD_BACK = { kind: 'HeldBack', at: AT, looked: [], by: [{ code: 'Cordoned' }] } as const

const WINDOW = { kind: 'window', id: WINDOW_ID } as const

describe('the report of a run', () => {
  it('is the same however often it is made', () => {
    const { events } = reportedRun()
    expect(JSON.stringify(reportOf(events))).toBe(JSON.stringify(reportOf(events)))
  })

  it('says for an instance how often it was tried, how long the last move took, and where it is', () => {
    const [web, batch] = reportOf(reportedRun().events).instances
    expect(web).toMatchObject({
      id: 'id-web',
      before: { host: 'cmp-1', status: 'ACTIVE' },
      after: { host: 'cmp-2', status: 'ACTIVE', power: 'Running' },
      attempts: 2,
      moveMs: 1000,
      outcome: 'moved',
    })
    expect(batch).toMatchObject({ id: 'id-batch', after: null, attempts: 0, moveMs: null, outcome: 'stayed' })
  })

  it('of a run that left an instance on its node says so first, and counts the node as not done', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('drain-node')
    sample.applied('drain-node', 'Drained.')
    const { verdict } = sampleNotEmpty('cmp-1')
    sample.fact('drain-node', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(verdict)))
    sample.finished()
    const { outcome, lines, figures } = reportOf(sample.events).summary
    expect([outcome, lines[0], figures.nodesDone]).toEqual([
      'partly',
      'cmp-1 is not empty: web-1 still runs on it. Do not power it off.',
      0,
    ])
  })

  it('tells where a node left an instance, though the next node moved it on', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    const moved = { name: 'web-1', from: 'cmp-1', to: 'cmp-2', status: 'ACTIVE', powerState: 1, attempt: 1 }
    sample.fact('migrate-instances', 'instance-moved', 'server/id-web', moved)
    const readAt = '2026-11-21T10:30:00.000Z'
    const evidence = [{ subject: 'server/id-web (web-1)', readAt, values: { now: 'ACTIVE', host: 'cmp-3' } }]
    const answer = { kind: 'holds' as const, reason: 'moved', evidence }
    sample.add({ kind: 'step-verified', stepId: 'migrate-instances', round: 'final', answer })
    sample.finished('done')
    const [web] = reportOf(sample.events).instances
    const words = 'Moved to cmp-2. It was on cmp-3 at 2026-11-21 10:30 UTC.'
    expect(web).toMatchObject({ after: { host: 'cmp-2' }, words })
  })

  it('lists what is unknown as a separate incident', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    const reason = 'Nova did not answer.'
    const answer = { kind: 'cannot-tell' as const, reason, remedy: '', evidence: [], mayStillHold: true }
    sample.add({ kind: 'step-verified', stepId: 'migrate-instances', round: 'final', answer })
    sample.finished('failed')
    expect(reportOf(sample.events).incidents[0]).toMatchObject({
      kind: 'cannot-tell',
      words: expect.stringContaining('could not verify this. Nova did not answer.'),
    })
  })

  it('lists instances that came to the node after the decision about the others', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('drain-node')
    sample.fact('drain-node', 'instances-noted', 'node/cmp-1', { host: 'cmp-1', ids: ['id-late'] })
    const seen = { name: 'late-1', status: 'ACTIVE', host: 'cmp-2', powerState: 1 }
    sample.fact('drain-node', 'instance-seen', 'server/id-late', seen)
    sample.finished('done')
    expect(reportOf(sample.events).instances.find(({ id }) => id === 'id-late')).toMatchObject({
      name: 'late-1',
      before: { host: 'cmp-1', status: null },
      after: { host: 'cmp-2', status: 'ACTIVE' },
      outcome: 'moved',
    })
  })

  it('tells no number of attempts where the OpenStack Controller moved an instance: nobody saw how often it tried', () => {
    const checked = samplePlan()
    const locks = sampleStep('node-locks-inactive', 'Wait until every lock of cmp-1 is inactive')
    const sample = createSampleRun({
      ...checked,
      plan: { ...checked.plan, flavour: 'mosk', steps: [locks] },
      checks: [],
    })
    sample.created()
    sample.started('node-locks-inactive')
    sample.fact('node-locks-inactive', 'instances-noted', 'node/cmp-1', { host: 'cmp-1', ids: ['id-web'] })
    const seen = { name: 'web-1', status: 'ACTIVE', host: 'cmp-2', powerState: 1 }
    sample.fact('node-locks-inactive', 'instance-seen', 'server/id-web', seen)
    sample.finished('done')
    const report = reportOf(sample.events)
    expect(report.instances).toMatchObject([{ id: 'id-web', outcome: 'moved', attempts: null }])
    expect(reportMarkdown(report)).toMatch(/web-1 .*\| moved .*\| unknown \|/)
  })

  it('says since when an instance was stopped, and never guesses until when', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    sample.fact('migrate-instances', 'instance-stopped', 'server/id-web', {
      name: 'web-1',
      host: 'cmp-1',
      status: 'SHUTOFF',
      powerState: 4,
    })
    sample.finished('done')
    const report = reportOf(sample.events)
    expect(report.instances[0]).toMatchObject({
      outcome: 'stopped',
      after: { host: 'cmp-1', status: 'SHUTOFF', power: 'Shutdown' },
      downtimeMs: null,
      downtimeWords: expect.stringMatching(/^Down from .* The journal does not say when it ended\.$/),
    })
    expect(report.summary.figures).toMatchObject({ instancesStopped: 1, downtimeMs: null })
  })

  it('says that an instance went down with its node, and for how long at most', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('drain-node')
    const look = (status: string, powerState: number) =>
      sample.fact('drain-node', 'instance-seen', 'server/id-stays', {
        name: 'stays-1',
        status,
        host: 'cmp-1',
        powerState,
      })
    const running = [{ id: 'id-stays', name: 'stays-1' }]
    sample.fact('drain-node', 'instances-noted', 'node/cmp-1', { host: 'cmp-1', ids: ['id-stays'], running })
    look('ACTIVE', 1)
    look('SHUTOFF', 4)
    const found = () => reportOf(sample.events).instances.find(({ id }) => id === 'id-stays')
    expect(found()).toMatchObject({
      before: { host: 'cmp-1', power: 'Running' },
      after: { host: 'cmp-1', status: 'SHUTOFF', power: 'Shutdown' },
      outcome: 'stopped',
      downtimeMs: null,
      downtimeWords: expect.stringMatching(
        /^Went down with its node after .* and was down at .*\. The journal does not say when it ended\.$/,
      ),
    })
    sample.fact('drain-node', 'instance-started', 'server/id-stays', {
      name: 'stays-1',
      host: 'cmp-1',
      status: 'ACTIVE',
      powerState: 1,
    })
    sample.finished('done')
    expect(found()).toMatchObject({
      after: { host: 'cmp-1', status: 'ACTIVE', power: 'Running' },
      outcome: 'stayed',
      downtimeMs: expect.any(Number),
      downtimeWords: expect.stringMatching(/\. It was running at /),
    })
    expect(reportOf(sample.events).summary.figures).toMatchObject({ instancesStopped: 0 })
  })

  it('says which budget held a pod and for how long, once for each sentence', () => {
    expect(reportOf(reportedRun().events).pods).toMatchObject([
      {
        namespace: 'openstack',
        name: 'rabbitmq-0',
        how: 'evict',
        refusals: [{ words: 'rabbitmq-pdb needs 3 and has 3' }],
        waitedMs: 2000,
        outcome: 'left',
      },
    ])
  })

  it('never guesses how what is under way ends', () => {
    const report = reportOf(reportedRun('under-way').events)
    expect(report.completeness.kind).toBe('under-way')
    expect(report.summary).toMatchObject({ outcome: 'under-way', toAt: null })
    expect(report.pods).toMatchObject([{ outcome: 'under-way', leftAt: null, waitedMs: null }])
    expect(report.nodes).toMatchObject([{ outcome: 'under-way', toAt: null }])
  })

  it('without a driver is interrupted, which comes before all else', () => {
    const report = reportOf(reportedRun('under-way').events, { interrupted: [RUN_ID] })
    expect(report.completeness).toMatchObject({ kind: 'interrupted', words: expect.stringContaining(RUN_ID) })
    expect(report.runs).toMatchObject([{ state: 'interrupted', outcome: null }])
    expect(report.incidents.at(-1)).toMatchObject({
      kind: 'interrupted',
      words: expect.stringMatching(
        /Its console wrote nothing from .* to 2026-11-21 11:00:00 UTC: no console carried it out for at most .*\.$/,
      ),
    })
  })

  it.each([
    [
      'was killed',
      false,
      'Its console wrote nothing from 2026-11-21 10:00:16 UTC to 2026-11-21 10:00:17 UTC: no console carried it out for at most 1 s.',
    ],
    [
      'left it, and said so',
      true,
      'No console carried it out from 2026-11-21 10:00:17 UTC to 2026-11-21 10:00:18 UTC, for 1 s.',
    ],
  ])('names the span without a driver, after its driver %s', (_, saidSo, words) => {
    const sample = reportedRun('under-way')
    const first = sample.events[0]?.body
    if (first?.kind !== 'run-created') throw new Error('a run begins with its creation')
    if (saidSo) sample.add({ kind: 'driver-left', why: 'told to' })
    sample.add({ kind: 'run-driven', driver: first.driver, resumed: true })
    expect(reportOf(sample.events).incidents.at(-1)).toMatchObject({
      kind: saidSo ? 'resumed' : 'driver-lost',
      words: `Resumed by olga on bastion (process 4711). ${words}`,
    })
  })

  it('says once that its driver left it and that it has had no driver since', () => {
    const sample = reportedRun('under-way')
    sample.add({ kind: 'driver-left', why: 'told to' })
    const { incidents, nodes, summary } = reportOf(sample.events, { interrupted: [RUN_ID] })
    expect(incidents.at(-1)).toMatchObject({
      kind: 'driver-left',
      words: expect.stringMatching(/No console carried it out from 2026-11-21 10:00:17 UTC to 2026-11-21 11:00:00 UTC/),
    })
    expect(incidents.map(({ kind }) => kind)).not.toContain('interrupted')
    expect(nodes).toMatchObject([{ outcome: 'interrupted' }])
    expect(summary.outcome).toBe('interrupted')
  })

  it('gives the state of a run to programs in one word of the list of runs, and to people beside it', () => {
    expect(reportOf(reportedRun('under-way').events).runs).toMatchObject([
      { state: 'running', stands: 'waits for a budget', outcome: null },
    ])
    expect(reportOf(reportedRun().events).runs).toMatchObject([{ state: 'done', stands: 'done' }])
  })

  it('has each failed check once, and who lifted it and why', () => {
    const blocker = sampleBlocker('too-full', 'force')
    const sample = createSampleRun(samplePlan({ answers: { 'drain-node': blocking(blocker) } }))
    sample.created()
    sample.add({ kind: 'step-checked', stepId: 'drain-node', answer: blocking(blocker) })
    const { code, message } = blocker
    sample.add({ kind: 'blocker-overridden', stepId: 'drain-node', code, message, flag: 'force', reason: 'agreed' })
    sample.started('drain-node')
    const report = reportOf(sample.events)
    expect(report.checks).toMatchObject([
      { code: 'too-full', node: 'cmp-1', overridden: { flag: 'force', reason: 'agreed', by: 'olga' } },
    ])
    expect(report.summary.figures.overrides).toBe(1)
  })

  it('is not wholly done when an operator passed a step, though the run ended well', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    sample.gate()
    sample.add({
      kind: 'gate-answered',
      stepId: 'migrate-instances',
      gateId: 'gate-1',
      choice: 'skip',
      reason: 'agreed',
      by: 'olga',
    })
    sample.add({ kind: 'step-skipped', stepId: 'migrate-instances', reason: 'agreed', by: 'operator' })
    sample.finished('done')
    const report = reportOf(sample.events)
    expect(report.summary.outcome).toBe('partly')
    expect(report.incidents.map(({ kind }) => kind)).toEqual(['question', 'answered', 'skipped'])
    // Summary and appendix count the same: the outcome of an incident is not another incident.
    expect(report.incidents.map(({ counts }) => counts)).toEqual([false, false, true])
    expect(report.summary.figures.incidents).toBe(1)
    expect(reportMarkdown(report)).toContain('\n1 incident, and 2 lines on what became of it.\n')
    expect(reportHtml(report)).toContain('1 incident, and 2 lines on what became of it.')
  })

  it('says who continued past what was not done, what it said then, and that a step was only done', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    sample.fact('migrate-instances', 'waits-for', 'cluster', { what: 'tungstenfabric: 1 out of 8 nodes updated (12%)' })
    sample.gate('gate-1', ['continue', 'retry', 'abort'])
    sample.add(answered('continue', 'late'))
    sample.applied('migrate-instances', 'The answer was to continue.')
    sample.finished('done')
    const report = reportOf(sample.events)
    expect(report.incidents.map(({ kind }) => kind)).toEqual(['question', 'answered', 'continued'])
    expect(report.incidents.at(-1)?.words).toMatch(
      /^olga continued past ".*"\. It still waited for: tungstenfabric: 1 out of 8 nodes updated \(12%\)\.$/,
    )
    expect(report.summary).toMatchObject({ outcome: 'partly', figures: { incidents: 1 } })
    expect(report.summary.headline).toContain('olga continued past "')
    expect(report.summary.lines.join(' ')).toContain('1 out of 8 nodes updated (12%)')
    const text = reportMarkdown(redactReport(report))
    expect(text, 'who may not see names sees it too').toContain('1 out of 8 nodes updated')
  })

  it('says nothing of a question that was planned and answered as planned', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('migrate-instances')
    sample.gate('gate-1', ['continue', 'abort'])
    sample.add(answered('continue', ''))
    sample.applied('migrate-instances', 'The answer was to continue.')
    sample.finished('done')
    const { incidents, summary } = reportOf(sample.events)
    expect(incidents).toEqual([])
    expect(summary.headline).not.toContain('continued')
  })

  it('is marked as a demo where a run changed embedded clouds, and only then', () => {
    const { events } = reportedRun()
    const demo = events.map(event =>
      event.body.kind === 'run-created'
        ? { ...event, body: { ...event.body, driver: { ...event.body.driver, version: demoVersion('1.2.3') } } }
        : event,
    )
    expect(reportOf(demo).title).toMatch(/^Demo, nothing here is real: /)
    expect(reportOf(events).title).not.toContain('Demo')
  })

  it('counts an abort once, however it is recorded, and names what it left changed', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('drain-node')
    sample.add({ kind: 'abort-requested', by: 'olga', reason: 'late' })
    const step = samplePlan().plan.steps.find(({ id }) => id === 'drain-node')
    const leftBehind = [`${step?.title}: ${step?.undo}`]
    sample.add({ kind: 'run-finished', outcome: 'aborted', summary: 'Aborted by olga: late', leftBehind })
    const { summary, timeline, incidents, nodes } = reportOf(sample.events)
    expect(summary.figures.incidents).toBe(1)
    expect(incidents).toMatchObject([{ kind: 'aborted', words: 'olga asked to stop it: late.' }])
    expect(nodes).toMatchObject([{ node: 'cmp-1', outcome: 'aborted' }])
    expect(summary.lines.at(-1)).toBe(`Still changed: what "${step?.title}" did. Each run says how to undo it.`)
    expect(timeline.lanes[0]?.spans.at(-1)?.toAt).toBe(sample.events.at(-1)?.at)
  })

  it('counts a repeated message of the cloud as one incident, whatever comes between', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('drain-node')
    for (const pod of ['pod/a/b', 'pod/a/c', 'pod/a/b', 'pod/a/c']) {
      sample.fact('drain-node', 'pod.failed', pod, { uid: pod, message: 'refused' })
    }
    const { incidents, summary } = reportOf(sample.events)
    expect(incidents).toHaveLength(2)
    expect(summary.figures.incidents).toBe(2)
  })

  it('names what kept a pod that had ended', () => {
    const sample = createSampleRun()
    sample.created()
    sample.started('drain-node')
    const pod = { uid: 'a', by: 'its finalizer example.com/backup' }
    sample.fact('drain-node', 'pod.eviction-requested', 'pod/n/a', { ...pod, attempt: 1, how: 'evict' })
    sample.fact('drain-node', 'pod.eviction-accepted', 'pod/n/a', pod)
    sample.fact('drain-node', 'pod.held', 'pod/n/a', pod)
    const words = 'The API server accepted its eviction; nobody saw it leave. Held by its finalizer example.com/backup.'
    expect(reportOf(sample.events).pods).toMatchObject([{ name: 'a', outcome: 'asked', words }])
    sample.fact('drain-node', 'pod.left', 'pod/n/a', { ...pod, how: 'gone' })
    expect(reportOf(sample.events).pods).toMatchObject([{ name: 'a', outcome: 'left', words: 'Left the node.' }])
  })

  it('says that nothing was touched where checks did not hold', () => {
    const sample = createSampleRun(samplePlan({ answers: { 'drain-node': blocking(sampleBlocker('too-full', null)) } }))
    sample.created()
    sample.finished('checks-failed')
    const { summary, nodes, instances } = reportOf(sample.events)
    expect(summary.outcome).toBe('checks-failed')
    expect(summary.lines[0]).toContain('Nothing was touched')
    expect(nodes).toMatchObject([{ outcome: 'not-begun', stages: [] }])
    expect(instances.every(({ outcome }) => outcome === 'not-reached')).toBe(true)
  })

  it('names what it cannot read, and tells the rest', () => {
    const extract = extractOf(reportedRun().events)
    const entries = extract.entries.map((entry, index) => (index === 7 ? { ...entry, body: '{"kind":"moon"}' } : entry))
    const report = reportOf([], { extract: { ...extract, entries } })
    expect(report.damage).toMatchObject([expect.stringContaining('cannot read entry')])
    expect(report.summary.lines[0]).toContain('damaged')
    expect(report.instances.length).toBe(2)
  })
})

describe('the report of an update that left nodes out', () => {
  it('counts and names them beside what somebody continued past, and tells steps that were only done from verified ones', () => {
    const { steps, ...rest } = playedUpdatePlan('m')
    const first = must(steps[0], 'the plan has steps')
    const last = { ...first, lane: null, stage: null, input: {}, phase: 'finalize' as const, needs: [] }
    const others = { ...last, id: 'others', kind: 'other-applications', title: 'Other applications are updated' }
    const whole = { ...last, id: 'whole', kind: 'whole-cluster-verified', verbs: ['apply', 'verify'] as const }
    const plan = { ...rest, steps: [...steps, others, { ...whole, verbs: [...whole.verbs] }] } as Plan
    const sample = createSampleRun({ plan, checks: [], checkedAt: '', startable: true })
    sample.created()
    sample.started('others')
    const gate = { stepId: 'others', gateId: 'g', question: 'Nothing has moved.' }
    sample.add({ kind: 'gate-opened', ...gate, choices: ['continue', 'retry', 'abort'] })
    sample.add({ kind: 'gate-answered', stepId: 'others', gateId: 'g', choice: 'continue', reason: '', by: 'olga' })
    sample.applied('others', 'The answer was to continue.')
    const names = ['ctl-1', 'ctl-2', 'ctl-3', 'cmp-01', 'cmp-02', 'cmp-03', 'cmp-04', 'cmp-05', 'cmp-06', 'x-1', 'x-2']
    const seen = { subject: 'cluster/m', readAt: '', values: { nodes: names.map(name => ({ name })) } }
    const answer = { kind: 'holds' as const, reason: 'all in service', evidence: [seen] }
    sample.started('whole')
    sample.applied('whole', 'all in service')
    sample.add({ kind: 'step-verified', stepId: 'whole', round: 'early', answer })
    sample.finished('done')
    const { summary, incidents } = reportOf(sample.events)
    expect(summary.headline).toContain('olga continued past "Other applications are updated"')
    expect(summary.headline).toContain('2 nodes left out')
    expect(incidents.at(-1)?.words).toContain('2 nodes of the cloud were not in this work: x-1, x-2.')
    expect(summary.figures.steps).toEqual({ verified: 1, notVerified: 0, onlyDone: 1 })
  })
})

it('has the timeline of an update as earlier versions made it, or theirs would not verify', () => {
  const plan = playedUpdatePlan('m')
  const { id } = must(
    plan.steps.find(({ lane }) => lane !== null),
    'the plan works on nodes',
  )
  const sample = createSampleRun({ plan, checks: [], checkedAt: '', startable: true })
  sample.created()
  sample.started(id)
  sample.add({ kind: 'step-skipped', stepId: id, reason: 'the machine is dead', by: 'operator' })
  sample.finished('done')
  const spans = reportOf(sample.events).timeline.lanes.flatMap(lane => lane.spans)
  expect(spans.flatMap(({ evidence }) => evidence)).toContainEqual(
    expect.stringMatching(/: passed, the machine is dead$/),
  )
  expect(spans.filter(span => 'passed' in span)).toEqual([])
})

describe('the report of an update that was aborted', () => {
  const node = (name: string) => `Drain ${name}`
  const server = {
    kind: 'instance' as const,
    action: 'live_migrate' as const,
    projectId: null,
    reason: '',
    powerState: 1,
    source: 'host-mode' as const,
    warnings: [],
  }
  const on = (name: string) => ({ ...server, id: `id-${name}`, name: `vm-${name}`, status: 'ACTIVE' })
  const sample = createSampleRun({ plan: playedUpdatePlan('m'), checks: [], checkedAt: '', startable: true })
  sample.created()
  for (const name of ['cmp-01', 'cmp-02']) {
    sample.add({ kind: 'step-checked', stepId: node(name), answer: holding('ready', [on(name)]) })
  }
  const pair = { ...on('cmp-01'), id: 'id-pair', name: 'pair' }
  for (const effect of [pair, { ...pair, action: 'blocked' as const, reason: 'has nowhere to go: its group' }]) {
    sample.add({ kind: 'step-checked', stepId: node('cmp-01'), answer: holding('ready', [effect]) })
  }
  sample.started(node('cmp-01'))
  sample.add({ kind: 'abort-requested', by: 'olga', reason: 'late' })
  sample.finished('aborted')
  const report = reportOf(sample.events)

  it('calls the node that it left half-way aborted, and the others not begun', () => {
    const outcomes = Object.fromEntries(report.nodes.map(({ node: name, outcome }) => [name, outcome]))
    expect(outcomes).toMatchObject({ 'cmp-01': 'aborted', 'cmp-02': 'not-begun', 'ctl-1': 'not-begun' })
    expect(report.summary.outcome).toBe('aborted')
  })

  it('says that instances on a node that has not started were not touched', () => {
    const words = Object.fromEntries(report.instances.map(({ name, words: said }) => [name, said]))
    expect(words).toEqual({
      'vm-cmp-01': 'The OpenStack Controller moves it; where to is not in this journal.',
      'vm-cmp-02': 'The run did not start on cmp-02.',
      pair: 'The OpenStack Controller moves it; where to is not in this journal.',
    })
  })

  it('says about an instance what the last check before the work said, like the plan', () => {
    expect(report.instances.find(({ name }) => name === 'pair')).toMatchObject({
      action: 'blocked',
      reason: 'has nowhere to go: its group',
    })
  })
})

describe('the report of a window', () => {
  it('without a run is a report too', () => {
    const windows = windowEvents(announced, { kind: 'closed', by: 'olga', summary: 'not needed' })
    const report = reportOf([], { windows, subject: WINDOW })
    expect(report.completeness).toEqual({ kind: 'final' })
    expect(report.summary).toMatchObject({ outcome: 'nothing', fromAt: null })
    expect(report.window).toMatchObject({ status: 'closed', closed: { summary: 'not needed' }, overranMs: 0 })
  })

  it('is not done while a node is still in maintenance', () => {
    const closed = windowEvents(announced, { kind: 'closed', by: 'olga', summary: '' })
    const report = reportOf(reportedRun().events, { windows: closed, subject: WINDOW })
    expect(report.summary).toMatchObject({ outcome: 'partly', figures: { nodesDone: 0 } })
    expect(report.summary.headline).toContain('still in maintenance')
  })

  it.each([
    ['enter', ['in-maintenance'], 'taken out of service'],
    ['rescue', ['in-maintenance'], 'rescued, as far as possible'],
    // Its node is where it was before.
    ['home', [], 'brought back, as far as possible'],
  ] as const)('of a done %s says of the node only where the run has it', (kind, outcomes, title) => {
    const sample = createSampleRun(samplePlan({ kind }))
    sample.created()
    sample.started('migrate-instances')
    sample.applied('migrate-instances', '1 instance moved.')
    sample.finished('done')
    const report = reportOf(sample.events)
    expect(report.nodes.map(({ outcome }) => outcome)).toEqual(outcomes)
    expect(report.title).toContain(title)
    if (kind === 'home') expect(report.summary).toMatchObject({ outcome: 'done', figures: { nodesPlanned: 0 } })
  })

  it.each([
    ['enter', NOT_EMPTY, 'not-empty', 'cmp-1 of lab is not empty', 'not-reached', 'partly'],
    [
      'enter',
      NOT_READ,
      'maybe-not-empty',
      'Lockkeeper cannot tell whether cmp-1 of lab is empty',
      'not-reached',
      'partly',
    ],
    ['enter', EMPTY, 'in-maintenance', 'cmp-1 of lab taken out of service', 'done', 'done'],
    ['leave', HELD_BACK, 'held-back', 'cmp-1 of lab takes no work yet', 'not-reached', 'partly'],
    ['leave', IN_SERVICE, 'back', 'cmp-1 of lab brought back into service', 'done', 'done'],
  ] as const)(
    'of %s says in title, node, run and summary what its node is: %#',
    (kind, verdict, node, title, state, outcome) => {
      const sample = createSampleRun(samplePlan({ kind }))
      sample.created()
      sample.started('migrate-instances')
      sample.applied('migrate-instances', '1 instance moved.')
      sample.fact('migrate-instances', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(verdict)))
      sample.finished('done')
      const report = reportOf(sample.events)
      expect(report.title).toBe(title)
      expect(report.nodes).toMatchObject([{ node: 'cmp-1', outcome: node }])
      expect(report.runs).toMatchObject([{ outcome: 'done', state, ending: { verdict: { kind: verdict.kind } } }])
      expect(report.summary).toMatchObject({ outcome, figures: { nodesDone: state === 'done' ? 1 : 0 } })
      expect(report.summary.lines[0]).toContain(verdict.kind === 'NotEmpty' ? 'web-1' : 'cmp-1')
      expect(JSON.stringify(redactReport(report))).not.toContain('web-1')
    },
  )

  it('says by how much work went past its end', () => {
    const report = reportOf(reportedRun().events, { windows: windowEvents(announced), subject: WINDOW })
    const end = Date.parse(report.runs[0]?.toAt ?? '')
    expect(report.window?.overranMs).toBe(end - Date.parse('2026-11-21T10:00:10.000Z'))
    expect(report.window?.overranMs).toBeGreaterThan(0)
    expect(report.summary.lines.join(' ')).toContain("past the window's end")
  })

  it('does not say that unfinished work has ended', () => {
    const { events } = reportedRun('under-way')
    const { summary } = reportOf(events, { windows: windowEvents(announced), subject: WINDOW })
    expect(summary.lines.join(' ')).toContain("It is 59 min 50 s past the window's end")
    expect(summary.lines.join(' ')).toContain('and work is not finished.')
  })

  it('writes times in the zone the window was announced in', () => {
    const report = reportOf(reportedRun().events, { windows: windowEvents(announced), subject: WINDOW })
    expect(report.summary.headline).toContain('11:00 (Europe/Berlin)')
  })

  it('holds the estimate against what it took, also where that was less', () => {
    const span = { lowMs: 3_600_000, highMs: 7_200_000 }
    const estimate = {
      madeAt: '2026-11-21T09:50:00.000Z',
      vendor: null,
      own: { nodes: [], batches: [], total: span, basis: 'measured', missing: [] },
    }
    const windows = windowEvents(announced, { kind: 'estimated', estimate, by: 'olga' })
    const report = reportOf(reportedRun().events, { windows, subject: WINDOW })
    expect(report.estimate?.actualMs).toBe(
      Date.parse(report.runs[0]?.toAt ?? '') - Date.parse(report.runs[0]?.fromAt ?? ''),
    )
    expect(report.estimate?.words).toMatch(/Estimated: 1 h to 2 h\. It took \d+ s, .* less/)
  })
})
