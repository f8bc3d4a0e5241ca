import type { KubeconfigSource } from '../../../shared/domain/cluster.ts'
import type { FeedState, WatchState } from '../../../shared/domain/kubernetes.ts'
import type { MaintenanceCampaignPhase } from '../../../shared/domain/maintenance-campaign.ts'
import {
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunPhase,
  readableStatus,
  type Unreadable,
} from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingOf } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { SecretFiles } from '../../clusters/secret-files.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { LeasePort } from '../../ports/leases.ts'
import { isProved } from './asker-name.ts'
import { createMemory, type Memory } from './cloud-memory.ts'
import { type CloudRegistry, createCloudRegistry } from './cloud-registry.ts'
import type { RunnerSelf } from './cloud-work-parts.ts'
import { createCampaignDrivers } from './drive-campaigns.ts'
import { driveCloud, PASS_AT_LEAST_MS } from './drive-clouds.ts'
import { createGoneRunners } from './gone-runners.ts'
import { createHiddenRuns } from './hidden-runs.ts'
import { cloudsWithWork, nextDueMs } from './needs-work.ts'
import type { CloudSecretsPort } from './ports/cloud-secrets.ts'
import type { MaintenanceRunsPort, RunnerObjects } from './ports/maintenance-runs.ts'
import type { RunnerPlacePort } from './ports/runner-place.ts'
import type { RunnerApp } from './runner-app.ts'
import { isOfShard, type Shard } from './shard.ts'
import type { HeldWorkLease } from './work-lease.ts'

interface RunnerParts {
  readonly self: RunnerSelf
  /** The id of the journal on its volume: the same after restarts. */
  readonly journalId: string
  readonly shard: Shard
  readonly runnerApp: RunnerApp
  readonly objects: MaintenanceRunsPort
  readonly secrets: CloudSecretsPort
  readonly leases: LeasePort
  readonly place: RunnerPlacePort
  readonly files: SecretFiles
  readonly own: KubeconfigSource
  /** Why no run may start now, such as a full volume; null if runs may start. */
  readonly notNow: () => Finding | null
  readonly clock: Clock
  readonly log: Logger
}

/** The state of a runner, for its health endpoints and metrics. */
export interface RunnerHealth {
  /** Why it is not ready; empty if it is ready. */
  readonly notReady: readonly Finding[]
  readonly runsByPhase: ReadonlyMap<MaintenanceRunPhase | 'New', number>
  readonly campaignsByPhase: ReadonlyMap<MaintenanceCampaignPhase | 'New', number>
  readonly questionsWaiting: number
  /** Clouds with work now, and whether this runner holds their Lease. */
  readonly leases: ReadonlyMap<string, boolean>
  readonly cloudsKnown: number
  readonly lastRoundMs: number
}

/** The process that carries out MaintenanceRuns (docs/runner.md). */
export interface Runner {
  /** Works until the signal aborts; then its runs are left resumable, their statuses say so, and all Leases are released. */
  run(signal: AbortSignal): Promise<void>
  status(): RunnerHealth
}

/** The objects and Secrets that its watches received, and the state of these watches. */
interface Received {
  objects: RunnerObjects | null
  objectsState: FeedState
  areSecretsReceived: boolean
  secretsState: WatchState
}

interface RunnerState extends RunnerParts {
  readonly memory: Memory
  readonly working: Map<string | null, { readonly done: Promise<void>; lease: HeldWorkLease | null }>
  readonly received: Received
  readonly waker: Waker
  readonly registry: CloudRegistry
  readonly isHidden: (run: MaintenanceRun) => boolean
  readonly goneRunners: ReturnType<typeof createGoneRunners>
  readonly nextEpoch: () => number
  lastRoundMs: number
}

const ROUND_AT_MOST_MS = 100

