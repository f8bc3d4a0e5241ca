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

/** An instance as Nova says that it is. */
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
    ? 'It stays so until somebody starts it: choose --start-instances, or leave it to its owner.'
    : 'They stay so until somebody starts them: choose --start-instances, or leave it to their owners.'
}

/** How an instance is before it is started: one whose host went down is ACTIVE for Nova, and does not run. */
export function beforeStartText({
  status,
  vmState,
}: {
  readonly status: string
  readonly vmState: string | null
}): string {
  return vmState === 'active' ? `${status}, but not running` : status
}

/** What the step is that sees how instances came through a maintenance. */
export const RETURN_STEPS = {
  'instances-return': {
    title: input => `See how the instances of ${nodeIn(input)} came through`,
    why: 'An instance that stayed on a node goes down with it, and nobody starts it by itself.',
    undo: 'Stop again what was started, if its owner wants it down.',
  },
} satisfies StepTexts

/** How instances came through a maintenance. */
export const RETURN_FINDINGS = {
  NotNotedWhatRan: () =>
    'Which instances ran when the maintenance began is not known: nobody noted it. None is started; look at those that are SHUTOFF.',
  SeenWhenNodeIsBack: () => 'Looked at when the node is back.',
  NoneIsDown: () =>
    'By Nova, no instance on it that ran when the maintenance began is down (after a reboot Nova may notice only minutes later).',
  InstancesToStart: ({ instances }: Instances) =>
    `${counted(instances.total, 'instance')} to start: ${instancesText(instances)}.`,
  InstancesAreDown: ({ instances }: Instances) => `${downText(instances)}.`,
  InstancesStayDown: ({ instances }: Instances) => `${downText(instances)}. ${stayDownText(instances)}`,
  NoneHadToBeStarted: () => 'None had to be started any more.',
  InstancesStarted: ({ instances }: { readonly instances: Items<OfInstance> }) =>
    `${counted(instances.total, 'instance')} started: ${someItems(instances, labelOf, MOST_SHOWN)}.`,
} satisfies TextsOf<string>

/** `task`: what Nova does with it now. */
type NotStarted = { readonly status: string; readonly task: string | null }

function statusText({ status, task }: NotStarted): string {
  return `it is ${status}${task === null ? '' : ` (${task})`}`
}

/** What is in the way of instances that are to run again. */
export const RETURN_FAULTS = {
  InstancesNotStarted: ({ refused }: { readonly refused: Items<OfInstance & Cause> }) => ({
    message: `${counted(refused.total, 'instance')} could not be started. ${someItems(refused, one => `${labelOf(one)}: ${one.cause}`, MOST_SHOWN)}`,
    remedy: 'Retry asks Nova again; skip leaves them down.',
  }),
  /** Part of a sentence about an instance. */
  DownAfterStart: ({ status, task }: NotStarted) => ({
    message: `${statusText({ status, task })} after Nova was asked to start it; its owner may have stopped it again.`,
    remedy: '',
  }),
  /** Part of a sentence about an instance. */
  NotStopped: ({ status, task }: NotStarted) => ({
    message: `${statusText({ status, task })}, and Nova starts only what is stopped.`,
    remedy: '',
  }),
  InstancesDoNotStart: ({ instances }: Instances) => ({
    message: `${downText(instances)}.`,
    remedy: 'Look at why they do not start (`openstack server show`), then resume.',
  }),
  /** Nova has not compared its power states with the host since the reboot. */
  RunByNovaAfterReboot: ({ instances }: Instances) => ({
    message: `Nova says that ${counted(instances.total, 'instance')} still ${instances.total === 1 ? 'runs' : 'run'} after the reboot: ${instancesText(instances)}. It compares that with the host every 10 min.`,
    remedy: 'Wait, or look on the host (`virsh list`).',
  }),
} satisfies TextsOf<FaultText>

/** What the step reads. */
export const RETURN_READS = {
  InstancesThatRan: ({ node }: OfNode) => `The instances that ran on ${node}`,
} satisfies TextsOf<string>

const MOST_SHOWN = 10
