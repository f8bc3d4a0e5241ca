import type { KubeconfigSource } from '../../../shared/domain/cluster.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { FeedState, WatchState } from '../../../shared/domain/kubernetes.ts'
import type { MaintenanceCampaignPhase } from '../../../shared/domain/maintenance-campaign.ts'
import { isFinalPhase, type MaintenanceRun, type MaintenanceRunPhase } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingOf } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { SecretFiles } from '../../clusters/secret-files.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { LeasePort } from '../../ports/leases.ts'
import { isProved } from './by-words.ts'
import { createMemory } from './cloud-memory.ts'
import { type CloudRegistry, createCloudRegistry } from './cloud-registry.ts'
import { createCloudWork } from './cloud-work.ts'
import type { RunnerSelf } from './cloud-work-parts.ts'
import { countByPhase } from './count-by-phase.ts'
import { createCampaignDrivers } from './drive-campaigns.ts'
import { createGoneRunners } from './gone-runners.ts'
import { createHiddenRuns } from './hidden-runs.ts'
import { cloudsWithWork, nextDueMs } from './needs-work.ts'
import type { CloudSecretsPort } from './ports/cloud-secrets.ts'
import type { MaintenanceRunsPort, RunnerObjects } from './ports/maintenance-runs.ts'
import type { RunnerPlacePort } from './ports/runner-place.ts'
import type { RunnerApp } from './runner-app.ts'
import { isOfShard, type Shard } from './shard.ts'
import { createStatusWriter } from './status-writer.ts'
import { takeCloudLease } from './work-lease.ts'

/** What a runner needs to work. */
interface RunnerParts {
  readonly self: RunnerSelf
  /** The id of the journal on its volume: the same over restarts. */
  readonly journalId: string
  readonly shard: Shard
  readonly runnerApp: RunnerApp
  readonly objects: MaintenanceRunsPort
  readonly secrets: CloudSecretsPort
  readonly leases: LeasePort
  readonly place: RunnerPlacePort
  readonly files: SecretFiles
  /** How the runner's own Kubernetes is reached. */
  readonly own: KubeconfigSource
  /** Why nothing may be begun just now, such as a full volume; null: it may. */
  readonly notNow: () => Finding | null
  readonly clock: Clock
  readonly log: Logger
}

/** Where a runner stands: for its health endpoints and metrics. */
export interface RunnerHealth {
  /** Why it is not ready; none: it is. */
  readonly notReady: readonly Finding[]
  readonly runsByPhase: ReadonlyMap<MaintenanceRunPhase | 'New', number>
  readonly campaignsByPhase: ReadonlyMap<MaintenanceCampaignPhase | 'New', number>
  readonly questionsWaiting: number
  /** Clouds that are worked on now, and whether their Lease is held. */
  readonly leases: ReadonlyMap<string, boolean>
  readonly cloudsKnown: number
  /** When its loop went round last, by the clock that never jumps. */
  readonly lastRoundMs: number
}

/** The process that carries out MaintenanceRuns (docs/runner.md). */
export interface Runner {
  /** Runs until the signal aborts; then its runs are left resumable, their statuses say so, and all Leases are given back. */
  run(signal: AbortSignal): Promise<void>
  status(): RunnerHealth
}

/** At most so long between two looks, whatever is heard: windows, ends and silent drivers are found by time alone. */
const LOOK_AT_LEAST_MS = seconds(10)
/** What comes together is looked at together. */
const LOOK_AT_MOST_MS = seconds(1)
/** So long the statuses may take to be written when the work on a cloud ends. */
const LAST_WORDS_MS = seconds(8)

