import type { RunFact } from './run.ts'

/**
 * Before a migration request: `name`, `attempt`, `source`, `statusBefore`, `knownMigrationId`, `ramMib`, `how` (`cold`, `evacuate` with `loses`;
 * absent means live).
 */
export const MIGRATION_REQUESTED = 'migration-requested'
/** Recorded before an arrived cold migration is confirmed: `name`, `migrationId`. */
export const CONFIRM_REQUESTED = 'confirm-requested'
/** Recorded before an instance is stopped on its host: `name`, `attempt`, `stopsBefore` (earlier stop requests to Nova). */
export const STOP_REQUESTED = 'stop-requested'
/** Stopped, as the operator chose: `name`, `host`, `status`, `powerState`, `powerActs` (stop and start requests by then, for an undo). */
export const INSTANCE_STOPPED = 'instance-stopped'
/**
 * `memoryTotal`, `memoryRemaining`, `diskTotal`, `diskRemaining`, `migrationStatus`, `slope`, and `behind`, `behindId`: the instance that Nova moves
 * first.
 */
export const MIGRATION_PROGRESS = 'migration-progress'
/** The remaining memory did not fall for a while: it may never finish. */
export const MIGRATION_STALLED = 'migration-stalled'
/**
 * A question about one instance while the others continue: `name`, `cause` with `code` and `values`, `since`, `choices`. Its next decision, outcome
 * or request ends it.
 */
export const MIGRATION_ASKS = 'migration-asks'
/** The reason for the question has disappeared: `name`. */
export const MIGRATION_ASKS_NO_MORE = 'migration-asks-no-more'
/** `choice` (InstanceChoice), `by`, `reason`; `rule` true: by the rule confirmed with the plan. */
export const INSTANCE_DECIDED = 'instance-decided'
/** Recorded before a request to abort a live migration: `name`, `migrationId`, `choice`, `actions` (the number of earlier requests). */
export const ABORT_REQUESTED = 'abort-requested'
/** Recorded before Nova is asked to complete a live migration now: values as of {@link ABORT_REQUESTED}. */
export const FORCE_COMPLETE_REQUESTED = 'force-complete-requested'
/** Nova refused: `name`, `steering` (absent in older journals), `what` in words, `why`, `forGood` (a rule forbids it). */
export const STEERING_REFUSED = 'steering-refused'
/** Arrived: `name`, `from`, `to`, `status`, `powerState`, `attempt`. */
export const INSTANCE_MOVED = 'instance-moved'
/** One attempt failed: `name`, `attempt`, `why`, `code`, `values` (absent in older journals, as below). */
export const MIGRATION_FAILED = 'migration-failed'
/** An operator decides: `name`, `why`, `code`, `values`, `attempts`, the number of attempts. */
export const ATTEMPTS_EXHAUSTED = 'attempts-exhausted'
/** No move is needed any more: `name`, `why`, `code`, `values`, `became` (`deleted`, `elsewhere`, or absent). */
export const INSTANCE_SETTLED = 'instance-settled'

/** Recorded before an instance that the maintenance stopped is started again: `name`. */
export const START_REQUESTED = 'start-requested'
/** Runs again: `name`, `host`, `status`, `powerState`. */
export const INSTANCE_STARTED = 'instance-started'
/** Recorded before a node is emptied or worked on: `host`, `ids`, `instances`, `running`, `paused` (id and name of each). Subject `node/<name>`. */
export const INSTANCES_NOTED = 'instances-noted'
/** Recorded when the instance was seen afterwards: `name`, `status`, `host`, `powerState`. */
export const INSTANCE_SEEN = 'instance-seen'

/** Recorded before a pod is evicted or deleted: `uid`, `attempt`, `how`. */
export const EVICTION_REQUESTED = 'pod.eviction-requested'
/** The pod terminates. */
export const EVICTION_ACCEPTED = 'pod.eviction-accepted'
/** Recorded when a budget refused: `sentence`, with its `code` and `values`, and `retryAt`. */
export const EVICTION_REFUSED = 'pod.eviction-refused'
/** Its grace period has ended, and the finalizers `by` keep it. */
export const POD_HELD = 'pod.held'
/** The API server accepted the eviction, but a webhook or a dry run discarded it. */
export const POD_NOT_DELETED = 'pod.not-deleted'
export const POD_TERMINATES = 'pod.terminates'
/** The pod is off the node: `how`. */
export const POD_LEFT = 'pod.left'
/** The pod cannot be evicted: `message`, `code`, `values`. */
export const POD_FAILED = 'pod.failed'

