/** What `kubectl explain` says of the fields of the node maintenance API. */
export const DEFINITION_FIELDS = {
  scope: 'drain: services restart at most. os: the node may be rebooted.',
  release: 'Release the maintenance leads to.',
  controller: 'Application controller this lock belongs to: what a lock is known by.',
  node: 'Node this is about.',
  state: 'active: nobody may work on it. inactive: its controller is done. failed: it could not be prepared.',
  errorMessage: 'What the controller does, waits for or could not do.',
  controllerRelease: 'Release of the controller.',
  deletionSupported: 'The controller answers NodeDeletionRequests.',
} as const
