/** Descriptions of the fields of the node maintenance API, for `kubectl explain`. */
export const DEFINITION_FIELDS = {
  scope: 'drain: services restart at most. os: the node may be rebooted.',
  release: 'Release that the maintenance leads to.',
  controller: 'Application controller of this lock. It identifies the lock.',
  node: 'Node of this object.',
  state:
    'active: nobody may work on the node. inactive: its controller has finished. failed: the controller could not prepare the node.',
  errorMessage: 'What the controller does, waits for or could not do.',
  controllerRelease: 'Release of the controller.',
  deletionSupported: 'The controller answers NodeDeletionRequests.',
} as const
