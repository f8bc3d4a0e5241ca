import type { SourceName, SourceState } from '../../../shared/domain/cluster-view.ts'
import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { Project, ServerGroup } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { ClusterFacts } from './facts.ts'
import { type Attention, type POLLED, pauseUntilDue, readEveryMs } from './pace.ts'
import { type InstanceReading, type Missing, readInstances, readMoves, readSingleInstances } from './read-instances.ts'
import { silenceOf } from './silence-of.ts'

interface CloudPolling {
  readonly cloud: () => Promise<Result<OpenStackPort>>
  readonly facts: ClusterFacts
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly attention: () => Attention
  /** Aborts when the attention may have grown: a list that is due by then is read at once. */
  readonly woken: () => AbortSignal
  readonly onState: (source: SourceName, state: SourceState) => void
  /** A list arrived, requested at this moment of the monotonic clock. */
  readonly onList: (source: SourceName, askedAtMs: number) => void
  readonly onFacts: (source: SourceName) => void
  /** Some facts of a source that still catches up. */
  readonly onPart: () => void
  readonly onProjects: (projects: readonly Project[]) => void
}

/** The right to list projects or groups rarely appears within minutes. */
const REFUSED_MS = seconds(600)
/** Placement needs two requests per provider: a big cloud is polled less often. */
const MANY_PROVIDERS = 60
/** After a change of an instance, more are likely. */
const LIVELY_MS = minutes(1)

/** Polls each list of the cloud until the signal aborts; a slow answer delays only its own list. */
export function pollCloud(polling: CloudPolling): {
  readonly ended: Promise<void>
  readInstances(ids: readonly string[]): void
} {
  const { facts, clock, signal, attention } = polling
  const serverGroups = sharedGroups(polling)
  const reading: InstanceReading = {
    facts,
    clock,
    signal,
    serverGroups,
    attention,
    wholeListAtMs: Number.NEGATIVE_INFINITY,
    lacks: [],
    paged: null,
    deleted: new Set(),
    onPart: polling.onPart,
  }
  const loops = [
    pollProjects(polling),
    pollGroups(polling, serverGroups),
    pollComputeServices(polling),
    pollNetworkAgents(polling),
    pollInstances(polling, reading),
    pollCapacity(polling),
  ]
  return {
    ended: Promise.all(loops).then(() => reading.paged ?? undefined),
    readInstances: ids => void readOnRequest(polling, reading, ids),
  }
}

async function readOnRequest(polling: CloudPolling, reading: InstanceReading, ids: readonly string[]): Promise<void> {
  const cloud = await polling.cloud()
  if (!cloud.ok || !(await readSingleInstances(reading, cloud.value, ids))) return
  // One instance is not the list.
  if (polling.facts.has('instances')) polling.onFacts('instances')
  else polling.onPart()
}

/** Names are a convenience: without them projects appear by id. */
function pollProjects(polling: CloudPolling): Promise<void> {
  return pollRarely(polling, 'projects', cloud => cloud.projects(polling.signal), polling.onProjects)
}

type GroupReading = (cloud: OpenStackPort) => Promise<Result<readonly ServerGroup[]>>

/** Lists of instances use the groups that are read for the view: one call returns those of all projects. */
function sharedGroups({ clock, signal, attention }: CloudPolling): GroupReading {
  let kept: { readonly askedAtMs: number; readonly answer: ReturnType<OpenStackPort['serverGroups']> } | null = null
  return async cloud => {
    const nowMs = clock.monotonicMs()
    if (kept === null || nowMs - kept.askedAtMs >= readEveryMs('groups', attention())) {
      kept = { askedAtMs: nowMs, answer: cloud.serverGroups(signal) }
    }
    const { answer } = kept
    const read = await answer
    if (!read.ok && kept?.answer === answer) kept = null
    return read
  }
}

/** Without groups a preview shows too much, and the plan checks again. */
function pollGroups(polling: CloudPolling, serverGroups: GroupReading): Promise<void> {
  const { facts, onFacts } = polling
  return pollRarely(polling, 'groups', serverGroups, groups => {
    facts.putGroups(groups)
    // Before the first list of instances there is nothing to draw.
    if (facts.has('instances')) onFacts('instances')
  })
}

async function pollRarely<T>(
  polling: CloudPolling,
  list: 'projects' | 'groups',
  read: (cloud: OpenStackPort) => Promise<Result<T>>,
  onValue: (value: T) => void,
): Promise<void> {
  const { cloud, signal, attention } = polling
  while (!signal.aborted) {
    const opened = await cloud()
    const answer = opened.ok ? await read(opened.value) : opened
    if (signal.aborted) return
    if (answer.ok) onValue(answer.value)
    const isRefused = !answer.ok && answer.failure.code === 'not-permitted'
    await pauseUntilDue(polling, () => (isRefused ? REFUSED_MS : readEveryMs(list, attention())))
  }
}

function pollComputeServices(polling: CloudPolling): Promise<void> {
  const { facts, signal } = polling
  return pollSource(polling, 'compute-services', {
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
    read: async cloud => store(polling, await cloud.networkAgents(null, signal), agents => facts.putAgents(agents)),
  })
}

function pollInstances(polling: CloudPolling, reading: InstanceReading): Promise<void> {
  const { facts, clock } = polling
  let changesSeen = facts.instanceChanges
  let changedAtMs = Number.NEGATIVE_INFINITY
  return pollSource(polling, 'instances', {
    isLively: () => clock.monotonicMs() - changedAtMs < LIVELY_MS,
    read: async cloud => {
      const answer = await readInstances(reading, cloud)
      if (facts.instanceChanges !== changesSeen) changedAtMs = clock.monotonicMs()
      changesSeen = facts.instanceChanges
      if (answer.ok) await readMoves(reading, cloud)
      return answer
    },
  })
}

function pollCapacity(polling: CloudPolling): Promise<void> {
  const { facts, signal } = polling
  let roomChangesRead = facts.roomChanges
  const hasMany = () => (facts.providers?.size ?? 0) > MANY_PROVIDERS
  return pollSource(polling, 'capacity', {
    read: async cloud => {
      roomChangesRead = facts.roomChanges
      return store(polling, await cloud.resourceProviders(signal), providers => facts.putProviders(providers))
    },
    // Resource usage changes with every move; a big cloud is already polled enough.
    isOutdated: () => facts.roomChanges !== roomChangesRead && !hasMany() && polling.attention().kind !== 'hidden',
  })
}

interface SourcePolling {
  readonly isLively?: () => boolean
  readonly read: (cloud: OpenStackPort) => Promise<Result<Missing>>
  readonly isOutdated?: () => boolean
}

async function pollSource(
  polling: CloudPolling,
  source: keyof typeof POLLED,
  { isLively = () => false, read, isOutdated = () => false }: SourcePolling,
): Promise<void> {
  const { clock, signal, attention } = polling
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
    await pauseUntilDue(polling, () => readEveryMs(source, attention(), isLively()), isOutdated)
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
