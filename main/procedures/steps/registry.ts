import type { MaintenanceWorld } from '../../ports/world.ts'
import type { Step, StepRegistry } from '../../runs/engine/step.ts'
import { bringHome } from './compute/bring-home.ts'
import { computeGivenBack } from './compute/compute-given-back.ts'
import { computeReturns } from './compute/compute-returns.ts'
import { computeServiceDown } from './compute/compute-service-down.ts'
import { computeServiceFound } from './compute/compute-service-found.ts'
import { destinationsExist } from './compute/destinations-exist.ts'
import { disableCompute } from './compute/disable-compute.ts'
import { enableCompute } from './compute/enable-compute.ts'
import { endMasakariMaintenance } from './compute/end-masakari-maintenance.ts'
import { forceDownCompute } from './compute/force-down-compute.ts'
import { forceUpCompute } from './compute/force-up-compute.ts'
import { instancesClassified } from './compute/instances-classified.ts'
import { instancesQuiet } from './compute/instances-quiet.ts'
import { instancesRescuable } from './compute/instances-rescuable.ts'
import { instancesReturn } from './compute/instances-return.ts'
import { instancesStatus } from './compute/instances-status.ts'
import { masakariRecovers } from './compute/masakari-recovers.ts'
import { migrateInstances } from './compute/migrate-instances.ts'
import { noEphemeralDisks } from './compute/no-ephemeral-disks.ts'
import { rescueInstances } from './compute/rescue-instances.ts'
import { setMasakariMaintenance } from './compute/set-masakari-maintenance.ts'
import { controlQuorum } from './control/control-quorum.ts'
import { datastoreQuorum } from './control/datastore-quorum.ts'
import { enableOvn } from './control/enable-ovn.ts'
import { noJujuController } from './control/no-juju-controller.ts'
import { otherControlNode } from './control/other-control-node.ts'
import { alreadyOutOfService } from './general/already-out-of-service.ts'
import { cordonNode } from './general/cordon-node.ts'
import { drainNode } from './general/drain-node.ts'
import { healthGates } from './general/health-gates.ts'
import { machineFound } from './general/machine-found.ts'
import { machineOff } from './general/machine-off.ts'
import { noOtherMaintenance } from './general/no-other-maintenance.ts'
import { noOtherRun } from './general/no-other-run.ts'
import { nodeExists } from './general/node-exists.ts'
import { nodeReady } from './general/node-ready.ts'
import { nodeStateKnown } from './general/node-state-known.ts'
import { nodeEmptied, nodeServes } from './general/node-verdict.ts'
import { notLastNode } from './general/not-last-node.ts'
import { otherNodesInMaintenance } from './general/other-nodes-in-maintenance.ts'
import { outOfServiceTaint } from './general/out-of-service-taint.ts'
import { permissionsSuffice } from './general/permissions-suffice.ts'
import { replicasRedundancy } from './general/replicas-redundancy.ts'
import { rolesAgree } from './general/roles-agree.ts'
import { takeBackCordon } from './general/take-back-cordon.ts'
import { takeBackTaint } from './general/take-back-taint.ts'
import { uncordonNode } from './general/uncordon-node.ts'
import { undoReaches } from './general/undo-reaches.ts'
import { clusterLockInactive } from './requests/cluster-lock-inactive.ts'
import { clusterLocksActive } from './requests/cluster-locks-active.ts'
import { definitionsServed } from './requests/definitions-served.ts'
import { lockLimitsAllow } from './requests/lock-limits-allow.ts'
import { locksStand } from './requests/locks-stand.ts'
import { maintenanceApiReady } from './requests/maintenance-api-ready.ts'
import { noOtherDriver } from './requests/no-other-driver.ts'
import { nodeLocksActive } from './requests/node-locks-active.ts'
import { nodeLocksInactive } from './requests/node-locks-inactive.ts'
import { nodeLocksSound } from './requests/node-locks-sound.ts'
import { removeClusterRequest } from './requests/remove-cluster-request.ts'
import { removeNodeRequest } from './requests/remove-node-request.ts'
import { requestClusterMaintenance } from './requests/request-cluster-maintenance.ts'
import { requestIsOurs } from './requests/request-is-ours.ts'
import { requestNodeMaintenance } from './requests/request-node-maintenance.ts'
import { batchCanLeave } from './rolling/batch-can-leave.ts'
import { batchesFit } from './rolling/batches-fit.ts'
import { emptiedByNova } from './rolling/emptied-by-nova.ts'
import { instancesReviewed } from './rolling/instances-reviewed.ts'
import { nodeReadyAgain } from './rolling/node-ready-again.ts'
import { nodeWork } from './rolling/node-work.ts'
import { noteNode } from './rolling/note-node.ts'
import { otherApplications } from './rolling/other-applications.ts'
import { pauseHere } from './rolling/pause-here.ts'
import { updateApplication } from './rolling/update-application.ts'
import { updatePermitted } from './rolling/update-permitted.ts'
import { wholeClusterVerified } from './rolling/whole-cluster-verified.ts'
import { cephCanSpare } from './storage/ceph-can-spare.ts'
import { cephClean } from './storage/ceph-clean.ts'
import { cephHealthy } from './storage/ceph-healthy.ts'
import { cephServicesEnough } from './storage/ceph-services-enough.ts'
import { noOsdsToReturn } from './storage/no-osds-to-return.ts'
import { osdsDown } from './storage/osds-down.ts'
import { osdsOkToStop } from './storage/osds-ok-to-stop.ts'
import { setNoout } from './storage/set-noout.ts'
import { startOsds } from './storage/start-osds.ts'
import { stopOsds } from './storage/stop-osds.ts'
import { storageUnchecked } from './storage/storage-unchecked.ts'
import { unsetNoout } from './storage/unset-noout.ts'
import { rebalanceInstances } from './watcher/rebalance-instances.ts'
import { runWatcherPlan } from './watcher/run-watcher-plan.ts'
import { watcherAvailable } from './watcher/watcher-available.ts'
import { watcherRecommends } from './watcher/watcher-recommends.ts'

const STEPS: readonly Step<MaintenanceWorld>[] = [
  machineFound,
  nodeExists,
  nodeStateKnown,
  rolesAgree,
  alreadyOutOfService,
  notLastNode,
  permissionsSuffice,
  healthGates,
  noOtherRun,
  computeServiceFound,
  instancesClassified,
  instancesQuiet,
  instancesReturn,
  bringHome,
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
  takeBackCordon,
  uncordonNode,
  undoReaches,
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
  definitionsServed,
  updatePermitted,
  locksStand,
  noOtherDriver,
  instancesReviewed,
  requestClusterMaintenance,
  clusterLockInactive,
  noteNode,
  nodeWork,
  nodeReadyAgain,
  pauseHere,
  otherApplications,
  updateApplication,
  removeClusterRequest,
  clusterLocksActive,
  wholeClusterVerified,
  emptiedByNova,
  batchCanLeave,
  batchesFit,
  machineOff,
  computeServiceDown,
  instancesRescuable,
  osdsDown,
  forceDownCompute,
  rescueInstances,
  outOfServiceTaint,
  takeBackTaint,
  forceUpCompute,
  nodeEmptied,
  nodeServes,
  setMasakariMaintenance,
  endMasakariMaintenance,
  masakariRecovers,
]

/** All steps by kind: a plan from the journal runs through it. */
export const maintenanceSteps: StepRegistry<MaintenanceWorld> = new Map([
  ...STEPS.map(step => [step.kind, step] as const),
  // Names in plans of earlier versions.
  ['waves-fit', batchesFit],
  ['wave-can-leave', batchCanLeave],
])
