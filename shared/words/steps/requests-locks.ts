import { asPhrase, counted, someOf, upperFirst } from '../../grammar/counts.ts'
import { durationWords } from '../../grammar/durations.ts'
import { type FaultText, type Finding, type Items, type OfNode, someItems, type TextsOf } from './coded.ts'
import { type LockLife, lockLifeText } from './requests-controllers.ts'

/** A lock that a step waits for; `says`: its message, which may be empty. */
export type LockSays = {
  readonly controller: string
  readonly name: string
  readonly state: string
  readonly says: string
}

/** A lock of the cloud; `percentage`: progress of its application, null if not published. */
export type ClusterLockSays = LockSays & { readonly percentage: number | null }

/** The locks that a list lacks. */
type Missing = { readonly missing: Finding }
type Controllers = { readonly controllers: readonly string[] }
type Locks = { readonly locks: readonly string[] }
type OfLocks = { readonly locks: readonly LockSays[] }
type OfClusterLocks = { readonly locks: readonly ClusterLockSays[] }

export type WaitsFor = { readonly what: Finding }

/** What a step waits for, and how long it has not changed. */
export type Quiet = WaitsFor & { readonly forMs: number }

/** The steps that wait for the locks of a node, with the advice for a wait that does not end. */
const REMEDIES = {
  'node-locks-inactive':
    'Change the mode of the node or of these instances, move or stop them, or check the controller; then try again. "Skip" continues although an application is not ready.',
  'node-locks-active': 'Check what the controllers wait for, fix it and try again.',
  'remove-node-request':
    'Check what the controllers wait for (node Ready, pods ready, agents alive, nova-compute up), fix it and try again. Never remove a finalizer manually: the controller would forget the node.',
} as const

export type LockStep = keyof typeof REMEDIES

export function quietText({ what, forMs }: Quiet): string {
  return `No progress for ${durationWords(forMs)}: ${what.message}.`
}

/** `openstack: Starting migration for …; ceph waits` */
function turnsText(locks: readonly LockSays[], verb: string): string {
  const turns = locks.map(({ controller, says }) =>
    says === '' ? `${controller} ${verb}` : `${controller}: ${asPhrase(says)}`,
  )
  return someOf(turns, 4)
}

function lockText({ controller, name, state, says }: LockSays): string {
  return `${controller}: ${asPhrase(says) || `its lock ${name} is ${state}`}`
}

/** The progress of the locks of the cloud, without a full stop. */
function clusterLocksText(locks: readonly ClusterLockSays[]): string {
  const texts = locks.map(lock => `${lockText(lock)}${lock.percentage === null ? '' : ` (${lock.percentage}%)`}`)
  return someOf(texts, 4)
}

const NO_OTHER_LOCK = 'No other application has a lock on the cloud.'
const LOOK_WHO_DELETED =
  'Check with `kubectl get clusterworkloadlocks` who deleted it. Check also for a proxy or cache between this console and the API server.'

