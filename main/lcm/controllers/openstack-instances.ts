import { minutes } from '../../../shared/domain/durations.ts'
import { instanceHistory } from '../../../shared/domain/instance-history.ts'
import {
  ATTEMPTS_ANNOTATION,
  HOST_MODE_ANNOTATION,
  instancePolicy,
  migrationAttempts,
} from '../../../shared/domain/instance-policy.ts'
import { taggedAction } from '../../../shared/domain/instance-tags.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factText,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  instanceIdOf,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  MIGRATION_FAILED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  MIGRATION_STALLED,
  TRANSIENT_RETRYING,
  TRY_AGAIN,
} from '../../../shared/domain/run-facts.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type Finding, itemsOf, labelOf } from '../../../shared/words/steps/coded.ts'
import { isoNow } from '../../platform/clock/clock.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { MaintenanceContext } from '../../procedures/node-input.ts'
import { policyOf } from '../../procedures/steps/compute/classify-instances.ts'
import { evacuate } from '../../procedures/steps/compute/evacuation.ts'
import { countedInstances, proveInstances } from '../../procedures/steps/compute/prove-instances.ts'
import { StopStepping } from '../../runs/engine/step.ts'
import { createTransientRetry, retryRead } from '../../runs/engine/transient-retry.ts'
import type { NodeWork, Progress } from './application-controller.ts'

/** Empties compute hosts for the OpenStack controller. */
export interface InstanceMover {
  /** Moves what has to move and says what is left; `ready` once nothing on the host would be lost. */
  empty(work: NodeWork, host: string, cloud: OpenStackPort): Promise<Progress>
  /** The node is back: what was tried for its instances is forgotten. */
  forget(node: string): void
}

/** What is known of a node's instances while it is emptied. */
interface Memory {
  readonly facts: RunFact[]
  /** Instances whose attempts are used up, with what they were like then: they are tried again only when something about them changed. */
  readonly givenUp: Map<string, string>
  /** Instances whose attempts were just used up. */
  readonly exhausted: Set<string>
  /** Every instance that was seen on the host, with its name: each has to be found elsewhere once no list shows it. */
  readonly seen: Map<string, string>
  /** The executor has been at work on the node. */
  looked: boolean
}

/**
 * The instance workflow (docs/domain.md A.5, A.6), by the same executor as a run's: so many at once, attempts by the node's annotation,
 * then it waits as in manual mode until something about an instance changes: its tag, the host's mode, its state, its host.
 */
export function createInstanceMover(): InstanceMover {
  const memories = new Map<string, Memory>()
  const memoryOf = (node: string): Memory => {
    const known = memories.get(node) ?? {
      facts: [],
      givenUp: new Map(),
      exhausted: new Set(),
      seen: new Map(),
      looked: false,
    }
    memories.set(node, known)
    return known
  }
  return {
    forget: node => memories.delete(node),
    empty: async (work, host, cloud) => {
      const memory = memoryOf(work.node.name)
      if (work.scope === 'delete' || memory.looked) {
        const now = await readHost(work, host, cloud)
        if (now.kind !== 'read') return now
        for (const { id, name } of now.instances) memory.seen.set(id, name)
        if (work.scope === 'delete') return proved(whenDeleted(now.instances), now.instances, host, work, memory)
        const isToMove = now.instances.some(
          instance =>
            instance.taskState === 'migrating' ||
            (policyOf(instance, now.node).action === 'live_migrate' && isWorthATry(instance, now.node, memory)),
        )
        const migrating = now.instances.filter(({ taskState }) => taskState === 'migrating').map(labelOf)
        if (migrating.length > 0) work.say(because('ServersMigrating', { servers: migrating, stalls: [] }))
        if (!isToMove) return proved(verdict(now.instances, now.node, memory), now.instances, host, work, memory)
      }
      // The first time the executor looks by itself.
      memory.looked = true
      const moved = await move(work, cloud, memory)
      if (moved !== null) return moved
      // Looked at afresh: instances left, others may have come, and the host's mode may be another.
      const left = await readHost(work, host, cloud)
      if (left.kind !== 'read') return left
      return proved(verdict(left.instances, left.node, memory), left.instances, host, work, memory)
    },
  }
}

/** The host's node and instances as they are now: what a lock that goes inactive stands for is not taken from a watch. */
async function readHost(
  { world, node, signal }: NodeWork,
  host: string,
  cloud: OpenStackPort,
): Promise<Progress | { readonly kind: 'read'; readonly node: ClusterNode; readonly instances: readonly Instance[] }> {
  const [fresh, listed] = await Promise.all([
    world.kubernetes.getNode(node.name, signal),
    cloud.instancesOnHost(host, signal),
  ])
  if (signal.aborted) return { kind: 'stopped' }
  if (!fresh.ok) return waiting(because('LockedNodeUnread', { node: node.name, cause: fresh.failure.message }))
  if (!listed.ok) return waiting(because('ServersOnHostUnread', { host, cause: listed.failure.message }))
  const { items, unreachable } = listed.value
  if (unreachable.length > 0) return waiting(because('ServersOnHostNotTold', { host, missing: unreachable }))
  return { kind: 'read', node: fresh.value, instances: items }
}

