import { instantWords } from '../../grammar/times.ts'
import type { TextsOf } from '../steps/coded.ts'

type OfLock = { readonly lock: string; readonly state: string }
type Locks = { readonly controllers: readonly string[]; readonly said: readonly Said[] }
type Said = { readonly controller: string; readonly text: string }

/** What an observer sees of the work of the LCM. */
export const OBSERVER_REASONS = {
  RequestCreated: ({ request }: { readonly request: string }) => `${request} was created`,
  RequestScope: ({ scope }: { readonly scope: string }) => `scope ${scope}`,
  RequestTerminating: ({ request, since }: { readonly request: string; readonly since: string }) =>
    `${request} is Terminating since ${instantWords(since)}`,
  LcmSays: ({ said }: { readonly said: string }) => `LCM says: ${said}`,
  LcmPhaseCompleted: ({ phase }: { readonly phase: string }) => `LCM says: ${phase} Completed`,
  LockIs: ({ lock, state }: OfLock) => `${lock} is ${state}`,
  NodeSchedulableAgain: () => 'schedulable again',
  AllLocksInactive: () => 'all its locks are inactive',
  EveryLockActive: () => 'all its locks are active',
  NodeNotCordoned: () => 'not cordoned',
  NodeCordoned: () => 'cordoned',
  SeenNotReady: () => 'not Ready',
  NodeSchedulableReady: () => 'schedulable and Ready',
  BootIdSeen: ({ bootId }: { readonly bootId: string }) => `boot id ${bootId}`,
  NoPodLeftToDrain: () => 'no pod is left that a drain removes',
  SeenRequestGone: () => 'its request no longer exists',
  RequestWithdrawn: () => 'its request was withdrawn before its locks were inactive',
  SeenClusterRequestGone: () => 'the request no longer exists',
  EveryNodeWorkedOn: () => 'every node had its work',
  UpdatePlanSays: () => 'the ClusterUpdatePlan says so',
  OtherUpdateBegun: () => 'another update started',
  PassedBetweenLooks: () => 'passed between two checks',
  NodeAwaitedInWork: () => 'the node is not Ready',
  ClusterLocksToBeActive: ({ controllers }: Pick<Locks, 'controllers'>) =>
    `${clusterLocks(controllers)} to be active again`,
  ClusterLocksToBeInactive: ({ controllers, said }: Locks) =>
    `${clusterLocks(controllers)} to be inactive${said.length === 0 ? '' : `: ${said.map(({ controller, text }) => `${controller}: ${text}`).join('; ')}`}`,
} satisfies TextsOf<string>

function clusterLocks(controllers: readonly string[]): string {
  return `the cloud's lock of ${controllers.join(', ')}`
}
