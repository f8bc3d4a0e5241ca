import type { Maker } from '../../domain/maintenance-api.ts'
import { asPhrase, counted, upperFirst } from '../../grammar/counts.ts'
import { makerWords } from '../makers.ts'
import type { Finding, OfRun, TextsOf } from '../steps/coded.ts'

/** What is wrong with a node: phrases for the sentences of other codes. */
type Troubles = { readonly troubles: readonly Finding[] }

type Closed = { readonly cordoned: boolean; readonly computeDisabled: boolean }

/** A maintenance request of a node, and its maker. */
type Request = { readonly request: string; readonly maker: Maker }

/** The state of a controller's lock; `detail`: in the controller's words. */
type LockSaid = {
  readonly controller: string
  readonly lock: string
  readonly state: string
  readonly detail: string
}

type Waits = { readonly waits: readonly LockSaid[] }

type Locks = { readonly locks: readonly string[] }

/** Reasons for the state of a node on the map and in the list of nodes. */
export const VIEW_NODES_REASONS = {
  NodeContactLost: ({ detail }: { readonly detail: string }) =>
    `The control plane lost contact with it${inBrackets(detail)}.`,
  NodeRunTakesOut: ({ run, waits }: OfRun & { readonly waits: string | null }) =>
    `Run ${run} takes it out of service.${waits === null ? '' : ` It waits: ${waits}`}`,
  NodeRunBringsBack: ({ run, waits }: OfRun & { readonly waits: string | null }) =>
    `Run ${run} brings it back into service.${waits === null ? '' : ` It waits: ${waits}`}`,
  NodeRunTakingOutLeft: ({ run }: OfRun) =>
    `Run ${run} was taking it out of service and is paused: resume it, or stop it.`,
  NodeRunBringingBackLeft: ({ run }: OfRun) =>
    `Run ${run} was bringing it back into service and is paused: resume it, or stop it.`,
  StateReadAgain: () => 'The run on it has ended; Lockkeeper is reading its state again.',
  NodeOutOfService: ({ parts }: { readonly parts: readonly Finding[] }) =>
    `${upperFirst(parts.map(({ message }) => message).join('; '))}.`,
  LocksAndRequestsNotRead: () => 'Lockkeeper could not read its workload locks and maintenance requests.',
  ComputeServiceNotAsked: () => 'It is a compute node, but Nova did not answer about its compute service.',
  MaintenanceReleased: ({ request, maker, locks }: Request & Locks) =>
    `${requested({ request, maker })} and all its locks are inactive (${locks.join(', ')}): it is released.`,
  MaintenanceAskedWithoutLocks: (asked: Request) => `${requested(asked)}; no controller has a lock on it.`,
  MaintenanceAsked: ({ request, maker, waits }: Request & Waits) =>
    `${requested({ request, maker })}; it waits for ${waits.map(lockWords).join('; ')}.`,
  MaintenanceTakenBack: ({ request, waits }: { readonly request: string } & Waits) =>
    `Its request ${request} is Terminating: its controllers bring it back${waits.length === 0 ? '' : `; it waits for ${waits.map(lockWords).join('; ')}`}.`,
  LocksWithoutRequest: ({ waits }: Waits) => `It has no maintenance request, but ${waits.map(lockWords).join('; ')}.`,
  LocksHoldNode: ({ locks }: Locks) =>
    `No controller has released it: it has no maintenance request, and its locks are active (${locks.join(', ')}).`,
  RequestForNoNode: ({ requests }: { readonly requests: readonly Request[] }) =>
    `Its maintenance is requested (${requests.map(madeWords).join('; ')}), but the cloud has no such node, so no controller will answer. \`kubectl delete nodemaintenancerequest\` removes it.`,
  OutsideKubernetes: ({ troubles }: Troubles) => `${OUTSIDE}${troubles.length === 0 ? '' : `; ${inARow(troubles)}`}.`,
  OutsideKubernetesEmpty: ({ troubles }: Troubles) =>
    `${OUTSIDE}; ${inARow(troubles)}, and everything that had to leave has left.`,
  NoNodeAnyMore: ({
    computeStatus,
    osds,
  }: {
    readonly computeStatus: string | null
    readonly osds: readonly number[]
  }) => {
    const knowers = [
      ...(computeStatus === null ? [] : [`Nova still has its nova-compute (${computeStatus}, down)`]),
      ...(osds.length === 0 ? [] : [`Ceph still lists its ${osdsNamed(osds)} as down`]),
    ]
    return `It is not a node of Kubernetes; ${knowers.join(', and ')}.`
  },
  DutiesNotReassigned: ({ instances, osds }: { readonly instances: number; readonly osds: readonly number[] }) => {
    const left = [
      ...(instances === 0 ? [] : [`${counted(instances, 'instance is', 'instances are')} on it in Nova`]),
      ...(osds.length === 0 ? [] : [`${osdsNamed(osds)} still in Ceph's map, whose data others have not taken over`]),
    ]
    return `It is not decommissioned, because other nodes have not taken over its work: ${left.join('; ')}.`
  },
  DutiesNotKnown: ({ silent }: { readonly silent: readonly string[] }) =>
    `Cannot tell whether others have taken over its work: ${silent.join(' and ')} did not answer.`,
  CountsNowhere: () => 'It counts in no quorum and no capacity.',
  // Phrases for the sentence NodeOutOfService.
  NodeWithoutComputeService: () => 'it is labelled as a compute node, but Nova has no nova-compute service on it',
  KubeletNotReady: ({ detail }: { readonly detail: string }) => `its kubelet is not ready${inBrackets(detail)}`,
  NodeIsCordoned: () => 'it is cordoned',
  NodeCordonedTakesInstances: () => 'it is cordoned, but its nova-compute still takes instances',
  NodeComputeDisabled: ({ detail }: { readonly detail: string }) => `its nova-compute is disabled${inBrackets(detail)}`,
  NodeComputeDown: () => 'its nova-compute is down',
  NodeClosed: (closed: Closed) => closedWords(closed),
  NodeClosedNotAsked: (closed: Closed) => `${closedWords(closed)}, but Lockkeeper could not read what is still on it`,
  NodeClosedAndEmpty: (closed: Closed) => `${closedWords(closed)}, and everything that had to leave has left`,
  NodeClosedNotEmpty: ({
    instances,
    pods,
    ...closed
  }: Closed & { readonly instances: number; readonly pods: number }) => {
    const left = [
      ...(instances === 0 ? [] : [`${counted(instances, 'instance that', 'instances that')} had to move`]),
      ...(pods === 0 ? [] : [`${counted(pods, 'pod that', 'pods that')} should have left`]),
    ]
    return `${closedWords(closed)}, but still here: ${left.join(', ')}`
  },
  InstancesStayOnNode: ({ instances }: { readonly instances: number }) =>
    `${counted(instances, 'instance stays', 'instances stay')} on it`,
  NodeOsdsDown: ({ osds }: { readonly osds: readonly number[] }) =>
    `${osdsNamed(osds)} of it ${osds.length === 1 ? 'is' : 'are'} down`,
  NodeOsdsNoout: () => 'noout is set for its OSDs',
  NodeNooutKept: ({ run }: OfRun) => `run ${run} keeps noout for it`,
  OsdsCoveredOrDown: () => 'its OSDs are covered by noout, or down',
  OsdsUpNotCovered: () => 'its OSDs are up without noout',
} satisfies TextsOf<string>

const OUTSIDE = 'It is a machine outside of Kubernetes'

function closedWords({ cordoned, computeDisabled }: Closed): string {
  const said = cordoned ? 'it is cordoned' : 'it is not cordoned'
  return computeDisabled ? `${said} and its nova-compute is disabled` : said
}

function requested(asked: Request): string {
  return `Its maintenance is requested (${madeWords(asked)})`
}

function madeWords({ request, maker }: Request): string {
  return `${request}, made ${makerWords(maker)}`
}

function lockWords({ controller, lock, state, detail }: LockSaid): string {
  const said = detail === '' ? `its lock ${lock} is ${state}` : `${detail}${state === 'failed' ? ' (failed)' : ''}`
  return `${controller || 'no controller'}: ${said}`
}

function osdsNamed(osds: readonly number[]): string {
  return `OSD ${osds.join(', ')}`
}

function inARow(troubles: readonly Finding[]): string {
  return troubles.map(({ message }) => message).join(', ')
}

function inBrackets(detail: string): string {
  const plain = asPhrase(detail.trim())
  return plain === '' ? '' : ` (${plain})`
}
