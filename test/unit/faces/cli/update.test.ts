import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunSummary } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { UpdateOptions } from '../../../../shared/domain/update.ts'
import { beginTimeline } from '../../../../shared/domain/update-fold.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { RUN_ID, sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { plannedUpdate, UPDATE_OPTIONS } from '../../../fixtures/procedures/update-plan.ts'

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-update-cli-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const PROPOSED: UpdateOptions = {
  ...UPDATE_OPTIONS,
  groups: [{ name: 'default', index: 1, nodes: ['cmp-1', 'cmp-2', 'cmp-3', 'osd-1'], concurrentUpdates: 1 }],
  work: { kind: 'person' },
}

/** Plans with these flags; answers what the plan was asked for. */
async function planned(...flags: string[]) {
  const fake = createFakeContract({
    'update.propose': () =>
      ok({ options: PROPOSED, left: [{ node: 'cmp-9', why: 'its kubelet does not report' }], batches: [] }),
    'update.plan': () =>
      ok({ plan: plannedUpdate(), checkedAt: '2026-01-01T00:00:00.000Z', checks: [], startable: true }),
  })
  const terminal = createFakeTerminal({ contract: fake.contract })
  const code = await terminal.run('update', 'plan', 'east', ...flags)
  return { code, terminal, asked: fake.inputsOf('update.plan')[0] }
}

function withRun(
  state: RunSummary['state'],
  drivenBy: string | null = null,
  kind: 'update' | 'rolling-maintenance' = 'update',
) {
  const summary = { ...sampleSummary(state), kind, node: null, cluster: 'east' }
  const other = { ...sampleSummary('done'), id: 'other-run', cluster: 'east' }
  return createFakeContract({
    'run.list': () => ok([other, summary]),
    'run.pause': () => ok({}),
    'run.pause-after-node': () => ok({}),
    'run.skip-node': () => ok({}),
    'run.unpause': () => ok({}),
    'run.abort': () => ok(summary),
    'update.observe': ({ cluster }) => {
      if (drivenBy === null) return failed(failure('not-found', 'There is no such API.'))
      const timeline = {
        ...beginTimeline({ kind: 'observed', since: '2026-01-01T00:00:00.000Z' }, []),
        phase: 'prepare' as const,
      }
      return ok({ cluster, timeline, drivenBy, plans: [], readAt: '2026-01-01T00:00:00.000Z' })
    },
    'update.timeline': () =>
      ok(
        beginTimeline({ kind: 'run', runId: RUN_ID }, [
          { node: 'cmp-1', phase: 'worker-nodes', group: 'early', atOnce: 1 },
        ]),
      ),
  })
}

describe('update plan', () => {
  it('without flags is the update as proposed, and names what is left out', async () => {
    const { code, terminal, asked } = await planned()
    expect(code).toBe(0)
    expect(asked).toEqual({ cluster: 'east', update: PROPOSED, choices: {} })
    expect(terminal.out()).toContain('3. control-plane nodes: mst-1, ctl-2')
    expect(terminal.out()).toContain('early: cmp-1, cmp-2, cmp-3 (2 at once); late: osd-1 (one by one)')
    expect(terminal.out()).toContain('cmp-9 (its kubelet does not report)')
  })

  it('groups run in the order typed; * is every worker that no group names', async () => {
    const { asked } = await planned('--group', 'disks=osd-1', '--group', 'rest=*:2')
    expect(asked?.update.groups).toEqual([
      { name: 'disks', index: 1, nodes: ['osd-1'], concurrentUpdates: 1 },
      { name: 'rest', index: 2, nodes: ['cmp-1', 'cmp-2', 'cmp-3'], concurrentUpdates: 2 },
    ])
  })

  it('a node that no group names is said to be left out', async () => {
    const { terminal } = await planned('--group', 'disks=osd-1')
    expect(terminal.out()).toContain('cmp-1 (in no group)')
  })

  it.each([
    ['person', { kind: 'person' }],
    ['boot-id', { kind: 'boot-id' }],
    ['kubelet=v1.33.1', { kind: 'kubelet-version', version: 'v1.33.1' }],
    ['os-image=Ubuntu 24.04', { kind: 'os-image', contains: 'Ubuntu 24.04' }],
  ])('--work %s', async (typed, work) => {
    expect((await planned('--work', typed)).asked?.update.work).toEqual(work)
  })

  it('--work job=FILE hands over what the file says', async () => {
    writeFileSync(join(directory, 'job.yaml'), 'kind: Job')
    const { asked } = await planned('--work', `job=${join(directory, 'job.yaml')}`, '--job-namespace', 'ops')
    expect(asked?.update.work).toEqual({ kind: 'job', namespace: 'ops', manifest: 'kind: Job' })
  })

  it('every other choice is passed on', async () => {
    const { asked } = await planned(
      ...['--scope', 'drain', '--release', '26.2', '--reason', 'CHG-9', '--control', 'none', '--zone-at-a-time'],
      ...['--pause-between-nodes', '--pause-between-phases', '--force', 'agreed'],
    )
    expect(asked).toMatchObject({
      update: {
        scope: 'drain',
        release: '26.2',
        reason: 'CHG-9',
        controlNodes: [],
        zoneAtATime: true,
        pauseBetweenNodes: true,
        pauseBetweenPhases: true,
      },
      choices: { overrides: [{ flag: 'force', reason: 'agreed' }] },
    })
  })
})

