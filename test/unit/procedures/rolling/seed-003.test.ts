import { describe, expect, it } from 'vitest'
import { placeOf, plannedUpdate, saidBy } from '../../../fixtures/procedures/update-plan.ts'

/** The lines of "Cluster update flow" (seed 003), each with the step that shows it. */
const LINES: readonly (readonly [phase: string, line: string, id: string, shown: RegExp])[] = [
  [
    'prepare',
    'We assume that the ClusterWorkloadLock and NodeWrokloadLock objects present in the cluster are in the active state',
    'locks-stand',
    /ClusterWorkloadLocks and NodeWorkloadLocks are active/,
  ],
  [
    'prepare',
    'The Operator sets appropriate annotations on nodes and selects suitable migration mode for workloads.',
    'instances-reviewed@cmp-1',
    /Migration mode of cmp-1 and of its instances The operator sets annotations on nodes and chooses the migration mode of instances before the update starts\./,
  ],
  [
    'prepare',
    'LCM creates the ClusterMaintenance object and notifies the application controllers about planned maintenance.',
    'request-cluster-maintenance',
    /notifies the application controllers about the planned maintenance/,
  ],
  ['applications', 'The OpenStack update starts.', 'cluster-lock-inactive@openstack', /OpenStack update starts/],
  [
    'applications',
    'Ceph is waiting for the OpenStack ClusterWorkloadLock object to become inactive.',
    'cluster-lock-inactive@ceph',
    /Ceph waits for the ClusterWorkloadLock of OpenStack to become inactive/,
  ],
  [
    'applications',
    'When the OpenStack update is finalized, the OpenStack Controller marks ClusterWorkloadLock as inactive.',
    'cluster-lock-inactive@openstack',
    /When it is finalized, the OpenStack Controller marks its ClusterWorkloadLock as inactive/,
  ],
  [
    'applications',
    'The Ceph Controller triggers an update of the Ceph cluster.',
    'cluster-lock-inactive@ceph',
    /controller triggers the update of the Ceph cluster/,
  ],
  [
    'applications',
    'When the Ceph update is finalized, Ceph marks the ClusterWorkloadLock object as inactive.',
    'cluster-lock-inactive@ceph',
    /marks its own lock as inactive when it is finalized/,
  ],
  [
    'control-nodes',
    'If a master node has collocated roles, LCM creates NodeMainteananceRequest for the node.',
    'request-node-maintenance@ctl-2',
    /Creates the NodeMaintenanceRequest for the node/,
  ],
  [
    'control-nodes',
    'All Application Controllers mark their NodeWorkloadLock objects for this node as inactive.',
    'node-locks-inactive@ctl-2',
    /all application controllers have marked their NodeWorkloadLock objects for it as inactive/,
  ],
  [
    'control-nodes',
    'LCM starts draining the node by gracefully moving out all pods from the node. The DaemonSet pods are not evacuated and left running.',
    'drain-node@ctl-2',
    /All pods are evacuated from the node gracefully. DaemonSet pods are not evacuated and left running/,
  ],
  [
    'control-nodes',
    'LCM downloads the new version of the LCM Agent and runs its states. While running Ansible states, the services on the node may be restarted.',
    'node-work@ctl-2',
    /It may restart services on the node\./,
  ],
  [
    'control-nodes',
    'LCM removes NodeMainteananceRequest.',
    'remove-node-request@ctl-2',
    /Remove the maintenance request/,
  ],
  [
    'worker-nodes',
    'LCM creates NodeMaintenanceRequest for the node with specifying scope.',
    'request-node-maintenance@cmp-1',
    /NodeMaintenanceRequest for the node with scope os/,
  ],
  [
    'worker-nodes',
    'Application Controllers start preparing the node according to the scope.',
    'request-node-maintenance@cmp-1',
    /Application controllers start preparing the node according to the scope/,
  ],
  [
    'worker-nodes',
    'LCM waits until all Application Controllers mark their NodeWorkloadLock objects for this node as inactive.',
    'node-locks-inactive@cmp-1',
    /only when all application controllers have marked/,
  ],
  [
    'worker-nodes',
    'All pods are evacuated from the node by draining it. This does not apply to the DaemonSet pods, which cannot be removed.',
    'drain-node@cmp-1',
    /DaemonSet pods are not evacuated/,
  ],
  [
    'worker-nodes',
    'LCM downloads the new version of the LCM Agent and runs its states.',
    'node-work@cmp-1',
    /so the work happens now/,
  ],
  [
    'worker-nodes',
    'LCM removes NodeMainteananceRequest.',
    'remove-node-request@cmp-1',
    /Remove the maintenance request/,
  ],
  [
    'finalize',
    'LCM triggers the update for all other applications present in the cluster, such as StackLight, Tungsten Fabric, and others.',
    'other-applications',
    /such as StackLight and Tungsten Fabric/,
  ],
  [
    'finalize',
    'LCM removes ClusterMaintenanceRequest.',
    'remove-cluster-request',
    /Remove the ClusterMaintenanceRequest/,
  ],
  [
    'finalize',
    'After a while the cluster update completes and becomes fully operable again.',
    'whole-cluster-verified',
    /The whole cloud is operable again At the end of an update the cloud must be fully operable again/,
  ],
]

describe('every line of the cluster update flow is a step of the plan (seed 003)', () => {
  const plan = plannedUpdate()
  for (const [phase, line, id, shown] of LINES) {
    it(`${phase}: "${line}"`, () => {
      const step = plan.steps[placeOf(plan, id)]
      expect(step?.phase).toBe(phase)
      expect(saidBy(step)).toMatch(shown)
    })
  }

  it('its lines come in the order of the text', () => {
    const steps = LINES.map(([, , id]) => placeOf(plan, id))
    const ceph = placeOf(plan, 'cluster-lock-inactive@ceph')
    // The text describes OpenStack's and Ceph's update interleaved; the steps are one after the other.
    const others = steps.filter((_, line) => LINES[line]?.[0] !== 'applications')
    expect(others).toEqual(others.toSorted((a, b) => a - b))
    expect(placeOf(plan, 'cluster-lock-inactive@openstack')).toBeLessThan(ceph)
    expect(ceph).toBeLessThan(placeOf(plan, 'cluster-lock-inactive@others'))
  })
})
