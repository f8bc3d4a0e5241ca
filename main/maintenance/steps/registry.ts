import type { MaintenanceWorld } from '../../ports/world.ts'
import type { Step, StepRegistry } from '../../runs/engine/step.ts'
import { alreadyOutOfService } from './already-out-of-service.ts'
import { cephCanSpare } from './ceph-can-spare.ts'
import { cephClean } from './ceph-clean.ts'
import { cephHealthy } from './ceph-healthy.ts'
import { cephServicesEnough } from './ceph-services-enough.ts'
import { computeGivenBack } from './compute-given-back.ts'
import { computeReturns } from './compute-returns.ts'
import { computeServiceFound } from './compute-service-found.ts'
import { controlQuorum } from './control-quorum.ts'
import { cordonNode } from './cordon-node.ts'
import { datastoreQuorum } from './datastore-quorum.ts'
import { destinationsExist } from './destinations-exist.ts'
import { disableCompute } from './disable-compute.ts'
import { drainNode } from './drain-node.ts'
import { enableCompute } from './enable-compute.ts'
import { enableOvn } from './enable-ovn.ts'
import { instancesClassified } from './instances-classified.ts'
import { instancesQuiet } from './instances-quiet.ts'
import { instancesReturn } from './instances-return.ts'
import { instancesStatus } from './instances-status.ts'
import { lockLimitsAllow } from './lock-limits-allow.ts'
import { machineFound } from './machine-found.ts'
import { maintenanceApiReady } from './maintenance-api-ready.ts'
import { migrateInstances } from './migrate-instances.ts'
import { noEphemeralDisks } from './no-ephemeral-disks.ts'
import { noJujuController } from './no-juju-controller.ts'
import { noOsdsToReturn } from './no-osds-to-return.ts'
import { noOtherMaintenance } from './no-other-maintenance.ts'
import { noOtherRun } from './no-other-run.ts'
import { nodeExists } from './node-exists.ts'
import { nodeLocksActive } from './node-locks-active.ts'
import { nodeLocksInactive } from './node-locks-inactive.ts'
import { nodeLocksSound } from './node-locks-sound.ts'
import { nodeReady } from './node-ready.ts'
import { nodeStateKnown } from './node-state-known.ts'
import { notLastNode } from './not-last-node.ts'
import { osdsOkToStop } from './osds-ok-to-stop.ts'
import { otherControlNode } from './other-control-node.ts'
import { otherNodesInMaintenance } from './other-nodes-in-maintenance.ts'
import { permissionsSuffice } from './permissions-suffice.ts'
import { rebalanceInstances } from './rebalance-instances.ts'
import { removeNodeRequest } from './remove-node-request.ts'
import { replicasRedundancy } from './replicas-redundancy.ts'
import { requestIsOurs } from './request-is-ours.ts'
import { requestNodeMaintenance } from './request-node-maintenance.ts'
import { rolesAgree } from './roles-agree.ts'
import { runWatcherPlan } from './run-watcher-plan.ts'
import { setNoout } from './set-noout.ts'
import { startOsds } from './start-osds.ts'
import { stopOsds } from './stop-osds.ts'
import { storageUnchecked } from './storage-unchecked.ts'
import { uncordonNode } from './uncordon-node.ts'
import { unsetNoout } from './unset-noout.ts'
import { watcherAvailable } from './watcher-available.ts'
import { watcherRecommends } from './watcher-recommends.ts'

const STEPS: readonly Step<MaintenanceWorld>[] = [
  machineFound,
  nodeExists,
  nodeStateKnown,
  rolesAgree,
  alreadyOutOfService,
  notLastNode,
  permissionsSuffice,
  noOtherRun,
  computeServiceFound,
  instancesClassified,
  instancesQuiet,
  instancesReturn,
  destinationsExist,
  otherControlNode,
  controlQuorum,
  storageUnchecked,
  replicasRedundancy,
  disableCompute,
  migrateInstances,
  cordonNode,
  drainNode,
  nodeReady,
  uncordonNode,
  computeReturns,
  enableCompute,
  maintenanceApiReady,
  noOtherMaintenance,
  nodeLocksSound,
  lockLimitsAllow,
  cephCanSpare,
  requestNodeMaintenance,
  nodeLocksInactive,
  removeNodeRequest,
  nodeLocksActive,
  computeGivenBack,
  requestIsOurs,
  osdsOkToStop,
  cephServicesEnough,
  cephHealthy,
  setNoout,
  stopOsds,
  startOsds,
  unsetNoout,
  noOsdsToReturn,
  cephClean,
  otherNodesInMaintenance,
  noJujuController,
  enableOvn,
  datastoreQuorum,
  watcherAvailable,
  instancesStatus,
  noEphemeralDisks,
  runWatcherPlan,
  rebalanceInstances,
  watcherRecommends,
]

/** Every step this version knows, by kind: a plan found in the journal is run again through it. */
export const maintenanceSteps: StepRegistry<MaintenanceWorld> = new Map(STEPS.map(step => [step.kind, step]))
