import type { Failure } from '../../../shared/domain/failure.ts'
import { type MaintenanceAction, markDifference, markedActions } from '../../../shared/domain/instance-tags.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import { fault } from '../../../shared/words/step-texts.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import { refusal as refused, reworded } from '../answers.ts'

/** How the mark of one instance changed, or why it did not. */
export interface MarkOutcome {
  /** Null when Nova could not be read. */
  readonly instance: Instance | null
  readonly before: readonly MaintenanceAction[]
  /** What Nova reports now; if Nova does not answer, what it agreed to. */
  readonly after: readonly MaintenanceAction[]
  readonly changed: boolean
  readonly failure: Failure | null
}

export type TagPort = Pick<OpenStackPort, 'getInstance' | 'addInstanceTag' | 'removeInstanceTag'>

/** Gives one instance exactly these maintenance actions as tags (docs/domain.md A.6), then reads them back. */
export async function markInstance(
  cloud: TagPort,
  id: string,
  wanted: readonly MaintenanceAction[],
): Promise<MarkOutcome> {
  const read = await cloud.getInstance(id)
  if (!read.ok) return { instance: null, before: [], after: [], changed: false, failure: read.failure }
  const instance = read.value
  const before = markedActions(instance.tags)
  const untouched = { instance, before, after: before, changed: false }
  if (instance.partial) return { ...untouched, failure: cellIsSilent(instance) }
  const { add, remove } = markDifference(instance.tags, wanted)
  if (add.length + remove.length === 0) return { ...untouched, failure: null }

  const write = await writeTags(cloud, instance, add, remove)
  const again = await cloud.getInstance(id)
  if (!again.ok) {
    return {
      instance,
      before,
      after: markedActions(write.agreed),
      changed: true,
      failure: write.failure ?? notReadBack(instance, again.failure),
    }
  }
  const after = markedActions(again.value.tags)
  const refusal = write.failure === null ? null : explained(write.failure, again.value)
  const isAsWanted = markDifference(again.value.tags, wanted)
  return {
    instance,
    before,
    after,
    changed: true,
    failure:
      refusal ?? (isAsWanted.add.length + isAsWanted.remove.length === 0 ? null : changedByOthers(instance, after)),
  }
}

/** Stops at the first refusal; `agreed` are the tags that Nova confirmed so far. */
async function writeTags(
  cloud: TagPort,
  { id, tags }: Instance,
  add: readonly string[],
  remove: readonly string[],
): Promise<{ readonly agreed: readonly string[]; readonly failure: Failure | null }> {
  const agreed = new Set(tags)
  for (const tag of add) {
    const added = await cloud.addInstanceTag(id, tag)
    if (!added.ok) return { agreed: [...agreed], failure: added.failure }
    agreed.add(tag)
  }
  for (const tag of remove) {
    const removed = await cloud.removeInstanceTag(id, tag)
    // Someone else removed it first. If the instance is gone too, the read-back shows it.
    if (!removed.ok && removed.failure.code !== 'not-found') return { agreed: [...agreed], failure: removed.failure }
    agreed.delete(tag)
  }
  return { agreed: [...agreed], failure: null }
}

/** Nova changes tags only in these states (nova/api/openstack/compute/server_tags.py). */
const TAKES_TAGS: ReadonlySet<string> = new Set(['active', 'paused', 'suspended', 'stopped'])

function explained(refusal: Failure, instance: Instance): Failure {
  const { name, status, vmState } = instance
  if (refusal.code === 'conflict' && vmState !== null && !TAKES_TAGS.has(vmState)) {
    return reworded(refusal, fault('TagsNotTaken', { id: instance.id, name, status, vmState }))
  }
  const output = refusal.values?.output
  if (refusal.code === 'bad-input' && typeof output === 'string' && /number of tags/i.test(output)) {
    return reworded(refusal, fault('TooManyTags', { name, why: findingIn(refusal) }))
  }
  return refusal
}

function cellIsSilent({ id, name }: Instance): Failure {
  return refused('unreachable', fault('TagsNotRead', { name }), { target: `server/${id}` })
}

function notReadBack({ id, name }: Instance, why: Failure): Failure {
  return { ...reworded(why, fault('MarkNotReadBack', { name, cause: why.message })), target: `server/${id}` }
}

function changedByOthers({ id, name }: Instance, after: readonly MaintenanceAction[]): Failure {
  return refused('conflict', fault('MarkChangedByOthers', { name, actions: after }), { target: `server/${id}` })
}