/** Lets the executor move instances; null when it came to its end, else what is to be said. */
async function move(work: NodeWork, cloud: OpenStackPort, memory: Memory): Promise<Progress | null> {
  const { node, world, clock } = work
  // A mode or a tag that is changed meanwhile counts at once: nothing more is begun by the old one.
  const changed = new AbortController()
  const signal = AbortSignal.any([work.signal, changed.signal])
  const mode = node.annotations[HOST_MODE_ANNOTATION]
  const watching = (async () => {
    while (!signal.aborted) {
      await clock.sleep(500, signal)
      const now = work.snapshot().nodes.find(candidate => candidate.name === node.name)
      if (now !== undefined && now.annotations[HOST_MODE_ANNOTATION] !== mode) changed.abort()
    }
  })()
  const { attempts } = migrationAttempts(
    node.annotations[ATTEMPTS_ANNOTATION] ?? null,
    world.cluster.limits.migrationAttempts,
  )
  const { migrationsPerSource } = world.cluster.limits
  try {
    const answer = await evacuate(
      node.name,
      { concurrency: migrationsPerSource, attempts, only: instance => isWorthATry(instance, node, memory) },
      contextOf(work, memory, signal),
    )
    await noteGivenUp(work, cloud, memory)
    if (work.signal.aborted) return { kind: 'stopped' }
    if (answer.kind === 'failed') return waiting(because('MigrationsGotError', { cause: answer.failure.message }))
    return null
  } catch (error) {
    // The mode was changed, or the work was called off, right before something was begun.
    if (!(error instanceof StopStepping)) throw error
    return work.signal.aborted ? { kind: 'stopped' } : null
  } finally {
    changed.abort()
    await watching
  }
}

/** Whether its attempts are not used up, or something about it changed since they were. */
function isWorthATry(instance: Instance, node: ClusterNode, memory: Memory): boolean {
  return memory.givenUp.get(instance.id) !== fingerprintOf(instance, node)
}

/** Keeps what those were like whose attempts are used up, before anybody looks at them again. */
async function noteGivenUp({ node, clock }: NodeWork, cloud: OpenStackPort, memory: Memory): Promise<void> {
  for (const id of memory.exhausted) {
    const now = await cloud.getInstance(id)
    if (now.ok) memory.givenUp.set(id, fingerprintOf(now.value, node))
    // Looked at again only once something about it changed: then it is tried as often again.
    memory.facts.push({ at: isoNow(clock), fact: TRY_AGAIN, subject: `server/${id}`, announces: false, values: {} })
    memory.exhausted.delete(id)
  }
}

/** Whether what is left may go down with the node; else who has to act (docs/domain.md A.6). */
function verdict(instances: readonly Instance[], node: ClusterNode, memory: Memory): Progress {
  const owners: Instance[] = []
  const unset: string[] = []
  const more: Finding[] = []
  const busy: Finding[] = []
  let open = false
  for (const instance of instances) {
    const policy = policyOf(instance, node)
    if (policy.action === 'ignore' || policy.action === 'poweroff') continue
    if (policy.action === 'live_migrate' && isWorthATry(instance, node, memory)) {
      // Not tried yet, or changed since: the next look moves it.
      open = true
      continue
    }
    if (policy.code === 'instance-migrating' || policy.code === 'instance-busy') {
      // Nova is at it: this passes without an operator.
      busy.push(heldByPolicy(instance, policy))
      continue
    }
    if (policy.action === 'blocked') {
      more.push(heldByPolicy(instance, policy))
      continue
    }
    if (taggedAction(instance.tags).action === null) unset.push(instance.id)
    owners.push(instance)
    const cause = instanceHistory(memory.facts, `server/${instance.id}`).lastFailure
    if (cause !== null) more.push(because('LastMigrationGotError', { server: labelOf(instance), cause }))
  }
  if (owners.length + more.length > 0) {
    const left = { owners: owners.map(({ id }) => id), unset, named: itemsOf(owners.map(owned)) }
    return waiting(because('ServersLeftToOwners', { ...left, more: [...more, ...busy] }))
  }
  if (busy.length > 0) return waiting(because('ServersBusy', { busy }))
  return open ? waiting(because('ServersToMigrate')) : { kind: 'ready' }
}

/** Who an instance is: lists hold ids, as Rockoon's do, and owners know names. */
function owned({ id, name, projectId }: Instance) {
  return { id, name, project: projectId }
}

function heldByPolicy(instance: Instance, { code, reason }: ReturnType<typeof policyOf>): Finding {
  return because('ServerHeldByPolicy', { server: labelOf(instance), policy: code, reason })
}

/** A lock goes inactive only where the list of servers it rests on is proved: by Placement, by migrations, by each that was moved. */
async function proved(
  said: Progress,
  instances: readonly Instance[],
  host: string,
  work: NodeWork,
  memory: Memory,
): Promise<Progress> {
  if (said.kind !== 'ready') return said
  for (const { id, name } of instances) memory.seen.set(id, name)
  const proof = await proveInstances({ host, node: work.node, instances }, contextOf(work, memory, work.signal))
  if (work.signal.aborted) return { kind: 'stopped' }
  return proof.kind === 'proved'
    ? said
    : waiting({ ...proof.fault, message: `${proof.fault.message} ${proof.fault.remedy}` })
}

