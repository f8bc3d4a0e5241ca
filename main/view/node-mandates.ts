import { parseLockMessage } from '../../shared/domain/lock-message.ts'
import {
  type MaintenanceObjects,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
} from '../../shared/domain/maintenance-api.ts'
import type { NodeSummary } from '../../shared/domain/node-summary.ts'
import { asPhrase } from '../../shared/grammar/counts.ts'
import { lockTextWords } from '../../shared/words/lock-text.ts'
import { madeBy } from '../../shared/words/makers.ts'

/** What the node maintenance API says of one node: who asks for its maintenance, and which controllers hold it. */
export interface NodeMandate {
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly locks: readonly NodeWorkloadLock[]
}

/** What the API says of every node, and of names that it holds requests for and that are no nodes. */
export interface Mandates {
  readonly ofNode: ReadonlyMap<string, NodeMandate>
  readonly strangers: ReadonlyMap<string, readonly NodeMaintenanceRequest[]>
}

export const NO_MANDATES: Mandates = { ofNode: new Map(), strangers: new Map() }

/** Sorts the objects by the node they mean (docs/domain.md A.1: by what the spec names, which may be an FQDN). */
export function mandatesOf(objects: MaintenanceObjects | null, nodes: readonly string[]): Mandates {
  if (objects === null) return NO_MANDATES
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
    strangers: Map.groupBy(requests.get(null) ?? [], request => request.nodeName || request.name),
  }
}

/** Where the maintenance API has a node, with the words for it; null: it serves as far as its locks say, and nobody asks for it. */
type MandateStanding =
  /** Asked for; a controller still holds it, or nobody has a lock on it. */
  | { readonly kind: 'asked'; readonly text: string }
  /** Asked for, and every controller has released it (seed 001: inactive, "the LCM can proceed"). */
  | { readonly kind: 'released'; readonly text: string }
  /** Its request is Terminating: the controllers bring their applications back. */
  | { readonly kind: 'returning'; readonly text: string }
  /** Nobody asks, and a lock is not active. */
  | { readonly kind: 'odd'; readonly text: string }
  /** Nobody asks, and every lock is active: no controller has given it up (seed 001: locks prevent changes while active). */
  | { readonly kind: 'held'; readonly text: string }

/** Where the maintenance API has a node; null where it says nothing of it. */
export function mandateStanding({ requests, locks }: NodeMandate): MandateStanding | null {
  const open = locks.filter(({ state }) => state !== 'inactive')
  const live = requests.find(({ deletingSince }) => deletingSince === null)
  const asked = live === undefined ? '' : `Its maintenance is requested (${live.name}, made ${madeBy(live)})`
  if (live !== undefined && open.length === 0 && locks.length > 0) {
    return { kind: 'released', text: `${asked} and every lock of it is inactive (${named(locks)}): it is released.` }
  }
  if (live !== undefined) {
    const waits = locks.length === 0 ? 'no controller has a lock on it' : `it waits for ${open.map(saying).join('; ')}`
    return { kind: 'asked', text: `${asked}; ${waits}.` }
  }
  const going = requests[0]
  const back = locks.filter(({ state }) => state !== 'active')
  if (going !== undefined) {
    const waits = back.length === 0 ? '' : `; it waits for ${back.map(saying).join('; ')}`
    return {
      kind: 'returning',
      text: `Its request ${going.name} is Terminating: its controllers bring it back${waits}.`,
    }
  }
  if (back.length > 0) {
    return { kind: 'odd', text: `Nobody requests its maintenance, but ${back.map(saying).join('; ')}.` }
  }
  return locks.length === 0
    ? null
    : {
        kind: 'held',
        text: `No controller has released it: nobody requests its maintenance, and its locks are active (${named(locks)}).`,
      }
}

/** A request for a name that is no node of the cluster, as a row: somebody asks for something that nobody will answer. */
export function strangerRow(name: string, requests: readonly NodeMaintenanceRequest[]): NodeSummary {
  const told = requests.map(request => `${request.name}, made ${madeBy(request)}`).join('; ')
  return {
    name,
    roles: [],
    roleTellers: [],
    roleContradictions: [],
    ready: 'none',
    schedulable: null,
    state: 'unknown',
    stateReason: `Its maintenance is requested (${told}), and the cluster has no such node: nobody will answer. \`kubectl delete nodemaintenancerequest\` removes it.`,
    conditions: [],
    verdict: null,
    zone: null,
    kubeletVersion: '',
    computeService: null,
    runId: null,
    migrationMode: null,
  }
}

function named(locks: readonly NodeWorkloadLock[]): string {
  return locks.map(({ controller, name }) => controller || name).join(', ')
}

function saying({ controller, name, state, errorMessage }: NodeWorkloadLock): string {
  const text = lockTextWords(parseLockMessage(errorMessage).text, () => null)
  const said = asPhrase(text)
  return `${controller || 'nobody'}: ${said === '' ? `its lock ${name} is ${state}` : `${said}${state === 'failed' ? ' (failed)' : ''}`}`
}