export const LOCKS_FINDINGS = {
  AllNodeLocksActive: () => 'All locks are active.',
  NodeLocksToComeBack: ({ controllers }: Controllers) => `${controllers.join(', ') || 'All controllers'} to come back.`,
  NodeLocksBecameActive: ({ controllers }: Controllers) =>
    `All locks are active: ${controllers.join(', ') || 'there are no locks'}.`,
  NodeLocksActive: ({ controllers }: Controllers) => `${controllers.join(', ') || 'No controller'}: active.`,
  AllNodeLocksInactive: () => 'All locks are already inactive.',
  NodeLocksToAnswer: ({ controllers }: Controllers) => `${controllers.join(', ') || 'No controller'} must answer.`,
  NodeLocksBecameInactive: ({ controllers }: Controllers) =>
    `All locks are inactive: ${controllers.join(', ') || 'there are no locks'}.`,
  NodeLocksInactive: ({ controllers }: Controllers) => `${controllers.join(', ') || 'No controller'}: inactive.`,
  NoNodeLocks: ({ node }: OfNode) => `${node} has no workload locks.`,
  /** Phrases: the locks that a list lacks. */
  NodeLocksVanished: ({ locks }: Locks) =>
    `the lock ${someOf(locks)} existed when the plan was checked but is in no list now: it was deleted, or the answer is incomplete`,
  NodeLocksUnseen: ({ node, controllers }: OfNode & Controllers) =>
    `${node} has no workload lock of ${controllers.join(', ')}, although the settings say that it answers for the node`,
  NoNodeLockAnywhere: ({ controllers }: Controllers) =>
    `no node of the cloud has a workload lock, although the settings name ${controllers.join(', ')}`,
  ClusterLocksVanished: ({ locks }: Locks) =>
    `The ClusterWorkloadLock ${someOf(locks)} existed before but is in no list now: it was deleted, or the answer is incomplete.`,
  ClusterLocksUnseen: ({ controllers }: Controllers) =>
    `The settings name ${controllers.join(', ')} for this cloud, but it has no ClusterWorkloadLock.`,
  NoClusterLockOf: ({ controller }: { readonly controller: string }) =>
    `${controller} has no ClusterWorkloadLock: its controller does not run`,
  ClusterLocksWait: ({ locks }: OfClusterLocks) => clusterLocksText(locks),
  ClusterLocksBecameInactive: ({ locks }: Locks) =>
    locks.length === 0 ? NO_OTHER_LOCK : `${locks.join(', ')}: inactive.`,
  ClusterLocksBecameActive: ({ locks }: Locks) => `${locks.join(', ') || 'No lock'}: active.`,
  AllClusterLocksActive: () => 'Every ClusterWorkloadLock is active.',
  AllLocksActive: ({ total }: { readonly total: number }) =>
    total === 1 ? 'The only lock is active.' : `All ${total} locks are active.`,
  UpdateUnderWay: () => 'The update is running.',
  /** A lock whose message has not changed for `forMs`. */
  LockDoesNotMove: ({
    says,
    forMs,
    life,
  }: {
    readonly says: string
    readonly forMs: number
    readonly life: LockLife
  }) => doesNotMove(says === '' ? 'it has no message' : asPhrase(says), forMs, lockLifeText(life)),
  /** Something that a step waits for, and the controllers that should change it. */
  WaitDoesNotMove: ({ what, forMs, lives }: Quiet & { readonly lives: readonly LockLife[] }) => {
    const texts = lives.map(lockLifeText).filter(text => text !== '')
    return doesNotMove(what.message, forMs, someOf(texts))
  },
} satisfies TextsOf<string>

function doesNotMove(what: string, forMs: number, why: string): string {
  return `${what}; it has not changed for ${durationWords(forMs)}${why === '' ? '' : ` (${why})`}`
}

