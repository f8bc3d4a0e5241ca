import { counted } from '../../grammar/counts.ts'
import { durationWords } from '../../grammar/durations.ts'
import {
  type Cause,
  type FaultText,
  type Items,
  type Names,
  nodeIn,
  type OfCluster,
  type OfHost,
  type OfNode,
  type StepTexts,
  someItems,
  someNames,
  type TextsOf,
} from './coded.ts'

const ENDS_BY_HAND = 'can be cancelled with `openstack optimize actionplan cancel`'

export const WATCHER_STEPS = {
  'rebalance-instances': {
    title: input => `Spread instances again, now that ${nodeIn(input)} takes them`,
    why: 'A node that comes back is empty, while the others carry its share.',
    undo: `Instances stay where they went. A plan that Watcher is still executing ${ENDS_BY_HAND}.`,
  },
  'run-watcher-plan': {
    title: input => `Run Watcher's plan that empties ${nodeIn(input)}`,
    why: 'No instance may be running on the node, and no new one may land there.',
    undo: `Instances stay where they went. A plan that Watcher is still executing ${ENDS_BY_HAND}. Bringing the node back enables nova-compute.`,
  },
  'watcher-available': {
    title: () => 'Watcher answers',
    why: 'Watcher empties the node, so it must answer.',
  },
  'watcher-recommends': {
    title: input => `Watcher recommends how to empty ${nodeIn(input)}`,
    why: "Watcher's action plan empties the node, so the run needs one.",
  },
} satisfies StepTexts

type OfPlan = {
  readonly plan: string
}

/** The results of the actions of a plan. */
type Tally = {
  readonly actions: number
  readonly succeeded: number
  readonly skipped: number
}

type Ended = Tally & {
  readonly failed: number
  readonly notRun: number
  /** Those that failed or were not run. */
  readonly wrong: Items<{ readonly name: string; readonly state: string; readonly cause: string | null }>
}

/** Watcher's recommendation; `effect` in Watcher's words. */
type Proposed = {
  readonly actions: Items<{ readonly effect: string; readonly name: string; readonly to: string | null }>
}

/** `working`: the instances of the actions under way; empty if the applier does not start the next action. */
type Unchanged = {
  readonly forMs: number
  readonly state: string
  readonly working: Names
}

/** `action`: null if Watcher's plan had none. `migration`: the last one in Nova's records, if Watcher's action failed. */
type LeftInstance = {
  readonly instance: string
  readonly status: string
  readonly action: { readonly kind: string; readonly state: string; readonly cause: string | null } | null
  readonly migration: { readonly to: string | null; readonly status: string } | null
}

type LeftInstances = OfHost & {
  readonly instances: Items<LeftInstance>
}

const LEAVES = '"Skip" leaves instances where they are'

