import { ATTACH_CALLS, ATTACH_REASONS } from './reasons/attach.ts'
import { CAMPAIGNS_REASONS } from './reasons/campaigns.ts'
import { CEPH_CALLS, CEPH_REASONS } from './reasons/ceph.ts'
import { CLUSTER_TESTS_REASONS } from './reasons/cluster-tests.ts'
import { CLUSTERS_REASONS } from './reasons/clusters.ts'
import { COMMANDS_REASONS } from './reasons/commands.ts'
import { CONTROLLERS_REASONS } from './reasons/controllers.ts'
import { DESK_REASONS } from './reasons/desk.ts'
import { FILES_REASONS } from './reasons/files.ts'
import { HTTP_REASONS } from './reasons/http.ts'
import { JOURNAL_REASONS } from './reasons/journal.ts'
import { JUJU_CALLS, JUJU_REASONS } from './reasons/juju.ts'
import { KUBERNETES_CALLS, KUBERNETES_REASONS } from './reasons/kubernetes.ts'
import { OBSERVER_REASONS } from './reasons/observer.ts'
import { OPENSTACK_REASONS } from './reasons/openstack.ts'
import { OPENSTACK_COMPUTE_CALLS, OPENSTACK_COMPUTE_REASONS } from './reasons/openstack-compute.ts'
import { OPENSTACK_PLACES_CALLS, OPENSTACK_PLACES_REASONS } from './reasons/openstack-places.ts'
import { OPENSTACK_POLICY_CALLS, OPENSTACK_POLICY_REASONS } from './reasons/openstack-policy.ts'
import { OPENSTACK_SESSION_CALLS, OPENSTACK_SESSION_REASONS } from './reasons/openstack-session.ts'
import { OPENSTACK_WATCHER_CALLS, OPENSTACK_WATCHER_REASONS } from './reasons/openstack-watcher.ts'
import { RUNNER_REASONS } from './reasons/runner.ts'
import { RUNS_REASONS } from './reasons/runs.ts'
import { SETTINGS_REASONS } from './reasons/settings.ts'
import { SIGNALS_REASONS } from './reasons/signals.ts'
import { VIEW_REASONS } from './reasons/view.ts'
import { WINDOWS_REASONS } from './reasons/windows.ts'
import type { Finding, Values } from './steps/coded.ts'

/** Every text of what happens outside the steps of a run, by code: refusals, failures, and what was seen. A room gives a code with values, and nothing else. */
const REASONS = {
  ...ATTACH_REASONS,
  ...CAMPAIGNS_REASONS,
  ...CEPH_REASONS,
  ...CLUSTER_TESTS_REASONS,
  ...CLUSTERS_REASONS,
  ...COMMANDS_REASONS,
  ...CONTROLLERS_REASONS,
  ...DESK_REASONS,
  ...FILES_REASONS,
  ...HTTP_REASONS,
  ...JOURNAL_REASONS,
  ...JUJU_REASONS,
  ...KUBERNETES_REASONS,
  ...OBSERVER_REASONS,
  ...OPENSTACK_REASONS,
  ...OPENSTACK_COMPUTE_REASONS,
  ...OPENSTACK_PLACES_REASONS,
  ...OPENSTACK_POLICY_REASONS,
  ...OPENSTACK_SESSION_REASONS,
  ...OPENSTACK_WATCHER_REASONS,
  ...RUNNER_REASONS,
  ...RUNS_REASONS,
  ...SETTINGS_REASONS,
  ...SIGNALS_REASONS,
  ...VIEW_REASONS,
  ...WINDOWS_REASONS,
}

/** What is asked of other programs, in the infinitive: `list the pods on cmp-1`. */
const CALLS = {
  ...ATTACH_CALLS,
  ...CEPH_CALLS,
  ...JUJU_CALLS,
  ...KUBERNETES_CALLS,
  ...OPENSTACK_COMPUTE_CALLS,
  ...OPENSTACK_PLACES_CALLS,
  ...OPENSTACK_POLICY_CALLS,
  ...OPENSTACK_SESSION_CALLS,
  ...OPENSTACK_WATCHER_CALLS,
}

type CallValues = { readonly [Code in keyof typeof CALLS]: Parameters<(typeof CALLS)[Code]> }
type ReasonValues = { readonly [Code in keyof typeof REASONS]: Parameters<(typeof REASONS)[Code]> }

const reasons: { readonly [Code in keyof ReasonValues]: (...given: ReasonValues[Code]) => string } = REASONS
const calls: { readonly [Code in keyof CallValues]: (...given: CallValues[Code]) => string } = CALLS

/** Why something did not happen, or what was seen, by a code with values; `message` is its text. */
export function because<Code extends keyof ReasonValues>(code: Code, ...given: ReasonValues[Code]): Finding {
  return { code, values: valuesIn(given), message: reasons[code](...given) }
}

/** What is asked of another program, by a code with values: a value of the code that says that it failed. */
export function call<Code extends keyof CallValues>(code: Code, ...given: CallValues[Code]): Finding {
  return { code, values: valuesIn(given), message: calls[code](...given) }
}

function valuesIn([values]: readonly [values?: object]): Values {
  return { ...values }
}