export function createRunner(parts: RunnerParts): Runner {
  const state = newState(parts)
  const campaigns = createCampaignDrivers(
    {
      ...parts,
      driverId: parts.runnerApp.driver.id,
      provesMaker: createdAt => provesMaker(parts, createdAt),
      memory: state.memory,
      nextEpoch: state.nextEpoch,
      waitForChange: state.waker.wait,
      onEnded: state.waker.wake,
    },
    () => currentObjects(state),
  )
  return {
    run: async signal => {
      const stopListening = parts.runnerApp.contract.listen('run.event', state.waker.wake)
      const watches = watchAll(state, signal)
      while (!signal.aborted) await round(state, campaigns, signal)
      stopListening()
      await Promise.all([...state.working.values()].map(({ done }) => done))
      await campaigns.ended()
      await Promise.all(watches)
    },
    status: () => healthOf(state),
  }
}

function newState(parts: RunnerParts): RunnerState {
  const { clock } = parts
  const memory = createMemory()
  const waker = createWaker(clock)
  const received: Received = {
    objects: null,
    objectsState: { kind: 'catching-up' },
    areSecretsReceived: false,
    secretsState: { kind: 'catching-up' },
  }
  let epoch = 0
  return {
    ...parts,
    memory,
    working: new Map(),
    received,
    waker,
    registry: createCloudRegistry({ ...parts, onChanged: waker.wake }),
    isHidden: createHiddenRuns({ ...parts, memory, current: () => currentObjects({ received }) }),
    goneRunners: createGoneRunners(parts),
    nextEpoch: () => {
      epoch += 1
      return epoch
    },
    lastRoundMs: clock.monotonicMs(),
  }
}

function currentObjects({ received }: Pick<RunnerState, 'received'>): RunnerObjects {
  return received.objects ?? { runs: [], controls: [], campaigns: [] }
}

function watchAll({ objects, secrets, received, registry, waker }: RunnerState, signal: AbortSignal) {
  return [
    objects.watch(
      {
        onObjects: all => {
          received.objects = all
          waker.wake()
        },
        onState: state => {
          received.objectsState = state
        },
      },
      signal,
    ),
    secrets.watch(
      {
        onSecrets: all => {
          void registry.take(all).then(() => {
            received.areSecretsReceived = true
            waker.wake()
          })
        },
        onState: state => {
          received.secretsState = state
        },
      },
      signal,
    ),
  ]
}

/** Starts work on clouds and campaigns that need it, and waits for the next change. */
async function round(
  state: RunnerState,
  campaigns: ReturnType<typeof createCampaignDrivers>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, received, waker, goneRunners } = state
  state.lastRoundMs = clock.monotonicMs()
  if (received.objects !== null) {
    void goneRunners.look(received.objects.runs)
    // Until the Secrets are read, no cloud is known.
    if (received.areSecretsReceived) startWorkers(state, signal)
    campaigns.look(signal)
  }
  const dueMs = nextDueMs(currentObjects(state), clock.now())
  await waker.wait(
    dueMs === null ? PASS_AT_LEAST_MS : Math.min(PASS_AT_LEAST_MS, Math.max(0, dueMs - clock.now())),
    signal,
  )
  await clock.sleep(ROUND_AT_MOST_MS, signal)
}

function startWorkers(state: RunnerState, signal: AbortSignal): void {
  const { working, waker, shard, goneRunners, log } = state
  const driverParts = {
    ...state,
    provesMaker: (createdAt: string) => provesMaker(state, createdAt),
    isOfShard: (cloud: string | null) => isOfShard(cloud, shard),
    gone: goneRunners.all,
    current: () => currentObjects(state),
    hasWork: (cloud: string | null) => cloudsToWorkOn(state).has(cloud),
    waitForChange: waker.wait,
  }
  for (const cloud of cloudsToWorkOn(state)) {
    if (working.has(cloud)) continue
    const onLease = (lease: HeldWorkLease) => {
      const entry = working.get(cloud)
      if (entry !== undefined) entry.lease = lease
    }
    const done = driveCloud(cloud, driverParts, onLease, signal)
      .catch((error: unknown) => log.error('cloud-work-stopped', { cloud, error }))
      .finally(() => {
        working.delete(cloud)
        waker.wake()
      })
    working.set(cloud, { done, lease: null })
  }
}