export function createRunner(parts: RunnerParts): Runner {
  const { self, journalId, shard, runnerApp, objects: port, secrets, leases, clock, log } = parts
  const memory = createMemory()
  const working = new Map<string | null, { readonly done: Promise<void>; isHeld: () => boolean }>()
  let objects: RunnerObjects | null = null
  let areSecretsReceived = false
  let objectsState: FeedState = { kind: 'catching-up' }
  let secretsState: WatchState = { kind: 'catching-up' }
  let lastRoundMs = clock.monotonicMs()
  let epoch = 0
  let sleeping: (() => void)[] = []
  const wake = () => {
    const all = sleeping
    sleeping = []
    for (const each of all) each()
  }
  /** Until something is heard, the time is over or the signal aborts. */
  const answerOr = async (ms: number, signal: AbortSignal): Promise<void> => {
    const limit = new AbortController()
    const woken = new Promise<void>(resolve => sleeping.push(resolve))
    await Promise.race([woken, clock.sleep(ms, AbortSignal.any([signal, limit.signal]))])
    limit.abort()
  }
  const book: CloudRegistry = createCloudRegistry({ ...parts, onChanged: wake })
  const current = (): RunnerObjects => objects ?? { runs: [], controls: [], campaigns: [] }
  const withWork = (): ReadonlySet<string | null> =>
    cloudsWithWork(current(), {
      nowMs: clock.now(),
      runner: self.runner,
      resting: memory.resting,
      isOfShard: cloud => isOfShard(cloud, shard),
      isHidden,
      gone: gone.all(),
    })
  const isHidden = createHiddenRuns({ runnerApp, memory, self, current, clock, log })
  const gone = createGoneRunners(parts)

  /** Asked afresh each time: an object may have been made a moment ago, when the policy was just taken away. */
  async function provesMaker(createdAt: string): Promise<boolean> {
    const asked = await port.provesUsersSince()
    if (!asked.ok) log.warn('admission-unread', { why: asked.failure.message })
    return asked.ok && isProved(createdAt, asked.value)
  }

  const nextEpoch = () => {
    epoch += 1
    return epoch
  }
  const campaigns = createCampaignDrivers(
    { ...parts, driverId: runnerApp.driver.id, provesMaker, memory, nextEpoch, answerOr, onEnded: wake },
    current,
  )

  /** Works on one cloud while there is work, under its Lease. */
  async function workOn(cloud: string | null, signal: AbortSignal, entry: { isHeld: () => boolean }): Promise<void> {
    const lease = await takeCloudLease(
      cloud,
      {
        leases,
        taker: { journalId, driverId: runnerApp.driver.id, machine: self.pod },
        nextEpoch,
        clock,
        log,
        onWaiting: why => log.info('cloud-lease-waited-for', { cloud, why }),
      },
      signal,
    )
    if (lease === null) return
    entry.isHeld = lease.isHeld
    log.info('cloud-lease-held', { cloud, epoch: lease.epoch })
    const scope = AbortSignal.any([signal, lease.lost])
    const writing = new AbortController()
    const writer = createStatusWriter({
      objects: port,
      runner: self.runner,
      mayWrite: lease.isHeld,
      clock,
      log,
      until: writing.signal,
    })
    const work = createCloudWork(
      {
        ...parts,
        objects: port,
        cloud,
        book,
        lease,
        writer,
        provesMaker,
        memory,
        isOfShard: isOfShard(cloud, shard),
        isHidden,
        gone: gone.all,
      },
      current,
    )
    const driven = () => (cloud === null ? [] : runnerApp.runs.drivenOn(cloud))
    const leaving = new Promise<void>(resolve => scope.addEventListener('abort', () => resolve(), { once: true })).then(
      () => runnerApp.leave(driven()),
    )
    try {
      while (!scope.aborted) {
        await work.pass()
        if (scope.aborted || (!withWork().has(cloud) && driven().length === 0)) break
        const since = clock.monotonicMs()
        await answerOr(driven().length > 0 ? LOOK_AT_LEAST_MS / 5 : LOOK_AT_LEAST_MS, scope)
        await clock.sleep(Math.max(0, LOOK_AT_MOST_MS / 2 - (clock.monotonicMs() - since)), scope)
      }
    } finally {
      // What is driven is left at its next quiet point, at once when the Lease is gone.
      if (scope.aborted) await leaving
      await runnerApp.leave(driven())
      if (lease.isHeld()) work.reportAll()
      await writer.flush(LAST_WORDS_MS)
      writing.abort()
      await lease.release()
      log.info('cloud-lease-given-back', { cloud, lost: lease.whyLost() })
    }
  }

  function startWorkers(signal: AbortSignal): void {
    for (const cloud of withWork()) {
      if (working.has(cloud)) continue
      const entry = { isHeld: () => false }
      const done = workOn(cloud, signal, entry)
        .catch((error: unknown) => log.error('cloud-work-stopped', { cloud, error }))
        .finally(() => {
          working.delete(cloud)
          wake()
        })
      working.set(cloud, { done, isHeld: () => entry.isHeld() })
    }
  }

  return {
    run: async signal => {
      const stopListening = runnerApp.contract.listen('run.event', wake)
      const watches = [
        port.watch(
          {
            onObjects: received => {
              objects = received
              wake()
            },
            onState: state => {
              objectsState = state
            },
          },
          signal,
        ),
        secrets.watch(
          {
            onSecrets: received => {
              void book.take(received).then(() => {
                areSecretsReceived = true
                wake()
              })
            },
            onState: state => {
              secretsState = state
            },
          },
          signal,
        ),
      ]
      while (!signal.aborted) {
        lastRoundMs = clock.monotonicMs()
        if (objects !== null) void gone.look(objects.runs)
        // Before the Secrets are known no cloud is.
        if (objects !== null && areSecretsReceived) startWorkers(signal)
        if (objects !== null) campaigns.look(signal)
        const dueMs = nextDueMs(current(), clock.now())
        const waitMs = dueMs === null ? LOOK_AT_LEAST_MS : Math.min(LOOK_AT_LEAST_MS, Math.max(0, dueMs - clock.now()))
        await answerOr(waitMs, signal)
        await clock.sleep(100, signal)
      }
      stopListening()
      await Promise.all([...working.values()].map(({ done }) => done))
      await campaigns.ended()
      await Promise.all(watches)
    },
    status: () => {
      const isAsking = ({ status }: MaintenanceRun) =>
        status !== null && !('unreadable' in status) && status.gateId !== null && !isFinalPhase(status.phase)
      return {
        notReady: notReady(),
        runsByPhase: countByPhase(current().runs),
        campaignsByPhase: countByPhase(current().campaigns),
        questionsWaiting: current().runs.filter(isAsking).length,
        leases: new Map(
          [...working].flatMap(([cloud, { isHeld }]) => (cloud === null ? [] : [[cloud, isHeld()] as const])),
        ),
        cloudsKnown: book.known().length,
        lastRoundMs,
      }
    },
  }

  function notReady(): readonly Finding[] {
    const notNow = parts.notNow()
    return [
      ...(notNow === null ? [] : [notNow]),
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
}

/** Why a watch hears nothing; null: the API server is being asked. */
function whyIn(state: FeedState): Finding | null {
  return 'why' in state ? findingOf(state) : null
}

/** A watch that begins again is no trouble; one that cannot begin is. */
function isStale({ kind }: FeedState): boolean {
  return kind !== 'live' && kind !== 'catching-up'
}
