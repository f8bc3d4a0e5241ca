import type { DisabledMigration } from './plan.ts'
import type { ComputeStrategy } from './role-maintenance.ts'
import { type MovableInstance, vmStateOf } from './watcher-moves.ts'

/** What the operator chose that decides about an instance's status. */
export interface StatusChoices {
  readonly strategy: ComputeStrategy
  readonly disableMigration: DisabledMigration
  readonly coldMigration: boolean
  /** The operator left this instance out. */
  readonly excluded: boolean
}

/** Whether an instance's status stands against a maintenance. Reasons are phrases without a full stop. */
export type StatusFinding =
  | { readonly kind: 'passes' }
  /** Passes, but an operator should know. */
  | { readonly kind: 'noted'; readonly note: string }
  | {
      readonly kind: 'blocks'
      readonly code: 'instance-in-error' | 'instance-migrating' | 'instance-busy' | 'instance-shutoff'
      readonly reason: string
      readonly remedy: string
    }

/**
 * Decides about one instance (seed 004, compute role, "Instances status"). ERROR and MIGRATING always block. SHUTOFF blocks as the seed says,
 * unless the operator said what becomes of stopped instances: they move cold (`coldMigration`; with Watcher also when live migration is
 * ruled out, because it then moves everything cold), or they stay (cold migration ruled out), or this one is left out.
 *
 * | SHUTOFF, by --disable-migration | none   | live                    | cold, both |
 * | ------------------------------- | ------ | ----------------------- | ---------- |
 * | without --cold-migration        | blocks | watcher moves it; nova blocks | stays |
 * | with --cold-migration           | moves  | moves                   | stays      |
 */
export function instanceStatus(instance: MovableInstance, choices: StatusChoices): StatusFinding {
  const state = vmStateOf(instance)
  if (instance.status === 'MIGRATING' || instance.taskState === 'migrating') {
    return {
      kind: 'blocks',
      code: 'instance-migrating',
      reason: 'is being migrated',
      remedy: 'Wait until that migration has finished (`openstack server migration list --server …`), then try again.',
    }
  }
  if (instance.status === 'ERROR' || state === 'error') return inError(choices)
  if (instance.taskState !== null) {
    return {
      kind: 'blocks',
      code: 'instance-busy',
      reason: `is being worked on by Nova (${instance.taskState})`,
      remedy: 'Wait until Nova is done with it; a task that never ends needs a reset of its state.',
    }
  }
  return state === 'stopped' ? shutOff(choices) : { kind: 'passes' }
}

function inError({ excluded }: StatusChoices): StatusFinding {
  if (excluded) return { kind: 'noted', note: 'is in ERROR and left out: it stays on the host' }
  return {
    kind: 'blocks',
    code: 'instance-in-error',
    reason: 'is in ERROR',
    remedy:
      'Look at its fault (`openstack server show`), mend or delete it; `openstack server set --state active` only when it really runs.',
  }
}

function shutOff({ strategy, disableMigration, coldMigration, excluded }: StatusChoices): StatusFinding {
  if (excluded) return { kind: 'noted', note: 'is stopped and left out: it stays on the host' }
  if (disableMigration === 'cold' || disableMigration === 'both')
    return { kind: 'noted', note: 'is stopped and stays on the host: cold migration is ruled out' }
  if (coldMigration) return { kind: 'noted', note: 'is stopped and moves by cold migration' }
  if (strategy === 'watcher' && disableMigration === 'live')
    return { kind: 'noted', note: 'is stopped and moves by cold migration, as everything else does' }
  return {
    kind: 'blocks',
    code: 'instance-shutoff',
    reason: 'is SHUTOFF',
    remedy:
      'Move it too with --cold-migration, let it stay with --disable-migration=cold, or have its owner start or delete it.',
  }
}
