import { reasonsOfSignals } from '../wings/notify/door.ts'
import { reasonsOfRunners } from '../wings/runner/door.ts'
import { API_REASONS } from './reasons/api.ts'
import { CEPH_CALLS, CEPH_REASONS } from './reasons/ceph.ts'
import { CLUSTER_TESTS_REMEDIES_REASONS } from './reasons/cluster-test-remedies.ts'
import { CLUSTER_TESTS_REASONS } from './reasons/cluster-tests.ts'
import { CLUSTERS_REASONS } from './reasons/clusters.ts'
import { CLUSTERS_FILES_REASONS } from './reasons/clusters-files.ts'
import { CLUSTERS_JUJU_REASONS } from './reasons/clusters-juju.ts'
import { COMMANDS_REASONS } from './reasons/commands.ts'
import { CONTROLLERS_REASONS } from './reasons/controllers.ts'
import { CONTROLLERS_OPENSTACK_REASONS } from './reasons/controllers-openstack.ts'
import { CONTROLLERS_STORAGE_REASONS } from './reasons/controllers-storage.ts'
import { DOCTOR_REASONS } from './reasons/doctor.ts'
import { DOCTOR_DATA_REASONS } from './reasons/doctor-data.ts'
import { FACES_REASONS } from './reasons/faces.ts'
import { FILES_REASONS } from './reasons/files.ts'
import { HTTP_REASONS } from './reasons/http.ts'
import { INSTANCE_REMEDIES_REASONS } from './reasons/instance-remedies.ts'
import { JOURNAL_REASONS } from './reasons/journal.ts'
import { JOURNAL_CHECKS_REASONS } from './reasons/journal-checks.ts'
import { JOURNAL_COPIES_REASONS } from './reasons/journal-copies.ts'
import { JUJU_CALLS, JUJU_REASONS } from './reasons/juju.ts'
import { KUBERNETES_CALLS, KUBERNETES_REASONS } from './reasons/kubernetes.ts'
import { KUBERNETES_ANSWERS_REASONS } from './reasons/kubernetes-answers.ts'
import { KUBERNETES_DRAIN_REASONS } from './reasons/kubernetes-drain.ts'
import { KUBERNETES_FILES_REASONS } from './reasons/kubernetes-files.ts'
import { KUBERNETES_FOREIGN_REASONS } from './reasons/kubernetes-foreign.ts'
import { KUBERNETES_OBJECTS_REASONS } from './reasons/kubernetes-objects.ts'
import { OBSERVER_REASONS } from './reasons/observer.ts'
import { OPENSTACK_REASONS } from './reasons/openstack.ts'
import { OPENSTACK_COMPUTE_CALLS, OPENSTACK_COMPUTE_REASONS } from './reasons/openstack-compute.ts'
import { OPENSTACK_MASAKARI_CALLS, OPENSTACK_MASAKARI_REASONS } from './reasons/openstack-masakari.ts'
import { OPENSTACK_PLACES_CALLS, OPENSTACK_PLACES_REASONS } from './reasons/openstack-places.ts'
import { OPENSTACK_POLICY_CALLS, OPENSTACK_POLICY_REASONS } from './reasons/openstack-policy.ts'
import { OPENSTACK_SESSION_CALLS, OPENSTACK_SESSION_REASONS } from './reasons/openstack-session.ts'
import { OPENSTACK_WATCHER_CALLS, OPENSTACK_WATCHER_REASONS } from './reasons/openstack-watcher.ts'
import { PRINT_REASONS } from './reasons/print.ts'
import { REMOVED_REQUESTS_REASONS } from './reasons/removed-requests.ts'
import { RUN_REQUESTS_REASONS } from './reasons/run-requests.ts'
import { RUNS_REASONS } from './reasons/runs.ts'
import { SETTINGS_REASONS } from './reasons/settings.ts'
import { UNDO_REASONS } from './reasons/undo.ts'
import { VIEW_REASONS } from './reasons/view.ts'
import { VIEW_NODES_REASONS } from './reasons/view-nodes.ts'
import { WINDOWS_REASONS } from './reasons/windows.ts'
import { type Finding, valuesIn } from './steps/coded.ts'

