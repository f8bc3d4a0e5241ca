import type { RunFact } from './run.ts'

/**
 * Written before a migration request: values `name`, `attempt`, `source`, `statusBefore`, `knownMigrationId`, `ramMib`, and `how` (`cold`;
 * `evacuate`: rebuilt on another host because its machine is off, with `loses`: whether its local disk is lost; absent: live).
 */
export const MIGRATION_REQUESTED = 'migration-requested'
/** Written before an arrived cold migration is confirmed: values `name`, `migrationId`. */
export const CONFIRM_REQUESTED = 'confirm-requested'
/** Written before an instance is stopped on its host: values `name`, `attempt`, `stopsBefore`, the number of earlier stop requests to Nova. */
export const STOP_REQUESTED = 'stop-requested'
/**
 * The instance is stopped, as the operator chose: values `name`, `host`, `status`, `powerState`, `powerActs`, the number of stop and start requests
 * to Nova by then: undoing the stop compares with it.
 */
export const INSTANCE_STOPPED = 'instance-stopped'
/**
 * Progress of a running migration: values `memoryTotal`, `memoryRemaining`, `diskTotal`, `diskRemaining`, `migrationStatus`, `slope`
 * (MigrationSlope), and `behind` and `behindId`, name and id of an instance that Nova moves off the same host first (older journals have only the
 * name).
 */
export const MIGRATION_PROGRESS = 'migration-progress'
/** The remaining memory did not fall for a while: it may never finish. */
export const MIGRATION_STALLED = 'migration-stalled'
/**
 * A question about one instance while the others continue: values `name`, `cause` with its `code` and `values` (absent in older journals), `since`,
 * and `choices`, of InstanceChoice. It ends with the next {@link INSTANCE_DECIDED}, outcome or request of that instance, or with {@link
 * MIGRATION_ASKS_NO_MORE}.
 */
export const MIGRATION_ASKS = 'migration-asks'
/** The reason for the question about an instance has disappeared: value `name`. */
export const MIGRATION_ASKS_NO_MORE = 'migration-asks-no-more'
/** A decision about one instance: values `choice`, of InstanceChoice, `by`, `reason`; `rule`, true: by the rule confirmed with the plan. */
export const INSTANCE_DECIDED = 'instance-decided'
/** Before a request to abort a live migration: values `name`, `migrationId`, `choice` and `actions`, the number of earlier requests. */
export const ABORT_REQUESTED = 'abort-requested'
/** Written before Nova is asked to complete a live migration now: values as of {@link ABORT_REQUESTED}. */
export const FORCE_COMPLETE_REQUESTED = 'force-complete-requested'
/**
 * Nova refused to abort or complete a migration: values `name`, `steering` (absent in older journals), `what`, the same in words, `why`, and
 * `forGood`, true if a rule forbids it.
 */
export const STEERING_REFUSED = 'steering-refused'
/** The instance arrived: values `name`, `from`, `to`, `status`, `powerState`, `attempt`. */
export const INSTANCE_MOVED = 'instance-moved'
/** One attempt failed: values `name`, `attempt`, `why`, and its `code` and `values` (absent in older journals, as below). */
export const MIGRATION_FAILED = 'migration-failed'
/** All attempts are used up; an operator decides. Values `name`, `why`, `code`, `values`, `attempts`, the number of attempts. */
export const ATTEMPTS_EXHAUSTED = 'attempts-exhausted'
/** The instance no longer needs a move: values `name`, `why`, `code`, `values`, and `became`, `deleted` or `elsewhere` (or absent). */
export const INSTANCE_SETTLED = 'instance-settled'

/** Written before an instance that the maintenance stopped is started again: value `name`. */
export const START_REQUESTED = 'start-requested'
/** The instance runs again: values `name`, `host`, `status`, `powerState`. */
export const INSTANCE_STARTED = 'instance-started'
/**
 * Instances on a node before it was emptied or worked on: values `host`, `ids`, `instances`, id and name of each, and `running` and `paused`, the
 * same for instances in these states. Subject `node/<name>`.
 */
export const INSTANCES_NOTED = 'instances-noted'
/** An instance as the run found it afterwards: values `name`, `status`, `host`, `powerState`. */
export const INSTANCE_SEEN = 'instance-seen'

/** Written before a pod is evicted or deleted: values `uid`, `attempt`, `how`. */
export const EVICTION_REQUESTED = 'pod.eviction-requested'
/** The API server accepted the eviction: the pod terminates. */
export const EVICTION_ACCEPTED = 'pod.eviction-accepted'
/** A budget guards the pod: values `sentence`, with its `code` and `values`, and `retryAt`. */
export const EVICTION_REFUSED = 'pod.eviction-refused'
/** The pod's grace period has ended, and finalizers keep it: value `by`, which names them. */
export const POD_HELD = 'pod.held'
/** The API server accepted the eviction, but the pod has no deletion time: a webhook or a dry run discarded it. */
export const POD_NOT_DELETED = 'pod.not-deleted'
export const POD_TERMINATES = 'pod.terminates'
/** The pod is off the node: value `how`. */
export const POD_LEFT = 'pod.left'
/** The pod cannot be evicted: values `message`, `code`, `values`. */
export const POD_FAILED = 'pod.failed'