describe('an update under way, by its cluster', () => {
  it.each([
    [['pause'], 'run.pause', { runId: RUN_ID }],
    [['stop-after'], 'run.pause-after-node', { runId: RUN_ID }],
    [['abort', '--yes', '--reason', 'late'], 'run.abort', { runId: RUN_ID, reason: 'late' }],
  ] as const)('update %j reaches its run, not another one of the cluster', async ([verb, ...flags], name, input) => {
    const fake = withRun('running')
    expect(await createFakeTerminal({ contract: fake.contract }).run('update', verb, 'east', ...flags)).toBe(0)
    expect(fake.inputsOf(name)).toEqual([input])
  })

  it('a node is left out with a reason only, also while nobody drives', async () => {
    const fake = withRun('interrupted')
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('update', 'skip', 'east', 'cmp-7')).toBe(2)
    expect(await terminal.run('update', 'skip', 'east', 'cmp-7', '--reason', 'broken fan')).toBe(0)
    expect(fake.inputsOf('run.skip-node')).toEqual([{ runId: RUN_ID, node: 'cmp-7', reason: 'broken fan' }])
  })

  it('what nobody drives is not paused', async () => {
    const fake = withRun('interrupted')
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('update', 'stop-after', 'east')).toBe(1)
    expect(terminal.err()).toContain('Nobody drives run')
    expect(fake.inputsOf('run.pause-after-node')).toEqual([])
  })

  it('a paused one is let on where it is driven', async () => {
    const fake = withRun('paused')
    expect(await createFakeTerminal({ contract: fake.contract }).run('update', 'resume', 'east')).toBe(0)
    expect(fake.inputsOf('run.unpause')).toEqual([{ runId: RUN_ID }])
  })

  it('one that is over is none', async () => {
    const terminal = createFakeTerminal({ contract: withRun('done').contract })
    expect(await terminal.run('update', 'pause', 'east')).toBe(1)
    expect(terminal.err()).toContain('No update or rolling maintenance of east is under way')
  })

  it('its status is its phases and nodes', async () => {
    const terminal = createFakeTerminal({ contract: withRun('running').contract })
    expect(await terminal.run('update', 'status', 'east')).toBe(0)
    expect(terminal.out()).toContain('the update of east is running')
    expect(terminal.out()).toMatch(/PHASE +STATE/)
    expect(terminal.out()).toMatch(/cmp-1 +worker nodes +early +pending/)
    expect(terminal.out()).not.toContain('No end is told')
  })

  it('of one that was aborted does not say that it is driven, although its request still names it', async () => {
    const terminal = createFakeTerminal({ contract: withRun('aborted', `Lockkeeper run ${RUN_ID} by ana`).contract })
    expect(await terminal.run('update', 'status', 'east')).toBe(0)
    expect(terminal.out()).toContain('the update of east is aborted')
    expect(terminal.out()).toContain('Nobody drives it, and its requests are still there')
    expect(terminal.out()).not.toContain('is driven by')
    const other = createFakeTerminal({ contract: withRun('aborted', 'LCM').contract })
    expect(await other.run('update', 'status', 'east')).toBe(0)
    expect(other.out()).toContain('The update of east is driven by LCM')
  })

  it('a rolling maintenance is called what it is, and what abort leaves is what it leaves', async () => {
    const fake = withRun('waiting', null, 'rolling-maintenance')
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('update', 'status', 'east')).toBe(0)
    expect(terminal.out()).toContain('the rolling maintenance of east waits for you')
    expect(terminal.out()).toContain('No end is told: the rolling maintenance waits for you.')
    expect(terminal.out()).not.toContain('the update')
    const asked = createFakeTerminal({ tty: true, contract: fake.contract, answers: ['y'] })
    expect(await asked.run('update', 'abort', 'east')).toBe(0)
    expect(asked.all()).toContain('Abort the rolling maintenance of east? Nodes under way stay as they are')
    expect(asked.all()).not.toContain('requests')
  })

  it('of one that waits tells no end, and for whom it waits', async () => {
    const terminal = createFakeTerminal({ contract: withRun('waiting').contract })
    expect(await terminal.run('update', 'status', 'east')).toBe(0)
    expect(terminal.out()).toContain('the update of east waits for you')
    expect(terminal.out()).toContain('No end is told: the update waits for you.')
  })
})

