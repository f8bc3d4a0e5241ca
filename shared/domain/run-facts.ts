import type { RunFact } from './run.ts'

/**
 * Written before a migration is asked for: values `name`, `attempt`, `source`, `statusBefore`, `knownMigrationId`, `ramMib`, and `how`
 * (`cold`; `evacuate`: it is rebuilt elsewhere, its machine being off, and then `loses` tells whether its local disk is lost; absent: live).
 */
export const MIGRATION_REQUESTED = 'migration-requested'
/** Written before a cold migration that arrived is confirmed: values `name`, `migrationId`. */
export const CONFIRM_REQUESTED = 'confirm-requested'
/** Written before an instance is stopped where it is: values `name`, `attempt`, `stopsBefore`, how often Nova had been asked to stop it by then. */
export const STOP_REQUESTED = 'stop-requested'
/**
 * The instance is stopped, as the operator chose: values `name`, `host`, `status`, `powerState`, `powerActs`, how often Nova had been asked to stop or start it by then:
 * whoever takes the stop back compares with it.
 */
export const INSTANCE_STOPPED = 'instance-stopped'
/**
 * Where a running migration stands: values `memoryTotal`, `memoryRemaining`, `diskTotal`, `diskRemaining`, `migrationStatus`, `slope` (how it gets
 * on), and `behind` and `behindId`, name and id of an instance that Nova moves off the same host first (older journals have the name alone).
 */
export const MIGRATION_PROGRESS = 'migration-progress'
/** Memory left did not fall for a while: it may never finish by itself. */
export const MIGRATION_STALLED = 'migration-stalled'
/**
 * A person is asked about one instance while the others go on: values `name`, `cause` with its `code` and `values` (absent in older journals), `since`, and `choices`, of InstanceChoice. It is over with the
 * next {@link INSTANCE_DECIDED}, outcome or request of that instance, or with {@link MIGRATION_ASKS_NO_MORE}.
 */
export const MIGRATION_ASKS = 'migration-asks'
/** The reason for the question about an instance passed by itself: value `name`. */
export const MIGRATION_ASKS_NO_MORE = 'migration-asks-no-more'
/** What was decided about one instance: values `choice`, of InstanceChoice, `by`, `reason`; `rule`, true: the rule that was confirmed with the plan. */
export const INSTANCE_DECIDED = 'instance-decided'
/** Written before Nova is asked to abort a live migration: values `name`, `migrationId`, `choice` and `actions`, how often Nova had been asked before. */
export const ABORT_REQUESTED = 'abort-requested'
/** Written before Nova is asked to end a live migration now: values as of {@link ABORT_REQUESTED}. */
export const FORCE_COMPLETE_REQUESTED = 'force-complete-requested'
/**
 * Nova refused to abort a migration or to end it: values `name`, `steering` (absent in older journals), `what`, the same in words, `why`, and `forGood`, true
 * where a rule forbids it.
 */
export const STEERING_REFUSED = 'steering-refused'
/** The instance arrived: values `name`, `from`, `to`, `status`, `powerState`, `attempt`. */
export const INSTANCE_MOVED = 'instance-moved'
/** One attempt came to nothing: values `name`, `attempt`, `why`, and the `code` and `values` that this is made of (absent in older journals, as below). */
export const MIGRATION_FAILED = 'migration-failed'
/** All attempts are used up; an operator decides. Values `name`, `why`, `code`, `values`, `attempts`, how many were made. */
export const ATTEMPTS_EXHAUSTED = 'attempts-exhausted'
/** The instance needs no move any more: values `name`, `why`, `code`, `values`, and `became`, `deleted` or `elsewhere` (absent: neither, or an older journal). */
export const INSTANCE_SETTLED = 'instance-settled'

/** Written before an instance that the maintenance stopped is started again: value `name`. */
export const START_REQUESTED = 'start-requested'
/** The instance runs again: values `name`, `host`, `status`, `powerState`. */
export const INSTANCE_STARTED = 'instance-started'
/**
 * Which instances were on a node before it was emptied or worked on: values `host`, `ids`, `instances`, id and name of each, and `running` and
 * `paused`, the same of those that were so. Subject `node/<name>`.
 */
