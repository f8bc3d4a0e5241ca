import { finalizersNamed } from '../../domain/finalizers.ts'
import { counted } from '../../grammar/counts.ts'
import { type AwayNode, besideAway } from './away-nodes.ts'
import {
  type Cause,
  type FaultText,
  type Items,
  type Names,
  nodeIn,
  type OfNode,
  type StepTexts,
  someItems,
  someNames,
  type TextsOf,
  type Values,
} from './coded.ts'

export const DRAIN_STEPS = {
  'drain-node': {
    title: input => `Drain ${nodeIn(input)}`,
    why: 'Its pods have to run elsewhere before work on the node starts.',
    undo: 'Evicted pods run elsewhere or wait as Pending. They may return once the node is uncordoned.',
  },
  'replicas-redundancy': {
    title: input => `No service loses its only ready replica with ${nodeIn(input)}`,
    why: 'Evicting the only ready replica of a service is an outage of that service.',
  },
} satisfies StepTexts

/** Note for a dry run, beside its evidence. */
export const DRY_RUN_NOTE =
  'A dry run does not use up a budget: several dry runs may pass although the budget does not allow as many evictions.'

type OfPod = { readonly pod: string }
type OfService = { readonly service: string }
type WithPods = OfNode & { readonly pods: Names }

/** The pods that are still there, and why. */
type StayingPods = OfNode & {
  readonly pods: Items<OfPod & { readonly why: string; readonly code: string; readonly values: Values }>
}

export const DRAIN_FINDINGS = {
  PodsToEvict: ({ leaving, staying }: { readonly leaving: number; readonly staying: number }) =>
    leaving === 0
      ? staying === 0
        ? 'No pod runs here.'
        : counted(staying, 'pod stays.', 'pods stay.')
      : `${counted(leaving, 'pod')} to evict${staying === 0 ? '' : `, ${staying} ${staying === 1 ? 'stays' : 'stay'}`}.`,
  NoPodLeft: ({ node }: OfNode) => `${node} has no pod left that had to leave.`,
  PodsLeft: ({ node, total }: OfNode & { readonly total: number }) => `${counted(total, 'pod')} left ${node}.`,
  NoPodHadToLeave: ({ node }: OfNode) => `No pod had to leave ${node}.`,
  NoPodHadToLeaveAnyMore: ({ node }: OfNode) => `No pod had to leave ${node} any more.`,
  PodsDidNotLeave: ({ node, pods }: StayingPods) =>
    `${counted(pods.total, 'pod')} did not leave ${node} in time: ${reasonsWords(pods)}. Try again, or stop the run.`,
  PodsNotEvicted: ({ node, pods }: StayingPods) =>
    `${counted(pods.total, 'pod')} could not be evicted from ${node}: ${reasonsWords(pods)}. Try again, or stop the run.`,
  EvictionRefusedNow: ({ pod, cause }: OfPod & Cause) => `Kubernetes would refuse to evict ${pod} now: ${cause}`,
  EvictionFailsNow: ({ pod, cause }: OfPod & Cause) => `The eviction of ${pod} would fail now: ${cause}`,
  BudgetBehind: ({ pod, budget }: OfPod & { readonly budget: string }) =>
    `Kubernetes is still processing budget ${budget}: the drain will wait for ${pod}.`,
  BudgetRefusesNow: ({
    pod,
    budget,
    healthy,
    needed,
  }: OfPod & { readonly budget: string; readonly healthy: number; readonly needed: number }) =>
    `Budget ${budget} allows no disruption of ${pod} now (${healthy} healthy, ${needed} needed): the drain will wait for it.`,
  FinalizersKeepPod: ({ pod, finalizers }: OfPod & { readonly finalizers: readonly string[] }) =>
    `Pod ${pod} stays until ${finalizersNamed(finalizers)} ${finalizers.length === 1 ? 'is' : 'are'} removed by the program that set ${finalizers.length === 1 ? 'it' : 'them'}: the drain will wait for that.`,
  PodsStayPending: ({ node, pods }: WithPods) =>
    `These pods stay Pending until ${node} is back, because their volumes stay: ${someNames(pods)}.`,
  PodsMayStayPending: ({ node, pods }: WithPods) =>
    `These pods have claims and may stay Pending until ${node} is back: ${someNames(pods)}.`,
  ClaimStays: ({ node, claim, volume }: OfNode & { readonly claim: string; readonly volume: string }) =>
    `No other node in service reaches volume ${volume} of its claim ${claim}: it stays Pending until ${node} is back.`,
  ClaimNotKnown: ({ node, claim, cause }: OfNode & { readonly claim: string; readonly cause: string | null }) =>
    `Cannot tell whether its claim ${claim} can follow it${cause === null ? '' : ` (${cause})`}: it may stay Pending until ${node} is back.`,
  NoReplicaLeaves: ({ node }: OfNode) => `No replica of a service leaves ${node}.`,
  NoServiceLosesItsOnlyReplica: () => 'No service loses its only ready replica.',
  ReplicasStayElsewhere: () => 'Every service keeps a ready replica elsewhere.',
  ReplicasStayByBudgets: () => 'Every service keeps a ready replica, elsewhere or by its budget.',
  ServiceIsDown: ({ node, service }: OfNode & OfService) =>
    `${service} has no ready replica on any node: draining ${node} neither removes one nor brings one back.`,
  DrainWaitsForReplacement: ({
    service,
    budget,
    kept,
  }: OfService & { readonly budget: string; readonly kept: number }) =>
    `${service} has no ready replica elsewhere yet. Its budget ${budget} keeps ${counted(kept, 'pod')} healthy, so the drain waits until a replacement is ready on another node.`,
} satisfies TextsOf<string>