describe('update status --watch', () => {
  /** An update that stands as told, one after the other; the last stays. */
  function watched(states: readonly RunSummary['state'][]) {
    const fake = withRun('running')
    let at = 0
    const { contract } = createFakeContract({
      'run.list': () => {
        const state = states[Math.min(at, states.length - 1)] ?? 'running'
        at += 1
        const summary = 'The update of east is done: 3 nodes.'
        const ended =
          state === 'done' ? { summary, condition: { kind: 'over' as const, outcome: 'done' as const, summary } } : {}
        return ok([{ ...sampleSummary(state), ...ended, kind: 'update' as const, node: null, cluster: 'east' }])
      },
      'update.timeline': input => fake.contract.ask('update.timeline', input),
      'update.observe': () => failed(failure('not-found', 'There is no such API.')),
    })
    return createFakeTerminal({ contract })
  }
  const looks = async (terminal: ReturnType<typeof createFakeTerminal>, code: Promise<unknown>) => {
    let over = false
    void code.then(() => {
      over = true
    })
    while (!over) {
      terminal.letTimePass()
      await new Promise(resolve => setImmediate(resolve))
    }
  }

  it('tells each change once, and ends as the update does', async () => {
    const terminal = watched(['running', 'running', 'running', 'waiting', 'done'])
    const code = terminal.run('update', 'status', 'east', '--watch')
    await looks(terminal, code)
    expect(await code).toBe(0)
    const told = terminal.out().match(/the update of east (?:is )?\w+/gi)
    expect(told).toEqual(['the update of east is running', 'the update of east waits', 'The update of east is done'])
  })

  it('where there is no update, says so and ends', async () => {
    const { contract } = createFakeContract({
      'run.list': () => ok([]),
      'update.observe': () =>
        ok({ cluster: 'east', readAt: '2026-11-21T10:00:00.000Z', drivenBy: null, timeline: null, plans: [] }),
    })
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('update', 'status', 'east', '--watch')).toBe(0)
    expect(terminal.out()).toMatch(/no update/i)
  })

  it('of one that failed ends with 1', async () => {
    const terminal = watched(['running', 'failed'])
    const code = terminal.run('update', 'status', 'east', '--watch')
    await looks(terminal, code)
    expect(await code).toBe(1)
  })

  it('Ctrl-C ends the watching and nothing else', async () => {
    const terminal = watched(['running'])
    const code = terminal.run('update', 'status', 'east', '--watch')
    await terminal.printed('the update of east is running')
    terminal.press('SIGINT')
    expect(await code).toBe(0)
  })
})