export const INSTANCES_NOTED = 'instances-noted'
/** An instance as it was found afterwards: values `name`, `status`, `host`, `powerState`. */
export const INSTANCE_SEEN = 'instance-seen'

/** Written before a pod is evicted or deleted: values `uid`, `attempt`, `how`. */
export const EVICTION_REQUESTED = 'pod.eviction-requested'
/** The API server took the eviction: the pod terminates. */
export const EVICTION_ACCEPTED = 'pod.eviction-accepted'
/** A budget guards the pod: values `sentence`, with its `code` and `values`, and `retryAt`. */
export const EVICTION_REFUSED = 'pod.eviction-refused'
/** The pod's time to end is over, and finalizers keep it: value `by`, which names them. */
export const POD_HELD = 'pod.held'
/** The API server accepted the eviction, and the pod has no time to end: a webhook or a dry run swallowed it. */
export const POD_NOT_DELETED = 'pod.not-deleted'
/** A pod that nothing deleted has a time to end now. */
export const POD_TERMINATES = 'pod.terminates'
/** The pod is off the node: value `how`. */
export const POD_LEFT = 'pod.left'
/** The pod cannot be evicted: values `message`, `code`, `values`. */
export const POD_FAILED = 'pod.failed'

/** What a node was when a run looked at it last: values of a NodeVerdict (node-verdict.ts). Subject `node/<name>`. */
export const NODE_VERDICT = 'node-verdict'

/** What a step that follows something waits for now: value `what`, a text; null when it waits for this no longer. */
export const WAITS_FOR = 'waits-for'

/**
 * What a step needs does not answer as it should, which may pass by itself: it is tried again until then, and only then a person is asked.
 * Values `reason`, `since`, `until`, times. Subject: the step.
 */
export const TRANSIENT_RETRYING = 'outlasting'
/** It is not waited out any more: values `since`, `waitedMs`, `passed`, false when patience was over. */
export const TRANSIENT_RECOVERED = 'outlasted'

/**
 * A verify does not hold yet and looks on: told once when that begins and again whenever it sees something else. Values `reason`, what it saw,
 * `until`, when it gives up, and `leftMs`, how long that is. Subject: the step.
 */
export const NOT_VERIFIED_YET = 'not-verified-yet'

/** A lock the run waits for, whenever what it says changes: values `controller`, `state`, `message`, `kind` (of lock-message.ts). */
export const LOCK_WAITING = 'lock-waiting'
/** A lock is as it was waited for: values `controller`, `state`. */
export const LOCK_SETTLED = 'lock-settled'
/** Written before a maintenance request is made: values `name`, `scope`. */
export const REQUEST_CREATED = 'request-created'
/** Written before a maintenance request is removed: values `name`, `uid`. */
export const REQUEST_REMOVED = 'request-removed'

/** A person answered a question that the step leans on: values `choice`, `retry` or `continue`, and `reason`. */
export const OPERATOR_ANSWERED = 'operator-answered'
/**
 * What was given up may be tried as often again: a person answered `retry` (subject: the step), or what decides about an instance is not what
 * it was (subject `server/<id>`).
 */
export const TRY_AGAIN = 'try-again'
/** A person resumed a run that had failed: what used up its attempts gets one more. Subject: the step that had failed. */
export const OPERATOR_RESUMED = 'operator-resumed'

/** Watcher recommends this plan; it is shown before it is started: values `auditUuid`, `actions`, a number. Subject `watcher-plan/<uuid>`. */
export const WATCHER_PLAN_MADE = 'watcher-plan-made'
/** Written before a plan of Watcher is started: values `auditUuid`, `host`, `instances`, the ids it moves or stops. */
export const WATCHER_PLAN_STARTED = 'watcher-plan-started'
/** Written before an action is left out of a plan: values `plan`, `action`, `name`, `why`. Subject as {@link WATCHER_ACTION}. */
export const WATCHER_ACTION_SKIPPED = 'watcher-action-skipped'
/**
 * An action changed its state: values `plan`, `action`, `type`, `name`, `state`, `source` (the host that is emptied), `to` (where it goes, or
 * went), `why`; once it is SUCCEEDED also `status`, `powerState`. Subject `server/<id>`, or `nova-compute/<host>` for a service.
 */
