import { describe, expect, it } from 'vitest'
import { createEventLines } from '../../../../main/faces/cli/render/event-lines.ts'
import { renderEnd } from '../../../../main/faces/cli/render/render-end.ts'
import { renderLive } from '../../../../main/faces/cli/render/render-live.ts'
import { renderRun } from '../../../../main/faces/cli/render/render-run.ts'
import { runAsJson } from '../../../../main/faces/cli/render/run-as-json.ts'
import { widthOf } from '../../../../main/faces/cli/words/width.ts'
import { summarizeRun } from '../../../../main/runs/engine/run-summary.ts'
import type { RunSummary } from '../../../../shared/contract/index.ts'
import { demoVersion, type RunEventBody } from '../../../../shared/domain/run.ts'
import * as facts from '../../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { evictionsOf, migrationsOf } from '../../../../shared/domain/run-progress.ts'
import { eventLine } from '../../../../shared/words/run-events.ts'
import { pipeLook, terminalLook } from '../../../fixtures/cli/looks.ts'
import { holding, sampleEffects, samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { createSampleRun, RUN_ID, sampleNotEmpty, sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { transcript } from '../../../fixtures/cli/session.ts'
import { plannedBatches } from '../../../fixtures/procedures/rolling-plan.ts'

const NOW = Date.parse('2026-11-21T10:01:00.000Z')

/** A run in the middle: two instances migrate, one moved, one failed once; a pod waits for its budget. */
function midRun() {
  const sample = createSampleRun()
  sample.created()
  sample.started('disable-compute')
  sample.applied('disable-compute', 'nova-compute on cmp-1 is disabled.')
  sample.verified('disable-compute', 'early')
  sample.started('migrate-instances')
  for (const name of ['web-1', 'web-2', 'web-3']) {
    sample.fact('migrate-instances', facts.MIGRATION_REQUESTED, `server/${name}`, { name, attempt: 1 }, true)
  }
  sample.fact('migrate-instances', facts.INSTANCE_MOVED, 'server/web-1', {
    name: 'web-1',
    to: 'cmp-2',
    status: 'ACTIVE',
    attempt: 1,
  })
  sample.fact('migrate-instances', facts.MIGRATION_PROGRESS, 'server/web-2', {
    name: 'web-2',
    memoryTotal: 1000,
    memoryRemaining: 370,
  })
  sample.fact('migrate-instances', facts.MIGRATION_FAILED, 'server/web-3', {
    name: 'web-3',
    attempt: 1,
    why: 'no valid host',
  })
  return sample
}

function draining() {
  const sample = midRun()
  sample.applied('migrate-instances', '3 instances moved.')
  sample.started('drain-node')
  const pod = (fact: string, name: string, values: Record<string, string | number>) =>
    sample.fact('drain-node', fact, `pod/openstack/${name}`, { uid: `uid-${name}`, ...values })
  pod('pod.eviction-requested', 'api-0', { attempt: 1 })
  pod('pod.eviction-accepted', 'api-0', {})
  pod('pod.left', 'api-0', { how: 'gone' })
  pod('pod.eviction-requested', 'rabbitmq-0', { attempt: 1 })
  pod('pod.eviction-refused', 'rabbitmq-0', {
    sentence: 'The disruption budget rabbitmq-pdb needs 3 healthy pods and has 3 currently.',
    retryAt: '2026-11-21T10:01:05.000Z',
  })
  return sample
}

describe('progress folded from facts', () => {
  it('knows each migration by its last fact, with the attempt and when it began', () => {
    const view = foldRun(midRun().events)
    const step = view.steps.find(({ step: { id } }) => id === 'migrate-instances')
    expect(step && migrationsOf(step).map(({ name, state, percent, note }) => [name, state, percent, note])).toEqual([
      ['web-1', 'moved', null, 'cmp-2'],
      ['web-2', 'running', 63, ''],
      ['web-3', 'again', null, 'no valid host'],
    ])
  })

  it('a new attempt starts from the beginning', () => {
    const sample = midRun()
    sample.fact('migrate-instances', facts.MIGRATION_REQUESTED, 'server/web-2', { name: 'web-2', attempt: 2 }, true)
    const step = foldRun(sample.events).steps.find(({ step: { id } }) => id === 'migrate-instances')
    const again = step && migrationsOf(step).find(({ name }) => name === 'web-2')
    expect(again).toMatchObject({ attempt: 2, percent: null, state: 'running', startedAt: sample.events.at(-1)?.at })
  })

  it('a pod that comes back under its old name is another pod', () => {
    const sample = draining()
    sample.fact('drain-node', 'pod.eviction-requested', 'pod/openstack/api-0', { uid: 'uid-new', attempt: 1 })
    const step = foldRun(sample.events).steps.find(({ step: { id } }) => id === 'drain-node')
    expect(step && evictionsOf(step).map(({ pod, state }) => [pod, state])).toEqual([
      ['openstack/api-0', 'left'],
      ['openstack/rabbitmq-0', 'refused'],
      ['openstack/api-0', 'requested'],
    ])
  })

  it.each([
    [{ memoryTotal: 100, memoryRemaining: 25 }, 75],
    [{ memoryTotal: 100, memoryRemaining: 130 }, 0],
    [{ memoryTotal: 0, memoryRemaining: 0 }, null],
    [{ memoryTotal: null, memoryRemaining: null }, null],
    [{}, null],
  ])('the memory %j is %s percent', (values, percent) => {
    expect(facts.percentOf({ values })).toBe(percent)
  })
})

describe('the block of a run under way', () => {
  it('counts what has to move from the plan, whichever step named it', () => {
    const checked = samplePlan({
      answers: { 'node-exists': holding('x', sampleEffects), 'migrate-instances': holding('1 instance to move.') },
    })
    const sample = createSampleRun(checked)
    sample.created()
    sample.started('migrate-instances')
    sample.fact('migrate-instances', facts.MIGRATION_REQUESTED, 'server/id-web', { name: 'web-1', attempt: 1 }, true)
    const lines = renderLive(foldRun(sample.events), NOW, terminalLook(120), 40)
    expect(lines.find(line => line.includes('Live-migrate'))).toContain('(0 of 1 moved, ')
  })

  it('prints in the stream of events first the fault, and then how long it retries', () => {
    const sample = createSampleRun()
    sample.created()
    const times = { since: '2026-11-21T10:03:00.000Z', until: '2026-11-21T10:08:00.000Z' }
    const fact = sample.fact('drain-node', facts.TRANSIENT_RETRYING, 'drain-node', {
      reason: 'Could not read pods.',
      ...times,
    })
    expect(createEventLines(pipeLook, false).linesOf(fact).join()).toContain(
      'waits. Could not read pods. It continues automatically, or asks you at 10:08:00.',
    )
    expect(eventLine(fact, new Map()).text).toContain(
      'waits. Could not read pods. It continues automatically, or asks you after 5 min.',
    )
  })

  it('says what a verify still sees while it looks on, until it is verified', () => {
    const sample = midRun()
    const seen = { reason: '1 pod still on cmp-1: web.', until: '2026-11-21T10:13:00.000Z', leftMs: 540_000 }
    const fact = sample.fact('drain-node', facts.NOT_VERIFIED_YET, 'drain-node', seen)
    expect(createEventLines(pipeLook, false).linesOf(fact).join()).toContain(
      'not verified yet. 1 pod still on cmp-1: web. Lockkeeper checks again until 10:13:00.',
    )
    expect(eventLine(fact, new Map()).text).toContain(
      'not verified yet. 1 pod still on cmp-1: web. Lockkeeper checks again for 9 min.',
    )
    const waits = () => foldRun(sample.events).passingWaits.map(({ stepId, reason }) => [stepId, reason])
    expect(waits()).toEqual([['drain-node', '1 pod still on cmp-1: web.']])
    expect(renderLive(foldRun(sample.events), NOW, terminalLook(120), 40).join('\n')).toContain(
      'Not verified yet: 1 pod',
    )
    sample.verified('drain-node')
    expect(waits()).toEqual([])
  })

  it.each([
    [40, 40],
    [60, 10],
    [80, 6],
    [200, 5],
  ])('fits %d columns and %d rows, so that it can be redrawn in place', (columns, rows) => {
    const sample = midRun()
    for (let number = 10; number < 40; number++) {
      sample.fact(
        'migrate-instances',
        facts.MIGRATION_REQUESTED,
        `server/vm-${number}`,
        { name: `vm-${number}`, attempt: 1 },
        true,
      )
    }
    const lines = renderLive(foldRun(sample.events), NOW, terminalLook(columns), rows)
    expect(lines.length).toBeLessThan(rows)
    for (const line of lines) expect(widthOf(line), line).toBeLessThan(columns)
  })
})

describe('lines with time stamps', () => {
  const report = (sample: ReturnType<typeof createSampleRun>, verbose = false) => {
    const lines = createEventLines(pipeLook, verbose)
    return sample.events.flatMap(event => lines.linesOf(event))
  }

  it('a budget that refuses again in the same words is printed once; in other words, again', () => {
    const sample = draining()
    const refuse = (sentence: string) =>
      sample.fact('drain-node', 'pod.eviction-refused', 'pod/openstack/rabbitmq-0', {
        uid: 'uid-rabbitmq-0',
        sentence,
        retryAt: 'later',
      })
    refuse('The disruption budget rabbitmq-pdb needs 3 healthy pods and has 3 currently.')
    refuse('The disruption budget rabbitmq-pdb needs 3 healthy pods and has 2 currently.')
    expect(report(sample).filter(line => line.includes('rabbitmq-0: waits'))).toHaveLength(2)
    expect(report(sample, true).filter(line => line.includes('rabbitmq-0: waits'))).toHaveLength(3)
  })

  it('-v prints more', () => {
    expect(report(midRun(), true).join('\n')).toContain('web-2: 63 % of its memory copied')
    expect(report(midRun(), true).length).toBeGreaterThan(report(midRun()).length)
  })

  it('each is one line, whatever a cloud wrote into it', () => {
    const sample = createSampleRun()
    sample.created()
    sample.add({
      kind: 'step-failed',
      stepId: 'drain-node',
      failure: { code: 'server-fault', message: 'first\nsecond\u001b[2J', retryable: true },
    })
    expect(report(sample)).toEqual(['10:00:06  Drain cmp-1: failed. first second\\u{1b}[2J'])
  })
})

describe('a run reads as it should', () => {
  const live = (sample: ReturnType<typeof midRun>) => renderLive(foldRun(sample.events), NOW, terminalLook(120), 40)
  const asked = () => {
    const sample = midRun()
    sample.gate('gate-7', ['retry', 'abort'])
    return sample
  }
  const ended = (state: 'done' | 'not-reached' | 'failed' | 'aborted', sample: ReturnType<typeof midRun>) =>
    renderEnd(sampleSummary(state), foldRun(sample.events), pipeLook)

  it('under way', async () => {
    const transientRetry = midRun()
    const times = { since: '2026-11-21T10:03:00.000Z', until: '2026-11-21T10:08:00.000Z' }
    transientRetry.fact('migrate-instances', facts.TRANSIENT_RETRYING, 'migrate-instances', {
      reason: 'Nova failed.',
      ...times,
    })
    const drained = draining()
    drained.verified('drain-node')
    drained.finished()
    const reported = (verbose: boolean) => {
      const lines = createEventLines(pipeLook, verbose)
      return drained.events.flatMap(event => lines.linesOf(event))
    }
    const parts = {
      'Instances move': live(midRun()),
      'Pods leave': live(draining()),
      'It waits out what passes': live(transientRetry),
      'It asks': live(asked()),
      'Line by line': reported(false),
      'Line by line, with -v': reported(true),
    }
    await expect(transcript(parts)).toMatchFileSnapshot('transcripts/run-under-way.txt')
  })

  it('at its end, and shown in full', async () => {
    const done = draining()
    for (const id of ['disable-compute', 'migrate-instances', 'drain-node']) done.verified(id)
    done.finished()
    const failed = midRun()
    const forbidden = 'Nova forbids os-migrateLive: the rule os_compute_api:os-migrate-server:migrate_live.'
    const failure = { code: 'not-permitted', message: forbidden, retryable: false } as const
    failed.add({ kind: 'step-failed', stepId: 'migrate-instances', failure })
    failed.finished('failed', ['nova-compute on cmp-1 is disabled'])
    const aborted = midRun()
    aborted.finished('aborted')
    const left = draining()
    left.fact('drain-node', 'node-verdict', 'node/cmp-1', JSON.parse(JSON.stringify(sampleNotEmpty('cmp-1').verdict)))
    left.finished()
    const sample = asked()
    const shown = (verbose: boolean) =>
      renderRun(sampleSummary('waiting'), foldRun(sample.events), sample.events, pipeLook, { verbose, later: [] })
    const group = { name: 'rack-1', index: 1, nodes: ['cmp-1'], concurrentUpdates: 1 }
    const window = { kind: 'in' as const, id: 'win-1', title: 'Kernels' }
    const rolling = (plan: ReturnType<typeof plannedBatches>, state: 'aborted' | 'checks-failed') => {
      const batches = createSampleRun({ plan, checkedAt: plan.madeAt, checks: [], startable: true })
      batches.created()
      batches.finished(state)
      return renderEnd(sampleSummary(state), foldRun(batches.events), pipeLook)
    }
    const parts = {
      Done: ended('done', done),
      'Done, and its node is not empty': ended('not-reached', left),
      Failed: ended('failed', failed),
      Aborted: ended('aborted', aborted),
      'Batches of a window, aborted': rolling({ ...plannedBatches(), window }, 'aborted'),
      'Batches of a window whose checks failed': rolling({ ...plannedBatches(), window }, 'checks-failed'),
      'Groups of flags within a window, aborted': rolling(
        { ...plannedBatches({ groups: [group] }), window },
        'aborted',
      ),
      'Batches of no window, aborted': rolling(plannedBatches(), 'aborted'),
      'Batches of no window whose checks failed': rolling(plannedBatches(), 'checks-failed'),
      'One that waits, shown': shown(false),
      'One that waits, shown with -v': shown(true),
    }
    await expect(transcript(parts)).toMatchFileSnapshot('transcripts/run-shown.txt')
  })
})

describe('the end of a run', () => {
  /** The end of a run whose last look at its node was this one. */
  const endOf = (verdict: object, more: readonly RunEventBody[] = []) => {
    const sample = midRun()
    for (const body of more) sample.add(body)
    sample.fact('drain-node', facts.NODE_VERDICT, 'node/cmp-1', JSON.parse(JSON.stringify(verdict)))
    sample.finished()
    return renderEnd(sampleSummary('not-reached'), foldRun(sample.events), pipeLook)
  }
  const { verdict: left } = sampleNotEmpty('cmp-1')

  it('says what its node is in a line, names instances, and has each command on its own line', () => {
    const end = endOf(left)
    expect(end[0]).toMatch(/^✗ cmp-1 is not empty\. Took \S+ s\.$/)
    expect(end[1]).toBe('  web-1 still runs on it. Do not power it off.')
    expect(end).toContain('    lockkeeper enter lab cmp-1')
    expect(end.join('\n')).not.toContain('6f1c0000')
  })

  it('has ids only where two instances share a name', () => {
    const [web] = left.kind === 'NotEmpty' ? left.instances : []
    const two = [web, { ...web, id: '7a2d0000-0000-4000-8000-000000000002' }]
    expect(endOf({ ...left, instances: two })[1]).toBe(
      '  web-1 (6f1c0000) and web-1 (7a2d0000) still run on it. Do not power it off.',
    )
  })

  it('offers the same again only where no check was overridden and something may move', () => {
    const override: RunEventBody = {
      kind: 'blocker-overridden',
      stepId: 'drain-node',
      code: 'instance-in-error',
      message: 'web-1 is in ERROR.',
      flag: 'force',
      reason: 'known',
    }
    const forced = endOf(left, [override])
    expect(forced).not.toContain('    lockkeeper enter lab cmp-1')
    expect(forced).toContain('    lockkeeper plan enter lab cmp-1')
    expect(forced).toContain('  Started anyway (force): web-1 is in ERROR. Reason: known.')
    const [web] = left.kind === 'NotEmpty' ? left.instances : []
    const broken = endOf({ ...left, instances: [{ ...web, code: 'InError' }] })
    expect(broken).toContain('    lockkeeper plan enter lab cmp-1')
    expect(broken).toContain('  · web-1: is in ERROR')
  })

  it('offers no command for a run of the demo, whose clouds end with the console that started them', () => {
    const sample = draining()
    sample.finished()
    const { driver, ...view } = foldRun(sample.events)
    const ofDemo = { ...view, driver: { ...driver, version: demoVersion(driver.version) } }
    expect(renderEnd(sampleSummary('done'), ofDemo, pipeLook).join('\n')).not.toContain('lockkeeper')
  })

  it('offers to undo a run by the rule of the router: while it has changes left and nobody worked there since', () => {
    const sample = midRun()
    sample.fact('disable-compute', facts.COMPUTE_DISABLE_REQUESTED, 'nova-compute/cmp-1', { reason: 'ours' })
    sample.finished('aborted')
    const view = foldRun(sample.events)
    const shown = (later: readonly RunSummary[] | null) =>
      renderRun(sampleSummary('aborted'), view, sample.events, pipeLook, { verbose: false, later }).join('\n')
    const offer = `  next, to undo its changes:\n    lockkeeper undo ${RUN_ID}`
    expect(renderEnd(sampleSummary('aborted'), view, pipeLook).join('\n')).toContain(offer)
    expect(shown([])).toContain(offer)
    expect(shown([sampleSummary('done', { id: 'later', kind: 'leave' })])).not.toContain('lockkeeper undo')
    expect(shown(null)).not.toContain('lockkeeper undo')
  })

  it.each([false, true])('an open question is printed once, by the state of the run; left by its driver: %s', left => {
    const sample = midRun()
    sample.gate('gate-7', ['retry', 'abort'])
    if (left) sample.add({ kind: 'driver-left', why: 'olga left it', left: { code: 'Detached', by: 'olga' } })
    const view = foldRun(sample.events)
    const summary = summarizeRun(view, left)
    const shown = renderRun(summary, view, sample.events, pipeLook, { verbose: false, later: [] }).join('\n')
    expect(shown.split('1 instance could not be moved.')).toHaveLength(2)
    expect(shown.split('lockkeeper run answer')).toHaveLength(2)
    expect(shown).toContain('! How to answer:')
  })

  it('what could not be verified reads as unknown: neither as verified nor as failed', () => {
    const sample = midRun()
    sample.applied('migrate-instances', '3 instances moved.')
    const reason = 'The list of instances on cmp-1 is empty.'
    const answer = { kind: 'cannot-tell' as const, reason, remedy: 'Ask again.', evidence: [], mayStillHold: true }
    sample.add({ kind: 'step-verified', stepId: 'migrate-instances', round: 'final', answer })
    sample.finished('failed')
    const view = foldRun(sample.events)
    const reported = 'could not verify this. The list of instances on cmp-1 is empty. Ask again.'
    const end = renderEnd(sampleSummary('failed'), view, pipeLook).join('\n')
    expect(end).toContain(reported)
    expect(end, 'disable-compute').toContain('1 of 3 steps verified')
    const shown = renderRun(sampleSummary('failed'), view, sample.events, pipeLook, { verbose: false, later: [] }).join(
      '\n',
    )
    expect(shown).toMatch(/✗ +Live-migrate instances off cmp-1 +cannot tell/)
    const lines = createEventLines(pipeLook, false)
    expect(sample.events.flatMap(event => lines.linesOf(event)).join('\n')).toContain(reported)
  })

  it('as JSON has id, kind, node, state, its steps and what it waits for', () => {
    const sample = midRun()
    sample.gate('gate-7', ['retry', 'abort'])
    const value = runAsJson(sampleSummary('waiting'), foldRun(sample.events), sample.events)
    expect(value).toMatchObject({
      id: RUN_ID,
      kind: 'enter',
      node: 'cmp-1',
      state: 'waiting',
      outcome: null,
      waiting: { gateId: 'gate-7', choices: ['retry', 'abort'] },
    })
    expect(value.steps).toHaveLength(4)
  })
})
