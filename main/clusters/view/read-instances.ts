import { seconds } from '../../../shared/domain/durations.ts'
import { mapLimited } from '../../../shared/domain/map-limited.ts'
import type { Instance, ResourceProvider } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { ClusterFacts } from './facts.ts'

/** The complete list of instances is read this often: tags do not count as changes in Nova, and missed changes appear. */
const WHOLE_LIST_MS = seconds(60)
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
  /** When the last complete list was read; before the first one, negative infinity. */
  wholeListAtMs: number
}

/** Reads the complete list of instances once a minute, otherwise the changes since the newest known one. */
export async function readInstances(reading: InstanceReading, cloud: OpenStackPort): Promise<Result<Missing>> {
  const { facts, clock, signal } = reading
  const startedAt = clock.now()
  if (startedAt - reading.wholeListAtMs < WHOLE_LIST_MS) {
    const changed = await cloud.instancesChangedSince(newestChange(facts, startedAt), signal)
    if (!changed.ok) return changed
    facts.changeInstances(changed.value.items.filter(isWhole), changed.value.deletedIds)
    return ok(changed.value.unreachable.map(silentPart))
  }
  const all = await cloud.listInstances(signal)
  if (!all.ok) return all
  const { items, unreachable } = all.value
  const why = unreachable.length > 0 ? null : await whyNotWhole(reading, items, cloud)
  const lacks = why === null ? unreachable.map(silentPart) : [why]
  // An incomplete list removes nothing: a silent cell's instances may still exist.
  if (lacks.length > 0) facts.changeInstances(items.filter(isWhole), [])
  else {
    facts.putInstances(items)
    reading.wholeListAtMs = startedAt
  }
  return ok(lacks)
}

/** Why a list of all instances may be incomplete; null if it is complete. Only Nova's own answer about an instance proves that it is gone. */
async function whyNotWhole(
  { facts, signal }: InstanceReading,
  items: readonly Instance[],
  cloud: OpenStackPort,
): Promise<Finding | null> {
  const listed = new Set(items.map(({ id }) => id))
  const lacking = [...facts.instances.values()].filter(({ id }) => !listed.has(id))
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
  let newest = 0
  for (const { updatedAt } of facts.instances.values()) {
    const at = updatedAt === null ? 0 : Date.parse(updatedAt)
    if (at > newest) newest = at
  }
  return new Date((newest === 0 ? nowMs - WHOLE_LIST_MS : newest) - OVERLAP_MS).toISOString().replace(/\.\d+Z$/, 'Z')
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