export const WATCHER_ACTION = 'watcher-action'
/** A plan was told to stop: actions under way still finish. Values `why`, `finishing`, the names of those. */
export const WATCHER_PLAN_CANCELLED = 'watcher-plan-cancelled'
/** The plan is over and these are still on the host, before a person is asked about them: value `ids`. */
export const WATCHER_LEFT = 'watcher-left'
/** No action of the plan goes on: values `state` (what Watcher calls it), `succeeded`, `skipped`, `failed`, `notRun`, numbers. */
export const WATCHER_PLAN_OVER = 'watcher-plan-over'

/** Written before a node is cordoned. Subject `node/<name>`, as of the next one. */
export const CORDON_REQUESTED = 'cordon-requested'
/** Written before a node is uncordoned. */
export const UNCORDON_REQUESTED = 'uncordon-requested'
/** Written before a nova-compute is disabled: values `id`, `reason`. Subject `nova-compute/<host>`, as of the next one. */
export const COMPUTE_DISABLE_REQUESTED = 'compute-disable-requested'
/** Written before a nova-compute is enabled: value `id`. */
export const COMPUTE_ENABLE_REQUESTED = 'compute-enable-requested'
/** Written before a nova-compute is forced down, its machine being off: values `id`, `machineIsOff`, how the operator knows. */
export const COMPUTE_FORCE_DOWN_REQUESTED = 'compute-force-down-requested'
/**
 * When Nova last changed the record of a nova-compute that is forced down: values `id`, `updatedAt`. A run tells it once; every later evacuation of the
 * run compares with it, whichever process drives the run by then: a record that changed since shows that the machine runs.
 */
export const COMPUTE_LAST_REPORT = 'compute-last-report'
/** Written before it is forced down no longer: value `id`. */
export const COMPUTE_FORCE_UP_REQUESTED = 'compute-force-up-requested'
/** Written before Masakari is told that a host is under maintenance: values `id`, `segment`. Subject `masakari-host/<host>`, as of the next one. */
export const MASAKARI_SET_REQUESTED = 'masakari-set-requested'
/** Written before Masakari is told that it is no longer: values as before. */
export const MASAKARI_CLEAR_REQUESTED = 'masakari-clear-requested'
/** Written before Kubernetes is told that a node is out of service: value `taint`. Subject `node/<name>`, as of the next one. */
export const TAINT_REQUESTED = 'taint-requested'
/** Written before that is taken back: value `taint`. */
export const UNTAINT_REQUESTED = 'untaint-requested'
/** Written before OSDs of a node are stopped: value `osds`, their ids. Subject `node/<name>`, as of the next one. */
export const OSDS_STOP_REQUESTED = 'osds-stop-requested'
/** Written before OSDs of a node are started: value `osds`, their ids. */
export const OSDS_START_REQUESTED = 'osds-start-requested'
/** Written before noout is set: value `reach`, `host` or `cluster`. Subject `ceph-host/<host>` or `ceph`. */
export const NOOUT_SET_REQUESTED = 'noout-set-requested'
/** Written before noout is removed; as {@link NOOUT_SET_REQUESTED}. */
export const NOOUT_UNSET_REQUESTED = 'noout-unset-requested'
/** Written before it is noted on a node whether it needs noout of all of Ceph: value `needed`. */
export const NOOUT_NOTED = 'noout-noted'
/** Written before MicroCeph is asked to end a node's maintenance, which removes noout of all of Ceph. */
export const MICROCEPH_EXIT_REQUESTED = 'microceph-exit-requested'
/** Written before a service of MicroOVN is enabled: value `service`. Subject `microovn/<unit>`. */
export const OVN_ENABLE_REQUESTED = 'ovn-enable-requested'

