import { seconds } from '../../../shared/domain/durations.ts'
import { mapLimited } from '../../../shared/domain/map-limited.ts'
import type { Instance, ResourceProvider } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { OpenStackPort, PagesOfInstances } from '../../ports/openstack.ts'
import type { ClusterFacts } from './facts.ts'
import { type Attention, readEveryMs } from './pace.ts'

/** The longest time that changes may be missed before the first known change. */
const RECENT_MS = seconds(60)
/** More instances than fit a page of Nova's list: then the complete list is read a page at a time. */
const LARGE = 500
/** Nova's clock has whole seconds, and a change may be written after a later one was read. */
const OVERLAP_MS = seconds(10)
const INSTANCES_AT_ONCE = 4
const MOST_ASKED_FOR = 8
/** Nova still returns these by id, but not in its list. */
const GONE: ReadonlySet<string> = new Set(['DELETED', 'SOFT_DELETED'])

/** The missing parts of an answer, such as a silent cell of Nova. */
export type Missing = readonly Finding[]

export interface InstanceReading {
  readonly facts: ClusterFacts
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly serverGroups: (cloud: OpenStackPort) => ReturnType<OpenStackPort['serverGroups']>
  readonly attention: () => Attention
  /** When the last complete list was requested; before the first one, negative infinity. */
  wholeListAtMs: number
  /** What the last list of all instances lacks. */
  lacks: Missing
  /** A large list that is being read, a page at a time. */
  paged: Promise<void> | null
  /** Deleted since the request for the last list of all instances. */
  readonly deleted: Set<string>
  /** A part of the first list arrived. */
  readonly onPart: () => void
}

/** Reads the changes since the newest known one, and now and then the complete list, for tags and what was missed: at once while it is a page, else a page at a time beside the changes. */
export async function readInstances(reading: InstanceReading, cloud: OpenStackPort): Promise<Result<Missing>> {
  const { facts, clock, signal, attention } = reading
  const everyMs = readEveryMs('whole-list', attention())
  if (reading.paged === null && clock.now() - reading.wholeListAtMs >= everyMs) {
    const isFirst = reading.wholeListAtMs === Number.NEGATIVE_INFINITY
    if (isFirst) return readWholeList(reading, cloud, { onPage: page => putPart(reading, page) })
    if (facts.instances.size < LARGE) return readWholeList(reading, cloud)
    reading.paged = readPages(reading, cloud).finally(() => {
      reading.paged = null
    })
  }
  const reads = { serverGroups: () => reading.serverGroups(cloud) }
  const changed = await cloud.instancesChangedSince(newestChange(facts, clock.now()), signal, reads)
  if (!changed.ok) return changed
  for (const id of changed.value.deletedIds) reading.deleted.add(id)
  facts.changeInstances(changed.value.items.filter(isWhole), changed.value.deletedIds)
  return ok([...reading.lacks, ...changed.value.unreachable.map(silentPart)])
}

async function readPages(reading: InstanceReading, cloud: OpenStackPort): Promise<void> {
  const { clock, signal, attention } = reading
  const pause = () => clock.sleep(readEveryMs('page', attention()), signal)
  const read = await readWholeList(reading, cloud, { pause })
  if (!read.ok && !signal.aborted) reading.lacks = [silentPart(read.failure.message)]
  await pause()
}

/** A page of the first list is shown at once; its source catches up until all pages are there, so nothing is counted by it. A single reading may be newer. */
function putPart({ facts, deleted, onPart }: InstanceReading, page: readonly Instance[]): void {
  const news = page.filter(each => isWhole(each) && !facts.instances.has(each.id) && !deleted.has(each.id))
  facts.changeInstances(news, [])
  onPart()
}

