import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepRegistry } from '../../../runs/engine/step.ts'
import { clusterLockInactive } from './cluster-lock-inactive.ts'
import { clusterLocksActive } from './cluster-locks-active.ts'
import { definitionsServed } from './definitions-served.ts'
import { emptiedByNova } from './emptied-by-nova.ts'
import { instancesReviewed } from './instances-reviewed.ts'
import { locksStand } from './locks-stand.ts'
import { noOtherDriver } from './no-other-driver.ts'
import { nodeReadyAgain } from './node-ready-again.ts'
import { nodeWork } from './node-work.ts'
import { noteNode } from './note-node.ts'
import { otherApplications } from './other-applications.ts'
import { pauseHere } from './pause-here.ts'
import { removeClusterRequest } from './remove-cluster-request.ts'
import { requestClusterMaintenance } from './request-cluster-maintenance.ts'
import { updatePermitted } from './update-permitted.ts'
import { waveCanLeave } from './wave-can-leave.ts'
import { wavesFit } from './waves-fit.ts'
import { wholeClusterVerified } from './whole-cluster-verified.ts'

const STEPS: readonly Step<MaintenanceWorld>[] = [
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
  removeClusterRequest,
  clusterLocksActive,
  wholeClusterVerified,
  emptiedByNova,
  waveCanLeave,
  wavesFit,
]

/** The steps of a cluster's update beside those of a node's maintenance, by kind. */
export const updateSteps: StepRegistry<MaintenanceWorld> = new Map(STEPS.map(step => [step.kind, step]))
