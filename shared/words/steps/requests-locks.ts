import { asPhrase, counted, someOf, upperFirst } from '../../grammar/counts.ts'
import { durationWords } from '../../grammar/durations.ts'
import { type FaultText, type Finding, type Items, type OfNode, someItems, type TextsOf } from './coded.ts'
import { type LockLife, lockLifeText } from './requests-controllers.ts'

/** A lock as it is waited for; `says`: its own words, empty where it says nothing. */
export type LockSays = {
  readonly controller: string
  readonly name: string
  readonly state: string
  readonly says: string
}

/** A lock of the cluster, with how far its application is; null: it does not say. */
export type ClusterLockSays = LockSays & { readonly percentage: number | null }

/** Which locks a list misses. */
type Missing = { readonly missing: Finding }
type Controllers = { readonly controllers: readonly string[] }
type Locks = { readonly locks: readonly string[] }
type OfLocks = { readonly locks: readonly LockSays[] }
type OfClusterLocks = { readonly locks: readonly ClusterLockSays[] }

/** What is waited for. */
export type WaitsFor = { readonly what: Finding }

/** What is waited for, and for how long nothing of it has moved. */
export type Quiet = WaitsFor & { readonly forMs: number }

/** The steps that wait for the locks of a node, and what an operator can do where they wait in vain. */
const REMEDIES = {
  'node-locks-inactive':
    'Change the mode of the host or of the instances named, move or stop them, or look at the controller; then retry. Skipping goes on although an application is not ready.',
  'node-locks-active': 'Look at what the controllers wait for, mend it and retry.',
  'remove-node-request':
    'Look at what the controllers wait for (node Ready, pods ready, agents alive, nova-compute up), mend it and retry. Never remove a finalizer by hand: the controller would forget the node.',
} as const

/** A step that waits for the locks of a node. */
export type LockStep = keyof typeof REMEDIES

/** For how long nothing has moved, and what is waited for. */
export function quietText({ what, forMs }: Quiet): string {
  return `Nothing has moved for ${durationWords(forMs)}: ${what.message}.`
}

/** Whose turn it is: `openstack: Starting migration for …; ceph waits`. */
function turnsText(locks: readonly LockSays[], verb: string): string {
  const turns = locks.map(({ controller, says }) =>
    says === '' ? `${controller} ${verb}` : `${controller}: ${asPhrase(says)}`,
  )
  return someOf(turns, 4)
}

function lockText({ controller, name, state, says }: LockSays): string {
  return `${controller}: ${asPhrase(says) || `its lock ${name} is ${state}`}`
}

/** How far the locks of the cluster are, without a full stop. */
function clusterLocksText(locks: readonly ClusterLockSays[]): string {
  const texts = locks.map(lock => `${lockText(lock)}${lock.percentage === null ? '' : ` (${lock.percentage}%)`}`)
  return someOf(texts, 4)
}

const NO_OTHER_LOCK = 'No other application has a lock on the cluster.'
const LOOK_WHO_DELETED =
  'Look with `kubectl get clusterworkloadlocks` who deleted it, or what stands between this console and the API server.'

/** What is found of workload locks. */
export const LOCKS_FINDINGS = {
  AllNodeLocksActive: () => 'All locks are active.',
  NodeLocksToComeBack: ({ controllers }: Controllers) => `${controllers.join(', ') || 'All controllers'} to come back.`,
  NodeLocksBecameActive: ({ controllers }: Controllers) =>
    `All locks are active: ${controllers.join(', ') || 'there are none'}.`,
  NodeLocksActive: ({ controllers }: Controllers) => `${controllers.join(', ') || 'No controller'}: active.`,
  AllNodeLocksInactive: () => 'All locks are inactive already.',
  NodeLocksToAnswer: ({ controllers }: Controllers) => `${controllers.join(', ') || 'No controller'} to answer.`,
  NodeLocksBecameInactive: ({ controllers }: Controllers) =>
    `All locks are inactive: ${controllers.join(', ') || 'there are none'}.`,
  NodeLocksInactive: ({ controllers }: Controllers) => `${controllers.join(', ') || 'No controller'}: inactive.`,
  NoNodeLocks: ({ node }: OfNode) => `${node} has no workload locks.`,
  /** Phrases: which locks a list misses. */
  NodeLocksVanished: ({ locks }: Locks) =>
    `the lock ${someOf(locks)} was there when the plan was checked and is in no list now: it was deleted, or the answer is not whole`,
  NodeLocksUnseen: ({ node, controllers }: OfNode & Controllers) =>
    `${node} has no workload lock of ${controllers.join(', ')}, which is set to answer for it`,
  NoNodeLockAnywhere: ({ controllers }: Controllers) =>
    `no node of the cluster has a workload lock, though ${controllers.join(', ')} is set to answer`,
  ClusterLocksVanished: ({ locks }: Locks) =>
    `The ClusterWorkloadLock ${someOf(locks)} was there before and is in no list now: it was deleted, or the answer is not whole.`,
  ClusterLocksUnseen: ({ controllers }: Controllers) =>
    `${controllers.join(', ')} is set to answer for this cluster and has no ClusterWorkloadLock.`,
  NoClusterLockOf: ({ controller }: { readonly controller: string }) =>
    `${controller} has no ClusterWorkloadLock: its controller does not run`,
  ClusterLocksWait: ({ locks }: OfClusterLocks) => clusterLocksText(locks),
  ClusterLocksBecameInactive: ({ locks }: Locks) =>
    locks.length === 0 ? NO_OTHER_LOCK : `${locks.join(', ')}: inactive.`,
  ClusterLocksBecameActive: ({ locks }: Locks) => `${locks.join(', ') || 'No lock'}: active.`,
  AllClusterLocksActive: () => 'Every ClusterWorkloadLock is active.',
  AllLocksActive: ({ total }: { readonly total: number }) =>
    total === 1 ? 'The only lock is active.' : `All ${total} locks are active.`,
  UpdateUnderWay: () => 'The update is under way.',
  /** A lock that says what it says for so long. */
  LockDoesNotMove: ({
    says,
    forMs,
    life,
  }: {
    readonly says: string
    readonly forMs: number
    readonly life: LockLife
  }) => doesNotMove(says === '' ? 'it says nothing' : asPhrase(says), forMs, lockLifeText(life)),
  /** Something that is waited for, and what is known of who should move it. */
  WaitDoesNotMove: ({ what, forMs, lives }: Quiet & { readonly lives: readonly LockLife[] }) => {
    const texts = lives.map(lockLifeText).filter(text => text !== '')
    return doesNotMove(what.message, forMs, someOf(texts))
  },
} satisfies TextsOf<string>

