import { instantWords } from '../../grammar/times.ts'
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

export const REQUESTS_STEPS = {
  'cluster-lock-inactive': {
    title: input => `${applicationIn(input)}: ClusterWorkloadLock is inactive`,
    why: 'A controller marks its ClusterWorkloadLock as inactive when its application is ready for work on the nodes.',
    undo: 'The lock becomes active again when the ClusterMaintenanceRequest is removed.',
  },
  'cluster-locks-active': {
    title: () => 'Wait until every ClusterWorkloadLock is active',
    why: 'A lock becomes active again when its controller has ended the maintenance of its application.',
    undo: 'Nothing to undo: it only waits.',
  },
  'definitions-served': {
    title: () => 'The cloud serves the node maintenance API',
    why: 'Requests and locks are objects of the node maintenance API, so the cloud must serve it.',
  },
  'lock-limits-allow': {
    title: input => `The application controllers will take ${nodeIn(input)} now`,
    why: 'A request beyond the limits is accepted but waits. It is better to know that before.',
  },
  'locks-stand': {
    title: () => 'ClusterWorkloadLocks and NodeWorkloadLocks are active',
    why: 'An update starts from a cloud on which every application works, so that its locks are active.',
  },
  'maintenance-api-ready': {
    title: () => 'The node maintenance API has its definitions and controllers',
    why: 'Without a controller to answer it, a maintenance request waits forever.',
  },
  'no-other-driver': {
    title: () => 'No other run works on several nodes of this cloud',
    why: 'Two consoles that work on several nodes of one cloud undo each other.',
  },
  'node-locks-active': {
    title: input => `Wait until every lock of ${nodeIn(input)} is active`,
    why: 'A lock becomes active again only after its controller has seen its application work on the node. Nova and Neutron show whether OpenStack is connected to RabbitMQ; Lockkeeper does not ask RabbitMQ itself.',
    undo: 'Nothing to undo: it only waits.',
  },
  'node-locks-inactive': {
    title: input => `Wait until every lock of ${nodeIn(input)} is inactive`,
    why: 'An active lock means that an application is not ready for work on the node.',
    undo: 'The locks become active again when the maintenance request is removed.',
  },
  'node-locks-sound': {
    title: input => `${nodeIn(input)} has all its workload locks, and they are active`,
    why: 'A missing, odd or inactive lock shows that an application is not in its normal state.',
  },
  'remove-cluster-request': {
    title: () => 'Remove the ClusterMaintenanceRequest',
    why: 'The controllers end the maintenance when the request is removed.',
    undo: 'Update the cloud again.',
  },
  'remove-node-request': {
    title: input => `Remove the maintenance request of ${nodeIn(input)}`,
    why: 'The controllers bring their applications back when the request is removed.',
    undo: 'Take the node out of service again.',
  },
  'request-cluster-maintenance': {
    title: input => `Request maintenance of the cloud, scope ${scopeIn(input)}`,
    why: 'Creates the ClusterMaintenanceRequest, which notifies the application controllers about the planned maintenance.',
    undo: 'Remove the ClusterMaintenanceRequest: the controllers then end the maintenance.',
  },
  'request-is-ours': {
    title: input => `Lockkeeper may end the maintenance of ${nodeIn(input)}`,
    why: 'The maker of a request relies on the locks until they remove it themselves.',
  },
  'request-node-maintenance': {
    title: input => `Request maintenance of ${nodeIn(input)}, scope ${scopeIn(input)}`,
    why: 'The application controllers prepare the node when they see this request.',
    undo: 'Remove the NodeMaintenanceRequest: bringing the node back does that, and the controllers bring their applications back.',
  },
} satisfies StepTexts

type Requests = { readonly requests: readonly string[] }
type Scope = 'drain' | 'os'
type Held = { readonly finalizers: readonly string[] }

function holders(finalizers: readonly string[]): string {
  return finalizers.join(', ') || 'no finalizer'
}