/** The last reading of a node: values of a NodeVerdict (node-verdict.ts). Subject `node/<name>`. */
export const NODE_VERDICT = 'node-verdict'

/** What a step waits for now: `what`, a text; null if it no longer waits. */
export const WAITS_FOR = 'waits-for'

/** A service that a step needs fails: the step tries again until `until`, then asks. Values `reason`, `since`, `until`. Subject: the step. */
export const TRANSIENT_RETRYING = 'outlasting'
/** The retries ended: `since`, `waitedMs`, `passed` (false: the time limit was reached). */
export const TRANSIENT_RECOVERED = 'outlasted'

/** A verify does not pass yet, at each change of its finding: `reason`, `until` (when it gives up), `leftMs`. Subject: the step. */
export const NOT_VERIFIED_YET = 'not-verified-yet'

/** A lock that the run waits for, at each change: `controller`, `state`, `message`, `kind` (of lock-message.ts). */
export const LOCK_WAITING = 'lock-waiting'
/** A lock reached the expected state: `controller`, `state`. */
export const LOCK_SETTLED = 'lock-settled'
/** Recorded before a maintenance request is created: `name`, `scope`. */
export const REQUEST_CREATED = 'request-created'
/** Recorded before a maintenance request is removed: `name`, `uid`. */
export const REQUEST_REMOVED = 'request-removed'

/** A step relies on this answer: `choice` (`retry` or `continue`), `reason`. */
export const OPERATOR_ANSWERED = 'operator-answered'
/** Failed work gets all attempts again, by an answer `retry` (subject: the step) or a changed condition (subject `server/<id>`). */
export const TRY_AGAIN = 'try-again'
/** A person resumed a failed run: exhausted work gets one more attempt. Subject: the failed step. */
export const OPERATOR_RESUMED = 'operator-resumed'

/** Shown before it starts: `auditUuid`, `actions`, a number. Subject `watcher-plan/<uuid>`. */
export const WATCHER_PLAN_MADE = 'watcher-plan-made'
/** Recorded before a plan of Watcher starts: `auditUuid`, `host`, `instances`, the ids it moves or stops. */
export const WATCHER_PLAN_STARTED = 'watcher-plan-started'
/** Recorded before an action is left out: `plan`, `action`, `name`, `why`. Subject as {@link WATCHER_ACTION}. */
export const WATCHER_ACTION_SKIPPED = 'watcher-action-skipped'
/**
 * An action changed: `plan`, `action`, `type`, `name`, `state`, `source`, `to`, `why`; SUCCEEDED also `status`, `powerState`. Subject `server/<id>`
 * or `nova-compute/<host>`.
 */
export const WATCHER_ACTION = 'watcher-action'
/** Running actions still finish: `why`, `finishing`, their names. */
export const WATCHER_PLAN_CANCELLED = 'watcher-plan-cancelled'
/** The plan ended with these still on the host: `ids`. */
export const WATCHER_LEFT = 'watcher-left'
/** No action runs any more: `state` (Watcher's), `succeeded`, `skipped`, `failed`, `notRun`, numbers. */
export const WATCHER_PLAN_OVER = 'watcher-plan-over'

