import { failure } from '../../shared/domain/failure.ts'
import { failed } from '../../shared/domain/result.ts'
import type { LockWriterPort } from '../lcm/ports.ts'
import type { CephPort, MaintenanceApiPort } from '../maintenance/ports.ts'

const none = async () => failed(failure('not-found', 'This cluster has no node maintenance API.'))

/** Stands where the adapters will: every answer says that the cluster has no such API. */
export const noMaintenanceApi: MaintenanceApiPort = {
  definitions: none,
  installDefinitions: none,
  objects: none,
  createNodeRequest: none,
  createClusterRequest: none,
  deleteRequest: none,
  deploymentStatus: none,
}

export const noLocks: LockWriterPort = {
  createClusterLock: none,
  createNodeLock: none,
  setLockStatus: none,
  annotateLock: none,
  deleteLock: none,
  setFinalizer: none,
}

export const noCeph: CephPort = { status: none, osds: none, okToStop: none, setHostNoout: none }