export const REQUESTS_FINDINGS = {
  ...CONTROLLERS_FINDINGS,
  ...LIMITS_FINDINGS,
  ...LOCKS_FINDINGS,
  NoOtherDriver: () => 'No run works on several nodes.',
  UpdateLeaseIsOurs: () => 'This run already has the Lease.',
  UpdateLeaseSeemsGone: () => 'The console that has the Lease seems to have stopped.',
  NobodyRequestsNode: ({ node }: OfNode) => `${node} has no maintenance request.`,
  NodeRequestsAreOurs: ({
    requests,
  }: {
    readonly requests: readonly (OfRequest & { readonly by: string | null; readonly reason: string | null })[]
  }) =>
    requests
      .map(
        ({ request, by, reason }) =>
          `${by ?? 'Lockkeeper'} made the request ${request}${reason === null ? '' : ` (${reason})`}.`,
      )
      .join(' '),
  NodeRequestIsThere: ({ request, scope }: OfRequest & { readonly scope: Scope }) =>
    `The request ${request} already exists, with scope ${scope}.`,
  NodeNotRequested: ({ node, scope }: OfNode & { readonly scope: Scope }) =>
    `No request for ${node} yet.${scope === 'drain' ? ` Scope drain: do not reboot ${node}, its instances stay on it.` : ''}`,
  NodeWasRequested: ({ request }: OfRequest) => `The request ${request} already exists.`,
  NodeRequested: ({ request }: OfRequest) => `Lockkeeper made the request ${request}.`,
  NodeRequestMadeUnseen: () => 'The request exists.',
  NodeRequestStays: ({ request, scope }: OfRequest & { readonly scope: Scope }) =>
    `The request ${request} exists, scope ${scope}.`,
  NoNodeRequest: ({ node }: OfNode) => `There is no maintenance request for ${node}.`,
  NodeRequestsToRemove: ({ requests }: Requests) =>
    `Lockkeeper removes ${requests.length === 1 ? 'the request' : 'the requests'} ${requests.join(', ')}.`,
  /** A phrase. */
  NodeRequestGoes: ({ finalizers }: Held) => `The request is Terminating, held by ${holders(finalizers)}`,
  RequestGone: () => 'The request no longer exists.',
  ClusterNotRequested: () => 'No request for the cloud yet.',
  ClusterWasRequested: ({ request }: OfRequest) => `${request} already exists.`,
  ClusterRequested: ({ request }: OfRequest) => `Lockkeeper made ${request}.`,
  ClusterRequestMadeUnseen: ({ request }: OfRequest) => `${request} exists.`,
  ClusterRequestStays: ({ request, scope }: OfRequest & { readonly scope: Scope }) =>
    `${request} exists, scope ${scope}.`,
  /** A phrase. */
  ClusterRequestGoes: ({ request, finalizers }: OfRequest & Held) =>
    `${request} is Terminating, held by ${holders(finalizers)}`,
  OwnClusterRequestGone: () => 'The ClusterMaintenanceRequest of this run no longer exists.',
} satisfies TextsOf<string>

const SOMEBODY_REMOVED = 'Find out who removed it before you continue.'

