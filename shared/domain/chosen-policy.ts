import { type InstancePolicy, type InstancePolicyInput, instancePolicy } from './instance-policy.ts'
import type { DisabledMigration } from './plan.ts'

/** How an operator wants instances to move, where Lockkeeper empties the host through Nova. */
export interface MovingChoices {
  /** Stopped instances also move, by a cold migration that Lockkeeper confirms. */
  readonly coldMigration: boolean
  readonly disableMigration: DisabledMigration
}

/** What happens to an instance by the operator's choices. */
export interface ChosenPolicy extends Omit<InstancePolicy, 'action' | 'source'> {
  /** As in {@link InstancePolicy}, and `cold_migrate`: moves while stopped; `stop`: stops on its host. */
  readonly action: InstancePolicy['action'] | 'cold_migrate' | 'stop'
  readonly source: InstancePolicy['source'] | 'operator'
}

export const NO_CHOICES: MovingChoices = { coldMigration: false, disableMigration: 'none' }

/** After {@link instancePolicy}, what the operator excluded or requested (docs/domain.md B.2), within what Nova can do (C.4). */
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
