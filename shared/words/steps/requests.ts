import {
  type FaultText,
  nodeIn,
  type OfNode,
  type OfRequest,
  type StepTexts,
  type TextsOf,
  type Values,
} from './coded.ts'
import { CONTROLLERS_FAULTS, CONTROLLERS_FINDINGS, CONTROLLERS_READS } from './requests-controllers.ts'
import { LIMITS_FAULTS, LIMITS_FINDINGS } from './requests-limits.ts'
import { LOCKS_FAULTS, LOCKS_FINDINGS, LOCKS_READS, type Quiet, quietText } from './requests-locks.ts'

function scopeIn({ scope }: Values): string {
  return scope === 'drain' ? 'drain' : 'os'
}

function applicationIn({ controller }: Values): string {
  return typeof controller === 'string' ? controller : 'Other applications'
}

/** What the steps of the node maintenance API are. */
export const REQUESTS_STEPS = {
  'cluster-lock-inactive': {
    title: input => `${applicationIn(input)}: ClusterWorkloadLock is inactive`,
    why: 'A controller marks its ClusterWorkloadLock as inactive when its application is ready for the nodes to be worked on.',
    undo: 'The lock becomes active again when the ClusterMaintenanceRequest is removed.',
  },
  'cluster-locks-active': {
    title: () => 'Wait until every ClusterWorkloadLock is active',
    why: 'A lock is active again when its controller has ended the maintenance of its application.',
    undo: 'Nothing to undo: it only waits.',
  },
  'definitions-served': {
    title: () => 'The cluster serves the node maintenance API',
    why: 'Requests and locks are objects of the node maintenance API; the cluster has to know them.',
  },
  'lock-limits-allow': {
    title: input => `The application controllers will take ${nodeIn(input)} now`,
    why: 'A request beyond the limits is accepted and then waits; better to know before.',
  },
  'locks-stand': {
    title: () => 'ClusterWorkloadLocks and NodeWorkloadLocks are active',
    why: 'An update begins from a cluster on which every application works: its locks are active.',
  },
  'maintenance-api-ready': {
    title: () => 'The node maintenance API is there and answered',
    why: 'A maintenance request that nobody answers is waited for in vain.',
  },
  'no-other-driver': {
    title: () => 'Nobody else drives work on many nodes of this cluster',
    why: 'Two consoles that work on many nodes of one cluster undo each other.',
  },
  'node-locks-active': {
    title: input => `Wait until every lock of ${nodeIn(input)} is active`,
    why: 'A lock is active again only when its controller has seen its application work on the node. Whether OpenStack is connected to RabbitMQ is judged by Nova and Neutron: RabbitMQ itself is not asked.',
    undo: 'Nothing to undo: it only waits.',
  },
  'node-locks-inactive': {
    title: input => `Wait until every lock of ${nodeIn(input)} is inactive`,
    why: 'An active lock means that an application is not ready for the node to be worked on.',
    undo: 'The locks become active again when the maintenance request is removed.',
  },
  'node-locks-sound': {
    title: input => `The workload locks of ${nodeIn(input)} are there and active`,
    why: 'Locks that are missing, odd or not active say that an application is not in its ordinary state.',
  },
  'remove-cluster-request': {
    title: () => 'Remove the ClusterMaintenanceRequest',
    why: 'The controllers take the cluster back when the request goes.',
    undo: 'Update the cluster again.',
  },
  'remove-node-request': {
    title: input => `Remove the maintenance request of ${nodeIn(input)}`,
    why: 'The controllers bring their applications back when the request goes.',
    undo: 'Take the node out of service again.',
  },
  'request-cluster-maintenance': {
    title: input => `Request maintenance of the cluster, scope ${scopeIn(input)}`,
    why: 'Creates the ClusterMaintenanceRequest, which notifies the application controllers about the planned maintenance.',
    undo: 'Remove the ClusterMaintenanceRequest: the controllers take the cluster back.',
  },
  'request-is-ours': {
    title: input => `The maintenance of ${nodeIn(input)} is Lockkeeper's to end`,
    why: 'The one who made a request relies on the locks until they remove it themselves.',
  },
  'request-node-maintenance': {
    title: input => `Request maintenance of ${nodeIn(input)}, scope ${scopeIn(input)}`,
    why: 'The application controllers prepare the node when they see this request.',
    undo: 'Remove the NodeMaintenanceRequest: the leave procedure does it, and the controllers bring their applications back.',
  },
} satisfies StepTexts

type Requests = { readonly requests: readonly string[] }
type Scope = 'drain' | 'os'
type Held = { readonly finalizers: readonly string[] }

function holders(finalizers: readonly string[]): string {
  return finalizers.join(', ') || 'nobody'
}