/** The verdict of a run's last reading of a node: values of a NodeVerdict (node-verdict.ts). Subject `node/<name>`. */
export const NODE_VERDICT = 'node-verdict'

/** What a step waits for now: value `what`, a text; null when it no longer waits. */
export const WAITS_FOR = 'waits-for'

/**
 * A service that a step needs does not answer correctly, possibly for a short time: the step tries again until `until`, then asks a person. Values
 * `reason`, `since`, `until`, times. Subject: the step.
 */
export const TRANSIENT_RETRYING = 'outlasting'
/** The retries ended: values `since`, `waitedMs`, `passed`, false if the time limit was reached. */
export const TRANSIENT_RECOVERED = 'outlasted'

/**
 * A verify does not pass yet and continues: written when that starts and whenever its finding changes. Values `reason`, the finding, `until`, when
 * it gives up, and `leftMs`, the remaining time. Subject: the step.
 */
export const NOT_VERIFIED_YET = 'not-verified-yet'

/** A lock that the run waits for, at each change of its message: values `controller`, `state`, `message`, `kind` (of lock-message.ts). */
export const LOCK_WAITING = 'lock-waiting'
/** A lock reached the expected state: values `controller`, `state`. */
export const LOCK_SETTLED = 'lock-settled'
/** Written before a maintenance request is created: values `name`, `scope`. */
export const REQUEST_CREATED = 'request-created'
/** Written before a maintenance request is removed: values `name`, `uid`. */
export const REQUEST_REMOVED = 'request-removed'

/** A person answered a question on which the step relies: values `choice`, `retry` or `continue`, and `reason`. */
export const OPERATOR_ANSWERED = 'operator-answered'
/** Failed work gets all attempts again: an answer `retry` (subject: the step), or a changed condition (subject `server/<id>`). */
export const TRY_AGAIN = 'try-again'
/** A person resumed a failed run: exhausted work gets one more attempt. Subject: the failed step. */
export const OPERATOR_RESUMED = 'operator-resumed'

/** Watcher recommends this plan, which is shown before it starts: values `auditUuid`, `actions`, a number. Subject `watcher-plan/<uuid>`. */
export const WATCHER_PLAN_MADE = 'watcher-plan-made'
/** Written before a plan of Watcher starts: values `auditUuid`, `host`, `instances`, the ids it moves or stops. */
export const WATCHER_PLAN_STARTED = 'watcher-plan-started'
/** Written before an action is left out of a plan: values `plan`, `action`, `name`, `why`. Subject as {@link WATCHER_ACTION}. */
export const WATCHER_ACTION_SKIPPED = 'watcher-action-skipped'
/**
 * An action changed its state: values `plan`, `action`, `type`, `name`, `state`, `source` (the host being emptied), `to` (the destination), `why`;
 * once SUCCEEDED also `status`, `powerState`. Subject `server/<id>`, or `nova-compute/<host>` for a service.
 */
export const WATCHER_ACTION = 'watcher-action'
/** Watcher was asked to cancel a plan: running actions still finish. Values `why`, `finishing`, their names. */
export const WATCHER_PLAN_CANCELLED = 'watcher-plan-cancelled'
/** The plan ended with these instances still on the host, before a person is asked about them: value `ids`. */
export const WATCHER_LEFT = 'watcher-left'
/** No action of the plan runs any longer: values `state` (Watcher's), `succeeded`, `skipped`, `failed`, `notRun`, numbers. */
export const WATCHER_PLAN_OVER = 'watcher-plan-over'

/** Written before a node is cordoned. Subject `node/<name>`, as of the next one. */
export const CORDON_REQUESTED = 'cordon-requested'
export const UNCORDON_REQUESTED = 'uncordon-requested'
/** Written before a nova-compute is disabled: values `id`, `reason`. Subject `nova-compute/<host>`, as of the next one. */
export const COMPUTE_DISABLE_REQUESTED = 'compute-disable-requested'
/** Written before a nova-compute is enabled: value `id`. */
export const COMPUTE_ENABLE_REQUESTED = 'compute-enable-requested'
/** Written before the nova-compute of a machine that is off is forced down: values `id`, `machineIsOff`, how the operator knows. */
export const COMPUTE_FORCE_DOWN_REQUESTED = 'compute-force-down-requested'
/**
 * When Nova last changed the record of a forced-down nova-compute: values `id`, `updatedAt`. Written once per run; every later evacuation of the
 * run compares with it, in any process: a record that changed since shows that the machine runs.
 */
