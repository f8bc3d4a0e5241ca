import type { LeaseHolder } from '../../domain/kubernetes.ts'
import { asPhrase, counted } from '../../grammar/counts.ts'
import { holderWords } from '../controllers.ts'
import { seenWords } from '../leases.ts'
import type { Cause, Finding, OfCluster, OfController, OfNode, TextsOf } from '../steps/coded.ts'
import { deferredText, type HardLock, type HeldBack, hardLockText, heldBackText } from '../steps/requests-limits.ts'

type OfOther = OfNode & { readonly other: string }
type OfRequest = { readonly kind: string; readonly name: string }
type There = { readonly there: Finding }

/** The holder of the Lease of the controllers. */
type Holder = Pick<LeaseHolder, 'identity' | 'operator' | 'machine' | 'since'>

/** Messages of Lockkeeper's own controllers of the maintenance API. */
export const CONTROLLERS_REASONS = {
  // Why a node or the cloud waits, in the words of its lock.
  ReleaseDiffers: ({ theirs, ours }: { readonly theirs: string; readonly ours: string }) =>
    `The maintenance request's release does not match ours: it is ${theirs}, ours is ${ours}. Skipping handling.`,
  ServicesBlock: ({ services }: { readonly services: Readonly<Record<string, HardLock>> }) => {
    const why = Object.entries(services).map(([service, lock]) => [service, hardLockText(lock)])
    return `Some services blocks nmr handling ${JSON.stringify(Object.fromEntries(why))}`
  },
  DeferredByLimits: ({ node, held }: OfNode & { readonly held: HeldBack }) => heldBackText(node, held),
  DeferredForCeph: ({ node, other }: OfOther) => deferredText(node, `Ceph on ${other} has to recover first`),
  DeferredForFabric: ({ node, other }: OfOther) =>
    deferredText(node, `Tungsten Fabric takes one node at a time, and ${other} is not back`),
  DeferredForStackLight: ({ node, other }: OfOther) =>
    deferredText(node, `StackLight takes one node at a time, and ${other} is not back`),
  LockStays: ({ why }: { readonly why: Finding }) => `${why.message}; the lock does not change`,
  NodeStays: ({ why }: { readonly why: Finding }) => `${why.message}; the node does not change`,
  RequestNotKnownGone: ({ kind, name, cause }: OfRequest & Cause) =>
    `Could not read whether ${kind} ${name} still exists: ${cause}`,
  RequestNotListed: ({ kind, name }: OfRequest) =>
    `${kind} ${name} exists, although the list of requests does not show it`,
  NoRequestProved: ({ kind, subject }: { readonly kind: string; readonly subject: string }) =>
    `No list shows a ${kind} for ${subject}, and nothing names the one it was prepared for, so no removal is proved (make one and delete it to bring ${subject} back)`,
  OpenStackLockFirst: () => OPENSTACK_FIRST,
  OpenStackLockMissing: () => `${OPENSTACK_FIRST}: it does not exist yet`,
  CephLockFirst: () => 'Waiting for the ClusterWorkloadLock of ceph to be inactive',
  ApplicationObjectMissing: ({ application, object }: { readonly application: string; readonly object: string }) =>
    `Waiting until ${application} is updated: ${object} does not exist`,
  ApplicationUpdateAwaited: (is: {
    readonly application: string
    readonly object: string
    readonly field: string
    readonly value: string
    readonly wanted: string
  }) => `Waiting until ${is.application} is updated: ${is.field} of ${is.object} is ${is.value}, not ${is.wanted}`,
  NodesUpdated: ({ updated, nodes }: { readonly updated: number; readonly nodes: number }) =>
    `${updated} out of ${nodes} nodes updated`,

  // Whether Lockkeeper's controllers run.
  NoControllerForConsole: ({ cluster }: OfCluster) =>
    `The settings name this console for no application of ${cluster}. Set one with \`lockkeeper cluster set ${cluster} --controller openstack=console\` or in its settings.`,
  ControllersNotStarted: ({ why }: { readonly why: Finding }) => `The controllers did not start: ${why.message}`,
  ControllersElsewhere: ({
    cluster,
    by,
    seen,
  }: OfCluster & { readonly by: Holder; readonly seen: Parameters<typeof seenWords>[0] | null }) =>
    `${holderWords(by)} runs the controllers of ${cluster}${seen === null ? '' : ` (${seenWords(seen)})`}. Stop them there first.`,
  ControllersCrashed: () => 'The controllers failed inside Lockkeeper; the log has the details.',
  LeaseOfJournal: () => 'The Lease names a journal, but controllers have none. Find out who wrote it.',
  ControllersLeaseAway: ({ why }: { readonly why: Finding }) =>
    `The controllers write nothing without their Lease. ${why.message} Trying to take it back.`,
  ControllersLeaseLost: ({ why }: { readonly why: Finding }) => `The controllers lost their Lease: ${why.message}`,

  // Which controllers answer maintenance requests.
  ClusterHasOpenStack: () => 'The cloud has OpenStack.',
  CephAnswers: ({ osds }: { readonly osds: number }) => `Ceph answers, with ${counted(osds, 'OSD')}.`,
  VRouterPodsRun: () => 'The cloud runs vRouter pods.',
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
  }) => `${kind} ${namespace}/${name} ${isReady ? 'runs' : 'exists, but none of its replicas is ready'}.`,
  LocksOfOthers: ({ locks, controller }: OfController & { readonly locks: number }) =>
    `Lockkeeper did not make ${locks === 1 ? '1 lock' : `${locks} locks`} of ${controller}: another controller answers, although no known one was found.`,
  DeploymentOfController: ({ deployment }: { readonly deployment: string }) =>
    `The OpenStackDeployment ${deployment} exists, which the OpenStack Controller maintains, but the controller was not found running.`,
  ApplicationNotFound: ({ controller }: OfController) => `No sign of ${controller} was found.`,
  AnsweredByOurs: ({ there, by }: There & { readonly by: Holder }) =>
    `${asPhrase(there.message)}. Lockkeeper's controllers answer, run by ${holderWords(by)}.`,
  NobodyAnswers: ({ there }: There) => `${asPhrase(there.message)}, but no controller answers for it.`,
} satisfies TextsOf<string>

const OPENSTACK_FIRST = 'Waiting for the ClusterWorkloadLock of openstack to be inactive'