export const WATCHER_FINDINGS = {
  WatcherAnswers: ({ version }: { readonly version: string }) => `Watcher answers (API ${version}).`,
  WatcherPlanFollowed: ({ plan }: OfPlan) => `Watcher is executing its plan ${plan}; Lockkeeper follows it.`,
  WatcherPlanReady: ({ plan, actions }: OfPlan & { readonly actions: number }) =>
    `${counted(actions, 'action')} of Watcher's plan ${plan}.`,
  WatcherPlanOver: ({ plan, left }: OfPlan & { readonly left: number }) =>
    `Watcher's plan ${plan} has finished; ${counted(left, 'instance')} left on the node.`,
  HostEmptyAndDisabled: ({ host }: OfHost) => `${host} is empty and nova-compute is disabled.`,
  HostHasWhatStays: ({ host, staying }: OfHost & { readonly staying: number }) =>
    `${host} has ${staying === 0 ? 'no instance' : `only what stays by choice (${counted(staying, 'instance')})`}; nova-compute is disabled and up.`,
  HostEmptiedByWatcher: ({ host, staying }: OfHost & { readonly staying: number }) =>
    `${host} ${staying === 0 ? 'is empty' : `has only what stays by choice (${counted(staying, 'instance')})`}.`,
  WatcherEnablesHosts: ({ hosts }: { readonly hosts: Names }) =>
    `Watcher enables nova-compute on ${someNames(hosts)} again to move instances there.`,
  NotAllToBackupNode: ({ node }: OfNode) =>
    `Not everything goes to ${node}: where Watcher finds no room there, Nova's scheduler decides.`,
  WatcherActionsLeftOut: ({ actions }: { readonly actions: Names }) =>
    `Lockkeeper leaves out ${counted(actions.total, 'action')} of Watcher's plan because the instances are no longer on the node: ${someNames(actions)}.`,
  WatcherLeftInstances: ({ host, instances }: LeftInstances) =>
    `Watcher's plan has finished, but ${counted(instances.total, 'instance')} still on ${host}: ${someItems(instances, leftWords)}. "Try again" moves them through Nova, "Skip" leaves them (they stop with the node); or stop the run and make the plan again.`,
  WatcherPlanUnchanged: ({ forMs, state, working }: Unchanged) =>
    `a change for ${durationWords(forMs)}: ${
      working.total === 0
        ? `its applier does not start the next action (the plan is ${state})`
        : `it is working on ${someNames(working)}`
    }`,
  WatcherPlanCancelled: ({ by, finishing }: { readonly finishing: Names; readonly by: 'pause' | 'abort' }) =>
    `the run is ${by === 'pause' ? 'paused' : 'aborted'}${finishing.total === 0 ? '' : `; these actions still finish: ${someNames(finishing)}`}`,
  WatcherPlanNotCancelled: ({ cause }: Cause) => `Lockkeeper could not cancel it, so it may continue: ${cause}`,
  InstanceNotOnHost: () => 'its instance is no longer on the node',
  OlderPlansNotRead: ({ cause }: Cause) => `Lockkeeper could not read older recommendations: ${cause}`,
  OlderPlanNotCancelled: ({ plan, cause }: OfPlan & Cause) =>
    `Lockkeeper could not cancel the older recommendation ${plan}: ${cause}`,
  WatcherIsAskedLater: () =>
    'Lockkeeper asks Watcher once nova-compute takes instances, and shows the recommendation before anything moves.',
  WatcherHasNoFigures: ({ cause }: Cause) =>
    `${noFigures(cause)} The run will then ask what to do; --disable-instance-workload-rebalancing leaves it out.`,
  NoMovesRecommended: () => 'Watcher had load figures and recommended no moves.',
  NoMovesFound: () =>
    'Watcher recommends no moves. Its model of the cloud may be old (it is rebuilt every hour by default).',
  InstancesSpread: ({ moved }: { readonly moved: number }) => `${counted(moved, 'instance')} moved, none in ERROR.`,
  NothingRecommended: ({ cause }: Cause) =>
    `Watcher has no recommendation for spreading instances again: ${cause} It needs load figures of the nodes (a datasource such as Gnocchi or Prometheus). "Try again" asks again, ${LEAVES}.`,
  NoMovesWithoutFigures: ({ cause }: Cause) => nothingJudged(noFigures(cause)),
  NoMovesFiguresNotKnown: ({ cause }: Cause) => nothingJudged(`Cannot tell whether it had load figures: ${cause}`),
  SpreadRecommended: ({ actions }: Proposed) =>
    `Watcher recommends ${counted(actions.total, 'action')} to spread instances again: ${someItems(
      actions,
      ({ effect, name, to }) => `${effect} ${name}${to === null ? '' : ` to ${to}`}`,
      20,
    )}. Continue runs them, ${LEAVES}.`,
  WatcherPlanDone: (tally: Tally) => `${tallyWords(tally)}.`,
  WatcherPlanWentWrong: ({ failed, notRun, wrong, ...tally }: Ended) =>
    `Watcher's plan has finished: ${tallyWords(tally)}, ${failed} failed, ${notRun} not run: ${someItems(
      wrong,
      ({ name, state, cause }) => `${name}: ${state}${cause === null ? '' : `, ${cause}`}`,
    )}. "Try again" asks Watcher again, "Continue" accepts this result.`,
} satisfies TextsOf<string>

type Broken = {
  readonly instances: Items<{ readonly instance: string; readonly status: string; readonly host: string | null }>
}

type StillThere = OfHost & {
  readonly instances: Items<{ readonly instance: string; readonly status: string }>
}