export const LOCKS_FAULTS = {
  NodeLockMissing: ({
    node,
    controller,
    roles,
  }: OfNode & { readonly controller: string; readonly roles: readonly string[] }) => ({
    message: `${node} has no workload lock of ${controller}, although it has the role ${roles.join(', ')}.`,
    remedy: `Check that the controller of ${controller} runs (or start Lockkeeper's), or set it to "none" in the settings of the cloud.`,
    never: 'without its lock nobody can tell whether the controller has finished with the node',
  }),
  NodeLockNotActive: ({
    controller,
    name,
    state,
    says,
    hasWorkBegun,
    faults,
  }: LockSays & { readonly hasWorkBegun: boolean; readonly faults: readonly string[] }) => ({
    message: `The lock ${name} of ${controller || 'no controller'} is ${state}${hasWorkBegun ? ' with work started' : ''}${says === '' ? '' : ` (${says})`}${faults.length === 0 ? '' : `: ${faults.join(' ')}`}.`,
    remedy: 'Wait until its controller finishes, or fix the lock, then check again.',
  }),
  NodeLocksNotBack: ({ locks }: OfLocks) => ({
    message: `Not active: ${turnsText(locks, 'is not back')}.`,
    remedy: 'Check what the controllers wait for.',
  }),
  NodeLocksNotReady: ({ locks }: OfLocks) => ({
    message: `Not inactive: ${turnsText(locks, 'is not ready')}.`,
    remedy: 'Do not work on the node: an application is not ready, or came back. Find out why, then resume.',
  }),
  NodeLocksUntold: ({ missing }: Missing) => ({
    message: `${upperFirst(missing.message)}.`,
    remedy:
      'Check with `kubectl get nodeworkloadlocks` who deleted it. Check also for a proxy or cache between this console and the API server. Do not work on the node before every controller has answered.',
  }),
  /** `more`: another problem. `instances`: those for which the OpenStack Controller keeps the node. */
  NodeLocksDoNotMove: ({
    step,
    node,
    forMs,
    locks,
    more,
    instances,
  }: OfNode &
    OfLocks & {
      readonly step: LockStep
      readonly forMs: number
      readonly more: Finding | null
      readonly instances: string | null
    }) => {
    const why = [...locks.map(lockText), ...(more === null ? [] : [more.message])]
    return {
      message: [
        `No progress on ${node} for ${durationWords(forMs)}.`,
        `${asPhrase(someOf(why))}.`,
        ...(instances === null ? [] : [instances]),
      ].join(' '),
      remedy: REMEDIES[step],
    }
  },
  NodeControllersGaveUp: ({ step, node, locks }: OfNode & OfLocks & { readonly step: LockStep }) => ({
    message: locks
      .map(({ controller, says }) =>
        says === ''
          ? `${controller} gave up on ${node} and does not say why.`
          : `${controller} gave up on ${node}: ${asPhrase(says)}.`,
      )
      .join(' '),
    remedy: REMEDIES[step],
  }),
  LocksNotActive: ({ locks }: { readonly locks: Items<{ readonly name: string; readonly state: string }> }) => ({
    message: `${counted(locks.total, 'lock')} not active: ${someItems(locks, ({ name, state }) => `${name} is ${state}`)}.`,
    remedy: 'Wait until the running maintenance ends, or check in the lock what its controller waits for.',
  }),
  /** `by`: whose controller should answer. */
  NoClusterLock: ({
    controller,
    by,
    cluster,
  }: {
    readonly controller: string
    readonly by: 'console' | 'cluster'
    readonly cluster: string
  }) => ({
    message: `The cloud has no lock of a controller named ${controller}, so nothing would answer for ${controller}.`,
    remedy:
      by === 'console'
        ? `Start Lockkeeper's own controllers: \`lockkeeper controllers run ${cluster}\`.`
        : `Start the ${controller} controller, or say in the cloud's settings that it has no such application.`,
    never: 'the update would wait for its answer forever',
  }),
  ClusterLockGone: ({ controller }: { readonly controller: string }) => ({
    message: `${controller} has no ClusterWorkloadLock.`,
    remedy: 'Check whether its controller runs.',
  }),
  ClusterLocksUntold: ({ missing }: Missing) => ({ message: missing.message, remedy: LOOK_WHO_DELETED }),
  ClusterLocksNotInactive: ({ locks }: OfClusterLocks) => ({
    message: `Not inactive: ${clusterLocksText(locks)}.`,
    remedy: 'Check why the controller came back, then resume.',
  }),
  ClusterLocksNotActive: ({ locks }: OfClusterLocks) => ({
    message: `Not active: ${clusterLocksText(locks)}.`,
    remedy: 'Check what the controller waits for, then resume.',
  }),
  ClusterControllerGaveUp: (lock: ClusterLockSays) => ({
    message: `${clusterLocksText([lock])}: its controller gave up.`,
    remedy: PREPARES_REMEDY,
  }),
  ClusterLocksStayActive: (quiet: Quiet) => ({ message: quietText(quiet), remedy: PREPARES_REMEDY }),
  ClusterLocksStayInactive: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy: 'Check what the controller waits for, fix it and try again.',
  }),
  StoppedAtLocks: () => ({ message: 'The run stopped while it checked the locks.', remedy: '' }),
  NodeNotListed: ({ node, total }: OfNode & { readonly total: number }) => ({
    message: `The list of the cloud's nodes has ${total} names, but not ${node}.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

const PREPARES_REMEDY =
  'Check what the controller waits for, fix it and try again. "Skip" continues although the application is not ready.'

export const LOCKS_READS = {
  WorkloadLocks: () => 'The workload locks',
  ClusterLocks: () => 'The cluster workload locks',
} satisfies TextsOf<string>
