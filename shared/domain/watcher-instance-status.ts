import type { DisabledMigration } from './plan.ts'
import type { ComputeStrategy } from './role-maintenance.ts'
import { type MovableInstance, vmStateOf } from './watcher-moves.ts'

export interface StatusChoices {
  readonly strategy: ComputeStrategy
  readonly disableMigration: DisabledMigration
  readonly coldMigration: boolean
  readonly excluded: boolean
}

/** By the code of its blocker (shared/words/steps/instances.ts). */
export type StatusBlock =
  | { readonly code: 'InstanceInError' | 'InstanceMigrating' | 'InstanceShutOff' }
  | { readonly code: 'InstanceBusy'; readonly task: string }

export type StatusNote =
  | 'ErrorLeftOut'
  | 'StoppedLeftOut'
  | 'StoppedStays'
  | 'StoppedMovesCold'
  /** Live migration is excluded, so Watcher moves everything cold. */
  | 'StoppedMovesAsAll'

type StatusFinding =
  | { readonly kind: 'passes' }
  | { readonly kind: 'noted'; readonly note: StatusNote }
  | { readonly kind: 'blocks'; readonly because: StatusBlock }

/**
 * Decides about one instance (seed 004, compute role, "Instances status"). ERROR and MIGRATING always block. SHUTOFF blocks as in
 * the seed, unless the operator decided about stopped instances: they move cold (`coldMigration`; with Watcher also when live
 * migration is excluded, because it then moves everything cold), they stay (cold migration excluded), or this one is left out.
 *
 * | SHUTOFF, by --disable-migration | none   | live                    | cold, both |
 * | ------------------------------- | ------ | ----------------------- | ---------- |
 * | without --cold-migration        | blocks | watcher moves it; nova blocks | stays |
 * | with --cold-migration           | moves  | moves                   | stays      |
 */
export function instanceStatus(instance: MovableInstance, choices: StatusChoices): StatusFinding {
  const state = vmStateOf(instance)
  if (instance.status === 'MIGRATING' || instance.taskState === 'migrating') {
    return { kind: 'blocks', because: { code: 'InstanceMigrating' } }
  }
  if (instance.status === 'ERROR' || state === 'error') {
    return choices.excluded ? noted('ErrorLeftOut') : { kind: 'blocks', because: { code: 'InstanceInError' } }
  }
  if (instance.taskState !== null) {
    return { kind: 'blocks', because: { code: 'InstanceBusy', task: instance.taskState } }
  }
  return state === 'stopped' ? shutOff(choices) : { kind: 'passes' }
}

function shutOff({ strategy, disableMigration, coldMigration, excluded }: StatusChoices): StatusFinding {
  if (excluded) return noted('StoppedLeftOut')
  if (disableMigration === 'cold' || disableMigration === 'both') return noted('StoppedStays')
  if (coldMigration) return noted('StoppedMovesCold')
  if (strategy === 'watcher' && disableMigration === 'live') return noted('StoppedMovesAsAll')
  return { kind: 'blocks', because: { code: 'InstanceShutOff' } }
}

function noted(note: StatusNote): StatusFinding {
  return { kind: 'noted', note }
}