/** Recorded before a node is cordoned. Subject `node/<name>`, as of the next one. */
export const CORDON_REQUESTED = 'cordon-requested'
export const UNCORDON_REQUESTED = 'uncordon-requested'
/** Recorded before a nova-compute is disabled: `id`, `reason`. Subject `nova-compute/<host>`, as of the next ones. */
export const COMPUTE_DISABLE_REQUESTED = 'compute-disable-requested'
/** Recorded before a nova-compute is enabled: `id`. */
export const COMPUTE_ENABLE_REQUESTED = 'compute-enable-requested'
/** Recorded before the nova-compute of a machine that is off is forced down: `id`, `machineIsOff` (how the operator knows). */
export const COMPUTE_FORCE_DOWN_REQUESTED = 'compute-force-down-requested'
/** Once per run: `id`, `updatedAt` of a forced-down nova-compute's record. A record that changed since shows that the machine runs. */
export const COMPUTE_LAST_REPORT = 'compute-last-report'
/** Recorded before the forced-down flag is cleared: `id`. */
export const COMPUTE_FORCE_UP_REQUESTED = 'compute-force-up-requested'
/** Recorded before on_maintenance is set in Masakari: `id`, `segment`. Subject `masakari-host/<host>`, as of the next one. */
export const MASAKARI_SET_REQUESTED = 'masakari-set-requested'
/** Recorded before on_maintenance is cleared: values as before. */
export const MASAKARI_CLEAR_REQUESTED = 'masakari-clear-requested'
/** Recorded before a node gets the out-of-service taint: `taint`. Subject `node/<name>`, as of the next one. */
export const TAINT_REQUESTED = 'taint-requested'
/** Recorded before that taint is removed: `taint`. */
export const UNTAINT_REQUESTED = 'untaint-requested'
/** Recorded before OSDs are stopped: `osds`, their ids. Subject `node/<name>`, as of the next one. */
export const OSDS_STOP_REQUESTED = 'osds-stop-requested'
/** Recorded before OSDs are started: `osds`, their ids. */
export const OSDS_START_REQUESTED = 'osds-start-requested'
/** Recorded before noout is set: `reach` (`host` or `cluster`). Subject `ceph-host/<host>` or `ceph`. */
export const NOOUT_SET_REQUESTED = 'noout-set-requested'
/** Recorded before noout is removed; as {@link NOOUT_SET_REQUESTED}. */
export const NOOUT_UNSET_REQUESTED = 'noout-unset-requested'
/** Recorded before a node's need for the cluster-wide noout is noted on it: `needed`. */
export const NOOUT_NOTED = 'noout-noted'
/** Recorded before MicroCeph ends a node's maintenance, which removes noout from all of Ceph. */
export const MICROCEPH_EXIT_REQUESTED = 'microceph-exit-requested'
/** Recorded before a service of MicroOVN is enabled: `service`. Subject `microovn/<unit>`. */
export const OVN_ENABLE_REQUESTED = 'ovn-enable-requested'

/** Recorded before the cluster's maintenance request is created, which starts the update: `name`, `scope`. */
export const CLUSTER_REQUEST_CREATED = 'cluster-request-created'
/** Recorded before the cluster's maintenance request is removed: `name`, `uid`. */
export const CLUSTER_REQUEST_REMOVED = 'cluster-request-removed'
/** A node before the work on it: `bootId`, `kubeletVersion`, `osImage`. */
export const NODE_BEFORE = 'node-before-work'
/** The work has finished: `bootId`, `kubeletVersion`, `osImage`; or `job`, or `command` (its stored name). */
export const NODE_WORKED = 'node-worked'
/** Recorded before the patch that starts the update of an application: `application`, `object`, `uid`, `resourceVersion`. */
export const APPLICATION_UPDATE_REQUESTED = 'application-update-requested'
/** Patched, or matched already: `application`, `object`. */
export const APPLICATION_UPDATE_STARTED = 'application-update-started'
/** Recorded before a Job is created on a node: `name`, `namespace`, `attempt`. */
export const WORK_JOB_REQUESTED = 'work-job-requested'
/** A Job on a node failed: `name`, `message`. */
export const WORK_JOB_FAILED = 'work-job-failed'
/** Recorded before an operator's command starts: `name` (as stored), `attempt`, `machine`. */
export const WORK_COMMAND_REQUESTED = 'work-command-requested'
/** The command runs: `name`, `group`, its process group; null if unknown. */
export const WORK_COMMAND_RUNS = 'work-command-runs'
/** It was not started after all: `name`, `message`. */
export const WORK_COMMAND_CALLED_OFF = 'work-command-called-off'
/** The run leaves it running: `name`, `group` (null: unknown), `machine`. */
export const WORK_COMMAND_LEFT = 'work-command-left'
/** It ended with an exit code other than 0: `name`, `message`. */
export const WORK_COMMAND_FAILED = 'work-command-failed'
/** It has no process any more, and its end was not observed: `name`, `message`. */
export const WORK_COMMAND_UNSEEN = 'work-command-unseen'

