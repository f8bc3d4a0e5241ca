import type { MaintenanceWorld } from '../ports/world.ts'
import type { Step, StepRegistry } from '../runs/engine/step.ts'
import { computeChecks } from './plans/node/compute-steps.ts'
import { bringHome } from './steps/compute/bring-home.ts'
import { computeGivenBack } from './steps/compute/compute-given-back.ts'
import { computeReturns } from './steps/compute/compute-returns.ts'
import { computeServiceDown } from './steps/compute/compute-service-down.ts'
import { disableCompute } from './steps/compute/disable-compute.ts'
import { enableCompute } from './steps/compute/enable-compute.ts'
import { endMasakariMaintenance } from './steps/compute/end-masakari-maintenance.ts'
import { forceDownCompute } from './steps/compute/force-down-compute.ts'
import { forceUpCompute } from './steps/compute/force-up-compute.ts'
import { instancesRescuable } from './steps/compute/instances-rescuable.ts'
import { instancesReturn } from './steps/compute/instances-return.ts'
import { masakariRecovers } from './steps/compute/masakari-recovers.ts'
import { migrateInstances } from './steps/compute/migrate-instances.ts'
import { rescueInstances } from './steps/compute/rescue-instances.ts'
import { setMasakariMaintenance } from './steps/compute/set-masakari-maintenance.ts'
import { controlQuorum } from './steps/control/control-quorum.ts'
import { datastoreQuorum } from './steps/control/datastore-quorum.ts'
import { enableOvn } from './steps/control/enable-ovn.ts'
import { noJujuController } from './steps/control/no-juju-controller.ts'
import { otherControlNode } from './steps/control/other-control-node.ts'
import { alreadyOutOfService } from './steps/general/already-out-of-service.ts'
import { cordonNode } from './steps/general/cordon-node.ts'
import { drainNode } from './steps/general/drain-node.ts'
import { healthGates } from './steps/general/health-gates.ts'
import { machineFound } from './steps/general/machine-found.ts'
import { machineOff } from './steps/general/machine-off.ts'
import { noOtherMaintenance } from './steps/general/no-other-maintenance.ts'
import { noOtherRun } from './steps/general/no-other-run.ts'
import { nodeExists } from './steps/general/node-exists.ts'
import { nodeReady } from './steps/general/node-ready.ts'
import { nodeStateKnown } from './steps/general/node-state-known.ts'
import { nodeEmptied, nodeServes } from './steps/general/node-verdict.ts'
import { notLastNode } from './steps/general/not-last-node.ts'
import { otherNodesInMaintenance } from './steps/general/other-nodes-in-maintenance.ts'
import { outOfServiceTaint } from './steps/general/out-of-service-taint.ts'
import { permissionsSuffice } from './steps/general/permissions-suffice.ts'
import { replicasRedundancy } from './steps/general/replicas-redundancy.ts'
import { rolesAgree } from './steps/general/roles-agree.ts'
import { takeBackCordon } from './steps/general/take-back-cordon.ts'
import { takeBackTaint } from './steps/general/take-back-taint.ts'
import { uncordonNode } from './steps/general/uncordon-node.ts'
import { undoReaches } from './steps/general/undo-reaches.ts'
import { clusterLockInactive } from './steps/requests/cluster-lock-inactive.ts'
import { clusterLocksActive } from './steps/requests/cluster-locks-active.ts'
import { definitionsServed } from './steps/requests/definitions-served.ts'
import { lockLimitsAllow } from './steps/requests/lock-limits-allow.ts'
import { locksStand } from './steps/requests/locks-stand.ts'
import { maintenanceApiReady } from './steps/requests/maintenance-api-ready.ts'
import { noOtherDriver } from './steps/requests/no-other-driver.ts'
import { nodeLocksActive } from './steps/requests/node-locks-active.ts'
import { nodeLocksInactive } from './steps/requests/node-locks-inactive.ts'
import { nodeLocksSound } from './steps/requests/node-locks-sound.ts'
import { removeClusterRequest } from './steps/requests/remove-cluster-request.ts'
import { removeNodeRequest } from './steps/requests/remove-node-request.ts'
import { requestClusterMaintenance } from './steps/requests/request-cluster-maintenance.ts'
import { requestIsOurs } from './steps/requests/request-is-ours.ts'
import { requestNodeMaintenance } from './steps/requests/request-node-maintenance.ts'
import { batchCanLeave } from './steps/rolling/batch-can-leave.ts'
import { batchesFit } from './steps/rolling/batches-fit.ts'
import { emptiedByNova } from './steps/rolling/emptied-by-nova.ts'
import { instancesReviewed } from './steps/rolling/instances-reviewed.ts'
import { nodeReadyAgain } from './steps/rolling/node-ready-again.ts'
import { nodeWork } from './steps/rolling/node-work.ts'
import { noteNode } from './steps/rolling/note-node.ts'
import { otherApplications } from './steps/rolling/other-applications.ts'
import { pauseHere } from './steps/rolling/pause-here.ts'
import { updateApplication } from './steps/rolling/update-application.ts'
import { updatePermitted } from './steps/rolling/update-permitted.ts'
import { wholeClusterVerified } from './steps/rolling/whole-cluster-verified.ts'
import { cephCanSpare } from './steps/storage/ceph-can-spare.ts'
import { cephClean } from './steps/storage/ceph-clean.ts'
import { cephHealthy } from './steps/storage/ceph-healthy.ts'
import { cephServicesEnough } from './steps/storage/ceph-services-enough.ts'
import { noOsdsToReturn } from './steps/storage/no-osds-to-return.ts'
import { osdsDown } from './steps/storage/osds-down.ts'
import { osdsOkToStop } from './steps/storage/osds-ok-to-stop.ts'
import { setNoout } from './steps/storage/set-noout.ts'
import { startOsds } from './steps/storage/start-osds.ts'
import { stopOsds } from './steps/storage/stop-osds.ts'
import { storageUnchecked } from './steps/storage/storage-unchecked.ts'
import { unsetNoout } from './steps/storage/unset-noout.ts'
import { rebalanceInstances } from './steps/watcher/rebalance-instances.ts'
import { runWatcherPlan } from './steps/watcher/run-watcher-plan.ts'
import { watcherRecommends } from './steps/watcher/watcher-recommends.ts'

const STEPS: readonly Step<MaintenanceWorld>[] = [
  ...computeChecks,
  machineFound,
  nodeExists,
  nodeStateKnown,
  rolesAgree,
  alreadyOutOfService,
  notLastNode,
  permissionsSuffice,
  healthGates,
  noOtherRun,
  instancesReturn,
  bringHome,
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