/** Written before the cluster's maintenance request is made: values `name`, `scope`. From here on the update is under way. */
export const CLUSTER_REQUEST_CREATED = 'cluster-request-created'
/** Written before the cluster's maintenance request is removed: values `name`, `uid`. */
export const CLUSTER_REQUEST_REMOVED = 'cluster-request-removed'
/** A node as it was before it was worked on: values `bootId`, `kubeletVersion`, `osImage`. */
export const NODE_BEFORE = 'node-before-work'
/** The work on a node is over: values `bootId`, `kubeletVersion`, `osImage` as they are now; or `job`, which Job did it, or `command`, under which name a command did. */
export const NODE_WORKED = 'node-worked'
/** Written before an object is patched that starts the update of an application: values `application`, `object`, `uid`, `resourceVersion`. */
export const APPLICATION_UPDATE_REQUESTED = 'application-update-requested'
/** It was patched, or was so already: values `application`, `object`. */
export const APPLICATION_UPDATE_STARTED = 'application-update-started'
/** Written before a Job is created on a node: values `name`, `namespace`, `attempt`. */
export const WORK_JOB_REQUESTED = 'work-job-requested'
/** A Job on a node failed: values `name`, `message`. */
export const WORK_JOB_FAILED = 'work-job-failed'
/** Written before a command of the operator's is started: values `name`, under which it is kept, `attempt`, and `machine`, where. */
export const WORK_COMMAND_REQUESTED = 'work-command-requested'
/** It is under way: values `name`, and `group`, the process group in which it runs; null: that is not known. */
export const WORK_COMMAND_RUNS = 'work-command-runs'
/** It was not started after all: values `name`, `message`. */
export const WORK_COMMAND_CALLED_OFF = 'work-command-called-off'
/** The run leaves it under way: values `name`, `group` (null: not known) and `machine`. */
export const WORK_COMMAND_LEFT = 'work-command-left'
/** It ended, and not with exit code 0: values `name`, `message`. */
export const WORK_COMMAND_FAILED = 'work-command-failed'
/** No process of it is there any more, and nobody saw how it ended: values `name`, `message`. */
export const WORK_COMMAND_UNSEEN = 'work-command-unseen'

/** What steps tell while a run works, by the names under which the journal keeps it: a step can tell nothing else (fact-words.ts has words for each). */
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

/** The name of a fact where this version knows it; a journal of another version may hold others. */
export function factName(fact: Pick<RunFact, 'fact'>): RunFactName | null {
  return RUN_FACTS.find(name => name === fact.fact) ?? null
}

/** The id of the instance that a fact is about: its subject is `server/<id>`. */
export function instanceIdOf(subject: string): string {
  return subject.replace(/^server\//, '')
}

/** What an operator calls the thing a fact is about. */
export function subjectName(fact: Pick<RunFact, 'subject' | 'values'>): string {
  return (
    factText(fact, 'name') ??
    fact.subject.replace(/^(?:server|pod|node|nova-compute|masakari-host|ceph-host|microovn)\//, '')
  )
}

/** The same with the beginning of an instance's id: what Watcher does is told by instance, and two may have one name. */
export function subjectNameWithId(fact: Pick<RunFact, 'subject' | 'values'>): string {
  const id = /^server\/(.{1,8})/.exec(fact.subject)?.[1]
  return id === undefined ? subjectName(fact) : `${subjectName(fact)} (${id})`
}

/** A fact's value that is a text; null when it has none. */
export function factText(fact: Pick<RunFact, 'values'>, name: string): string | null {
  const value = fact.values[name]
  return typeof value === 'string' ? value : null
}

/** A fact's value that is a number; null when it has none. */
export function factNumber(fact: Pick<RunFact, 'values'>, name: string): number | null {
  const value = fact.values[name]
  return typeof value === 'number' ? value : null
}

/** The share of memory that a progress fact says is copied, 0 to 100; null when it does not say. */
export function percentOf(fact: Pick<RunFact, 'values'>): number | null {
  const { memoryTotal, memoryRemaining } = fact.values
  if (typeof memoryTotal !== 'number' || typeof memoryRemaining !== 'number' || memoryTotal <= 0) return null
  return Math.max(0, Math.min(100, Math.round((1 - memoryRemaining / memoryTotal) * 100)))
}
