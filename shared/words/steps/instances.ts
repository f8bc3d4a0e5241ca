import type { PolicyReason } from '../../domain/instance-policy.ts'
import type { StatusBlock, StatusNote } from '../../domain/watcher-instance-status.ts'
import { counted } from '../../grammar/counts.ts'
import { reasonWords, remedyWords } from '../instance-policies.ts'
import { STATUS_NOTES, STATUS_REMEDIES, statusWords } from '../watcher-policies.ts'
import {
  type Cause,
  type FaultText,
  type Finding,
  type Items,
  labelOf,
  type Names,
  nodeIn,
  type OfHost,
  type OfInstance,
  type OfNode,
  type StepTexts,
  someItems,
  someNames,
  type TextsOf,
} from './coded.ts'

export const INSTANCES_STEPS = {
  'instances-classified': {
    title: input => `What happens to each instance on ${nodeIn(input)} is decided`,
    why: 'Each instance moves, stays or waits for its owner, so you need the list before the start.',
  },
  'instances-quiet': {
    title: input => `No instance on ${nodeIn(input)} is in ERROR or MIGRATING`,
    why: 'An instance in ERROR cannot move; one in MIGRATING may be on its way to this node.',
  },
  'instances-status': {
    title: input => `Every instance on ${nodeIn(input)} can be moved`,
    why: 'An instance in ERROR cannot move, a migrating one is already on its way, and a stopped one moves only on request.',
  },
  'no-ephemeral-disks': {
    title: input => `No instance on ${nodeIn(input)} that moves has an ephemeral disk`,
    why: 'An ephemeral disk does not move with its instance: its data must be saved first.',
  },
} satisfies StepTexts

/** An instance elsewhere that comes to the node, or that a revert can bring to it. */
type MayReturn = OfInstance & { readonly node: string; readonly how: 'Arriving' | 'AwaitsConfirmation' }

/** An instance, and the reason for its treatment. */
type ByPolicy = OfInstance & { readonly because: PolicyReason }

/** An instance whose status blocks the maintenance of its host. */
type ByStatus = OfInstance & { readonly host: string }

/** What a lock waits for, and what an operator can do about it. */
type LockWait = { readonly blocker: Finding; readonly remedy: string }

/** Instances that block a host, each with the reason. */
type InTheWay = { readonly host: string; readonly instances: Items<ByPolicy> }

type WithInstances = { readonly instances: Names }

export const INSTANCES_FINDINGS = {
  NovaCannotTell: ({ cause }: Cause) => cause,
  InstancesDecided: () => 'Every instance has an action.',
  InstancesStayByScope: () => 'Scope drain: every instance stays where it is.',
  ReturnsNotKnown: ({ node, cause }: { readonly node: string; readonly cause: string }) =>
    `Cannot tell whether an instance comes back to ${node}: ${cause}`,
  EvacuatedCopiesMayRun: ({ host, instances }: { readonly host: string; readonly instances: Names }) =>
    `${instances.total === 1 ? 'Instance' : `${instances.total} instances,`} ${someNames(instances)} ${instances.total === 1 ? 'was' : 'were'} evacuated from ${host}, and its nova-compute has not started since. A copy may still run on ${host} beside the evacuated one. Restart nova-compute on ${host}, which removes it.`,
  ScopeMovesNone: () => 'stays: scope drain moves no instance',
  LockWillStayActive: ({ blocker, remedy }: LockWait) =>
    `The lock will stay active because of this: ${blocker.message} ${remedy}`,
  InstancesQuiet: ({ total }: { readonly total: number }) =>
    total === 1
      ? 'Its 1 instance is not in ERROR or MIGRATING.'
      : `None of the ${total} instances is in ERROR or MIGRATING.`,
  InstancesMovable: ({ total }: { readonly total: number }) =>
    `${counted(total, 'instance')}, all in a state that allows a move.`,
  InstanceNoted: ({ note, ...of }: OfInstance & { readonly note: StatusNote }) =>
    `Instance ${labelOf(of)} ${STATUS_NOTES[note]}.`,
  InstancesInTheWay: ({ host, instances }: InTheWay) =>
    `${counted(instances.total, 'instance')} still on ${host}: ${someItems(instances, ({ because, ...of }) => `${labelOf(of)}, ${reasonWords(because)}`)}.`,
  NoInstanceMoves: () => 'No instance moves.',
  NoEphemeralDisk: ({ moving }: { readonly moving: number }) =>
    `No ephemeral disk among the ${counted(moving, 'instance')} that ${moving === 1 ? 'moves' : 'move'}.`,
  RootDisksLocal: ({ instances }: WithInstances) =>
    `Root disk on the hypervisor: ${someNames(instances)}. Unless Nova keeps it on shared storage, it is copied over the network.`,
  SwapDisksRemade: ({ instances }: WithInstances) =>
    `Nova creates a new swap disk on the other node: ${someNames(instances)}.`,
} satisfies TextsOf<string>

