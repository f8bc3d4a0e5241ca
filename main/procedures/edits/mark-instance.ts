import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { type MaintenanceAction, markDifference, markedActions } from '../../../shared/domain/instance-tags.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'

/** How one instance's mark was changed, or why not. */
export interface MarkOutcome {
  /** The instance as it was read before; null when it could not be. */
  readonly instance: Instance | null
  readonly before: readonly MaintenanceAction[]
  /** What Nova says now; when it cannot be asked, what was agreed to. */
  readonly after: readonly MaintenanceAction[]
  /** Whether Nova was asked to change anything. */
  readonly changed: boolean
  readonly failure: Failure | null
}

/** What marking needs of the cloud. */
export type TagPort = Pick<OpenStackPort, 'getInstance' | 'addInstanceTag' | 'removeInstanceTag'>

/** Marks one instance with exactly these maintenance actions (docs/domain.md A.6), then asks Nova what it is marked with. */
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

/** Stops at the first refusal; `agreed` is what the tags are by Nova's answers so far. */
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
    // Somebody else removed it first; that the instance itself is gone shows when it is read back.
    if (!removed.ok && removed.failure.code !== 'not-found') return { agreed: [...agreed], failure: removed.failure }
    agreed.delete(tag)
  }
  return { agreed: [...agreed], failure: null }
}

/** Nova changes tags only in these states (nova/api/openstack/compute/server_tags.py). */
const TAKES_TAGS: ReadonlySet<string> = new Set(['active', 'paused', 'suspended', 'stopped'])

/** A refusal of Nova with what an operator can do about it. */
function explained(refusal: Failure, instance: Instance): Failure {
  const { name, status, vmState } = instance
  if (refusal.code === 'conflict' && vmState !== null && !TAKES_TAGS.has(vmState)) {
    const way =
      vmState === 'error'
        ? `Mend it and set its state back (\`openstack server set --state active ${instance.id}\`), then mark it again`
        : 'Mark it again when it is in one of these'
    return {
      ...refusal,
      message: `${name} cannot be marked while it is in ${status}: Nova takes tags only where the vm_state is active, paused, suspended or stopped, and here it is ${vmState}. ${way}; its mark stays as it was.`,
    }
  }
  if (refusal.code === 'bad-input' && /number of tags/i.test(refusal.message)) {
    return { ...refusal, message: `${refusal.message} Remove a tag that ${name} no longer needs, then mark it again.` }
  }
  return refusal
}

function cellIsSilent({ id, name }: Instance): Failure {
  return failure(
    'unreachable',
    `The tags of ${name} cannot be read: its Nova cell does not answer. Nothing was changed; try again when the cell is back.`,
    { target: `server/${id}` },
  )
}

function notReadBack({ id, name }: Instance, why: Failure): Failure {
  return {
    ...why,
    message: `${name} was marked, but whether it is so now cannot be told: ${why.message}`,
    target: `server/${id}`,
  }
}

function changedByOthers({ id, name }: Instance, after: readonly MaintenanceAction[]): Failure {
  const now = after.length === 0 ? 'nothing' : after.join(' and ')
  return failure(
    'conflict',
    `${name} is marked with ${now} now, not as asked: somebody else changed its tags at the same moment. Look at it and mark it again.`,
    { target: `server/${id}` },
  )
}
