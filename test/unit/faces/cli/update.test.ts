import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RequestName, RunSummary } from '../../../../shared/contract/index.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { UpdateOptions, UpdatePhase } from '../../../../shared/domain/update.ts'
import { beginTimeline } from '../../../../shared/domain/update-fold.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { RUN_ID, sampleCondition, sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { playScenes, type Scene } from '../../../fixtures/cli/scenes.ts'
import { plannedUpdate, UPDATE_OPTIONS } from '../../../fixtures/procedures/update-plan.ts'

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-update-cli-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const PROPOSED: UpdateOptions = {
  ...UPDATE_OPTIONS,
  groups: [{ name: 'default', index: 1, nodes: ['cmp-1', 'cmp-2', 'cmp-3', 'osd-1'], concurrentUpdates: 1 }],
  work: { kind: 'person' },
}

const EAST = { cluster: 'east', choices: {} }
const console = () =>
  createFakeContract({
    'update.propose': () =>
      ok({ options: PROPOSED, left: [{ node: 'cmp-9', why: 'its kubelet does not report' }], batches: [] }),
    'update.plan': () =>
      ok({ plan: plannedUpdate(), checkedAt: '2026-01-01T00:00:00.000Z', checks: [], startable: true }),
  })
const planned = (flags: string, more: Partial<UpdateOptions>, choices = {}): Scene => ({
  says: `update plan east ${flags}`,
  asks: [['update.plan', { ...EAST, update: { ...PROPOSED, ...more }, choices }]],
})
const group = (name: string, index: number, nodes: string[], concurrentUpdates = 1) => ({
  ...{ name, index, nodes, concurrentUpdates },
})

playScenes('the plan of an update', 'transcripts/update-plan.txt', console, {
  'is as proposed, and names what is left out': planned('', {}),
  'has groups in the order typed; * is every worker that no group names': planned(
    '--group disks=osd-1 --group rest=*:2',
    { groups: [group('disks', 1, ['osd-1']), group('rest', 2, ['cmp-1', 'cmp-2', 'cmp-3'], 2)] },
  ),
  'leaves out what no group names': planned('--group disks=osd-1', { groups: [group('disks', 1, ['osd-1'])] }),
  'has work that a person does': planned('--work person', { work: { kind: 'person' } }),
  'has work that ends with a reboot': planned('--work boot-id', { work: { kind: 'boot-id' } }),
  'has work that ends with a version': planned('--work kubelet=v1.33.1', {
    work: { kind: 'kubelet-version', version: 'v1.33.1' },
  }),
  'has work that ends with an image': planned('--work "os-image=Ubuntu 24.04"', {
    work: { kind: 'os-image', contains: 'Ubuntu 24.04' },
  }),
  'has every other choice': planned(
    '--scope drain --release 26.2 --reason CHG-9 --control none --zone-at-a-time --pause-between-nodes ' +
      '--pause-between-phases --force agreed',
    {
      ...{ scope: 'drain', release: '26.2', reason: 'CHG-9', controlNodes: [] },
      ...{ zoneAtATime: true, pauseBetweenNodes: true, pauseBetweenPhases: true },
    },
    { scope: 'drain', reason: 'CHG-9', overrides: [{ flag: 'force', reason: 'agreed' }] },
  ),
})

it('--work job=FILE hands over what the file says', async () => {
  const file = join(directory, 'job.yaml')
  writeFileSync(file, 'kind: Job')
  const { contract, inputsOf } = console()
  const words = ['--work', `job=${file}`, '--job-namespace', 'ops']
  await createFakeTerminal({ contract }).run('update', 'plan', 'east', ...words)
  expect(inputsOf('update.plan')[0]?.update.work).toEqual({ kind: 'job', namespace: 'ops', manifest: 'kind: Job' })
})

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
      if (drivenBy === null) return failed(failure('not-found', 'such API does not exist.'))
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

const RUNS = () => withRun('running')
const reached = (says: string, name: RequestName, more: object = {}): Scene => ({
  says,
  asks: [[name, { runId: RUN_ID, ...more }]],
})
const rolling = () => withRun('waiting', null, 'rolling-maintenance')

