import type { StatusBlock, StatusNote } from '../domain/watcher-instance-status.ts'
import type { WatcherPolicy, WatcherReason } from '../domain/watcher-policy.ts'

/** What stands against the maintenance of an instance, by its status: after its name, without a full stop. */
export function statusWords(because: StatusBlock): string {
  switch (because.code) {
    case 'InstanceInError':
      return 'is in ERROR'
    case 'InstanceMigrating':
      return 'is being migrated'
    case 'InstanceShutOff':
      return 'is SHUTOFF'
    case 'InstanceBusy':
      return `is being worked on by Nova (${because.task})`
  }
}

/** What an operator can do about it: sentences. */
export const STATUS_REMEDIES: Readonly<Record<StatusBlock['code'], string>> = {
  InstanceInError:
    'Look at its fault (`openstack server show`), mend or delete it; `openstack server set --state active` only when it really runs.',
  InstanceMigrating:
    'Wait until that migration has finished (`openstack server migration list --server …`), then try again.',
  InstanceShutOff:
    'Move it too with --cold-migration, let it stay with --disable-migration=cold, or have its owner start or delete it.',
  InstanceBusy: 'Wait until Nova is done with it; a task that never ends needs a reset of its state.',
}

/** What is worth knowing of one whose status does not stand against it: after its name, without a full stop. */
export const STATUS_NOTES: Readonly<Record<StatusNote, string>> = {
  ErrorLeftOut: 'is in ERROR and left out: it stays on the host',
  StoppedLeftOut: 'is stopped and left out: it stays on the host',
  StoppedStays: 'is stopped and stays on the host: cold migration is ruled out',
  StoppedMovesCold: 'is stopped and moves by cold migration',
  StoppedMovesAsAll: 'is stopped and moves by cold migration, as everything else does',
}

/** What a maintenance does to an instance where Watcher empties hosts, with the words for it. */
export function wordedWatcherPolicy(policy: WatcherPolicy) {
  const { because, tagged } = policy
  return {
    ...policy,
    reason: reasonWords(because),
    remedy: remedyWords(because),
    warnings: tagged.length === 0 ? [] : [`it is tagged ${tagged.join(', ')}: Watcher reads no tags`],
  }
}

function reasonWords(because: WatcherReason): string {
  switch (because.code) {
    case 'EphemeralDisk':
      return `it has an ephemeral disk of ${because.gib} GiB (flavor ${because.flavor}), which cannot be migrated`
    case 'StaysOff':
      return 'stays: nothing of it runs'
    case 'ColdMoveRefused':
      return `Watcher plans a cold migration of it, which Nova refuses while it is ${because.state}`
    case 'MovesByPlan':
      return "moves to another host by Watcher's plan: live migration"
    default:
      return `it ${statusWords(because)}`
  }
}

function remedyWords(because: WatcherReason): string | null {
  switch (because.code) {
    case 'EphemeralDisk':
      return 'Ask its owner to save what is on it and to delete or rebuild the instance; or leave the instance out (--exclude-instance).'
    case 'ColdMoveRefused':
      return 'Move it through Nova (--nova-for-rest), leave it out (--exclude-instance), or have its owner resume it.'
    case 'StaysOff':
    case 'MovesByPlan':
      return null
    default:
      return STATUS_REMEDIES[because.code]
  }
}
