import type { LeaseHolder } from '../../domain/kubernetes.ts'
import { asPhrase, counted } from '../../grammar/counts.ts'
import { holderWords } from '../controllers.ts'
import { seenWords } from '../leases.ts'
import type { Cause, Finding, OfCluster, OfController, OfNode, TextsOf } from '../steps/coded.ts'
import { deferredText, type HardLock, type HeldBack, hardLockText, heldBackText } from '../steps/requests-limits.ts'

type OfOther = OfNode & { readonly other: string }
type OfRequest = { readonly kind: string; readonly name: string }
type There = { readonly there: Finding }

/** Who runs the controllers, as far as the Lease tells. */
type Holder = Pick<LeaseHolder, 'identity' | 'operator' | 'machine' | 'since'>

/** Texts of our own controllers of the maintenance API. */
export const CONTROLLERS_REASONS = {
  // Why a node or the cluster waits, as its lock says it.
  ReleaseDiffers: ({ theirs, ours }: { readonly theirs: string; readonly ours: string }) =>
    `The maintenance request's release does not match ours: it is ${theirs}, ours is ${ours}. Skipping handling.`,
  ServicesBlock: ({ services }: { readonly services: Readonly<Record<string, HardLock>> }) => {
    const why = Object.entries(services).map(([service, lock]) => [service, hardLockText(lock)])
    return `Some services blocks nmr handling ${JSON.stringify(Object.fromEntries(why))}`
  },
  DeferredByLimits: ({ node, held }: OfNode & { readonly held: HeldBack }) => heldBackText(node, held),
  DeferredForCeph: ({ node, other }: OfOther) => deferredText(node, `Ceph on ${other} has to be whole again first`),
  DeferredForFabric: ({ node, other }: OfOther) =>
    deferredText(node, `Tungsten Fabric takes one node at a time, and ${other} is not back`),
  DeferredForStackLight: ({ node, other }: OfOther) =>
    deferredText(node, `StackLight takes one node at a time, and ${other} is not back`),
  LockStays: ({ why }: { readonly why: Finding }) => `${why.message}; the lock stays as it is`,
  NodeStays: ({ why }: { readonly why: Finding }) => `${why.message}; the node stays as it is`,
  RequestNotKnownGone: ({ kind, name, cause }: OfRequest & Cause) =>
    `Whether ${kind} ${name} is gone could not be read: ${cause}`,
  RequestNotListed: ({ kind, name }: OfRequest) =>
    `${kind} ${name} is there, though the list of requests does not show it`,
  NoRequestProved: ({ kind, subject }: { readonly kind: string; readonly subject: string }) =>
    `No list shows a ${kind} for ${subject}, and nothing tells which one it was prepared for, so none is proved gone (make one and delete it to bring ${subject} back)`,
  OpenStackLockFirst: () => OPENSTACK_FIRST,
  OpenStackLockMissing: () => `${OPENSTACK_FIRST}: there is none yet`,
  CephLockFirst: () => 'Waiting for the ClusterWorkloadLock of ceph to be inactive',
  ApplicationObjectMissing: ({ application, object }: { readonly application: string; readonly object: string }) =>
    `Waiting until ${application} is updated: there is no ${object}`,
  ApplicationUpdateAwaited: (is: {
    readonly application: string
    readonly object: string
    readonly field: string
    readonly value: string
    readonly wanted: string
  }) => `Waiting until ${is.application} is updated: ${is.field} of ${is.object} is ${is.value}, not ${is.wanted}`,
  NodesUpdated: ({ updated, nodes }: { readonly updated: number; readonly nodes: number }) =>
    `${updated} out of ${nodes} nodes updated`,

  // Whether our controllers run.
  NoControllerForConsole: ({ cluster }: OfCluster) =>
    `No application of ${cluster} is set to be answered by this console. Set one with \`lockkeeper cluster set ${cluster} --controller openstack=console\` or in its settings.`,
  ControllersNotStarted: ({ why }: { readonly why: Finding }) => `The controllers were not started: ${why.message}`,
  ControllersElsewhere: ({
    cluster,
    by,
    seen,
  }: OfCluster & { readonly by: Holder; readonly seen: Parameters<typeof seenWords>[0] | null }) =>
    `The controllers of ${cluster} are run by ${holderWords(by)}${seen === null ? '' : ` (${seenWords(seen)})`}. Stop them there first.`,
  ControllersCrashed: () => 'The controllers failed on Lockkeeper’s own side; the log has the details.',
  LeaseOfJournal: () => 'The Lease tells of a journal, and controllers keep none. Look who wrote it.',
  ControllersLeaseAway: ({ why }: { readonly why: Finding }) =>
    `Nothing is written without the Lease of the controllers. ${why.message} Trying to take it back.`,
  ControllersLeaseLost: ({ why }: { readonly why: Finding }) => `The Lease of the controllers was lost: ${why.message}`,

  // Who answers maintenance requests.
  ClusterHasOpenStack: () => 'The cluster has an OpenStack cloud.',
  CephAnswers: ({ osds }: { readonly osds: number }) => `Ceph answers, with ${counted(osds, 'OSD')}.`,
  VRouterPodsRun: () => 'vRouter pods run in the cluster.',
  StackLightPodsRun: ({ pods, namespace }: { readonly pods: number; readonly namespace: string }) =>
    `StackLight has ${counted(pods, 'pod')} in namespace ${namespace}.`,
  ControllerFound: ({
    kind,
    namespace,
    name,
    isReady,
  }: {
    readonly kind: string
    readonly namespace: string
    readonly name: string
    readonly isReady: boolean
  }) => `${kind} ${namespace}/${name} ${isReady ? 'runs' : 'is there, but none of its replicas is ready'}.`,
  LocksOfOthers: ({ locks, controller }: OfController & { readonly locks: number }) =>
    `${locks === 1 ? '1 lock' : `${locks} locks`} of ${controller} ${locks === 1 ? 'is' : 'are'} not ours: somebody in the cluster answers, though no known controller was found.`,
  DeploymentOfController: ({ deployment }: { readonly deployment: string }) =>
    `The OpenStackDeployment ${deployment} is there, which the OpenStack Controller keeps, though it was not found running.`,
  ApplicationNotFound: ({ controller }: OfController) => `Nothing of ${controller} was found.`,
  AnsweredByOurs: ({ there, by }: There & { readonly by: Holder }) =>
    `${asPhrase(there.message)}, and Lockkeeper's controllers answer, run by ${holderWords(by)}.`,
  NobodyAnswers: ({ there }: There) => `${asPhrase(there.message)}, and nobody in the cluster answers for it.`,
} satisfies TextsOf<string>

const OPENSTACK_FIRST = 'Waiting for the ClusterWorkloadLock of openstack to be inactive'