export const REQUESTS_FAULTS = {
  ...CONTROLLERS_FAULTS,
  ...LIMITS_FAULTS,
  ...LOCKS_FAULTS,
  /** Another run has the Lease for work on several nodes: `since` and `seen` describe it, `wait` says when the Lease may be free. */
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
    message: `${operator ?? 'Another operator'} on ${machine ?? 'another machine'} has worked on several nodes of ${cluster} since ${instantWords(since)}: run ${run}. ${seen}`,
    remedy: wait,
    never: 'two runs on one cloud undo each other',
  }),
  NodeRequestThere: ({
    node,
    request,
    since,
    run,
  }: OfNode & OfRequest & { readonly since: string; readonly run: string | null }) => ({
    message: `Maintenance of ${node} is already requested: ${request} since ${instantWords(since)}${run === null ? '' : `, run ${run}`}.`,
    remedy: `Find out who works on it. If nobody does, remove the request: kubectl delete nodemaintenancerequest ${request}.`,
  }),
  NodeRequestTerminating: ({
    node,
    request,
    since,
    finalizers,
  }: OfNode & OfRequest & Held & { readonly since: string }) => ({
    message: `${node} is still coming back: the request ${request} has been Terminating since ${instantWords(since)}, held by ${holders(finalizers)}.`,
    remedy: 'Wait until its controllers have finished.',
    never: 'Lockkeeper cannot tell two requests for one node apart',
  }),
  NodeRequestOfOthers: ({ node, request, since }: OfNode & OfRequest & { readonly since: string }) => ({
    message: `Lockkeeper did not make the request ${request} for ${node} (since ${instantWords(since)}): LCM or an operator may be working on the node.`,
    remedy: 'Ask its maker to remove it.',
  }),
  NodeRequestNotListed: ({ node }: OfNode) => ({
    message: `the list does not show ${node}, which the API server returns by name.`,
    remedy: '',
  }),
  NodeRequestsHidden: ({ requests }: Requests) => ({
    message: `The list of maintenance requests does not show ${requests.join(', ')}, which the API server returns by name.`,
    remedy: 'Check with `kubectl get nodemaintenancerequests`, then resume.',
  }),
  /** `holder`: the run that has the Lease of the node. */
  NodeHeldAtRequest: ({ holder }: OfNode & { readonly holder: string }) => ({
    message: holder,
    remedy: 'Try again when that run has ended, or stop the run.',
  }),
  NodeStillComesBack: ({
    node,
    request,
    since,
    finalizers,
  }: OfNode & OfRequest & Held & { readonly since: string | null }) => ({
    message: `${node} is still coming back from an earlier maintenance: its request ${request} has been Terminating since ${since === null ? 'an unknown time' : instantWords(since)}, held by ${holders(finalizers)}.`,
    remedy: 'Try again when it is removed, or stop the run.',
  }),
  NodeRequestVanished: ({ node }: OfNode) => ({
    message: `The maintenance request of ${node} was removed, so the controllers bring the node back.`,
    remedy: 'Find out who removed it. Stop the run, or make the request again and try again.',
  }),
  NodeRequestRemoved: ({ node }: OfNode) => ({
    message: `${node} has no maintenance request.`,
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
    message: `The request ${requests.join(', ')} still exists.`,
    remedy: 'Check what its finalizers wait for, then resume.',
  }),
  ClusterRequestOfOtherScope: ({
    request,
    scope,
    wanted,
  }: OfRequest & { readonly scope: Scope | null; readonly wanted: Scope }) => ({
    message: `${request} exists with scope ${scope ?? 'none'}, not ${wanted}.`,
    remedy: `Remove it (kubectl delete clustermaintenancerequest ${request}) and try again once it no longer exists, or stop the run.`,
  }),
  ClusterRequestTerminating: ({ request, finalizers }: OfRequest & Held) => ({
    message: `${request} is being removed, but not by this run; it is held by ${holders(finalizers)}.`,
    remedy: 'Find out who removed it and why, then try again once it no longer exists, or stop the run.',
  }),
  OwnClusterRequestRemoved: () => ({
    message: 'The ClusterMaintenanceRequest of this run was removed or is Terminating.',
    remedy: SOMEBODY_REMOVED,
  }),
  ClusterRequestScopeChanged: ({ request, scope }: OfRequest & { readonly scope: Scope | null }) => ({
    message: `${request} has scope ${scope ?? 'none'}.`,
    remedy: 'Find out who changed it.',
  }),
  ClusterRequestHidden: ({ request }: OfRequest) => ({
    message: `No list of maintenance requests shows ${request}, which the API server returns by name.`,
    remedy: 'Check with `kubectl get clustermaintenancerequests`, then resume.',
  }),
  ClusterRequestStillThere: ({ request }: OfRequest) => ({
    message: `${request} still exists.`,
    remedy: 'Check what its finalizers wait for, then resume.',
  }),
  ClusterRequestDoesNotGo: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy:
      'Check what its controllers wait for and try again. Never remove a finalizer manually: the controller would forget the cloud.',
  }),
  NoSuchNode: ({ node }: OfNode) => ({ message: `Node ${node} does not exist.`, remedy: '' }),
} satisfies TextsOf<FaultText>

export const REQUESTS_READS = {
  ...CONTROLLERS_READS,
  ...LOCKS_READS,
  NodeMaintenanceRequest: ({ node }: OfNode) => `The maintenance request of ${node}`,
  ClusterMaintenanceRequest: ({ request }: OfRequest) => `The request ${request}`,
  NodeMaintenanceApi: () => 'The node maintenance API',
  QuorumServices: () => 'The quorum services',
} satisfies TextsOf<string>
