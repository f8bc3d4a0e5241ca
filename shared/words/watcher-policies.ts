import type { StatusBlock, StatusNote } from '../domain/watcher-instance-status.ts'
import type { WatcherPolicy, WatcherReason } from '../domain/watcher-policy.ts'

/** Why the status of an instance blocks its maintenance: follows its name, without a full stop. */
export function statusWords(because: StatusBlock): string {
  switch (because.code) {
    case 'InstanceInError':
      return 'is in ERROR'
    case 'InstanceMigrating':
      return 'is migrating'
    case 'InstanceShutOff':
      return 'is SHUTOFF'
    case 'InstanceBusy':
      return `is busy in Nova (${because.task})`
  }
}

/** What an operator can do: sentences. */
export const STATUS_REMEDIES: Readonly<Record<StatusBlock['code'], string>> = {
  InstanceInError:
    'Check its fault (`openstack server show`), fix or delete it. Use `openstack server set --state active` only if it really runs.',
  InstanceMigrating:
    'Wait until that migration has finished (`openstack server migration list --server …`), then try again.',
  InstanceShutOff:
    'Move it too with --cold-migration, let it stay with --disable-migration=cold, or have its owner start or delete it.',
  InstanceBusy: 'Wait until Nova has finished with it; a task that never ends needs a reset of its state.',
}

/** A note on an instance whose status does not block: follows its name, without a full stop. */
export const STATUS_NOTES: Readonly<Record<StatusNote, string>> = {
  ErrorLeftOut: 'is in ERROR and left out: it stays on the node',
  StoppedLeftOut: 'is stopped and left out: it stays on the node',
  StoppedStays: 'is stopped and stays on the node: cold migration is ruled out',
  StoppedMovesCold: 'is stopped and moves by cold migration',
  StoppedMovesAsAll: 'is stopped and moves by cold migration, like everything else',
}

/** The policy for an instance on a host that Watcher empties, with its words. */
export function wordedWatcherPolicy(policy: WatcherPolicy) {
  const { because, tagged } = policy
  return {
    ...policy,
    reason: reasonWords(because),
    remedy: remedyWords(because),
    warnings: tagged.length === 0 ? [] : [`it is tagged ${tagged.join(', ')}: Watcher ignores tags`],
  }
}

function reasonWords(because: WatcherReason): string {
  switch (because.code) {
    case 'EphemeralDisk':
      return `it has an ephemeral disk of ${because.gib} GiB (flavor ${because.flavor}), which cannot be migrated`
    case 'StaysOff':
      return 'stays: it does not run'
    case 'ColdMoveRefused':
      return `Watcher plans a cold migration of it, which Nova refuses while it is ${because.state}`
    case 'MovesByPlan':
      return "moves to another node by Watcher's plan: live migration"
    default:
      return `it ${statusWords(because)}`
  }
}

function remedyWords(because: WatcherReason): string | null {
  switch (because.code) {
    case 'EphemeralDisk':
      return 'Ask its owner to save its data and to delete or rebuild the instance, or leave the instance out (--exclude-instance).'
    case 'ColdMoveRefused':
      return 'Move it through Nova (--nova-for-rest), leave it out (--exclude-instance), or have its owner resume it.'
    case 'StaysOff':
    case 'MovesByPlan':
      return null
    default:
      return STATUS_REMEDIES[because.code]
  }
}
