import type { SourceName, SourceState } from '../../../shared/domain/cluster-view.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { Project } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { ClusterFacts } from './facts.ts'
import { type InstanceReading, type Missing, readInstances, readMoves, readSingleInstances } from './read-instances.ts'
import { silenceOf } from './silence-of.ts'

export const POLLED = {
  'compute-services': seconds(5),
  'network-agents': seconds(5),
  instances: seconds(3),
  capacity: seconds(60),
} as const satisfies Partial<Record<SourceName, number>>

interface CloudPolling {
  readonly cloud: () => Promise<Result<OpenStackPort>>
  readonly facts: ClusterFacts
  readonly clock: Clock
  readonly signal: AbortSignal
  /** While a run works on the cluster, its instances are read more often. */
  readonly isBusy: () => boolean
  readonly onState: (source: SourceName, state: SourceState) => void
  /** A list arrived, requested at this moment of the monotonic clock. */
  readonly onList: (source: SourceName, askedAtMs: number) => void
  readonly onFacts: (source: SourceName) => void
  readonly onProjects: (projects: readonly Project[]) => void
}

const BUSY_INSTANCES_MS = seconds(1)
const BUSY_SERVICES_MS = seconds(2)
const LOOK_MS = seconds(10)
const PROJECTS_AND_GROUPS_MS = seconds(60)
/** The right to list projects or groups rarely appears within minutes. */
const REFUSED_MS = seconds(600)
/** Placement needs two requests per provider: a big cloud is polled less often. */
const MANY_PROVIDERS = 60
const MANY_PROVIDERS_MS = seconds(300)

/** Polls each list of the cloud until the signal aborts; a slow answer delays only its own list. */
export function pollCloud(polling: CloudPolling): {
  readonly ended: Promise<void>
  readInstances(ids: readonly string[]): void
} {
  const { facts, clock, signal } = polling
  const reading: InstanceReading = { facts, clock, signal, wholeListAtMs: Number.NEGATIVE_INFINITY }
  const loops = [
    pollProjects(polling),
    pollGroups(polling),
    pollComputeServices(polling),
    pollNetworkAgents(polling),
    pollInstances(polling, reading),
    pollCapacity(polling),
  ]
  return {
    ended: Promise.all(loops).then(() => undefined),
    readInstances: ids => void readOnRequest(polling, reading, ids),
  }
}

async function readOnRequest(polling: CloudPolling, reading: InstanceReading, ids: readonly string[]): Promise<void> {
  const cloud = await polling.cloud()
  if (cloud.ok && (await readSingleInstances(reading, cloud.value, ids))) polling.onFacts('instances')
}

/** Names are a convenience: without them projects appear by id. */
function pollProjects(polling: CloudPolling): Promise<void> {
  return pollRarely(polling, cloud => cloud.projects(polling.signal), polling.onProjects)
}

/** One call returns all groups. Without them a preview shows too much, and the plan checks again. */
function pollGroups(polling: CloudPolling): Promise<void> {
  const { facts, signal, onFacts } = polling
  return pollRarely(
    polling,
    cloud => cloud.serverGroups(signal),
    groups => {
      facts.putGroups(groups)
      // Before the first list of instances there is nothing to draw.
      if (facts.has('instances')) onFacts('instances')
    },
  )
}

async function pollRarely<T>(
  { cloud, clock, signal }: CloudPolling,
  read: (cloud: OpenStackPort) => Promise<Result<T>>,
  onValue: (value: T) => void,
): Promise<void> {
  while (!signal.aborted) {
    const opened = await cloud()
    const answer = opened.ok ? await read(opened.value) : opened
    if (signal.aborted) return
    if (answer.ok) onValue(answer.value)
    const isRefused = !answer.ok && answer.failure.code === 'not-permitted'
    await clock.sleep(isRefused ? REFUSED_MS : PROJECTS_AND_GROUPS_MS, signal)
  }
}