playScenes('an update under way', 'transcripts/update.txt', RUNS, {
  'is paused: its run, not another one of the cluster': reached('update pause east', 'run.pause'),
  'stops after its node': reached('update stop-after east', 'run.pause-after-node'),
  'is aborted': reached('update abort east --yes --reason late', 'run.abort', { reason: 'late' }),
  'leaves a node out, also without a driver': {
    ...reached('update skip east cmp-7 --reason "broken fan"', 'run.skip-node', {
      ...{ node: 'cmp-7', reason: 'broken fan' },
    }),
    fake: () => withRun('interrupted'),
  },
  'is not paused where it has no driver': {
    says: 'update stop-after east',
    fake: () => withRun('interrupted'),
    exit: 1,
  },
  'resumes at its driver': {
    ...reached('update resume east', 'run.unpause'),
    fake: () => withRun('paused'),
  },
  'does not exist once it has ended': { says: 'update pause east', fake: () => withRun('done'), exit: 1 },
  'has phases and nodes': 'update status east',
  'was aborted, although its request still names it': {
    says: 'update status east',
    fake: () => withRun('aborted', `Lockkeeper run ${RUN_ID} by ana`),
  },
  'was aborted, and another one drives': { says: 'update status east', fake: () => withRun('aborted', 'LCM') },
  'waits, and has no end': { says: 'update status east', fake: () => withRun('waiting') },
  'is a rolling maintenance': { says: 'update status east', fake: rolling },
  'is a rolling maintenance that is aborted': {
    ...reached('update abort east', 'run.abort', { reason: '' }),
    fake: rolling,
    answers: ['y'],
  },
})

describe('update status --watch', () => {
  /** An update in the given states, one after the other; the last stays. */
  function watched(states: readonly RunSummary['state'][]) {
    const fake = withRun('running')
    let at = 0
    const { contract } = createFakeContract({
      'run.list': () => {
        const state = states[Math.min(at, states.length - 1)] ?? 'running'
        at += 1
        const summary = 'The update of east is done: 3 nodes.'
        const ended = state === 'done' ? { summary, condition: sampleCondition('done', summary) } : {}
        return ok([{ ...sampleSummary(state), ...ended, kind: 'update' as const, node: null, cluster: 'east' }])
      },
      'update.timeline': input => fake.contract.ask('update.timeline', input),
      'update.observe': () => failed(failure('not-found', 'such API does not exist.')),
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
    const reported = terminal.out().match(/the update of east (?:is )?\w+/gi)
    expect(reported).toEqual([
      'the update of east is running',
      'the update of east needs',
      'The update of east is done',
    ])
  })

  /** An update that somebody else drives, seen in these phases one after the other; null: none is under way. */
  function observed(phases: readonly (UpdatePhase | null)[], own: readonly RunSummary[]) {
    let at = 0
    const readAt = '2026-11-21T10:00:00.000Z'
    const { contract } = createFakeContract({
      'run.list': () => ok([...own]),
      'update.timeline': () => ok(beginTimeline({ kind: 'run', runId: RUN_ID }, [])),
      'update.observe': () => {
        const phase = phases[Math.min(at, phases.length - 1)] ?? null
        at += 1
        // What was seen once stays: without a remaining phase it has ended.
        const timeline = { ...beginTimeline({ kind: 'observed', since: readAt }, []), phase }
        const isBegun = phases.slice(0, at).some(each => each !== null)
        return ok({ cluster: 'east', readAt, drivenBy: 'LCM', timeline: isBegun ? timeline : null, plans: [] })
      },
    })
    return { terminal: createFakeTerminal({ contract }), looksMade: () => at }
  }
  const finished = { ...sampleSummary('failed'), kind: 'update' as const, node: null, cluster: 'east' }

  it.each([
    ['Lockkeeper never made one', []],
    ['an older one of Lockkeeper failed', [finished]],
  ])('seed 003: started before the update it waits for it, follows it and ends with it; %s', async (_before, own) => {
    const { terminal, looksMade } = observed([null, null, 'prepare', 'applications', null], own)
    const code = terminal.run('update', 'status', 'east', '--watch')
    await looks(terminal, code)
    expect(await code).toBe(0)
    expect(looksMade()).toBe(5)
    expect(terminal.out().match(/Waiting for one to start/g)).toHaveLength(1)
    expect(terminal.out().indexOf('Waiting for one to start')).toBeLessThan(terminal.out().indexOf('run by LCM'))
  })

  it('waits for the next one where the last one has ended, and ends as that does', async () => {
    const terminal = watched(['done', 'done', 'running', 'failed'])
    const code = terminal.run('update', 'status', 'east', '--watch')
    await looks(terminal, code)
    expect(await code).toBe(1)
    expect(terminal.out().match(/Waiting for one to start/g)).toHaveLength(1)
  })

  it('Ctrl-C ends the waiting for one', async () => {
    const { terminal } = observed([null], [])
    const code = terminal.run('update', 'status', 'east', '--watch')
    await terminal.printed('Waiting for one to start')
    terminal.press('SIGINT')
    expect(await code).toBe(0)
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