function doesNotMove(what: string, forMs: number, why: string): string {
  return `${what}; it has not moved for ${durationWords(forMs)}${why === '' ? '' : ` (${why})`}`
}

/** What is in the way where locks are waited for. */
export const LOCKS_FAULTS = {
  NodeLockMissing: ({
    node,
    controller,
    roles,
  }: OfNode & { readonly controller: string; readonly roles: readonly string[] }) => ({
    message: `${node} has no workload lock of ${controller}, although it has the role ${roles.join(', ')}.`,
    remedy: `See that the controller of ${controller} runs (or start ours), or set it to none in the settings of the cluster.`,
    never: 'without its lock nobody can tell whether the controller is done with the node',
  }),
  NodeLockNotActive: ({
    controller,
    name,
    state,
    says,
    hasWorkBegun,
    faults,
  }: LockSays & { readonly hasWorkBegun: boolean; readonly faults: readonly string[] }) => ({
    message: `The lock ${name} of ${controller || 'nobody'} is ${state}${hasWorkBegun ? ' with work begun' : ''}${says === '' ? '' : ` (${says})`}${faults.length === 0 ? '' : `: ${faults.join(' ')}`}.`,
    remedy: 'Let its controller finish what it does, or mend the lock, then check again.',
  }),
  NodeLocksNotBack: ({ locks }: OfLocks) => ({
    message: `Not active: ${turnsText(locks, 'is not back')}.`,
    remedy: 'Look at what the controllers wait for.',
  }),
  NodeLocksNotReady: ({ locks }: OfLocks) => ({
    message: `Not inactive: ${turnsText(locks, 'is not ready')}.`,
    remedy: 'Do not touch the node: an application is not ready, or came back. Find out why, then resume.',
  }),
  NodeLocksUntold: ({ missing }: Missing) => ({
    message: `${upperFirst(missing.message)}.`,
    remedy:
      'Look with `kubectl get nodeworkloadlocks` who deleted it, or what stands between this console and the API server. Do not touch the node before every controller has answered.',
  }),
  /** `more`: what else is not as it should be. `instances`: those that keep the OpenStack Controller from giving the node. */
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
        `Nothing has moved on ${node} for ${durationWords(forMs)}.`,
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
    remedy: 'Let the maintenance under way end, or find out from the lock what its controller waits for.',
  }),
  /** `by`: who is set to answer for it. */
  NoClusterLock: ({
    controller,
    by,
    cluster,
  }: {
    readonly controller: string
    readonly by: 'console' | 'cluster'
    readonly cluster: string
  }) => ({
    message: `No controller named ${controller} holds a lock on the cluster, so nobody would answer for it.`,
    remedy:
      by === 'console'
        ? `Start our own controllers: \`lockkeeper controllers run ${cluster}\`.`
        : `Start the ${controller} controller, or set in the cluster's settings that the cluster has no such application.`,
    never: 'the update would wait for its answer for ever',
  }),
  ClusterLockGone: ({ controller }: { readonly controller: string }) => ({
    message: `${controller} has no ClusterWorkloadLock.`,
    remedy: 'Look whether its controller runs.',
  }),
  ClusterLocksUntold: ({ missing }: Missing) => ({ message: missing.message, remedy: LOOK_WHO_DELETED }),
  ClusterLocksNotInactive: ({ locks }: OfClusterLocks) => ({
    message: `Not inactive: ${clusterLocksText(locks)}.`,
    remedy: 'Find out from the controller why it came back, then resume.',
  }),
  ClusterLocksNotActive: ({ locks }: OfClusterLocks) => ({
    message: `Not active: ${clusterLocksText(locks)}.`,
    remedy: 'Look at what the controller waits for, then resume.',
  }),
  ClusterControllerGaveUp: (lock: ClusterLockSays) => ({
    message: `${clusterLocksText([lock])}: its controller gave up.`,
    remedy: PREPARES_REMEDY,
  }),
  ClusterLocksStayActive: (quiet: Quiet) => ({ message: quietText(quiet), remedy: PREPARES_REMEDY }),
  ClusterLocksStayInactive: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy: 'Look at what the controller waits for, mend it and retry.',
  }),
  StoppedAtLocks: () => ({ message: 'The run stopped while it looked at the locks.', remedy: '' }),
  NodeNotListed: ({ node, total }: OfNode & { readonly total: number }) => ({
    message: `The list of the cluster's nodes names ${total}, and ${node} is not among them.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

const PREPARES_REMEDY =
  'Look at what the controller waits for, mend it and retry. Skipping goes on although the application is not ready.'

/** What is read of workload locks. */
export const LOCKS_READS = {
  WorkloadLocks: () => 'The workload locks',
  ClusterLocks: () => 'The cluster workload locks',
} satisfies TextsOf<string>
