import { describe, expect, it } from 'vitest'
import { createEventLines } from '../../../../main/faces/cli/render/event-lines.ts'
import { renderEnd } from '../../../../main/faces/cli/render/render-end.ts'
import { renderLive } from '../../../../main/faces/cli/render/render-live.ts'
import { renderRun } from '../../../../main/faces/cli/render/render-run.ts'
import { runAsJson } from '../../../../main/faces/cli/render/run-as-json.ts'
import { widthOf } from '../../../../main/faces/cli/words/width.ts'
import type { RunSummary } from '../../../../shared/contract/index.ts'
import { demoVersion } from '../../../../shared/domain/run.ts'
import * as facts from '../../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { evictionsOf, migrationsOf } from '../../../../shared/domain/run-progress.ts'
import { eventLine } from '../../../../shared/words/run-events.ts'
import { pipeLook, terminalLook } from '../../../fixtures/cli/looks.ts'
import { holding, sampleEffects, samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { createRunStory, RUN_ID, sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { plannedBatches } from '../../../fixtures/procedures/rolling-plan.ts'

const NOW = Date.parse('2026-11-21T10:01:00.000Z')

/** A run in the middle: two instances migrate, one moved, one failed once; a pod waits for its budget. */
function midRun() {
  const story = createRunStory()
  story.created()
  story.started('disable-compute')
  story.applied('disable-compute', 'nova-compute on cmp-1 is disabled.')
  story.verified('disable-compute', 'early')
  story.started('migrate-instances')
  for (const name of ['web-1', 'web-2', 'web-3']) {
    story.fact('migrate-instances', facts.MIGRATION_REQUESTED, `server/${name}`, { name, attempt: 1 }, true)
  }
  story.fact('migrate-instances', facts.INSTANCE_MOVED, 'server/web-1', {
    name: 'web-1',
    to: 'cmp-2',
    status: 'ACTIVE',
    attempt: 1,
  })
  story.fact('migrate-instances', facts.MIGRATION_PROGRESS, 'server/web-2', {
    name: 'web-2',
    memoryTotal: 1000,
    memoryRemaining: 370,
  })
  story.fact('migrate-instances', facts.MIGRATION_FAILED, 'server/web-3', {
    name: 'web-3',
    attempt: 1,
    why: 'no valid host',
  })
  return story
}

function draining() {
  const story = midRun()
  story.applied('migrate-instances', '3 instances moved.')
  story.started('drain-node')
  const pod = (fact: string, name: string, values: Record<string, string | number>) =>
    story.fact('drain-node', fact, `pod/openstack/${name}`, { uid: `uid-${name}`, ...values })
  pod('pod.eviction-requested', 'api-0', { attempt: 1 })
  pod('pod.eviction-accepted', 'api-0', {})
  pod('pod.left', 'api-0', { how: 'gone' })
  pod('pod.eviction-requested', 'rabbitmq-0', { attempt: 1 })
  pod('pod.eviction-refused', 'rabbitmq-0', {
    sentence: 'The disruption budget rabbitmq-pdb needs 3 healthy pods and has 3 currently.',
    retryAt: '2026-11-21T10:01:05.000Z',
  })
  return story
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
    const story = midRun()
    story.fact('migrate-instances', facts.MIGRATION_REQUESTED, 'server/web-2', { name: 'web-2', attempt: 2 }, true)
    const step = foldRun(story.events).steps.find(({ step: { id } }) => id === 'migrate-instances')
    const again = step && migrationsOf(step).find(({ name }) => name === 'web-2')
    expect(again).toMatchObject({ attempt: 2, percent: null, state: 'running', startedAt: story.events.at(-1)?.at })
  })

  it('a pod that comes back under its old name is another pod', () => {
    const story = draining()
    story.fact('drain-node', 'pod.eviction-requested', 'pod/openstack/api-0', { uid: 'uid-new', attempt: 1 })
    const step = foldRun(story.events).steps.find(({ step: { id } }) => id === 'drain-node')
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
  it('counts what has to move from the plan, whichever step told of it', () => {
    const checked = samplePlan({
      answers: { 'node-exists': holding('x', sampleEffects), 'migrate-instances': holding('1 instance to move.') },
    })
    const story = createRunStory(checked)
    story.created()
    story.started('migrate-instances')
    story.fact('migrate-instances', facts.MIGRATION_REQUESTED, 'server/id-web', { name: 'web-1', attempt: 1 }, true)
    const lines = renderLive(foldRun(story.events), NOW, terminalLook(120), 40)
    expect(lines.find(line => line.includes('Live-migrate'))).toContain('(0 of 1 moved, ')
  })

  it('shows what is done, what runs and what is to come', () => {
    const lines = renderLive(foldRun(midRun().events), NOW, terminalLook(120), 40)
    expect(lines[0]).toBe(`Taking cmp-1 of lab out of service · run ${RUN_ID} · 1 min`)
    expect(lines).toContain(' ✓ 1 check made')
    expect(lines.find(line => line.includes('Disable nova-compute'))).toMatch(/^ ✓ Disable nova-compute of cmp-1 \(/)
    expect(lines.find(line => line.includes('Live-migrate'))).toMatch(
      /^ ▸ Live-migrate instances off cmp-1 \(1 of 3 moved, /,
    )
    expect(lines.find(line => line.includes('Drain'))).toBe(' · Drain cmp-1')
  })

  it('shows running migrations with attempt, progress and time, failed ones with why, moved ones only counted', () => {
    const lines = renderLive(foldRun(midRun().events), NOW, terminalLook(120), 40)
    expect(lines.find(line => line.includes('web-2'))).toMatch(/^ {5}web-2 {2}attempt 1, 63 %, \d+ s$/)
    expect(lines).toContain('     web-3  attempt 1 failed: no valid host')
    expect(lines.some(line => line.includes('web-1'))).toBe(false)
  })

  it("shows a waiting eviction with the budget's own sentence and the next try", () => {
    const lines = renderLive(foldRun(draining().events), NOW, terminalLook(160), 40)
    expect(lines).toContain(
      '     openstack/rabbitmq-0  waits: The disruption budget rabbitmq-pdb needs 3 healthy pods and has 3 currently. Next try 10:01:05.',
    )
    expect(lines.find(line => line.includes('Drain'))).toContain('1 of 2 pods left')
  })

  it('says what it waits out, since when, and when it asks, first what fits the narrowest terminal', () => {
    const story = midRun()
    const times = { since: '2026-11-21T10:03:00.000Z', until: '2026-11-21T10:08:00.000Z' }
    story.fact('migrate-instances', facts.OUTLASTING, 'migrate-instances', { reason: 'Nova failed.', ...times })
    const lines = renderLive(foldRun(story.events), NOW, terminalLook(120), 40)
    expect(lines).toContain(' ! Waits since 10:03:00, goes on by itself; asks at 10:08:00: Nova failed.')
  })

  it('tells in the stream of events what is waited out first, and then until when', () => {
    const story = createRunStory()
    story.created()
    const times = { since: '2026-11-21T10:03:00.000Z', until: '2026-11-21T10:08:00.000Z' }
    const fact = story.fact('drain-node', facts.OUTLASTING, 'drain-node', { reason: 'Could not read pods.', ...times })
    expect(createEventLines(pipeLook, false).linesOf(fact).join()).toContain(
      'waits. Could not read pods. It goes on by itself when that passes, and asks at 10:08:00.',
    )
    expect(eventLine(fact, new Map()).text).toContain(
      'waits. Could not read pods. It goes on by itself when that passes, and asks after 5 min.',
    )
  })

  it('says what a verify still sees while it looks on, until it is verified', () => {
    const story = midRun()
    const seen = { reason: '1 pod still on cmp-1: web.', until: '2026-11-21T10:13:00.000Z', leftMs: 540_000 }
    const fact = story.fact('drain-node', facts.NOT_VERIFIED_YET, 'drain-node', seen)
    expect(createEventLines(pipeLook, false).linesOf(fact).join()).toContain(
      'not verified yet. 1 pod still on cmp-1: web. Looked at again until 10:13:00.',
    )
    expect(eventLine(fact, new Map()).text).toContain(
      'not verified yet. 1 pod still on cmp-1: web. Looked at again for 9 min.',
    )
    const waits = () => foldRun(story.events).passingWaits.map(({ stepId, reason }) => [stepId, reason])
    expect(waits()).toEqual([['drain-node', 'Not verified yet: 1 pod still on cmp-1: web.']])
    expect(renderLive(foldRun(story.events), NOW, terminalLook(120), 40).join('\n')).toContain('Not verified yet')
    story.verified('drain-node')
    expect(waits()).toEqual([])
  })

  it('says that it waits for an answer', () => {
    const story = midRun()
    story.gate()
    expect(renderLive(foldRun(story.events), NOW, terminalLook(120), 40)).toContain(
      ' ! Waits for an answer: 1 instance could not be moved.',
    )
  })

  it.each([
    [40, 40],
    [60, 10],
    [80, 6],
    [200, 5],
  ])('fits %d columns and %d rows, so that it can be redrawn in place', (columns, rows) => {
    const story = midRun()
    for (let number = 10; number < 40; number++) {
      story.fact(
        'migrate-instances',
        facts.MIGRATION_REQUESTED,
        `server/vm-${number}`,
        { name: `vm-${number}`, attempt: 1 },
        true,
      )
    }
    const lines = renderLive(foldRun(story.events), NOW, terminalLook(columns), rows)
    expect(lines.length).toBeLessThan(rows)
    for (const line of lines) expect(widthOf(line), line).toBeLessThan(columns)
  })
})

describe('lines with time stamps', () => {
  const tell = (story: ReturnType<typeof createRunStory>, verbose = false) => {
    const lines = createEventLines(pipeLook, verbose)
    return story.events.flatMap(event => lines.linesOf(event))
  }

  it('tell each event that matters once, with its time', () => {
    const story = draining()
    story.verified('drain-node')
    story.finished()
    const lines = tell(story)
    for (const line of lines) expect(line).toMatch(/^\d\d:\d\d:\d\d {2}\S/)
    const text = lines.join('\n')
    expect(text).toContain('Live-migrate instances off cmp-1')
    expect(text).toContain('web-1: moved to cmp-2, ACTIVE')
    expect(text).toContain('web-3: attempt 1 failed: no valid host')
    expect(text).toContain('openstack/rabbitmq-0: waits. The disruption budget rabbitmq-pdb needs 3')
    expect(text).toContain('Drain cmp-1: verified at the end. drain-node holds.')
    expect(text).toContain('Ended done.')
    expect(text).not.toContain('% of its memory')
  })

  it('a budget that refuses again in the same words is told once; in other words, again', () => {
    const story = draining()
    const refuse = (sentence: string) =>
      story.fact('drain-node', 'pod.eviction-refused', 'pod/openstack/rabbitmq-0', {
        uid: 'uid-rabbitmq-0',
        sentence,
        retryAt: 'later',
      })
    refuse('The disruption budget rabbitmq-pdb needs 3 healthy pods and has 3 currently.')
    refuse('The disruption budget rabbitmq-pdb needs 3 healthy pods and has 2 currently.')
    expect(tell(story).filter(line => line.includes('rabbitmq-0: waits'))).toHaveLength(2)
    expect(tell(story, true).filter(line => line.includes('rabbitmq-0: waits'))).toHaveLength(3)
  })

  it('more is told on -v', () => {
    expect(tell(midRun(), true).join('\n')).toContain('web-2: 63 % of its memory copied')
    expect(tell(midRun(), true).length).toBeGreaterThan(tell(midRun()).length)
  })

  it('each is one line, whatever a cloud wrote into it', () => {
    const story = createRunStory()
    story.created()
    story.add({
      kind: 'step-failed',
      stepId: 'drain-node',
      failure: { code: 'server-fault', message: 'first\nsecond\u001b[2J', retryable: true },
    })
    expect(tell(story)).toEqual(['10:00:06  Drain cmp-1: failed. first second\\u{1b}[2J'])
  })
})

describe('the end of a run', () => {
  it('says what was done and verified, and what comes next', () => {
    const story = draining()
    for (const id of ['disable-compute', 'migrate-instances', 'drain-node']) story.verified(id)
    story.finished()
    const text = renderEnd(sampleSummary('done'), foldRun(story.events), pipeLook).join('\n')
    expect(text).toMatch(/^✓ It is done\. Took \d+ s\.$/m)
    expect(text).toContain('1 instance moved, 1 pod gone')
    expect(text).toContain('3 of 3 steps verified in the cloud')
    expect(text).toContain('next: `lockkeeper leave lab cmp-1`')
  })

  it('says what failed and why, what stays changed, and the ways on', () => {
    const story = midRun()
    story.add({
      kind: 'step-failed',
      stepId: 'migrate-instances',
      failure: {
        code: 'not-permitted',
        message: 'Nova forbids os-migrateLive: the rule os_compute_api:os-migrate-server:migrate_live.',
        retryable: false,
      },
    })
    story.finished('failed', ['nova-compute on cmp-1 is disabled'])
    const text = renderEnd(sampleSummary('failed'), foldRun(story.events), pipeLook).join('\n')
    expect(text).toContain('✗ Taking cmp-1 of lab out of service failed.')
    expect(text).toContain('Live-migrate instances off cmp-1: Nova forbids os-migrateLive')
    expect(text).toContain('Changed, and stays so:')
    expect(text).toContain('nova-compute on cmp-1 is disabled')
    expect(text).toContain(`next: \`lockkeeper run resume ${RUN_ID}\`, to go on where it stopped`)
    expect(text).toContain('next: `lockkeeper leave lab cmp-1`, to go back')
  })

  it('offers no command for a run of the demo, whose clouds end with the console that started them', () => {
    const story = draining()
    story.finished()
    const { driver, ...view } = foldRun(story.events)
    const ofDemo = { ...view, driver: { ...driver, version: demoVersion(driver.version) } }
    expect(renderEnd(sampleSummary('done'), ofDemo, pipeLook).join('\n')).not.toContain('lockkeeper')
  })

  it('offers to undo a run by the rule of the router: while something of it is left and nobody worked there since', () => {
    const story = midRun()
    story.fact('disable-compute', facts.COMPUTE_DISABLE_REQUESTED, 'nova-compute/cmp-1', { reason: 'ours' })
    story.finished('aborted')
    const view = foldRun(story.events)
    const shown = (later: readonly RunSummary[] | null) =>
      renderRun(sampleSummary('aborted'), view, story.events, pipeLook, { verbose: false, later }).join('\n')
    const offer = `next: \`lockkeeper undo ${RUN_ID}\`, to take back what it did`
    expect(renderEnd(sampleSummary('aborted'), view, pipeLook).join('\n')).toContain(offer)
    expect(shown([])).toContain(offer)
    expect(shown([sampleSummary('done', { id: 'later', kind: 'leave' })])).not.toContain('lockkeeper undo')
    expect(shown(null)).not.toContain('lockkeeper undo')
  })

  it.each([
    {
      of: "a window's batches",
      plan: { ...plannedBatches(), window: { kind: 'in' as const, id: 'win-1', title: 'Kernels' } },
      next: 'next: `lockkeeper window start win-1`',
    },
    {
      of: 'groups of flags within a window',
      plan: {
        ...plannedBatches({ groups: [{ name: 'rack-1', index: 1, nodes: ['cmp-1'], concurrentUpdates: 1 }] }),
        window: { kind: 'in' as const, id: 'win-1', title: 'Kernels' },
      },
      next: 'next: `lockkeeper update start west --window win-1` with the same flags',
    },
    { of: 'no window', plan: plannedBatches(), next: 'next: `lockkeeper update start west` with the same flags' },
  ])('after an aborted run of $of, the next command keeps its batches and its window', ({ plan, next }) => {
    for (const state of ['aborted', 'checks-failed'] as const) {
      const story = createRunStory({ plan, checkedAt: plan.madeAt, checks: [], startable: true })
      story.created()
      story.finished(state)
      const text = renderEnd(sampleSummary(state), foldRun(story.events), pipeLook).join('\n')
      expect(text).toContain(`${next}, ${state === 'aborted' ? 'to begin again' : 'which checks once more'}`)
    }
  })

  it('what could not be told is told as that: neither as verified nor as something that is not so', () => {
    const story = midRun()
    story.applied('migrate-instances', '3 instances moved.')
    const reason = 'The list of instances on cmp-1 is empty.'
    const answer = { kind: 'cannot-tell' as const, reason, remedy: 'Ask again.', evidence: [], mayStillHold: true }
    story.add({ kind: 'step-verified', stepId: 'migrate-instances', round: 'final', answer })
    story.finished('failed')
    const view = foldRun(story.events)
    const told = 'cannot tell whether it is so. The list of instances on cmp-1 is empty. Ask again.'
    const end = renderEnd(sampleSummary('failed'), view, pipeLook).join('\n')
    expect(end).toContain(told)
    expect(end, 'disable-compute').toContain('1 of 3 steps verified')
    const shown = renderRun(sampleSummary('failed'), view, story.events, pipeLook, { verbose: false, later: [] }).join(
      '\n',
    )
    expect(shown).toMatch(/✗ +Live-migrate instances off cmp-1 +cannot tell/)
    const lines = createEventLines(pipeLook, false)
    expect(story.events.flatMap(event => lines.linesOf(event)).join('\n')).toContain(told)
  })

  it('a run shown in full has its steps, its open gate with how to answer it, and on -v its events', () => {
    const story = midRun()
    story.gate('gate-7', ['retry', 'abort'])
    const view = foldRun(story.events)
    const text = renderRun(sampleSummary('waiting'), view, story.events, pipeLook, { verbose: false, later: [] }).join(
      '\n',
    )
    expect(text).toContain(`Run ${RUN_ID}: enter cmp-1 of lab`)
    expect(text).toContain('by        olga on bastion')
    expect(text).toMatch(/✓ +Node cmp-1 exists +holds/)
    expect(text).toMatch(/✓ +Disable nova-compute of cmp-1 +verified/)
    expect(text).toMatch(/· +Drain cmp-1 +ready/)
    expect(text).toContain('gate:   gate-7')
    expect(text).toContain(`answer: \`lockkeeper run answer ${RUN_ID} gate-7 CHOICE\` (retry|abort)`)
    expect(text).not.toContain('Events')
    const detailed = renderRun(sampleSummary('waiting'), view, story.events, pipeLook, {
      verbose: true,
      later: [],
    }).join('\n')
    expect(detailed).toContain('Events')
    expect(detailed).toContain('web-1: moved to cmp-2')
    expect(detailed).toContain('node/cmp-1, read 10:00:00')
  })

  it('as JSON has id, kind, node, state, its steps and what it waits for', () => {
    const story = midRun()
    story.gate('gate-7', ['retry', 'abort'])
    const value = runAsJson(sampleSummary('waiting'), foldRun(story.events), story.events)
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
