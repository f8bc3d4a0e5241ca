import { type InstancePolicy, type InstancePolicyInput, instancePolicy } from './instance-policy.ts'
import type { DisabledMigration } from './plan.ts'

/** What an operator chose about ways of moving, where Lockkeeper empties the host through Nova. */
export interface MovingChoices {
  /** Stopped instances move too, by a cold migration that is confirmed. */
  readonly coldMigration: boolean
  readonly disableMigration: DisabledMigration
}

/** What happens to an instance once the operator's choices are heard too. `reason` and `warnings` are phrases without a full stop. */
export interface ChosenPolicy extends Omit<InstancePolicy, 'action' | 'source'> {
  /** As {@link InstancePolicy}'s; `cold_migrate`: moves while it is stopped. `stop`: is stopped where it is. */
  readonly action: InstancePolicy['action'] | 'cold_migrate' | 'stop'
  readonly source: InstancePolicy['source'] | 'operator'
}

/** What happens to an instance of which nobody chose anything: the same as {@link instancePolicy} says. */
export const NO_CHOICES: MovingChoices = { coldMigration: false, disableMigration: 'none' }

/**
 * Decides what happens to an instance by its state, its owner, its host (`instancePolicy`) and then by what the operator ruled out or asked for
 * (docs/domain.md B.2, truth table). Unlike Watcher's table it keeps to what Nova can do (C.4): only active and stopped instances are
 * migrated cold; and stopped ones move only when asked for, and only those that would move if they ran.
 */
export function chosenPolicy(input: InstancePolicyInput, choices: MovingChoices): ChosenPolicy {
  const policy = instancePolicy(input)
  if (policy.action === 'live_migrate') return chosenForRunning(policy, input, choices.disableMigration)
  if (input.vmState === 'stopped' && policy.code === 'instance-at-rest' && choices.coldMigration) {
    return chosenForStopped(policy, input, choices.disableMigration)
  }
  if (input.vmState === 'suspended' && policy.code === 'instance-at-rest' && choices.coldMigration) {
    return { ...policy, warnings: [...policy.warnings, 'Nova migrates no suspended instance: it stays with the host'] }
  }
  return policy
}

function chosenForRunning(
  policy: InstancePolicy,
  { vmState }: InstancePolicyInput,
  disabled: DisabledMigration,
): ChosenPolicy {
  if (disabled === 'none' || disabled === 'cold') return policy
  if (vmState !== 'active') {
    return {
      ...policy,
      action: 'blocked',
      source: 'operator',
      code: 'instance-not-movable',
      reason: `live migration is ruled out, and Nova neither cold-migrates nor stops an instance that is ${vmState ?? 'unknown'}`,
      remedy: 'Ask its owner to unpause or stop it, or allow live migration.',
    }
  }
  if (disabled === 'live') {
    return {
      ...policy,
      action: 'cold_migrate',
      source: 'operator',
      reason: 'moves to another host by cold migration: live migration is ruled out',
      warnings: [...policy.warnings, 'it is down while it moves: Nova stops it and starts it on the other host'],
    }
  }
  return {
    ...policy,
    action: 'stop',
    source: 'operator',
    code: 'instance-stops-with-host',
    reason: 'is stopped and stays: live and cold migration are ruled out',
    warnings: [...policy.warnings, 'it stays stopped: start it when the host is back'],
  }
}

function chosenForStopped(
  policy: InstancePolicy,
  input: InstancePolicyInput,
  disabled: DisabledMigration,
): ChosenPolicy {
  if (disabled === 'cold' || disabled === 'both') {
    return { ...policy, source: 'operator', reason: `${policy.reason}, and cold migration is ruled out` }
  }
  const ifItRan = instancePolicy({ ...input, status: 'ACTIVE', vmState: 'active', powerState: 1, taskState: null })
  if (ifItRan.action !== 'live_migrate') return policy
  return {
    ...policy,
    action: 'cold_migrate',
    source: 'operator',
    code: 'instance-moves',
    reason: 'moves to another host by cold migration and stays stopped: stopped instances are to move too',
  }
}
