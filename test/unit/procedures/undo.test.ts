import { describe, expect, it } from 'vitest'
import { undoSteps } from '../../../main/procedures/plans/node/undo.ts'
import { enableCompute } from '../../../main/procedures/steps/compute/enable-compute.ts'
import { cordonNode } from '../../../main/procedures/steps/general/cordon-node.ts'
import { undoReaches } from '../../../main/procedures/steps/general/undo-reaches.ts'
import { type AppliedChanges, appliedChangesOf, didNothing } from '../../../shared/domain/applied-changes.ts'
import { must } from '../../../shared/domain/must.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import {
  COMPUTE_DISABLE_REQUESTED,
  COMPUTE_ENABLE_REQUESTED,
  CORDON_REQUESTED,
  INSTANCE_MOVED,
  INSTANCE_STARTED,
  INSTANCES_NOTED,
  MASAKARI_CLEAR_REQUESTED,
  MASAKARI_SET_REQUESTED,
  NOOUT_NOTED,
  NOOUT_UNSET_REQUESTED,
  OSDS_START_REQUESTED,
  OSDS_STOP_REQUESTED,
  POD_LEFT,
  REQUEST_CREATED,
  REQUEST_REMOVED,
  STOP_REQUESTED,
  UNCORDON_REQUESTED,
  WATCHER_ACTION,
} from '../../../shared/domain/run-facts.ts'
import { samplePlan, sampleStep } from '../../fixtures/cli/sample-plan.ts'
import { fakeCluster, fakeContext, fakeNode, fakeService, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

type Reported = readonly [fact: string, subject: string, values?: RunFact['values']]

/** What a run with these facts did, in order. */
function did(...reported: readonly Reported[]): AppliedChanges {
  const facts = reported.map(
    ([fact, subject, values = {}], at): RunFact => ({
      at: new Date(Date.parse('2026-01-01T00:00:00Z') + at * 1_000).toISOString(),
      fact,
      subject,
      announces: true,
      values,
    }),
  )
  const step = { state: 'applied', attempts: 1, startedAt: null, endedAt: null, check: null, counted: [] } as const
  return appliedChangesOf('cmp-1', {
    plan: samplePlan().plan,
    steps: [
      {
        ...step,
        step: sampleStep('drain-node', 'Drain'),
        verify: null,
        failure: null,
        passed: null,
        facts,
        reportedBefore: 0,
      },
    ],
  })
}

const NOTHING = did()
const CASES: readonly (readonly [what: string, made: Reported, takenBack: Reported, kinds: readonly string[]])[] = [
  ['a cordon', [CORDON_REQUESTED, 'node/cmp-1'], [UNCORDON_REQUESTED, 'node/cmp-1'], ['take-back-cordon']],
  [
    'a disabled nova-compute',
    [COMPUTE_DISABLE_REQUESTED, 'nova-compute/cmp-1', { reason: 'ours' }],
    [COMPUTE_ENABLE_REQUESTED, 'nova-compute/cmp-1'],
    ['enable-compute'],
  ],
  [
    'a maintenance request',
    [REQUEST_CREATED, 'node/cmp-1'],
    [REQUEST_REMOVED, 'node/cmp-1'],
    ['remove-node-request', 'node-locks-active', 'compute-given-back'],
  ],
  [
    'stopped OSDs',
    [OSDS_STOP_REQUESTED, 'node/cmp-1', { osds: [3, 4] }],
    [OSDS_START_REQUESTED, 'node/cmp-1', { osds: [3, 4] }],
    ['start-osds'],
  ],
  [
    'on_maintenance in Masakari',
    [MASAKARI_SET_REQUESTED, 'masakari-host/cmp-1'],
    [MASAKARI_CLEAR_REQUESTED, 'masakari-host/cmp-1'],
    ['end-masakari-maintenance'],
  ],
  ['noout', [NOOUT_NOTED, 'node/cmp-1', { needed: true }], [NOOUT_UNSET_REQUESTED, 'ceph'], ['unset-noout']],
  [
    'a moved instance',
    [INSTANCE_MOVED, 'server/a', { name: 'a', from: 'cmp-1', to: 'cmp-2' }],
    [INSTANCE_MOVED, 'server/a', { name: 'a', from: 'cmp-2', to: 'cmp-1' }],
    ['bring-home'],
  ],
  [
    'a stopped instance',
    [STOP_REQUESTED, 'server/a', { name: 'a' }],
    [INSTANCE_STARTED, 'server/a', { name: 'a' }],
    ['instances-return'],
  ],
]

/** The steps of an undo that act or wait, in their order. */
function steps(effects: AppliedChanges, options = {}) {
  const made = undoSteps(
    {
      cluster: fakeCluster(),
      name: 'cmp-1',
      node: fakeNode('cmp-1'),
      roles: ['compute'],
      options: { ...DEFAULT_RUN_OPTIONS, home: true, ...options },
      watcher: null,
      ran: null,
    },
    { id: 'run-1', isOfMany: false, effects },
  )
  return made.filter(({ verbs }) => verbs.includes('apply'))
}

describe('what is undone of a run', () => {
  it.each(CASES)('%s, by its own step, unless the run took it back itself', (_what, made, takenBack, kinds) => {
    expect(steps(did(made)).map(({ kind }) => kind)).toEqual(kinds)
    expect(didNothing(did(made))).toBe(false)
    expect(didNothing(did(made, takenBack))).toBe(true)
    expect(steps(did(made, takenBack))).toEqual([])
  })

  it('is nothing of a run that only looked', () => {
    expect(didNothing(NOTHING)).toBe(true)
    expect(didNothing(did([INSTANCES_NOTED, 'node/cmp-1', { host: 'cmp-1', ids: ['a'] }]))).toBe(true)
  })

  it('goes the way of a return: pods, disks, nova-compute, then instances, each after the one before', () => {
    const all = steps(did(...CASES.map(([, made]) => made)))
    expect(all.map(({ kind }) => kind)).toEqual([
      'take-back-cordon',
      'remove-node-request',
      'node-locks-active',
      'compute-given-back',
      'start-osds',
      'unset-noout',
      'enable-compute',
      'end-masakari-maintenance',
      'instances-return',
      'bring-home',
    ])
    expect(all.slice(1).map(({ needs }) => needs)).toEqual(all.slice(0, -1).map(({ id }) => [id]))
  })

  it('leaves instances where they are where the operator says so', () => {
    const effects = did([INSTANCE_MOVED, 'server/a', { name: 'a', from: 'cmp-1', to: 'cmp-2' }])
    expect(steps(effects, { home: false })).toEqual([])
  })

  it('counts what Watcher did for the run: its service and its stops', () => {
    const effects = did(
      [WATCHER_ACTION, 'nova-compute/cmp-1', { type: 'disable-service', state: 'SUCCEEDED' }],
      [WATCHER_ACTION, 'server/a', { name: 'a', type: 'stop', state: 'SUCCEEDED' }],
      [WATCHER_ACTION, 'server/b', { name: 'b', type: 'stop', state: 'FAILED' }],
    )
    expect(effects).toMatchObject({ disabledFor: 'watcher_maintaining', stopped: [{ id: 'a', name: 'a' }] })
  })

  it('tells how many pods do not come back', async () => {
    const effects = did([POD_LEFT, 'pod/x/a'], [POD_LEFT, 'pod/x/b'])
    const input = { node: 'cmp-1', undoes: 'run-1', podsGone: effects.podsGone }
    const answer = await undoReaches.check(input, fakeContext(fakeWorld({ nodes: [fakeNode('cmp-1')] })))
    expect(answer).toMatchObject({
      kind: 'ready',
      warnings: [{ message: expect.stringContaining('2 pods left the node') }],
    })
  })
})

describe('what is not this run’s', () => {
  it('stays: a nova-compute that is disabled for another reason by now', async () => {
    const world = fakeWorld({
      nodes: [fakeNode('cmp-1')],
      services: [
        fakeService('cmp-1', { status: 'disabled', disabledReason: 'Lockkeeper: node under maintenance, run other' }),
      ],
    })
    const input = { node: 'cmp-1', reason: 'Lockkeeper: node under maintenance, run this' }
    const ctx = fakeContext(world)
    expect(await must(enableCompute.check, 'it checks')(input, ctx)).toMatchObject({ kind: 'done' })
    await must(enableCompute.apply, 'it acts')(input, ctx)
    expect(world.asked).toEqual([])
    expect(await must(enableCompute.verify, 'it verifies')(input, ctx)).toMatchObject({ kind: 'holds' })
  })

  it('is not announced: a node that somebody cordoned right before', async () => {
    const ctx = fakeContext(fakeWorld({ nodes: [fakeNode('cmp-1', { unschedulable: true })] }))
    expect(await must(cordonNode.apply, 'it acts')({ node: 'cmp-1' }, ctx)).toMatchObject({ kind: 'applied' })
    expect(ctx.facts).toEqual([])
  })
})
