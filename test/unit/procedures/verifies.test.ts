import { describe, expect, it } from 'vitest'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { disableCompute } from '../../../main/procedures/steps/compute/disable-compute.ts'
import { enableCompute } from '../../../main/procedures/steps/compute/enable-compute.ts'
import { cordonNode } from '../../../main/procedures/steps/general/cordon-node.ts'
import { drainNode } from '../../../main/procedures/steps/general/drain-node.ts'
import { uncordonNode } from '../../../main/procedures/steps/general/uncordon-node.ts'
import type { Step } from '../../../main/runs/engine/step.ts'
import { must } from '../../../shared/domain/must.ts'
import {
  COMPUTE,
  decision,
  type FakeWorld,
  fakeContext,
  fakeNode,
  fakePod,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const OURS = 'Lockkeeper: node under maintenance, run run-1'

const node = (more: Parameters<typeof fakeNode>[1]): Partial<FakeWorld> => ({
  nodes: [fakeNode('cmp-1', { labels: COMPUTE, ...more })],
})
const service = (more: Parameters<typeof fakeService>[1]): Partial<FakeWorld> => ({
  ...node({}),
  services: [fakeService('cmp-1', more)],
})
const pods = (more: Parameters<typeof decision>[1]): Partial<FakeWorld> => ({
  ...node({ unschedulable: true }),
  decisions: [decision(fakePod('api', { nodeName: 'cmp-1' }), more)],
})

/** By step: the world in which its verify passes, and those in which it fails. */
const TABLE: readonly (readonly [Step<MaintenanceWorld>, string, Partial<FakeWorld>, 'holds' | 'fails'])[] = [
  [cordonNode, 'the node is cordoned', node({ unschedulable: true }), 'holds'],
  [cordonNode, 'somebody uncordoned the node', node({}), 'fails'],
  [uncordonNode, 'the node takes pods', node({}), 'holds'],
  [uncordonNode, 'somebody cordoned the node again', node({ unschedulable: true }), 'fails'],
  [uncordonNode, 'the kubelet is away', node({ readiness: 'not-ready' }), 'fails'],
  [drainNode, 'only a DaemonSet pod is left', pods({ fate: 'keep' }), 'holds'],
  [drainNode, 'a pod that had to leave is left', pods({ fate: 'evict' }), 'fails'],
  [drainNode, 'a pod that blocks the drain is left', pods({ fate: 'block' }), 'fails'],
  [disableCompute, 'it is disabled and up', service({ status: 'disabled', disabledReason: OURS }), 'holds'],
  [disableCompute, 'somebody enabled it', service({}), 'fails'],
  [disableCompute, 'it is down', service({ status: 'disabled', disabledReason: OURS, state: 'down' }), 'fails'],
  [enableCompute, 'it is enabled and up', service({}), 'holds'],
  [enableCompute, 'it is enabled and down', service({ state: 'down' }), 'fails'],
  [enableCompute, 'it is disabled by us', service({ status: 'disabled', disabledReason: OURS }), 'fails'],
]

describe('a step is verified by the world alone', () => {
  it.each(TABLE.map(([step, what, world, answer]) => ({ kind: step.kind, step, what, world, answer })))(
    '$kind, where $what: $answer',
    async ({ step, world, answer }) => {
      const verify = must(step.verify, 'it has one')
      expect(await verify({ node: 'cmp-1' }, fakeContext(fakeWorld(world)))).toMatchObject({ kind: answer })
    },
  )
})