export const INSTANCES_FAULTS = {
  OwnerMustAct: ({ project, because, ...of }: ByPolicy & { readonly project: string | null }) => ({
    message: `Instance ${labelOf(of)} of project ${project ?? 'unknown'}: ${reasonWords(because)}.`,
    remedy: remedyWords(because) ?? 'Ask its owner to move or stop it.',
  }),
  InstanceErrorButRunning: ({ because, ...of }: ByPolicy) => ({
    message: `Instance ${labelOf(of)}: ${reasonWords(because)}.`,
    remedy: remedyWords(because) ?? 'Find out why.',
  }),
  InstanceInError: ({ host, ...of }: ByStatus) => byStatus({ host, ...of }, { code: 'InstanceInError' }),
  /** `isOurs`: false if this run did not start the migration; absent if unknown. */
  InstanceMigrating: ({ host, isOurs, ...of }: ByStatus & { readonly isOurs?: false }) => ({
    message: `Instance ${labelOf(of)} on ${host} ${statusWords({ code: 'InstanceMigrating' })}${isOurs === false ? ' already, but not by this run' : ''}.`,
    remedy: STATUS_REMEDIES.InstanceMigrating,
  }),
  InstanceBusy: (values: ByPolicy | (ByStatus & { readonly task: string })) =>
    'task' in values ? byStatus(values, { code: 'InstanceBusy', task: values.task }) : immovable(values),
  InstanceResizeUnconfirmed: immovable,
  InstanceNotMovable: immovable,
  InstanceUnknown: immovable,
  InstanceShutOff: ({ host, ...of }: ByStatus) => byStatus({ host, ...of }, { code: 'InstanceShutOff' }),
  InstanceBuilding: ({ node, ...of }: OfInstance & OfNode) => ({
    message: `Nova is building instance ${labelOf(of)} on ${node}: it will run there.`,
    remedy: `Wait until it is built, then try again. If the build never ends, remove it with \`openstack server delete ${of.id}\`.`,
  }),
  InstanceMayReturn: ({ node, how, ...of }: MayReturn) =>
    how === 'Arriving'
      ? {
          message: `Nova is bringing instance ${labelOf(of)} to ${node}.`,
          remedy:
            'Wait until it is there, then try again; or abort its migration with `openstack server migration abort`.',
        }
      : {
          message: `Instance ${labelOf(of)} left ${node} by a resize or a cold migration that is not confirmed: a revert would put it back on ${node}, even during the maintenance.`,
          remedy: `Confirm it with \`openstack server resize confirm ${of.id}\`, or revert it first.`,
        },
  EphemeralDisk: ({ gib, flavor, ...of }: OfInstance & { readonly gib: number; readonly flavor: string }) => ({
    message: `Instance ${labelOf(of)} has an ephemeral disk of ${gib} GiB (flavor ${flavor}).`,
    remedy: 'Ask its owner to save its data and to delete or rebuild the instance, or leave the instance out.',
  }),
  EphemeralDiskUnknown: (of: OfInstance) => ({
    message: `Nova does not show the flavor of instance ${labelOf(of)}: Lockkeeper cannot tell whether it has an ephemeral disk.`,
    remedy: 'Check with `openstack server show` whether it has one, or leave the instance out.',
  }),
} satisfies TextsOf<FaultText>

function immovable({ because, ...of }: ByPolicy): FaultText {
  return {
    message: `Instance ${labelOf(of)} cannot be moved now: ${reasonWords(because)}.`,
    remedy: remedyWords(because) ?? 'Wait until its current task ends, then try again.',
  }
}

function byStatus({ host, ...of }: ByStatus, because: StatusBlock): FaultText {
  return {
    message: `Instance ${labelOf(of)} on ${host} ${statusWords(because)}.`,
    remedy: STATUS_REMEDIES[because.code],
  }
}

export const INSTANCES_READS = {
  InstanceOf: ({ id }: { readonly id: string }) => `Instance ${id}`,
  MigrationsOfHost: ({ host }: OfHost) => `The migrations of ${host}`,
} satisfies TextsOf<string>
