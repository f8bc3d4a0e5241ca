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
import { type NodeWork, type Progress, waiting } from './application-controller.ts'

export interface InstanceMover {
  empty(work: NodeWork, host: string, cloud: OpenStackPort): Promise<Progress>
  forget(node: string): void
}

interface Memory {
  readonly facts: RunFact[]
  /** Instances without attempts left, and their state then: they are tried again only after a change. */
  readonly givenUp: Map<string, string>
  readonly exhausted: Set<string>
  /** Every instance seen on the host, with its name: each must be found elsewhere once no list shows it. */
  readonly seen: Map<string, string>
  looked: boolean
}

/** The instance workflow (docs/domain.md A.5, A.6), with the executor of a run; then it waits, as in manual mode, until an instance's tag, host mode, state or host changes. */
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
        if (work.scope === 'delete')
          return readyIfProved(progressIfDeleted(now.instances), now.instances, host, work, memory)
        const isToMove = now.instances.some(
          instance =>
            instance.taskState === 'migrating' ||
            (policyOf(instance, now.node).action === 'live_migrate' && mayTryAgain(instance, now.node, memory)),
        )
        const migrating = now.instances.filter(({ taskState }) => taskState === 'migrating').map(labelOf)
        if (migrating.length > 0) work.say(because('ServersMigrating', { servers: migrating, stalls: [] }))
        if (!isToMove) return readyIfProved(verdict(now.instances, now.node, memory), now.instances, host, work, memory)
      }
      // The first time the executor reads the host itself.
      memory.looked = true
      const moved = await move(work, cloud, memory)
      if (moved !== null) return moved
      // Read again: instances left or arrived, and the host's mode may have changed.
      const left = await readHost(work, host, cloud)
      if (left.kind !== 'read') return left
      return readyIfProved(verdict(left.instances, left.node, memory), left.instances, host, work, memory)
    },
  }
}

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

async function move(work: NodeWork, cloud: OpenStackPort, memory: Memory): Promise<Progress | null> {
  const { node, world, clock } = work
  // A changed mode or tag takes effect at once: nothing more starts under the old one.
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
      { concurrency: migrationsPerSource, attempts, only: instance => mayTryAgain(instance, node, memory) },
      contextOf(work, memory, signal),
    )
    await recordGivenUp(work, cloud, memory)
    if (work.signal.aborted) return { kind: 'stopped' }
    if (answer.kind === 'failed') return waiting(because('MigrationsGotError', { cause: answer.failure.message }))
    return null
  } catch (error) {
    // The mode changed, or the work was cancelled, just before a start.
    if (!(error instanceof StopStepping)) throw error
    return work.signal.aborted ? { kind: 'stopped' } : null
  } finally {
    changed.abort()
    await watching
  }
}

/** Whether attempts are left, or the instance changed since. */
function mayTryAgain(instance: Instance, node: ClusterNode, memory: Memory): boolean {
  return memory.givenUp.get(instance.id) !== fingerprintOf(instance, node)
}

/** Records the state of instances without attempts left, before they are read again. */
async function recordGivenUp({ node, clock }: NodeWork, cloud: OpenStackPort, memory: Memory): Promise<void> {
  for (const id of memory.exhausted) {
    const now = await cloud.getInstance(id)
    if (now.ok) memory.givenUp.set(id, fingerprintOf(now.value, node))
    // A changed instance gets all its attempts again.
    memory.facts.push({ at: isoNow(clock), fact: TRY_AGAIN, subject: `server/${id}`, announces: false, values: {} })
    memory.exhausted.delete(id)
  }
}

function verdict(instances: readonly Instance[], node: ClusterNode, memory: Memory): Progress {
  const owners: Instance[] = []
  const unset: string[] = []
  const more: Finding[] = []
  const busy: Finding[] = []
  let open = false
  for (const instance of instances) {
    const policy = policyOf(instance, node)
    if (policy.action === 'ignore' || policy.action === 'poweroff') continue
    if (policy.action === 'live_migrate' && mayTryAgain(instance, node, memory)) {
      // Not tried yet, or changed: the next round moves it.
      open = true
      continue
    }
    if (policy.code === 'instance-migrating' || policy.code === 'instance-busy') {
      // Nova is working on it; no operator is needed.
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
    const left = { owners: owners.map(({ id }) => id), unset, named: itemsOf(owners.map(instanceNames)) }
    return waiting(because('ServersLeftToOwners', { ...left, more: [...more, ...busy] }))
  }
  if (busy.length > 0) return waiting(because('ServersBusy', { busy }))
  return open ? waiting(because('ServersToMigrate')) : { kind: 'ready' }
}

/** Identifies an instance: Rockoon's lists have ids, and owners know names. */
function instanceNames({ id, name, projectId }: Instance) {
  return { id, name, project: projectId }
}

function heldByPolicy(instance: Instance, { code, reason }: ReturnType<typeof policyOf>): Finding {
  return because('ServerHeldByPolicy', { server: labelOf(instance), policy: code, reason })
}

/** A lock becomes inactive only on a proved list of servers: by Placement, by migrations, and by each moved instance. */
async function readyIfProved(
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

/** A node that is deleted may not keep any instance (docs/domain.md A.9). */
function progressIfDeleted(instances: readonly Instance[]): Progress {
  return instances.length === 0
    ? { kind: 'ready' }
    : waiting(
        because('ServersOnDeletedNode', {
          servers: instances.map(({ id }) => id),
          named: itemsOf(instances.map(instanceNames)),
        }),
      )
}

/** The executor's context without a run: facts stay in memory, and their messages go to the lock. */
function contextOf(work: NodeWork, memory: Memory, signal: AbortSignal): MaintenanceContext {
  const { world, clock, node } = work
  const underWay = new Map<string, string>()
  /** Why live migrations make no progress, by server. */
  const stalls = new Map<string, Finding>()
  const keep =
    (announces: boolean): MaintenanceContext['announce'] =>
    (fact, subject, values = {}) => {
      if (announces && signal.aborted) throw new StopStepping('the maintenance was stopped: nothing new starts')
      // Nobody would answer a question, so the lock only reports a stuck migration.
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
    // Waits for migrations that others started, too.
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
  // There is nobody to ask: it retries until the problem passes, and the lock says so.
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
    liftedBy: () => null,
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

const NO_END_MS = minutes(7 * 24 * 60)

/** The state of an instance that decides: while it stays the same, another attempt would fail the same way. */
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