/** What the steps of the node maintenance API find. */
export const REQUESTS_FINDINGS = {
  ...CONTROLLERS_FINDINGS,
  ...LIMITS_FINDINGS,
  ...LOCKS_FINDINGS,
  NoOtherDriver: () => 'Nobody drives work on many nodes.',
  UpdateLeaseIsOurs: () => 'This run holds the Lease already.',
  UpdateLeaseSeemsGone: () => 'The Lease is held by a console that seems gone.',
  NobodyRequestsNode: ({ node }: OfNode) => `Nobody requests maintenance of ${node}.`,
  NodeRequestsAreOurs: ({
    requests,
  }: {
    readonly requests: readonly (OfRequest & { readonly by: string | null; readonly reason: string | null })[]
  }) =>
    requests
      .map(
        ({ request, by, reason }) =>
          `The request ${request} was made by ${by ?? 'Lockkeeper'}${reason === null ? '' : ` (${reason})`}.`,
      )
      .join(' '),
  NodeRequestIsThere: ({ request, scope }: OfRequest & { readonly scope: Scope }) =>
    `The request ${request} is there already, with scope ${scope}.`,
  NodeNotRequested: ({ node, scope }: OfNode & { readonly scope: Scope }) =>
    `No request for ${node} yet.${scope === 'drain' ? ` Scope drain: do not reboot ${node}, its instances stay on it.` : ''}`,
  NodeWasRequested: ({ request }: OfRequest) => `The request ${request} is there already.`,
  NodeRequested: ({ request }: OfRequest) => `The request ${request} is made.`,
  NodeRequestMadeUnseen: () => 'A request is there.',
  NodeRequestStays: ({ request, scope }: OfRequest & { readonly scope: Scope }) =>
    `The request ${request} is there, scope ${scope}.`,
  NoNodeRequest: ({ node }: OfNode) => `There is no maintenance request for ${node}.`,
  NodeRequestsToRemove: ({ requests }: Requests) =>
    `To be removed: ${requests.length === 1 ? 'the request' : 'the requests'} ${requests.join(', ')}.`,
  /** A phrase. */
  NodeRequestGoes: ({ finalizers }: Held) => `The request is Terminating, held by ${holders(finalizers)}`,
  RequestGone: () => 'The request is gone.',
  ClusterNotRequested: () => 'No request for the cluster yet.',
  ClusterWasRequested: ({ request }: OfRequest) => `${request} is there already.`,
  ClusterRequested: ({ request }: OfRequest) => `${request} is made.`,
  ClusterRequestMadeUnseen: ({ request }: OfRequest) => `${request} is there.`,
  ClusterRequestStays: ({ request, scope }: OfRequest & { readonly scope: Scope }) =>
    `${request} is there, scope ${scope}.`,
  /** A phrase. */
  ClusterRequestGoes: ({ request, finalizers }: OfRequest & Held) =>
    `${request} is Terminating, held by ${holders(finalizers)}`,
  OwnClusterRequestGone: () => 'The ClusterMaintenanceRequest of this run is gone.',
} satisfies TextsOf<string>

const SOMEBODY_REMOVED = 'Somebody removed it; find out who before going on.'