function pollComputeServices(polling: CloudPolling): Promise<void> {
  const { facts, signal, isBusy } = polling
  return pollSource(polling, 'compute-services', {
    everyMs: () => (isBusy() ? BUSY_SERVICES_MS : POLLED['compute-services']),
    read: async cloud => {
      const answer = await cloud.computeServices(signal)
      const before = facts.services?.length ?? 0
      if (answer.ok && answer.value.length === 0 && before > 0) {
        return ok([because('NoComputeServiceAnyMore', { before })])
      }
      return store(polling, answer, services => facts.putServices(services))
    },
  })
}

function pollNetworkAgents(polling: CloudPolling): Promise<void> {
  const { facts, signal } = polling
  return pollSource(polling, 'network-agents', {
    everyMs: () => POLLED['network-agents'],
    read: async cloud => store(polling, await cloud.networkAgents(null, signal), agents => facts.putAgents(agents)),
  })
}

function pollInstances(polling: CloudPolling, reading: InstanceReading): Promise<void> {
  return pollSource(polling, 'instances', {
    everyMs: () => (polling.isBusy() ? BUSY_INSTANCES_MS : POLLED.instances),
    read: async cloud => {
      const answer = await readInstances(reading, cloud)
      if (answer.ok) await readMoves(reading, cloud)
      return answer
    },
  })
}

function pollCapacity(polling: CloudPolling): Promise<void> {
  const { facts, signal } = polling
  let hostChangesRead = facts.hostChanges
  const hasMany = () => (facts.providers?.size ?? 0) > MANY_PROVIDERS
  return pollSource(polling, 'capacity', {
    everyMs: () => (hasMany() ? MANY_PROVIDERS_MS : POLLED.capacity),
    read: async cloud => {
      hostChangesRead = facts.hostChanges
      return store(polling, await cloud.resourceProviders(signal), providers => facts.putProviders(providers))
    },
    // Resource usage changes with every move; a big cloud is already polled enough.
    isOutdated: () => facts.hostChanges !== hostChangesRead && !hasMany(),
  })
}

interface SourcePolling {
  readonly everyMs: () => number
  readonly read: (cloud: OpenStackPort) => Promise<Result<Missing>>
  readonly isOutdated?: () => boolean
}

async function pollSource(
  polling: CloudPolling,
  source: keyof typeof POLLED,
  { everyMs, read, isOutdated = () => false }: SourcePolling,
): Promise<void> {
  const { clock, signal } = polling
  let offlineSince: string | null = null
  while (!signal.aborted) {
    const askedAt = clock.monotonicMs()
    const cloud = await polling.cloud()
    const answer = cloud.ok ? await read(cloud.value) : cloud
    if (signal.aborted) return
    offlineSince = answer.ok && answer.value.length === 0 ? null : (offlineSince ?? isoNow(clock))
    polling.onState(source, stateAfter(answer, offlineSince, clock))
    if (answer.ok) {
      polling.onList(source, askedAt)
      polling.onFacts(source)
    }
    let leftMs = everyMs()
    do {
      await clock.sleep(Math.min(leftMs, LOOK_MS), signal)
      leftMs -= LOOK_MS
    } while (leftMs > 0 && !signal.aborted && !isOutdated())
  }
}

/** `offlineSince` null: the answer is complete. */
function stateAfter(answer: Result<Missing>, offlineSince: string | null, clock: Clock): SourceState {
  if (offlineSince === null) return { kind: 'live', lastAnswerAt: isoNow(clock) }
  if (!answer.ok) return stateOf(answer.failure, offlineSince)
  const why = refusal('unreachable', because('CloudAnswerLacks', { lacks: answer.value }))
  return { kind: 'offline', since: offlineSince, ...silenceOf(why) }
}

function stateOf(failure: Failure, since: string): SourceState {
  const why = silenceOf(failure)
  return failure.code === 'not-permitted' ? { kind: 'not-permitted', ...why } : { kind: 'offline', since, ...why }
}

function store<T>({ signal }: CloudPolling, answer: Result<T>, keep: (value: T) => void): Result<Missing> {
  if (!answer.ok) return answer
  if (!signal.aborted) keep(answer.value)
  return ok([])
}