async function readWholeList(
  reading: InstanceReading,
  cloud: OpenStackPort,
  pages?: PagesOfInstances,
): Promise<Result<Missing>> {
  const { facts, clock, signal, deleted } = reading
  const startedAt = clock.now()
  const before = new Map(facts.instances)
  deleted.clear()
  const all = await cloud.listInstances(signal, { serverGroups: () => reading.serverGroups(cloud) }, pages)
  if (!all.ok) return all
  if (signal.aborted) return ok([])
  const { items, unreachable } = all.value
  const listed = new Set(items.map(({ id }) => id))
  const lacking = [...facts.instances.values()].filter(({ id }) => before.has(id) && !listed.has(id))
  const why = unreachable.length > 0 ? null : await whyNotWhole(reading, items, lacking, cloud)
  reading.lacks = why === null ? unreachable.map(silentPart) : [why]
  // A change that was read meanwhile is newer than its row in a page.
  const news = items.filter(({ id, updatedAt }) => {
    const now = facts.instances.get(id)
    if (now === before.get(id)) return !deleted.has(id)
    return now !== undefined && (now.updatedAt ?? '') < (updatedAt ?? '')
  })
  // An incomplete list removes nothing: a silent cell's instances may still exist.
  if (reading.lacks.length > 0) facts.changeInstances(news.filter(isWhole), [])
  else {
    facts.changeInstances(
      news,
      lacking.map(({ id }) => id),
    )
    reading.wholeListAtMs = startedAt
  }
  return ok(reading.lacks)
}

/** Why a list of all instances may be incomplete; null if it is complete. Only Nova's own answer about an instance proves that it is gone. */
async function whyNotWhole(
  { facts, signal }: InstanceReading,
  items: readonly Instance[],
  lacking: readonly Instance[],
  cloud: OpenStackPort,
): Promise<Finding | null> {
  const asked = lacking.slice(0, MOST_ASKED_FOR)
  for (const { id, name } of asked) {
    const answer = await cloud.getInstance(id, signal)
    if (answer.ok && !GONE.has(answer.value.status)) {
      return because('ListLacksInstance', { name, id, total: items.length })
    }
    if (!answer.ok && answer.failure.code !== 'not-found') {
      return because('ListedInstanceNotKnown', { name, id, cause: answer.failure.message })
    }
  }
  if (asked.length < lacking.length) {
    const goneIds = asked.map(({ id }) => id)
    facts.changeInstances([], goneIds)
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
export async function readMoves({ facts, signal }: InstanceReading, cloud: OpenStackPort): Promise<void> {
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

/** Reads single instances; an unreadable one comes with the next list. Returns whether the facts may have changed. */
export async function readSingleInstances(
  { facts, signal }: InstanceReading,
  cloud: OpenStackPort,
  ids: readonly string[],
): Promise<boolean> {
  const read = await mapLimited(ids, INSTANCES_AT_ONCE, id => cloud.getInstance(id, signal))
  if (signal.aborted) return false
  const found = read.flatMap(answer => (answer.ok ? [answer.value] : []))
  facts.changeInstances(found, [])
  return true
}

/** The time from which changes are requested: Nova's own newest change, so that no two clocks are compared. */
function newestChange(facts: ClusterFacts, nowMs: number): string {
  let newest = ''
  for (const { updatedAt } of facts.instances.values()) if (updatedAt !== null && updatedAt > newest) newest = updatedAt
  const newestMs = newest === '' ? nowMs - RECENT_MS : Date.parse(newest)
  return new Date(newestMs - OVERLAP_MS).toISOString().replace(/\.\d+Z$/, 'Z')
}

function silentPart(cause: string): Finding {
  return because('CloudPartSilent', { cause })
}

function isUsed(providers: readonly ResourceProvider[]): boolean {
  return providers.some(({ usages }) => (usages.VCPU ?? 0) + (usages.PCPU ?? 0) > 0)
}

/** A silent cell leaves out most of an instance; the earlier answer is better. */
function isWhole(instance: Instance): boolean {
  return !instance.partial
}
