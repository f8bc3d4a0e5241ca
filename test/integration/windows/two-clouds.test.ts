import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Contract, ListedWindow } from '../../../shared/contract/index.ts'
import { must } from '../../../shared/domain/must.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import type { WindowDraft } from '../../../shared/domain/window.ts'
import { type CliProcess, lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { EDGE, PLAIN, startTwoClouds, type TwoClouds } from '../../fixtures/windows/two-clouds.ts'
import { batches, draft } from '../../fixtures/windows/window-drafts.ts'

/** One console, two clouds without the node maintenance API, each with its own window and its own driver Lease. */
let clouds: TwoClouds
let running: CliProcess | null = null

beforeAll(async () => {
  clouds = await startTwoClouds()
})

afterAll(async () => {
  if (running?.child.exitCode === null) running.child.kill('SIGKILL')
  await clouds.close()
})

const ask: Contract['ask'] = (name, input) => clouds.app.contract.ask(name, input)

async function opened(made: WindowDraft): Promise<ListedWindow> {
  return valueIn(await ask('window.create', { draft: made }))
}

async function viewOf(runId: string): Promise<RunView> {
  return foldRun(valueIn(await ask('run.show', { runId })).events)
}

async function kubeletOf(cluster: string): Promise<string> {
  const { nodes } = valueIn(await ask('node.list', { cluster }))
  return must(nodes[0], 'the cloud has nodes').kubeletVersion
}

/** The nodes of a cloud that are not in service as they were: cordoned, or with a disabled nova-compute. */
async function outOfService(cluster: string): Promise<readonly string[]> {
  const { nodes } = valueIn(await ask('node.list', { cluster }))
  return nodes.filter(node => !node.schedulable || node.computeService?.status === 'disabled').map(({ name }) => name)
}

/** When a step of a run began and settled, by the journal. */
function times(view: RunView, stepId: string): { readonly begun: number; readonly over: number } {
  const step = must(
    view.steps.find(each => each.step.id === stepId),
    `the plan has ${stepId}`,
  )
  return { begun: Date.parse(step.startedAt ?? ''), over: Date.parse(step.endedAt ?? '') }
}

describe('windows on two clouds at once', () => {
  it('one console carries both out, each run belongs to its window, and a second driver of either is refused by name', async () => {
    const first = ['cmp-01', 'cmp-05']
    const plain = await opened(draft(PLAIN, 'Kernel of two racks', batches({ kind: 'boot-id' }, first, ['cmp-02'])))
    const edge = await opened(draft(EDGE, 'Edge', batches({ kind: 'person' }, ['edge-4'])))

    const plans = await Promise.all(
      [plain, edge].map(async ({ window }) =>
        valueIn(await ask('window.plan', { id: window.id, choices: { concurrency: 8 } })),
      ),
    )
    expect(plans.map(({ startable }) => startable)).toEqual([true, true])
    const [ofPlain, ofEdge] = plans.map(({ plan }) => plan.id)
    const second = valueIn(await ask('window.plan', { id: plain.window.id, choices: {} }))
    const late = valueIn(await ask('window.plan', { id: edge.window.id, choices: {} }))

    const run = valueIn(await ask('run.start', { planId: ofPlain ?? '' }))
    const untyped = failureIn(await ask('run.start', { planId: ofEdge ?? '' }))
    expect(untyped.message).toContain('production')
    const edgeRun = valueIn(await ask('run.start', { planId: ofEdge ?? '', typedCluster: EDGE }))

    // The first batch waits for reboots and the other window for a person, so both windows work at once and each Lease is held by its own run.
    await vi.waitFor(
      async () => {
        const { steps } = await viewOf(run.id)
        const working = steps.filter(({ step, state }) => step.kind === 'node-work' && state === 'applying')
        expect(working.map(({ step }) => step.lane?.name).toSorted()).toEqual(first)
      },
      { timeout: 30_000, interval: 50 },
    )
    for (const [planId, holder, cluster] of [
      [second.plan.id, run.id, PLAIN],
      [late.plan.id, edgeRun.id, EDGE],
    ] as const) {
      const other = await ask('run.start', { planId, typedCluster: cluster })
      const reported = other.ok ? await refusalOf(other.value.id) : failureIn(other).message
      expect(reported).toContain(holder)
    }
    expect(failureIn(await ask('window.close', { id: plain.window.id, summary: 'x' })).message).toContain(run.id)
    expect((await viewOf(run.id)).steps.find(({ step }) => step.id === 'disable-compute@cmp-02')?.attempts).toBe(0)

    const gate = await vi.waitFor(async () => must((await viewOf(edgeRun.id)).openGates[0], 'edge asks'), {
      timeout: 30_000,
    })
    const { gateId } = gate
    valueIn(await ask('run.answer', { runId: edgeRun.id, gateId, choice: 'continue', reason: 'the fan is quiet' }))
    await Promise.all(first.map(name => clouds.reboot(name)))
    await vi.waitFor(
      async () => {
        const { steps } = await viewOf(run.id)
        expect(steps.find(({ step }) => step.id === 'node-work@cmp-02')?.state).toBe('applying')
      },
      { timeout: 30_000, interval: 50 },
    )
    const states = new Map(
      valueIn(await ask('node.list', { cluster: PLAIN })).nodes.map(({ name, state }) => [name, state]),
    )
    expect(
      ['cmp-01', 'cmp-05', 'cmp-02'].map(name => states.get(name)),
      'who is through is in service',
    ).toEqual([...['active', 'active', 'entering']])
    await clouds.reboot('cmp-02')
    for (const runId of [run.id, edgeRun.id]) {
      await vi.waitFor(async () => expect((await viewOf(runId)).state.kind).toBe('finished'), { timeout: 30_000 })
      expect((await viewOf(runId)).state).toMatchObject({ outcome: 'done' })
    }

    const view = await viewOf(run.id)
    const back = Math.max(...first.map(name => times(view, `enable-compute@${name}`).over))
    expect(
      times(view, 'disable-compute@cmp-02').begun,
      'a batch begins when the one before is back',
    ).toBeGreaterThanOrEqual(back)
    expect(await outOfService(PLAIN)).toEqual([])
    expect(await outOfService(EDGE)).toEqual([])
    const timeline = valueIn(await ask('update.timeline', { runId: run.id }))
    expect(timeline.lanes.map(({ node, stage, group }) => [node, stage, group])).toEqual([
      ['cmp-01', 'done', 'batch-1'],
      ['cmp-05', 'done', 'batch-1'],
      ['cmp-02', 'done', 'batch-2'],
    ])
    for (const [{ window }, runId] of [
      [plain, run.id],
      [edge, edgeRun.id],
    ] as const) {
      const closed = valueIn(await ask('window.close', { id: window.id, summary: 'All back.' }))
      expect(closed.status).toBe('closed')
      expect(closed.runs.map(({ id }) => id)).toContain(runId)
      const { id, title, endsAt, timeZone } = window
      expect((await viewOf(runId)).plan.window).toEqual({ kind: 'in', id, title, endsAt, timeZone })
    }
  })

  it('its driver is killed in the middle of a batch: the run is resumed, stays in its window though that has ended, and leaves nothing half-way', async () => {
    const work = { kind: 'kubelet-version', version: await kubeletOf(PLAIN) } as const
    const { window } = await opened(draft(PLAIN, 'Killed', batches(work, ['cmp-03', 'cmp-05'], ['cmp-01'])))
    running = startLockkeeper(clouds.dataDirectory, ['window', 'start', window.id, '--yes', '--concurrency', '8'])
    const begun = async () =>
      valueIn(await ask('run.list', { cluster: PLAIN })).find(
        ({ kind, state }) => kind === 'rolling-maintenance' && state === 'running',
      )
    const runId = await vi.waitFor(async () => must((await begun())?.id, 'it began'), { timeout: 30_000, interval: 20 })
    await vi.waitFor(
      async () => {
        const { steps } = await viewOf(runId)
        expect(steps.some(({ step, state }) => step.kind === 'migrate-instances' && state === 'applying')).toBe(true)
      },
      { timeout: 30_000, interval: 10 },
    )
    running.child.kill('SIGKILL')
    await running.finished
    expect(await outOfService(PLAIN), 'killed half-way').not.toEqual([])
    const shown = valueIn(await ask('window.show', { id: window.id }))
    expect(shown.runs).toMatchObject([{ id: runId, state: 'interrupted' }])
    // The window ends while the run has no driver: the run still belongs to it.
    const ended = draft(PLAIN, 'Killed', window.plan, { endsAt: new Date(Date.now() - 1_000).toISOString() })
    const { revision } = shown.window
    const changed = valueIn(await ask('window.change', { id: window.id, revision, draft: ended }))
    expect(changed.status).toBe('overrunning')
    const resumed = await lockkeeper(clouds.dataDirectory, ['update', 'resume', PLAIN])
    expect(resumed.code, resumed.stdout + resumed.stderr).toBe(0)
    expect(await outOfService(PLAIN)).toEqual([])
    expect(valueIn(await ask('window.show', { id: window.id }))).toMatchObject({
      status: 'over',
      runs: [{ id: runId, state: 'done' }],
    })
  })
})

/** Why a run that started beside another one ended. */
async function refusalOf(runId: string): Promise<string> {
  await vi.waitFor(async () => expect((await viewOf(runId)).state.kind).toBe('finished'), { timeout: 30_000 })
  const { state } = await viewOf(runId)
  return state.kind === 'finished' ? state.summary : ''
}
