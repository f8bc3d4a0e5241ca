import { parseLockMessage } from '../../../shared/domain/lock-message.ts'
import {
  type MaintenanceObjects,
  makerOf,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
} from '../../../shared/domain/maintenance-api.ts'
import type { NodeSummary } from '../../../shared/domain/node-summary.ts'
import { asPhrase } from '../../../shared/grammar/counts.ts'
import { lockTextWords } from '../../../shared/words/lock-text.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

/** One node in the node maintenance API: its requests, and the controllers that hold it. */
export interface NodeMaintenanceOwners {
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly locks: readonly NodeWorkloadLock[]
}

export interface MaintenanceOwners {
  readonly ofNode: ReadonlyMap<string, NodeMaintenanceOwners>
  readonly unknownNodes: ReadonlyMap<string, readonly NodeMaintenanceRequest[]>
}

export const NO_MAINTENANCE_OWNERS: MaintenanceOwners = { ofNode: new Map(), unknownNodes: new Map() }

/** Sorts the objects by node (docs/domain.md A.1: by the name in the spec, which may be an FQDN). */
export function maintenanceOwnersOf(objects: MaintenanceObjects | null, nodes: readonly string[]): MaintenanceOwners {
  if (objects === null) return NO_MAINTENANCE_OWNERS
  const known = new Map<string, string | null>()
  const meant = ({ nodeName }: { readonly nodeName: string }) => {
    const found = known.get(nodeName)
    if (found !== undefined) return found
    const node = nodeMeant(nodeName, nodes)
    known.set(nodeName, node)
    return node
  }
  const locks = Map.groupBy(objects.nodeLocks, meant)
  const requests = Map.groupBy(objects.nodeRequests, meant)
  const names = [...new Set([...locks.keys(), ...requests.keys()])].filter(name => name !== null)
  return {
    ofNode: new Map(
      names.map(name => [
        name,
        {
          requests: requests.get(name) ?? [],
          locks: (locks.get(name) ?? []).toSorted((a, b) => a.controller.localeCompare(b.controller)),
        },
      ]),
    ),
    unknownNodes: Map.groupBy(requests.get(null) ?? [], request => request.nodeName || request.name),
  }
}

/** The state of a node in the maintenance API, and why; null if its locks allow service, and there is no request. */
type MaintenanceStatus =
  /** Requested; a controller still holds it, or it has no lock. */
  | { readonly kind: 'asked'; readonly because: Finding }
  /** Requested, and every controller has released it (seed 001: inactive, "the LCM can proceed"). */
  | { readonly kind: 'released'; readonly because: Finding }
  /** Its request is Terminating: the controllers bring their applications back. */
  | { readonly kind: 'returning'; readonly because: Finding }
  /** No request, and a lock is not active. */
  | { readonly kind: 'odd'; readonly because: Finding }
  /** No request, and every lock is active: no controller has released it (seed 001: locks prevent changes while active). */
  | { readonly kind: 'held'; readonly because: Finding }

/** The state of a node in the maintenance API; null if the API does not list it. */
export function maintenanceStatus({ requests, locks }: NodeMaintenanceOwners): MaintenanceStatus | null {
  const open = locks.filter(({ state }) => state !== 'inactive')
  const live = requests.find(({ deletingSince }) => deletingSince === null)
  if (live !== undefined && open.length === 0 && locks.length > 0) {
    return { kind: 'released', because: because('MaintenanceReleased', { ...madeOf(live), locks: named(locks) }) }
  }
  if (live !== undefined) {
    const asked = madeOf(live)
    return {
      kind: 'asked',
      because:
        locks.length === 0
          ? because('MaintenanceAskedWithoutLocks', asked)
          : because('MaintenanceAsked', { ...asked, waits: open.map(saidBy) }),
    }
  }
  const going = requests[0]
  const waits = locks.filter(({ state }) => state !== 'active').map(saidBy)
  if (going !== undefined) {
    return { kind: 'returning', because: because('MaintenanceTakenBack', { request: going.name, waits }) }
  }
  if (waits.length > 0) return { kind: 'odd', because: because('LocksWithoutRequest', { waits }) }
  return locks.length === 0 ? null : { kind: 'held', because: because('LocksHoldNode', { locks: named(locks) }) }
}

/** A row for a request whose name is not a node of the cluster: no controller will answer it. */
export function unknownNodeRow(name: string, requests: readonly NodeMaintenanceRequest[]): NodeSummary {
  const reason = because('RequestForNoNode', { requests: requests.map(madeOf) })
  return {
    name,
    roles: [],
    roleSources: [],
    roleContradictions: [],
    ready: 'none',
    schedulable: null,
    state: 'unknown',
    stateReason: reason.message,
    stateFindings: [reason],
    conditions: [],
    verdict: null,
    zone: null,
    kubeletVersion: '',
    computeService: null,
    runId: null,
    migrationMode: null,
  }
}

function madeOf(request: NodeMaintenanceRequest) {
  return { request: request.name, maker: makerOf(request) }
}

function named(locks: readonly NodeWorkloadLock[]): readonly string[] {
  return locks.map(({ controller, name }) => controller || name)
}

function saidBy({ controller, name, state, errorMessage }: NodeWorkloadLock) {
  const text = lockTextWords(parseLockMessage(errorMessage).text, () => null)
  return { controller, lock: name, state, detail: asPhrase(text) }
}
