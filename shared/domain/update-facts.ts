/** Written before the cluster's maintenance request is made: values `name`, `scope`. From here on the update is under way. */
export const CLUSTER_REQUEST_CREATED = 'cluster-request-created'
/** Written before the cluster's maintenance request is removed: values `name`, `uid`. */
export const CLUSTER_REQUEST_REMOVED = 'cluster-request-removed'
/** A node as it was before it was worked on: values `bootId`, `kubeletVersion`, `osImage`. */
export const NODE_BEFORE = 'node-before-work'
/** The work on a node is over: values `bootId`, `kubeletVersion`, `osImage` as they are now. */
export const NODE_WORKED = 'node-worked'
/** Written before a Job is created on a node: values `name`, `namespace`, `attempt`. */
export const WORK_JOB_REQUESTED = 'work-job-requested'
/** A Job on a node failed: values `name`, `message`. */
export const WORK_JOB_FAILED = 'work-job-failed'