/** A node that is given up may keep no instance at all (docs/domain.md A.9). */
function whenDeleted(instances: readonly Instance[]): Progress {
  return instances.length === 0
    ? { kind: 'ready' }
    : waiting(
        because('ServersOnDeletedNode', {
          servers: instances.map(({ id }) => id),
          named: itemsOf(instances.map(owned)),
        }),
      )
}

/** The executor's context without a run: facts are kept in memory, what they tell is said on the lock. */
function contextOf(work: NodeWork, memory: Memory, signal: AbortSignal): MaintenanceContext {
  const { world, clock, node } = work
  const underWay = new Map<string, string>()
  /** Why live migrations under way get nowhere, by server. */
  const stalls = new Map<string, Finding>()
  const keep =
    (announces: boolean): MaintenanceContext['announce'] =>
    (fact, subject, values = {}) => {
      if (announces && signal.aborted) throw new StopStepping('the maintenance was called off: nothing new is begun')
      // A question would wait for a person for ever: that the migration gets nowhere is only said.
      if (fact !== MIGRATION_ASKS) memory.facts.push({ at: isoNow(clock), fact, subject, announces, values })
      report(fact, subject, values)
    }
  const report = (fact: string, subject: string, values: RunFact['values']) => {
    const id = instanceIdOf(subject)
    const name = factText({ values }, 'name') ?? memory.seen.get(id)
    const label = name === undefined ? id : labelOf({ id, name })
    if (fact === MIGRATION_REQUESTED) work.say(because('MigrationStarts', { server: label }))
    if (fact === MIGRATION_FAILED) {
      work.say(because('MigrationGotError', { server: label, cause: factText({ values }, 'why') ?? 'unknown' }))
    }
    if (fact === INSTANCE_MOVED) memory.givenUp.delete(id)
    if (fact === ATTEMPTS_EXHAUSTED) memory.exhausted.add(id)
    // A migration that somebody else began is waited for as well.
    if (fact === MIGRATION_REQUESTED || fact === MIGRATION_PROGRESS) underWay.set(id, label)
    if (fact === INSTANCE_MOVED || fact === MIGRATION_FAILED || fact === INSTANCE_SETTLED) {
      underWay.delete(id)
      stalls.delete(id)
    }
    if (fact === MIGRATION_ASKS_NO_MORE) stalls.delete(id)
    if (fact === MIGRATION_STALLED && !stalls.has(id)) stalls.set(id, because('NoMigrationProgress', { server: label }))
    if (fact === MIGRATION_ASKS)
      stalls.set(id, because('MigrationStalls', { server: label, cause: factText({ values }, 'cause') ?? 'unknown' }))
    if (fact === MIGRATION_PROGRESS || fact === MIGRATION_STALLED || fact === MIGRATION_ASKS) {
      if (underWay.size > 0)
        work.say(because('ServersMigrating', { servers: [...underWay.values()], stalls: [...stalls.values()] }))
    }
  }
  // Nobody is there to be asked: it is tried until it passes, and the lock says so.
  const transientRetry = createTransientRetry({
    clock,
    patienceMs: () => NO_END_MS,
    report: (fact, { reason }) => {
      if (fact === TRANSIENT_RETRYING) work.say(because('WaitsAndTriesAgain', { cause: String(reason) }))
    },
  })
  return {
    world,
    clock,
    runId: 'controllers',
    operator: 'controllers',
    stepId: node.name,
    options: { ...DEFAULT_RUN_OPTIONS, concurrency: world.cluster.limits.migrationsPerSource },
    signal,
    resumed: true,
    counted: () => countedInstances([...memory.seen].map(([id, name]) => ({ id, name }))),
    history: () => memory.facts,
    runHistory: () => memory.facts,
    window: null,
    announce: keep(true),
    report: keep(false),
    stoppedBy: () => null,
    retryTransient: (what, read) => retryRead(what, read, transientRetry, signal),
    at: () => isoNow(clock),
  }
}

/** Longer than any outage that a console would see the end of. */
const NO_END_MS = minutes(7 * 24 * 60)

/** What decides about an instance: as long as this stays the same, trying again would fail the same way. */
function fingerprintOf(instance: Instance, node: ClusterNode): string {
  const { action, source } = instancePolicy({
    hostMode: node.annotations[HOST_MODE_ANNOTATION] ?? null,
    tags: instance.tags,
    status: instance.status,
    vmState: instance.vmState,
    powerState: instance.powerState,
    taskState: instance.taskState,
  })
  return JSON.stringify([
    action,
    source,
    instance.status,
    instance.host,
    [...instance.tags].sort(),
    node.annotations[HOST_MODE_ANNOTATION] ?? null,
    node.annotations[ATTEMPTS_ANNOTATION] ?? null,
  ])
}

function waiting(why: Finding): Progress {
  return { kind: 'waiting', why }
}
