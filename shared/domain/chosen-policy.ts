import { type InstancePolicy, type InstancePolicyInput, instancePolicy } from './instance-policy.ts'
import type { DisabledMigration } from './plan.ts'

/** What an operator chose about ways of moving, where Lockkeeper empties the host through Nova. */
export interface MovingChoices {
  /** Stopped instances move too, by a cold migration that is confirmed. */
  readonly coldMigration: boolean
  readonly disableMigration: DisabledMigration
}

/** What happens to an instance once the operator's choices are heard too. */
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
    return { ...policy, notes: [...policy.notes, { code: 'SuspendedStays' }] }
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
      because: { code: 'LiveRuledOut', state: vmState },
    }
  }
  if (disabled === 'live') {
    return {
      ...policy,
      action: 'cold_migrate',
      source: 'operator',
      because: { code: 'MovesCold' },
      notes: [...policy.notes, { code: 'DownWhileItMoves' }],
    }
  }
  return {
    ...policy,
    action: 'stop',
    source: 'operator',
    code: 'instance-stops-with-host',
    because: { code: 'StopsHere' },
    notes: [...policy.notes, { code: 'StaysStopped' }],
  }
}

function chosenForStopped(
  policy: InstancePolicy,
  input: InstancePolicyInput,
  disabled: DisabledMigration,
): ChosenPolicy {
  if (disabled === 'cold' || disabled === 'both') {
    return { ...policy, source: 'operator', because: { code: 'ColdRuledOut', but: policy.because } }
  }
  const ifItRan = instancePolicy({ ...input, status: 'ACTIVE', vmState: 'active', powerState: 1, taskState: null })
  if (ifItRan.action !== 'live_migrate') return policy
  return {
    ...policy,
    action: 'cold_migrate',
    source: 'operator',
    code: 'instance-moves',
    because: { code: 'StoppedMoves' },
  }
}
