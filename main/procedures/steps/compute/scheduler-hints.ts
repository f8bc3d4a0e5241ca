import type { Failure } from '../../../../shared/domain/failure.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { OpenStackPort } from '../../../ports/openstack.ts'

const AT_ONCE = 8

/** An instance that a hint names; null if Nova has no instance with that id. */
type Hinted = Pick<Instance, 'name' | 'host'> | null

/** Instances that `same_host` and `different_host` name, by id; unreadable ones are absent. */
export type HintedInstances = ReadonlyMap<string, Hinted>

/** Reads nothing without hints, which Nova shows from 2.100 on. */
export async function readHinted(
  moving: readonly Instance[],
  openstack: OpenStackPort,
  signal?: AbortSignal,
): Promise<{ readonly hinted: HintedInstances; readonly failures: readonly Failure[] }> {
  const here = new Map<string, Hinted>(moving.map(instance => [instance.id, instance]))
  const ids = new Set(
    moving.flatMap(instance => [...idsOf(instance, 'same_host'), ...idsOf(instance, 'different_host')]),
  )
  const hinted = new Map<string, Hinted>([...here].filter(([id]) => ids.has(id)))
  const elsewhere = [...ids].filter(id => !here.has(id))
  const failures: Failure[] = []
  for (const [at, read] of (await mapLimited(elsewhere, AT_ONCE, id => openstack.getInstance(id, signal))).entries()) {
    const id = elsewhere[at] ?? ''
    if (read.ok) hinted.set(id, read.value)
    else if (read.failure.code === 'not-found') hinted.set(id, null)
    else failures.push(read.failure)
  }
  return { hinted, failures }
}

/**
 * Nova applies the owner's hints again at each move. No API shows whether it checks them (nova/scheduler/filters/affinity_filter.py): they exclude
 * nothing.
 */
export function hintNotes(instance: Instance, hosts: readonly string[], hinted: HintedInstances): readonly Finding[] {
  return [...sameHost(instance, hosts, hinted), ...differentHost(instance, hosts, hinted)]
}

function sameHost(instance: Instance, hosts: readonly string[], hinted: HintedInstances): readonly Finding[] {
  const ids = idsOf(instance, 'same_host')
  if (ids.length === 0) return []
  const having = hosts.filter(host => ids.some(id => hinted.get(id)?.host === host))
  const asked = whoAndWhere(ids, hinted)
  if (having.length === hosts.length) return []
  if (ids.some(id => !hinted.has(id))) return [found('SameHostUnread', { asked })]
  return [having.length === 0 ? found('SameHostNowhere', { asked }) : found('SameHostOnly', { asked, hosts: having })]
}

function differentHost(instance: Instance, hosts: readonly string[], hinted: HintedInstances): readonly Finding[] {
  const ids = idsOf(instance, 'different_host')
  const barred = hosts.filter(host => ids.some(id => hinted.get(id)?.host === host))
  const asked = whoAndWhere(ids, hinted)
  if (barred.length > 0 && barred.length === hosts.length) return [found('OtherHostNowhere', { asked })]
  if (ids.some(id => !hinted.has(id))) return [found('OtherHostUnread', { asked })]
  return barred.length === 0 ? [] : [found('OtherHostNot', { asked, hosts: barred })]
}

/** An unreadable instance has only its id. */
function whoAndWhere(ids: readonly string[], hinted: HintedInstances) {
  return ids.map(id => {
    const named = hinted.get(id)
    return named === undefined ? { id } : { id, name: named?.name ?? null, host: named?.host ?? null }
  })
}

function idsOf({ schedulerHints }: Instance, hint: 'same_host' | 'different_host'): readonly string[] {
  return schedulerHints?.[hint] ?? []
}