/** The facts as the journal names them (fact-words.ts has words for each). */
export const RUN_FACTS = [
  MIGRATION_REQUESTED,
  CONFIRM_REQUESTED,
  STOP_REQUESTED,
  INSTANCE_STOPPED,
  MIGRATION_PROGRESS,
  MIGRATION_STALLED,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  INSTANCE_DECIDED,
  ABORT_REQUESTED,
  FORCE_COMPLETE_REQUESTED,
  STEERING_REFUSED,
  INSTANCE_MOVED,
  MIGRATION_FAILED,
  ATTEMPTS_EXHAUSTED,
  INSTANCE_SETTLED,
  START_REQUESTED,
  INSTANCE_STARTED,
  INSTANCES_NOTED,
  INSTANCE_SEEN,
  NODE_VERDICT,
  EVICTION_REQUESTED,
  EVICTION_ACCEPTED,
  EVICTION_REFUSED,
  POD_LEFT,
  POD_FAILED,
  POD_HELD,
  POD_NOT_DELETED,
  POD_TERMINATES,
  WAITS_FOR,
  TRANSIENT_RETRYING,
  TRANSIENT_RECOVERED,
  NOT_VERIFIED_YET,
  LOCK_WAITING,
  LOCK_SETTLED,
  REQUEST_CREATED,
  REQUEST_REMOVED,
  OPERATOR_ANSWERED,
  TRY_AGAIN,
  OPERATOR_RESUMED,
  WATCHER_PLAN_MADE,
  WATCHER_PLAN_STARTED,
  WATCHER_ACTION_SKIPPED,
  WATCHER_ACTION,
  WATCHER_PLAN_CANCELLED,
  WATCHER_LEFT,
  WATCHER_PLAN_OVER,
  CORDON_REQUESTED,
  UNCORDON_REQUESTED,
  COMPUTE_DISABLE_REQUESTED,
  COMPUTE_ENABLE_REQUESTED,
  COMPUTE_FORCE_DOWN_REQUESTED,
  COMPUTE_LAST_REPORT,
  COMPUTE_FORCE_UP_REQUESTED,
  MASAKARI_SET_REQUESTED,
  MASAKARI_CLEAR_REQUESTED,
  TAINT_REQUESTED,
  UNTAINT_REQUESTED,
  OSDS_STOP_REQUESTED,
  OSDS_START_REQUESTED,
  NOOUT_SET_REQUESTED,
  NOOUT_UNSET_REQUESTED,
  NOOUT_NOTED,
  MICROCEPH_EXIT_REQUESTED,
  OVN_ENABLE_REQUESTED,
  CLUSTER_REQUEST_CREATED,
  CLUSTER_REQUEST_REMOVED,
  APPLICATION_UPDATE_REQUESTED,
  APPLICATION_UPDATE_STARTED,
  NODE_BEFORE,
  NODE_WORKED,
  WORK_JOB_REQUESTED,
  WORK_JOB_FAILED,
  WORK_COMMAND_REQUESTED,
  WORK_COMMAND_RUNS,
  WORK_COMMAND_CALLED_OFF,
  WORK_COMMAND_LEFT,
  WORK_COMMAND_FAILED,
  WORK_COMMAND_UNSEEN,
] as const
export type RunFactName = (typeof RUN_FACTS)[number]

/** Null means a fact of another version. */
export function factName(fact: Pick<RunFact, 'fact'>): RunFactName | null {
  return RUN_FACTS.find(name => name === fact.fact) ?? null
}

/** The id in a subject `server/<id>`. */
export function instanceIdOf(subject: string): string {
  return subject.replace(/^server\//, '')
}

export function subjectName(fact: Pick<RunFact, 'subject' | 'values'>): string {
  return (
    factText(fact, 'name') ??
    fact.subject.replace(/^(?:server|pod|node|nova-compute|masakari-host|ceph-host|microovn)\//, '')
  )
}

/** The subject's name with the beginning of its id, for Watcher's facts: two instances may share a name. */
export function subjectNameWithId(fact: Pick<RunFact, 'subject' | 'values'>): string {
  const id = /^server\/(.{1,8})/.exec(fact.subject)?.[1]
  return id === undefined ? subjectName(fact) : `${subjectName(fact)} (${id})`
}

export function factText(fact: Pick<RunFact, 'values'>, name: string): string | null {
  const value = fact.values[name]
  return typeof value === 'string' ? value : null
}

export function factNumber(fact: Pick<RunFact, 'values'>, name: string): number | null {
  const value = fact.values[name]
  return typeof value === 'number' ? value : null
}

/** Memory copied, 0 to 100; null if not given. */
export function percentOf(fact: Pick<RunFact, 'values'>): number | null {
  const { memoryTotal, memoryRemaining } = fact.values
  if (typeof memoryTotal !== 'number' || typeof memoryRemaining !== 'number' || memoryTotal <= 0) return null
  return Math.max(0, Math.min(100, Math.round((1 - memoryRemaining / memoryTotal) * 100)))
}