export const COMPUTE_LAST_REPORT = 'compute-last-report'
/** Written before the forced-down flag is cleared: value `id`. */
export const COMPUTE_FORCE_UP_REQUESTED = 'compute-force-up-requested'
/** Written before on_maintenance of a host is set in Masakari: values `id`, `segment`. Subject `masakari-host/<host>`, as of the next one. */
export const MASAKARI_SET_REQUESTED = 'masakari-set-requested'
/** Written before on_maintenance is cleared: values as before. */
export const MASAKARI_CLEAR_REQUESTED = 'masakari-clear-requested'
/** Written before a node gets the out-of-service taint: value `taint`. Subject `node/<name>`, as of the next one. */
export const TAINT_REQUESTED = 'taint-requested'
/** Written before that taint is removed: value `taint`. */
export const UNTAINT_REQUESTED = 'untaint-requested'
/** Written before OSDs of a node are stopped: value `osds`, their ids. Subject `node/<name>`, as of the next one. */
export const OSDS_STOP_REQUESTED = 'osds-stop-requested'
/** Written before OSDs of a node are started: value `osds`, their ids. */
export const OSDS_START_REQUESTED = 'osds-start-requested'
/** Written before noout is set: value `reach`, `host` or `cluster`. Subject `ceph-host/<host>` or `ceph`. */
export const NOOUT_SET_REQUESTED = 'noout-set-requested'
/** Written before noout is removed; as {@link NOOUT_SET_REQUESTED}. */
export const NOOUT_UNSET_REQUESTED = 'noout-unset-requested'
/** Written before a node's need for noout on all of Ceph is recorded on it: value `needed`. */
export const NOOUT_NOTED = 'noout-noted'
/** Written before MicroCeph is asked to end a node's maintenance, which removes noout from all of Ceph. */
export const MICROCEPH_EXIT_REQUESTED = 'microceph-exit-requested'
/** Written before a service of MicroOVN is enabled: value `service`. Subject `microovn/<unit>`. */
export const OVN_ENABLE_REQUESTED = 'ovn-enable-requested'

/** Written before the cluster's maintenance request is created: values `name`, `scope`. It starts the update. */
export const CLUSTER_REQUEST_CREATED = 'cluster-request-created'
/** Written before the cluster's maintenance request is removed: values `name`, `uid`. */
export const CLUSTER_REQUEST_REMOVED = 'cluster-request-removed'
/** A node before the work on it: values `bootId`, `kubeletVersion`, `osImage`. */
export const NODE_BEFORE = 'node-before-work'
/**
 * The work on a node has finished: the current values `bootId`, `kubeletVersion`, `osImage`; or `job`, the Job that did it, or `command`, the
 * stored name of the command that did it.
 */
export const NODE_WORKED = 'node-worked'
/** Written before the patch that starts the update of an application: values `application`, `object`, `uid`, `resourceVersion`. */
export const APPLICATION_UPDATE_REQUESTED = 'application-update-requested'
/** The object was patched, or already matched: values `application`, `object`. */
export const APPLICATION_UPDATE_STARTED = 'application-update-started'
/** Written before a Job is created on a node: values `name`, `namespace`, `attempt`. */
export const WORK_JOB_REQUESTED = 'work-job-requested'
/** A Job on a node failed: values `name`, `message`. */
export const WORK_JOB_FAILED = 'work-job-failed'
/** Written before an operator's command starts: values `name`, under which it is stored, `attempt`, and `machine`. */
export const WORK_COMMAND_REQUESTED = 'work-command-requested'
/** The command runs: values `name`, and `group`, its process group; null: unknown. */
export const WORK_COMMAND_RUNS = 'work-command-runs'
/** The command was not started after all: values `name`, `message`. */
export const WORK_COMMAND_CALLED_OFF = 'work-command-called-off'
/** The run leaves the command running: values `name`, `group` (null: unknown) and `machine`. */
export const WORK_COMMAND_LEFT = 'work-command-left'
/** The command ended with an exit code other than 0: values `name`, `message`. */
export const WORK_COMMAND_FAILED = 'work-command-failed'
/** The command has no process any longer, and its end was not observed: values `name`, `message`. */
export const WORK_COMMAND_UNSEEN = 'work-command-unseen'

/** The facts that steps write during a run, by their names in the journal (fact-words.ts has words for each). */
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

/** The name of a fact if this version knows it; a journal of another version may contain others. */
export function factName(fact: Pick<RunFact, 'fact'>): RunFactName | null {
  return RUN_FACTS.find(name => name === fact.fact) ?? null
}

/** The id of the instance that a fact is about: its subject is `server/<id>`. */
export function instanceIdOf(subject: string): string {
  return subject.replace(/^server\//, '')
}

export function subjectName(fact: Pick<RunFact, 'subject' | 'values'>): string {
  return (
    factText(fact, 'name') ??
    fact.subject.replace(/^(?:server|pod|node|nova-compute|masakari-host|ceph-host|microovn)\//, '')
  )
}

/** The same with the beginning of an instance's id, for Watcher's facts: two instances may share a name. */
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

/** The share of memory copied, by a progress fact, 0 to 100; null: not given. */
export function percentOf(fact: Pick<RunFact, 'values'>): number | null {
  const { memoryTotal, memoryRemaining } = fact.values
  if (typeof memoryTotal !== 'number' || typeof memoryRemaining !== 'number' || memoryTotal <= 0) return null
  return Math.max(0, Math.min(100, Math.round((1 - memoryRemaining / memoryTotal) * 100)))
}
