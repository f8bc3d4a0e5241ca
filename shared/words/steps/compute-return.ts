import { counted } from '../../grammar/counts.ts'
import {
  type Cause,
  type FaultText,
  type Items,
  labelOf,
  nodeIn,
  type OfInstance,
  type OfNode,
  type StepTexts,
  someItems,
  type TextsOf,
} from './coded.ts'

/** An instance with the status that Nova reports. */
type OneInstance = OfInstance & { readonly status: string }
type Instances = { readonly instances: Items<OneInstance> }

function instancesText(instances: Items<OneInstance>): string {
  return someItems(instances, one => `${labelOf(one)}, ${one.status}`, MOST_SHOWN)
}

function downText(instances: Items<OneInstance>): string {
  const are =
    instances.total === 1
      ? 'instance that ran when the maintenance began is down'
      : 'instances that ran when the maintenance began are down'
  return `${instances.total} ${are}: ${instancesText(instances)}`
}

function stayDownText({ total }: Items<OneInstance>): string {
  return total === 1
    ? 'It stays off until someone starts it: choose --start-instances, or leave it to its owner.'
    : 'They stay off until someone starts them: choose --start-instances, or leave them to their owners.'
}

/** The state of an instance before its start. Nova shows ACTIVE for an instance that went down with its host. */
export function beforeStartText({
  status,
  vmState,
}: {
  readonly status: string
  readonly vmState: string | null
}): string {
  return vmState === 'active' ? `${status}, but not running` : status
}

export const RETURN_STEPS = {
  'instances-return': {
    title: input => `Check how the instances of ${nodeIn(input)} came through`,
    why: 'An instance that stayed on a node goes down with it, and nothing starts it automatically.',
    undo: 'Stop the started instances again, if their owners want them off.',
  },
} satisfies StepTexts

export const RETURN_FINDINGS = {
  NotNotedWhatRan: () =>
    'Lockkeeper has no record of which instances ran when the maintenance began. It starts none; check those that are SHUTOFF.',
  SeenWhenNodeIsBack: () => 'Lockkeeper checks this when the node is back.',
  NoneIsDown: () =>
    'By Nova, no instance on it that ran when the maintenance began is down (Nova may notice a reboot minutes later).',
  InstancesToStart: ({ instances }: Instances) =>
    `Lockkeeper starts ${counted(instances.total, 'instance')}: ${instancesText(instances)}.`,
  InstancesAreDown: ({ instances }: Instances) => `${downText(instances)}.`,
  InstancesStayDown: ({ instances }: Instances) => `${downText(instances)}. ${stayDownText(instances)}`,
  NoneHadToBeStarted: () => 'No instance had to be started.',
  InstancesStarted: ({ instances }: { readonly instances: Items<OfInstance> }) =>
    `Started ${counted(instances.total, 'instance')}: ${someItems(instances, labelOf, MOST_SHOWN)}.`,
} satisfies TextsOf<string>

/** `task`: what Nova does with the instance now. */
type NotStarted = { readonly status: string; readonly task: string | null }

function statusText({ status, task }: NotStarted): string {
  return `it is ${status}${task === null ? '' : ` (${task})`}`
}

export const RETURN_FAULTS = {
  InstancesNotStarted: ({ refused }: { readonly refused: Items<OfInstance & Cause> }) => ({
    message: `${counted(refused.total, 'instance')} could not be started. ${someItems(refused, one => `${labelOf(one)}: ${one.cause}`, MOST_SHOWN)}`,
    remedy: '"Try again" asks Nova again; "Skip" leaves them off.',
  }),
  /** Part of a sentence about an instance. */
  DownAfterStart: ({ status, task }: NotStarted) => ({
    message: `${statusText({ status, task })} although Nova accepted the start; its owner may have stopped it again.`,
    remedy: '',
  }),
  /** Part of a sentence about an instance. */
  NotStopped: ({ status, task }: NotStarted) => ({
    message: `${statusText({ status, task })}, and Nova starts only stopped instances.`,
    remedy: '',
  }),
  InstancesDoNotStart: ({ instances }: Instances) => ({
    message: `${downText(instances)}.`,
    remedy: 'Check why they do not start (`openstack server show`), then resume.',
  }),
  /** Nova has not compared its power states with the host since the reboot. */
  RunByNovaAfterReboot: ({ instances }: Instances) => ({
    message: `Nova reports that ${counted(instances.total, 'instance')} still ${instances.total === 1 ? 'runs' : 'run'} after the reboot: ${instancesText(instances)}. It compares that with the node every 10 min.`,
    remedy: 'Wait, or check on the host (`virsh list`).',
  }),
} satisfies TextsOf<FaultText>

export const RETURN_READS = {
  InstancesThatRan: ({ node }: OfNode) => `The instances that ran on ${node}`,
} satisfies TextsOf<string>

const MOST_SHOWN = 10
