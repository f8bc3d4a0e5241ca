import type { SourceName, SourceState } from '../../shared/domain/cluster-view.ts'
import { seconds } from '../../shared/domain/durations.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { mapLimited } from '../../shared/domain/map-limited.ts'
import type { Instance, Project, ResourceProvider } from '../../shared/domain/openstack.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { OpenStackPort } from '../ports/openstack.ts'
import type { ClusterFacts } from './facts.ts'
import { silenceOf } from './silence-of.ts'

export const POLLED = {
  'compute-services': seconds(5),
  'network-agents': seconds(5),
  instances: seconds(3),
  capacity: seconds(60),
} as const satisfies Partial<Record<SourceName, number>>

type PolledSource = keyof typeof POLLED

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
  /** A list, or a few requested instances, arrived. */
  readonly onFacts: (source: SourceName) => void
  readonly onProjects: (projects: readonly Project[]) => void
}

/** The complete list of instances is read this often: tags do not count as changes in Nova, and missed changes appear. */
const WHOLE_LIST_MS = seconds(60)
/** Nova's clock has whole seconds, and a change may be written after a later one was read. */
const OVERLAP_MS = seconds(10)
const BUSY_INSTANCES_MS = seconds(1)
const BUSY_SERVICES_MS = seconds(2)
/** Interval of checks whether a list must be read early. */
const LOOK_MS = seconds(10)
const INSTANCES_AT_ONCE = 4
/** At most this many missing instances are read one by one. */
const MOST_ASKED_FOR = 8
/** Nova still returns these by id, but not in its list. */
const GONE: ReadonlySet<string> = new Set(['DELETED', 'SOFT_DELETED'])
/** Names of projects hardly ever change. */
const PROJECTS_MS = seconds(60)
const GROUPS_MS = seconds(60)
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
  let wholeAt = Number.NEGATIVE_INFINITY

  async function poll(
    source: PolledSource,
    everyMs: () => number,
    read: (cloud: OpenStackPort) => Promise<Result<Missing>>,
    isOutdated: () => boolean = () => false,
  ): Promise<void> {
    let offlineSince: string | null = null
    while (!signal.aborted) {
      const askedAt = clock.monotonicMs()
      const cloud = await polling.cloud()
      const answer = cloud.ok ? await read(cloud.value) : cloud
      if (signal.aborted) return
      if (answer.ok && answer.value.length === 0) {
        offlineSince = null
        polling.onState(source, { kind: 'live', lastAnswerAt: isoNow(clock) })
      } else {
        offlineSince ??= isoNow(clock)
        polling.onState(
          source,
          answer.ok
            ? {
                kind: 'offline',
                since: offlineSince,
                ...silenceOf(refusal('unreachable', because('CloudAnswerLacks', { lacks: answer.value }))),
              }
            : stateOf(answer.failure, offlineSince),
        )
      }
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

  async function readInstances(cloud: OpenStackPort): Promise<Result<Missing>> {
    const startedAt = clock.now()
    if (startedAt - wholeAt >= WHOLE_LIST_MS) {
      const all = await cloud.listInstances(signal)
      if (!all.ok) return all
      const { items, unreachable } = all.value
      const why = unreachable.length > 0 ? null : await whyNotWhole(items, cloud)
      const lacks = why === null ? unreachable.map(silentPart) : [why]
      // An incomplete list removes nothing: a silent cell's instances may still exist.
      if (lacks.length > 0) facts.changeInstances(items.filter(isWhole), [])
      else {
        facts.putInstances(items)
        wholeAt = startedAt
      }
      return ok(lacks)
    }
    const changed = await cloud.instancesChangedSince(newestChange(facts, startedAt), signal)
    if (!changed.ok) return changed
    facts.changeInstances(changed.value.items.filter(isWhole), changed.value.deletedIds)
    return ok(changed.value.unreachable.map(silentPart))
  }

  /** Why a list of all instances may be incomplete; null: it is complete. Only Nova's own answer about an instance proves that it is gone. */
  async function whyNotWhole(items: readonly Instance[], cloud: OpenStackPort): Promise<Finding | null> {
    const listed = new Set(items.map(({ id }) => id))
    const lacking = [...facts.instances.values()].filter(({ id }) => !listed.has(id))
    const asked = lacking.slice(0, MOST_ASKED_FOR)
    for (const { id, name } of asked) {
      const answer = await cloud.getInstance(id, signal)
      if (answer.ok && !GONE.has(answer.value.status))
        return because('ListLacksInstance', { name, id, total: items.length })
      if (!answer.ok && answer.failure.code !== 'not-found')
        return because('ListedInstanceNotKnown', { name, id, cause: answer.failure.message })
    }
    if (asked.length < lacking.length) {
      facts.changeInstances(
        [],
        asked.map(({ id }) => id),
      )
      return because('ListLacksMany', { lacking: lacking.length, gone: asked.length })
    }
    if (items.length > 0 || !isUsed([...(facts.providers?.values() ?? [])])) return null
    // Usages are read rarely: resources freed since do not count.
    const providers = await cloud.resourceProviders(signal)
    if (!providers.ok) return because('NoInstanceAndPlacementSilent', { cause: providers.failure.message })
    facts.putProviders(providers.value)
    return isUsed(providers.value) ? because('NoInstanceDespiteAllocations') : null
  }

  /** Reads where instances move while a node that should be empty may be the destination; failed reads are repeated with the next list. */
  async function readMoves(cloud: OpenStackPort): Promise<void> {
    const isAnyOut =
      [...facts.nodes.values()].some(({ unschedulable }) => unschedulable) ||
      facts.services?.some(({ status }) => status === 'disabled') === true
    if (!isAnyOut) return
    const asked = [...new Set([...facts.unknownMoves(), ...facts.undirectedMoves()])].slice(0, MOST_ASKED_FOR)
    await mapLimited(asked, INSTANCES_AT_ONCE, async instanceId => {
      const read = await cloud.migrations({ instanceId }, signal)
      if (read.ok && !signal.aborted) facts.putMove(instanceId, read.value[0] ?? null)
    })
  }

  async function readThese(ids: readonly string[]): Promise<void> {
    const cloud = await polling.cloud()
    if (!cloud.ok) return
    const read = await mapLimited(ids, INSTANCES_AT_ONCE, id => cloud.value.getInstance(id, signal))
    if (signal.aborted) return
    // An unreadable instance comes with the next list.
    facts.changeInstances(
      read.flatMap(answer => (answer.ok ? [answer.value] : [])),
      [],
    )
    polling.onFacts('instances')
  }

  const put = <T>(answer: Result<T>, keep: (value: T) => void): Result<Missing> => {
    if (!answer.ok) return answer
    if (!signal.aborted) keep(answer.value)
    return ok([])
  }

  /** Names are a convenience: without them projects appear by id. */
  async function readProjects(): Promise<void> {
    while (!signal.aborted) {
      const cloud = await polling.cloud()
      const answer = cloud.ok ? await cloud.value.projects(signal) : cloud
      if (signal.aborted) return
      if (answer.ok) polling.onProjects(answer.value)
      await clock.sleep(!answer.ok && answer.failure.code === 'not-permitted' ? REFUSED_MS : PROJECTS_MS, signal)
    }
  }

  /** Groups hardly ever change, and one call returns all. Without them a preview shows too much, and the plan checks again. */
  async function readGroups(): Promise<void> {
    while (!signal.aborted) {
      const cloud = await polling.cloud()
      const answer = cloud.ok ? await cloud.value.serverGroups(signal) : cloud
      if (signal.aborted) return
      if (answer.ok) {
        facts.putGroups(answer.value)
        // Before the first list of instances there is nothing to draw.
        if (facts.has('instances')) polling.onFacts('instances')
      }
      await clock.sleep(!answer.ok && answer.failure.code === 'not-permitted' ? REFUSED_MS : GROUPS_MS, signal)
    }
  }

  let readAtChange = facts.hostChanges
  const loops = [
    readProjects(),
    readGroups(),
    poll(
      'compute-services',
      () => (polling.isBusy() ? BUSY_SERVICES_MS : POLLED['compute-services']),
      async cloud => {
        const answer = await cloud.computeServices(signal)
        const before = facts.services?.length ?? 0
        if (answer.ok && answer.value.length === 0 && before > 0)
          return ok([because('NoComputeServiceAnyMore', { before })])
        return put(answer, services => facts.putServices(services))
      },
    ),
    poll(
      'network-agents',
      () => POLLED['network-agents'],
      async cloud => put(await cloud.networkAgents(null, signal), agents => facts.putAgents(agents)),
    ),
    poll(
      'instances',
      () => (polling.isBusy() ? BUSY_INSTANCES_MS : POLLED.instances),
      async cloud => {
        const answer = await readInstances(cloud)
        if (answer.ok) await readMoves(cloud)
        return answer
      },
    ),
    poll(
      'capacity',
      () => ((facts.providers?.size ?? 0) > MANY_PROVIDERS ? MANY_PROVIDERS_MS : POLLED.capacity),
      async cloud => {
        readAtChange = facts.hostChanges
        return put(await cloud.resourceProviders(signal), providers => facts.putProviders(providers))
      },
      // Resource usage changes with every move; a big cloud is already polled enough.
      () => facts.hostChanges !== readAtChange && (facts.providers?.size ?? 0) <= MANY_PROVIDERS,
    ),
  ]
  return {
    ended: Promise.all(loops).then(() => undefined),
    readInstances: ids => void readThese(ids),
  }
}

/** The time from which changes are requested: Nova's own newest change, so that no two clocks are compared. */
function newestChange(facts: ClusterFacts, nowMs: number): string {
  let newest = 0
  for (const { updatedAt } of facts.instances.values()) {
    const at = updatedAt === null ? 0 : Date.parse(updatedAt)
    if (at > newest) newest = at
  }
  return new Date((newest === 0 ? nowMs - WHOLE_LIST_MS : newest) - OVERLAP_MS).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** The missing parts of an answer, such as a silent cell of Nova. */
type Missing = readonly Finding[]

function silentPart(cause: string): Finding {
  return because('CloudPartSilent', { cause })
}

/** Whether Placement counts processors of instances on any host. */
function isUsed(providers: readonly ResourceProvider[]): boolean {
  return providers.some(({ usages }) => (usages.VCPU ?? 0) + (usages.PCPU ?? 0) > 0)
}

/** A silent cell leaves out most of an instance; the earlier answer is better. */
function isWhole(instance: Instance): boolean {
  return !instance.partial
}

function stateOf(failure: Failure, since: string): SourceState {
  const why = silenceOf(failure)
  return failure.code === 'not-permitted' ? { kind: 'not-permitted', ...why } : { kind: 'offline', since, ...why }
}