/** All texts outside the steps of a run, by code: refusals, failures and observations. A room gives only a code with values. */
const REASONS = {
  ...API_REASONS,
  ...CEPH_REASONS,
  ...CLUSTER_TESTS_REMEDIES_REASONS,
  ...CLUSTER_TESTS_REASONS,
  ...CLUSTERS_FILES_REASONS,
  ...CLUSTERS_JUJU_REASONS,
  ...CLUSTERS_REASONS,
  ...COMMANDS_REASONS,
  ...CONTROLLERS_OPENSTACK_REASONS,
  ...CONTROLLERS_STORAGE_REASONS,
  ...CONTROLLERS_REASONS,
  ...DOCTOR_DATA_REASONS,
  ...DOCTOR_REASONS,
  ...FACES_REASONS,
  ...FILES_REASONS,
  ...INSTANCE_REMEDIES_REASONS,
  ...HTTP_REASONS,
  ...JOURNAL_CHECKS_REASONS,
  ...JOURNAL_COPIES_REASONS,
  ...JOURNAL_REASONS,
  ...JUJU_REASONS,
  ...KUBERNETES_ANSWERS_REASONS,
  ...KUBERNETES_DRAIN_REASONS,
  ...KUBERNETES_FILES_REASONS,
  ...KUBERNETES_FOREIGN_REASONS,
  ...KUBERNETES_OBJECTS_REASONS,
  ...KUBERNETES_REASONS,
  ...OBSERVER_REASONS,
  ...OPENSTACK_COMPUTE_REASONS,
  ...OPENSTACK_MASAKARI_REASONS,
  ...OPENSTACK_PLACES_REASONS,
  ...OPENSTACK_POLICY_REASONS,
  ...OPENSTACK_SESSION_REASONS,
  ...OPENSTACK_WATCHER_REASONS,
  ...OPENSTACK_REASONS,
  ...PRINT_REASONS,
  ...REMOVED_REQUESTS_REASONS,
  ...RUN_REQUESTS_REASONS,
  ...RUNS_REASONS,
  ...SETTINGS_REASONS,
  ...UNDO_REASONS,
  ...VIEW_NODES_REASONS,
  ...VIEW_REASONS,
  ...WINDOWS_REASONS,
  ...reasonsOfRunners,
  ...reasonsOfSignals,
}

/** Requests to other programs, in the infinitive: `list the pods on cmp-1`. */
const CALLS = {
  ...CEPH_CALLS,
  ...JUJU_CALLS,
  ...KUBERNETES_CALLS,
  ...OPENSTACK_COMPUTE_CALLS,
  ...OPENSTACK_MASAKARI_CALLS,
  ...OPENSTACK_PLACES_CALLS,
  ...OPENSTACK_POLICY_CALLS,
  ...OPENSTACK_SESSION_CALLS,
  ...OPENSTACK_WATCHER_CALLS,
}

type CallValues = { readonly [Code in keyof typeof CALLS]: Parameters<(typeof CALLS)[Code]> }
type ReasonValues = { readonly [Code in keyof typeof REASONS]: Parameters<(typeof REASONS)[Code]> }

const reasons: { readonly [Code in keyof ReasonValues]: (...given: ReasonValues[Code]) => string } = REASONS
const calls: { readonly [Code in keyof CallValues]: (...given: CallValues[Code]) => string } = CALLS

/** A reason as a code with values; `message` is its text. */
export function because<Code extends keyof ReasonValues>(code: Code, ...given: ReasonValues[Code]): Finding {
  return { code, values: valuesIn(given), message: reasons[code](...given) }
}

/** A request to another program as a code with values; the code of its failure has it as a value. */
export function call<Code extends keyof CallValues>(code: Code, ...given: CallValues[Code]): Finding {
  return { code, values: valuesIn(given), message: calls[code](...given) }
}