/** The number of pods that a list of the pods of a node shows. */
type ListOfPods = OfNode & { readonly shown: number }

const LOOK_FOR_PODS = 'Check with `kubectl get pods -A -o wide` which pods run there, then resume.'
const DRAIN_AGAIN = 'Resume the run to drain again.'
const DELETE_OR_FORCE = 'Delete it yourself if it is not needed, or give --force with the reason.'

export const DRAIN_FAULTS = {
  PodWithoutController: ({ pod }: OfPod) => ({
    message: `Pod ${pod} has no controller: after its eviction nothing starts it again.`,
    remedy: DELETE_OR_FORCE,
  }),
  PodOfVanishedDaemonSet: ({ pod, reason }: OfPod & { readonly reason: string }) => ({
    message: `Pod ${pod} belongs to a DaemonSet that no longer exists (${reason}): after its eviction nothing starts it again.`,
    remedy: DELETE_OR_FORCE,
  }),
  PodWithEmptyDir: ({ pod, volumes }: OfPod & { readonly volumes: readonly string[] }) => ({
    message: `Pod ${pod} keeps data in emptyDir (${volumes.join(', ')}), which is lost when it leaves.`,
    remedy: 'If that data is a cache, give --delete-emptydir-data. --force does not lift this.',
    never: 'losing data is chosen with --delete-emptydir-data, not forced',
  }),
  DaemonSetNotKnown: ({ pod, cause }: OfPod & Cause) => ({
    message: `Lockkeeper could not read whether the DaemonSet of pod ${pod} exists: ${cause}`,
    remedy: 'Run `lockkeeper cluster test` to see what is missing, then try again.',
    never: 'kubectl refuses too, with --force and without',
  }),
  PodOfDaemonSet: ({ pod, reason }: OfPod & { readonly reason: string }) => ({
    message: `Pod ${pod} blocks the drain: ${reason}.`,
    remedy: 'Lockkeeper leaves the pods of DaemonSets where they are. Please report this.',
    never: 'the DaemonSet would start it again at once',
  }),
  PodWithTwoBudgets: ({ pod, budgets }: OfPod & { readonly budgets: readonly string[] }) => ({
    message: `Pod ${pod} is covered by ${budgets.length} budgets (${budgets.join(', ')}): the API server refuses to evict it (docs/drain.md 5.5).`,
    remedy: 'Keep only one PodDisruptionBudget for it.',
    never: 'the API server refuses every eviction of it',
  }),
  DrainBlocked: ({ node, by }: OfNode & { readonly by: readonly string[] }) => ({
    message: `The drain of ${node} is blocked: ${by.join('; ')}.`,
    remedy: '',
  }),
  PodsStillThere: ({ node, pods }: WithPods) => ({
    message: `${counted(pods.total, 'pod')} still on ${node}: ${someNames(pods)}.`,
    remedy: DRAIN_AGAIN,
  }),
  PodsHidden: ({ node, pods }: WithPods) => ({
    message: `${counted(pods.total, 'pod')} still on ${node}, although the list of its pods does not show it: ${someNames(pods)}.`,
    remedy: `Check for a proxy or cache between this console and the API server. ${DRAIN_AGAIN}`,
  }),
  PodListEmpty: ({ node, pods }: WithPods) => ({
    message: `The list of pods on ${node} is empty, but ${someNames(pods)} ${pods.total === 1 ? 'runs' : 'run'} there: the list is incomplete.`,
    remedy: LOOK_FOR_PODS,
  }),
  PodListNotProved: ({ cause, ...list }: ListOfPods & Cause) => ({
    message: `${listWords(list)}, and the list of all pods could not be read: ${cause}`,
    remedy: LOOK_FOR_PODS,
  }),
  PodListLacksPods: ({ pods, ...list }: ListOfPods & { readonly pods: Names }) => ({
    message: `${listWords(list)}, but the list of all pods has ${counted(pods.total, 'pod')} there that it lacks: ${someNames(pods)}.`,
    remedy: LOOK_FOR_PODS,
  }),
  AllPodsListEmpty: (list: ListOfPods) => ({
    message: `${listWords(list)}, and the list of all pods is empty, which no cluster has.`,
    remedy: LOOK_FOR_PODS,
  }),
  PodNotRead: ({ pod, cause }: OfPod & { readonly cause: string | null }) => ({
    message: `Lockkeeper could not read pod ${pod}: ${cause ?? 'the plan does not say where it is'}`,
    remedy: LOOK_FOR_PODS,
  }),
  OnlyReplica: ({ node, service, pods, gone }: WithPods & OfService & { readonly gone: readonly AwayNode[] }) => ({
    message: `${service} keeps no ready replica elsewhere: ${counted(pods.total, 'pod')} of it leave${pods.total === 1 ? 's' : ''} ${node}${besideAway(gone)}: ${someNames(pods)}.`,
    remedy:
      'Spread or scale it so that a ready replica runs on another node, or accept its outage with --allow-downtime and the reason in the plan. If a run asks about it, answer "Try again" to check again, or "Skip" to leave out the node.',
  }),
} satisfies TextsOf<FaultText>

export const DRAIN_READS = {
  PodsOnNode: ({ node }: OfNode) => `The pods on ${node}`,
  ReplicaSets: () => 'The ReplicaSets',
  NodesWithReplicas: () => 'The nodes that keep the other replicas',
} satisfies TextsOf<string>

function listWords({ node, shown }: ListOfPods): string {
  return `The list of pods on ${node} ${shown === 0 ? 'is empty' : `shows ${shown}`}`
}

function reasonsWords(pods: StayingPods['pods']): string {
  return someItems(pods, ({ pod, why }) => `${pod}: ${why}`)
}