export const WATCHER_FAULTS = {
  NoWatcher: ({ cause }: Cause) => ({
    message: cause,
    remedy: 'Enable Watcher (`sunbeam enable resource-optimization`), or choose --strategy nova.',
    never: 'without Watcher no instance would move',
  }),
  WatcherCannotEmptyHosts: () => ({
    message: 'This Watcher does not have the strategy host_maintenance.',
    remedy: 'Enable Watcher (`sunbeam enable resource-optimization`), or choose --strategy nova.',
    never: 'without Watcher no instance would move',
  }),
  NoWatcherToSpread: ({ cause }: Cause) => ({
    message: `Lockkeeper cannot ask Watcher to spread instances again: ${cause}`,
    remedy:
      'Enable Watcher (`sunbeam enable resource-optimization`) or wait until it answers. Or leave instances where they are with --disable-instance-workload-rebalancing or --strategy nova.',
    never: 'use --disable-instance-workload-rebalancing instead',
  }),
  WatcherRecommendsNothing: ({ cause }: { readonly cause: string | null }) => ({
    message: cause ?? 'Watcher recommended nothing.',
    remedy: 'Fix it and make the plan again, or choose strategy nova (--strategy nova).',
    never: "without Watcher's action plan nothing would empty the node",
  }),
  NoCloudForWatcher: () => ({
    message: 'The cloud has no OpenStack credentials, so Lockkeeper cannot ask Watcher.',
    remedy: '',
  }),
  WatcherParametersUnknown: ({
    version,
    parameters,
  }: {
    readonly version: string
    readonly parameters: readonly string[]
  }) => ({
    message: `This Watcher (API ${version}) does not know ${parameters.join(' and ')} of strategy host_maintenance.`,
    remedy: `Leave out ${parameters.map(name => CHOICES.get(name) ?? name).join(' and ')}, choose --strategy nova, or update Watcher to 2025.2.`,
  }),
  WatcherSilent: ({ cluster }: OfCluster) => ({
    message: `Watcher of ${cluster} did not answer in time.`,
    remedy: '',
  }),
  CellsUnreachable: ({ causes }: { readonly causes: readonly string[] }) => ({
    message: causes.join('; '),
    remedy: 'Fix the cell, then verify again.',
  }),
  InstancesNotAllKnown: ({ host, causes }: OfHost & { readonly causes: readonly string[] }) => ({
    message: `Nova cannot list all instances on ${host}: ${causes.join('; ')}.`,
    remedy: 'Fix the cell, then try again.',
  }),
  InstancesLeftOnHost: ({ host, instances }: StillThere) => ({
    message: `${counted(instances.total, 'instance')} still on ${host}: ${someItems(
      instances,
      ({ instance, status }) => `${instance}, ${status}`,
    )}.`,
    remedy: 'Make the plan again, or move them with Nova (--strategy nova).',
  }),
  InstancesNotWellElsewhere: ({ instances }: Broken) => ({
    message: `${someItems(
      instances,
      ({ instance, status, host }) => `${instance} is ${status} on ${host ?? 'no node'}`,
    )}.`,
    remedy: 'Check these instances: confirm or revert the resize, or fix those in ERROR.',
  }),
  InstancesInErrorAfterMove: ({ instances }: { readonly instances: Names }) => ({
    message: `${someNames(instances)} in ERROR after Watcher moved them.`,
    remedy: 'Check their faults (`openstack server show`).',
  }),
  NovaComputeDisabled: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is disabled: no instance would move there.`,
    remedy: 'Enable it first.',
  }),
} satisfies TextsOf<FaultText>

export const WATCHER_READS = {
  Watcher: () => 'Watcher',
  WatcherPlan: () => "Watcher's plan",
  WatcherPlanOfNode: ({ node }: OfNode) => `Watcher's plan for ${node}`,
} satisfies TextsOf<string>

const CHOICES: ReadonlyMap<string, string> = new Map([
  ['backup_node', '--backup-node'],
  ['disable_live_migration', '--disable-migration=live (or both)'],
  ['disable_cold_migration', '--disable-migration=cold (or both)'],
])

const ENDS: ReadonlyMap<string, string> = new Map([
  ['FAILED', 'FAILED'],
  ['SKIPPED', 'was skipped'],
  ['CANCELLED', 'was cancelled'],
  ['PENDING', 'was not run'],
  ['SUCCEEDED', 'SUCCEEDED, but it is still here'],
])

/** Watcher's action for an instance that is left, and its last migration in Nova. */
function leftWords({ instance, status, action, migration }: LeftInstance): string {
  const byWatcher =
    action === null
      ? "Watcher's plan did not have it"
      : `Watcher's ${action.kind} ${ENDS.get(action.state) ?? `is ${action.state}`}${action.cause === null ? '' : ` (${action.cause})`}`
  return `${instance}, ${status}: ${byWatcher}${migration === null ? '' : `; its last migration ${endWords(migration)}`}`
}

function endWords({ to, status }: { readonly to: string | null; readonly status: string }): string {
  const how = status === 'error' || status === 'failed' ? 'failed' : `ended as ${status}`
  return to === null ? `${how} before Nova found a node for it` : `to ${to} ${how}`
}

function tallyWords({ actions, succeeded, skipped }: Tally): string {
  return `${succeeded} of ${counted(actions, 'action')} done, ${skipped} skipped`
}

function noFigures(cause: string): string {
  return `Watcher cannot recommend moves: it has no load figures of the nodes (it reports: ${cause}). Give it a datasource such as Prometheus or Gnocchi.`
}

function nothingJudged(why: string): string {
  return `Watcher recommends no moves to spread instances again. ${why} "Try again" asks again, ${LEAVES}.`
}