function cloudsToWorkOn(state: RunnerState): ReadonlySet<string | null> {
  const { clock, self, memory, shard, isHidden, goneRunners } = state
  return cloudsWithWork(currentObjects(state), {
    nowMs: clock.now(),
    runner: self.runner,
    resting: memory.resting,
    isOfShard: cloud => isOfShard(cloud, shard),
    isHidden,
    gone: goneRunners.all(),
  })
}

/** Reads the policies each time: someone may have removed them just before the object was created. */
async function provesMaker(
  { objects, log }: Pick<RunnerParts, 'objects' | 'log'>,
  createdAt: string,
): Promise<boolean> {
  const asked = await objects.provesUsersSince()
  if (!asked.ok) log.warn('admission-unread', { why: asked.failure.message })
  return asked.ok && isProved(createdAt, asked.value)
}

function healthOf(state: RunnerState): RunnerHealth {
  const { runs, campaigns } = currentObjects(state)
  return {
    notReady: whyNotReady(state),
    runsByPhase: countByPhase(runs),
    campaignsByPhase: countByPhase(campaigns),
    questionsWaiting: runs.filter(run => {
      const status = readableStatus(run)
      return status !== null && status.gateId !== null && !isFinalPhase(status.phase)
    }).length,
    leases: new Map(
      [...state.working].flatMap(([cloud, { lease }]) =>
        cloud === null ? [] : [[cloud, lease?.isHeld() ?? false] as const],
      ),
    ),
    cloudsKnown: state.registry.known().length,
    lastRoundMs: state.lastRoundMs,
  }
}

function whyNotReady({ notNow, received }: RunnerState): readonly Finding[] {
  const { objects, objectsState, areSecretsReceived, secretsState } = received
  const why = notNow()
  return [
    ...(why === null ? [] : [why]),
    ...(objects === null
      ? [because('RunsNotHeard', { why: whyIn(objectsState) })]
      : isStale(objectsState)
        ? [because('RunsHeardNoMore', { why: whyIn(objectsState) })]
        : []),
    ...(areSecretsReceived
      ? isStale(secretsState)
        ? [because('SecretsHeardNoMore', { why: whyIn(secretsState) })]
        : []
      : [because('SecretsNotHeard', { why: whyIn(secretsState) })]),
  ]
}

/** Why a watch receives nothing; null if it waits for the API server. */
function whyIn(state: FeedState): Finding | null {
  return 'why' in state ? findingOf(state) : null
}

/** Whether a watch failed; one that begins again has not. */
function isStale({ kind }: FeedState): boolean {
  return kind !== 'live' && kind !== 'catching-up'
}

/** Counts objects by phase; `New`: no runner has read it, or its status cannot be read. */
function countByPhase<P extends string>(
  objects: readonly { readonly status: { readonly phase: P } | Unreadable | null }[],
): ReadonlyMap<P | 'New', number> {
  const phases = objects.map(object => readableStatus(object)?.phase ?? 'New')
  return new Map([...Map.groupBy(phases, phase => phase)].map(([phase, all]) => [phase, all.length]))
}

/** Wakes all loops of the runner that wait for a change. */
interface Waker {
  wake(): void
  /** Waits for a change, at most this long, until the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

function createWaker(clock: Clock): Waker {
  let sleeping: (() => void)[] = []
  return {
    wake: () => {
      const all = sleeping
      sleeping = []
      for (const each of all) each()
    },
    wait: async (ms, signal) => {
      const limit = new AbortController()
      const woken = new Promise<void>(resolve => sleeping.push(resolve))
      await Promise.race([woken, clock.sleep(ms, AbortSignal.any([signal, limit.signal]))])
      limit.abort()
    },
  }
}