/** What is in the way of the steps of the node maintenance API. */
export const REQUESTS_FAULTS = {
  ...CONTROLLERS_FAULTS,
  ...LIMITS_FAULTS,
  ...LOCKS_FAULTS,
  /** Another run holds the Lease of work on many nodes: `since` and `seen` are what was seen of it, `wait` when it may be free. */
  ManyNodesHeldByAnotherRun: ({
    operator,
    machine,
    cluster,
    since,
    run,
    seen,
    wait,
  }: {
    readonly operator: string | null
    readonly machine: string | null
    readonly cluster: string
    readonly since: string
    readonly run: string
    readonly seen: string
    readonly wait: string
  }) => ({
    message: `${operator ?? 'Somebody'} on ${machine ?? 'another machine'} works on many nodes of ${cluster} since ${since}: run ${run}. ${seen}`,
    remedy: wait,
    never: 'two drivers on one cluster undo each other',
  }),
  NodeRequestThere: ({
    node,
    request,
    since,
    run,
  }: OfNode & OfRequest & { readonly since: string; readonly run: string | null }) => ({
    message: `Somebody has requested maintenance of ${node} already: ${request} since ${since}${run === null ? '' : `, run ${run}`}.`,
    remedy: `Find out who works on it. If nobody does, remove the request: kubectl delete nodemaintenancerequest ${request}.`,
  }),
  NodeRequestTerminating: ({
    node,
    request,
    since,
    finalizers,
  }: OfNode & OfRequest & Held & { readonly since: string }) => ({
    message: `${node} is still coming back: the request ${request} is Terminating since ${since}, held by ${holders(finalizers)}.`,
    remedy: 'Wait until its controllers are done.',
    never: 'two requests for one node cannot be told apart',
  }),
  NodeRequestOfOthers: ({ node, request, since }: OfNode & OfRequest & { readonly since: string }) => ({
    message: `The request ${request} for ${node} was not made by Lockkeeper (since ${since}): LCM or a person may be at work on the node.`,
    remedy: 'Let whoever made it remove it.',
  }),
  NodeRequestNotListed: ({ node }: OfNode) => ({
    message: `the list of them does not show ${node}, which is there when asked for by itself.`,
    remedy: '',
  }),
  NodeRequestsHidden: ({ requests }: Requests) => ({
    message: `The list of maintenance requests does not show ${requests.join(', ')}, which is there when asked for by itself.`,
    remedy: 'Look with `kubectl get nodemaintenancerequests`, then resume.',
  }),
  /** `holder`: who holds the Lease of the node, and what is seen of it. */
  NodeHeldAtRequest: ({ holder }: OfNode & { readonly holder: string }) => ({
    message: holder,
    remedy: 'Retry when that run is over, or abort.',
  }),
  NodeStillComesBack: ({
    node,
    request,
    since,
    finalizers,
  }: OfNode & OfRequest & Held & { readonly since: string | null }) => ({
    message: `${node} is still coming back from an earlier maintenance: its request ${request} is Terminating since ${since ?? 'some time'} and is held by ${holders(finalizers)}.`,
    remedy: 'Retry when it is gone, or abort.',
  }),
  NodeRequestVanished: ({ node }: OfNode) => ({
    message: `The maintenance request of ${node} is gone: somebody removed it, and the controllers bring the node back.`,
    remedy: 'Find out who. Abort, or make the request again and retry.',
  }),
  NodeRequestRemoved: ({ node }: OfNode) => ({
    message: `There is no maintenance request for ${node}.`,
    remedy: SOMEBODY_REMOVED,
  }),
  NodeRequestScopeDiffers: ({
    request,
    scope,
    wanted,
  }: OfRequest & { readonly scope: Scope | null; readonly wanted: Scope }) => ({
    message: `The request ${request} has scope ${scope ?? 'none'}, not ${wanted}.`,
    remedy: `Remove it if it is not needed (kubectl delete nodemaintenancerequest ${request}), then try again.`,
  }),
  NodeRequestsStillThere: ({ requests }: Requests) => ({
    message: `The request ${requests.join(', ')} is still there.`,
    remedy: 'Look at what its finalizers wait for, then resume.',
  }),
  ClusterRequestOfOtherScope: ({
    request,
    scope,
    wanted,
  }: OfRequest & { readonly scope: Scope | null; readonly wanted: Scope }) => ({
    message: `${request} is there with scope ${scope ?? 'none'}, not ${wanted}.`,
    remedy: `Remove it (kubectl delete clustermaintenancerequest ${request}) and retry once it is gone, or abort.`,
  }),
  ClusterRequestTerminating: ({ request, finalizers }: OfRequest & Held) => ({
    message: `Somebody removed ${request}; it is held by ${holders(finalizers)}.`,
    remedy: 'Find out who and why, then retry once it is gone, or abort.',
  }),
  OwnClusterRequestRemoved: () => ({
    message: 'The ClusterMaintenanceRequest of this run is gone or going.',
    remedy: SOMEBODY_REMOVED,
  }),
  ClusterRequestScopeChanged: ({ request, scope }: OfRequest & { readonly scope: Scope | null }) => ({
    message: `${request} has scope ${scope ?? 'none'}.`,
    remedy: 'Somebody changed it; find out who.',
  }),
  ClusterRequestHidden: ({ request }: OfRequest) => ({
    message: `No list of maintenance requests shows ${request}, which is there when asked for by itself.`,
    remedy: 'Look with `kubectl get clustermaintenancerequests`, then resume.',
  }),
  ClusterRequestStillThere: ({ request }: OfRequest) => ({
    message: `${request} is still there.`,
    remedy: 'Look at what its finalizers wait for, then resume.',
  }),
  ClusterRequestDoesNotGo: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy:
      'Look at what its controllers wait for and retry. Never remove a finalizer by hand: the controller would forget the cluster.',
  }),
  /** For a wait whose texts have no codes yet. */
  NoSuchNode: ({ node }: OfNode) => ({ message: `There is no node ${node}.`, remedy: '' }),
} satisfies TextsOf<FaultText>

/** What the steps of the node maintenance API read. */
export const REQUESTS_READS = {
  ...CONTROLLERS_READS,
  ...LOCKS_READS,
  NodeMaintenanceRequest: ({ node }: OfNode) => `The maintenance request of ${node}`,
  ClusterMaintenanceRequest: ({ request }: OfRequest) => `The request ${request}`,
  NodeMaintenanceApi: () => 'The node maintenance API',
  QuorumServices: () => 'The quorum services',
} satisfies TextsOf<string>
