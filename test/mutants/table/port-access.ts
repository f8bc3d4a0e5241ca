import { unit } from '../caught-by.ts'
import type { Mutant } from '../mutant.ts'

/** Calls of ports that act: what a run does when the call counts as one that only reads, and the call's line in the table of effects. */
const ACTING: readonly (readonly [name: string, does: string, line: string])[] = [
  ['node-annotations', 'writes on a node', "  annotateNode: 'acts',"],
  ['node-taints', 'taints a node', "  setTaint: 'acts',"],
  ['lease-annotations', 'notes on the Lease of a machine that it needs noout', "  annotateLease: 'acts',"],
  ['jobs', 'starts a Job on a node', "  createJob: 'acts',"],
  ['node-requests', 'requests the maintenance of a node', "  createNodeRequest: 'acts',"],
  ['cluster-requests', 'requests the maintenance of the cluster', "  createClusterRequest: 'acts',"],
  ['removed-requests', 'removes a maintenance request', "  deleteRequest: 'acts',"],
  ['noout', 'changes noout', "  setNoout: 'acts',"],
  ['osds', 'stops OSDs', "setRunning: 'acts' }"],
  ['microceph-enters', 'takes a MicroCeph node into maintenance', "enterMaintenance: 'acts',"],
  ['microceph-exits', 'ends the maintenance of a MicroCeph node', "exitMaintenance: 'acts' }"],
  ['juju-actions', 'runs an action on a unit', "runAction: 'acts',"],
  ['juju-commands', 'runs a command on a unit', "exec: 'acts' }"],
  ['own-commands', 'starts the operator’s own command', "  whyNot: 'itself',\n  start: 'acts',"],
  ['watcher-plans', 'starts an action plan of Watcher', "  skip: 'acts',\n  start: 'acts',"],
  ['compute-disable', 'disables nova-compute', "  disableComputeService: 'acts',"],
  ['compute-enable', 'enables nova-compute', "  enableComputeService: 'acts',"],
  ['compute-force-down', 'forces nova-compute down', "  forceComputeServiceDown: 'acts',"],
  ['compute-force-up', 'takes the force-down of nova-compute back', "  forceComputeServiceUp: 'acts',"],
  ['live-migrations', 'migrates an instance live', "  liveMigrate: 'acts',"],
  ['cold-migrations', 'migrates an instance cold', "  coldMigrate: 'acts',"],
  ['confirmations', 'confirms a cold migration', "  confirmResize: 'acts',"],
  ['evacuations', 'evacuates an instance', "  evacuateInstance: 'acts',"],
  ['stops', 'stops an instance', "  stopInstance: 'acts',"],
  ['starts', 'starts an instance', "  startInstance: 'acts',"],
  ['aborted-migrations', 'aborts a migration', "  abortMigration: 'acts',"],
  ['volume-services', 'disables a volume service', "  disableVolumeService: 'acts',"],
  ['on-maintenance', 'changes on_maintenance in Masakari', "  setOnMaintenance: 'acts',"],
]

/** Each kind of effect counts as one: the Lease is read right before it (main/ports/port-access.ts). */
export const PORT_ACCESS_MUTANTS: readonly Mutant[] = ACTING.map(([name, does, line]) => ({
  name: `no-look-before-${name}`,
  harm: `A run ${does} although another console holds the node.`,
  changes: [{ file: 'main/ports/port-access.ts', from: line, to: line.replace(/'acts'(?=[ ,}]*$)/, "'reads'") }],
  caughtBy: unit('procedures/fenced-world', 'what reads by its name is not fenced, and everything else is'),
}))
