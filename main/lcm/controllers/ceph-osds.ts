import { whyNotStop, whyNotWhole } from '../../../shared/domain/ceph-safety.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { NodeWorkloadLock } from '../../../shared/domain/maintenance-api.ts'
import { countedOsds, proveOsds } from '../../procedures/steps/storage/storage-node.ts'
import type { NodeWork, Progress } from './application-controller.ts'

/** On a node's lock: the OSDs that ran when it was made ready, and have to run again before it is back. */
const OSDS_ANNOTATION = 'lockkeeper.dev/osds'

/**
 * Makes the OSDs of a node ready to be stopped: Ceph whole, every one of them ok to stop together, noout for their host read back
 * (docs/domain.md C.3).
 */
export async function prepareOsds(work: NodeWork, lock: NodeWorkloadLock | null): Promise<Progress> {
  const { node, scope, signal } = work
  const { ceph, locks } = work.world
  const osds = await ceph.osds(signal)
  if (!osds.ok) return unheard(osds.failure)
  const proved = await proveOsds([node.name], osds.value, { world: work.world, signal, counted: countedBefore(lock) })
  if (!proved.ok) return unheard(proved.failure)
  const { own } = proved.value
  const host = own[0]?.host ?? null
  if (host === null) return { kind: 'ready' }
  const ids = own.map(osd => osd.id)
  if (scope === 'delete')
    return waiting(`OSDs ${ids.join(', ')} are still on ${node.name}. Remove them from Ceph first`)
  const [status, answer] = await Promise.all([ceph.status(signal), ceph.okToStop(ids, signal)])
  if (!status.ok) return unheard(status.failure)
  if (!answer.ok) return unheard(answer.failure)
  const why = whyNotStop(node.name, own, status.value, answer.value)
  if (why !== null) return waiting(why)
  if (lock !== null && lock.annotations[OSDS_ANNOTATION] === undefined) {
    const running = own.filter(osd => osd.up).map(osd => osd.id)
    const { name, uid } = lock
    const noted = await locks.annotateLock(
      { kind: 'NodeWorkloadLock', name, uid },
      { [OSDS_ANNOTATION]: running.join(',') },
      signal,
    )
    if (!noted.ok) return unheard(noted.failure)
  }
  const set = await ceph.setNoout({ kind: 'host', host }, true, signal)
  if (!set.ok) return unheard(set.failure)
  const again = await ceph.osds(signal)
  if (!again.ok) return unheard(again.failure)
  const unprotected = ids.filter(id => !again.value.some(osd => osd.id === id && osd.noout))
  if (unprotected.length === 0) return { kind: 'ready' }
  return waiting(`Waiting for noout on OSDs ${unprotected.join(', ')} of ${node.name}`)
}

/** Brings the OSDs of a node back: up, noout off, and the node counts as back only once Ceph is whole again. */
export async function restoreOsds(work: NodeWork, lock: NodeWorkloadLock | null): Promise<Progress> {
  const { node, signal } = work
  const { ceph, locks } = work.world
  const osds = await ceph.osds(signal)
  if (!osds.ok) return unheard(osds.failure)
  const proved = await proveOsds([node.name], osds.value, { world: work.world, signal, counted: countedBefore(lock) })
  if (!proved.ok) return unheard(proved.failure)
  const { own } = proved.value
  const ran = ranBefore(lock)
  // A disk that was dead before the maintenance need not come back; one that ran has to.
  const missing = own.filter(osd => !osd.up && (ran === undefined ? osd.in : ran.includes(osd.id)))
  if (missing.length > 0)
    return waiting(`Waiting for OSDs ${missing.map(osd => osd.id).join(', ')} of ${node.name} to be up`)
  const host = own[0]?.host ?? null
  if (host !== null && own.some(osd => osd.noout)) {
    const unset = await ceph.setNoout({ kind: 'host', host }, false, signal)
    if (!unset.ok) return unheard(unset.failure)
  }
  // A node that is proved to have no OSDs took nothing from Ceph: what is broken elsewhere does not hold it.
  if (own.length > 0) {
    const status = await ceph.status(signal)
    if (!status.ok) return unheard(status.failure)
    const whole = whyNotWhole(status.value)
    if (whole !== null) return waiting(`Waiting for Ceph to be whole: ${whole}`)
  }
  if (lock === null || lock.annotations[OSDS_ANNOTATION] === undefined) return { kind: 'ready' }
  const { name, uid } = lock
  const forgotten = await locks.annotateLock(
    { kind: 'NodeWorkloadLock', name, uid },
    { [OSDS_ANNOTATION]: null },
    signal,
  )
  return forgotten.ok ? { kind: 'ready' } : unheard(forgotten.failure)
}

/** The OSDs that ran when the node was made ready; undefined: nobody noted it. */
function ranBefore(lock: NodeWorkloadLock | null): readonly number[] | undefined {
  const noted = lock?.annotations[OSDS_ANNOTATION]
  return noted
    ?.split(',')
    .filter(id => id !== '')
    .map(Number)
}

/** The OSDs that a lock notes, as {@link proveOsds} holds Ceph's list against them. */
export function countedBefore(lock: NodeWorkloadLock | null) {
  return countedOsds((ranBefore(lock) ?? []).map(id => ({ id })))
}

function waiting(message: string): Progress {
  return { kind: 'waiting', message }
}

function unheard(why: Failure): Progress {
  return why.code === 'aborted' ? { kind: 'stopped' } : waiting(why.message)
}
