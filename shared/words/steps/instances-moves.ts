import type { AttemptsNote } from '../../domain/instance-policy.ts'
import { counted } from '../../grammar/counts.ts'
import { durationWords } from '../../grammar/durations.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import { instantWords } from '../../grammar/times.ts'
import { attemptsWords } from '../instance-policies.ts'
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
  type StepTexts,
  someItems,
  someNames,
  type TextsOf,
} from './coded.ts'

export const INSTANCES_MOVE_STEPS = {
  'migrate-instances': {
    title: input => `Move instances off ${nodeIn(input)}`,
    why: 'The node may be rebooted, so instances that must keep running have to leave first.',
    undo: 'Instances stay where they went, and stopped ones stay stopped. An undo of the run brings them back, and starts them if you ask for it.',
  },
} satisfies StepTexts

/** The host of an instance; null if it is on no host. */
type WhereItIs = { readonly host: string | null }

/** A migration that ended, by Nova's record of it; `to` null: before a host was found. */
type Ended = { readonly to: string | null; readonly status: string }

/** An instance that did not move, and why. */
export type NotMoved = OfInstance & { readonly why: Finding }

export type ChangedInstances = {
  readonly instances: Items<
    OfInstance & { readonly before: string; readonly status: string; readonly host: string | null }
  >
}

/** How many move, stop or wait; `stranded` have nowhere to go, which an `isForced` run tries anyway. */
type Leaving = {
  readonly moving: number
  readonly stopping: number
  readonly stranded: number
  readonly isForced: boolean
  /** Instances that wait for their owners, if none moves. */
  readonly waiting: number
  readonly atOnce: number
  readonly attempts: number
}

/** The result for the instances; `before`: how many were counted at the start. */
type Outcome = {
  readonly moved: number
  readonly stopped: Names
  readonly before: number
  readonly left: Names
}

export const INSTANCES_MOVE_FINDINGS = {
  /** An annotation that Lockkeeper does not follow as written. */
  AttemptsAnnotation: (note: AttemptsNote) => attemptsWords(note),
  InstancesLeaving: (leaving: Leaving) =>
    `${leavingWords(leaving)}, ${leaving.atOnce} at a time, up to ${counted(leaving.attempts, 'attempt')} each.`,
  HostEmptied: ({ left, ...outcome }: Outcome) =>
    [
      outcomeWords(outcome),
      ...(left.total === 0
        ? []
        : [`${counted(left.total, 'instance')} left there, as decided: ${someNames(left, 50)}.`]),
    ].join(' '),
  InstancesNotMoved: ({ node, instances }: { readonly node: string; readonly instances: Items<NotMoved> }) =>
    `${counted(instances.total, 'instance')} could not move off ${node}: ${someItems(instances, ({ why, ...of }) => `${labelOf(of)}: ${why.message}`)}. Move or stop them yourself and try again, skip the step (they stay and go down with the node), or stop the run.`,
  NoneHadToMove: ({ host }: OfHost) => `${host} has no instance that had to move.`,
  InstancesMoved: ({ moved }: { readonly moved: number }) =>
    `${counted(moved, 'instance')} moved to other nodes, each in its earlier state.`,
} satisfies TextsOf<string>

/** Why an attempt to move an instance failed or is not needed: phrases without a full stop. */
export const INSTANCES_MOVE_REASONS = {
  NoLongerExists: () => 'it no longer exists',
  DeletedWhileMoving: () => 'it was deleted while it moved',
  DeletedMeanwhile: () => 'it was deleted meanwhile',
  RunsNow: ({ host }: WhereItIs) => `it runs on ${host ?? 'no node'} now`,
  RunsElsewhere: ({ host, to }: { readonly host: string; readonly to: string }) =>
    `it runs on ${host} now, not on ${to}`,
  ByPolicy: ({ reason }: { readonly policy: string | null; readonly reason: string }) => reason,
  AttemptsUsedUp: () => 'it has no attempts left',
  /** In the words of an earlier attempt of the run. */
  AttemptFailed: ({ why }: { readonly why: string }) => why,
  RequestRefused: ({ cause }: { readonly failure: string; readonly cause: string }) => cause,
  MigrationEnded: (ended: Ended) => endedWords('the migration', ended),
  MigrationEndedInError: (ended: Ended) => `${endedWords('the migration', ended)}, and the instance is in ERROR`,
  MigrationEndedInTask: ({ task, ...ended }: Ended & { readonly task: string | null }) =>
    `${endedWords('the migration', ended)}, and its task is now ${task}`,
  MigrationLost: ({ state, host, ...ended }: Ended & WhereItIs & { readonly state: string }) =>
    `${endedWords("Nova's record shows that the migration", ended)}, but the instance is still ${state} on ${host ?? 'no node'}: nova-compute lost it. If it runs on that node, ask an administrator of Nova to reset its state`,
  NoRecordTells: ({ status, host }: WhereItIs & { readonly status: string }) =>
    `it is ${status} on ${host ?? 'no node'}, and no migration record of Nova explains that`,
  RecordContradicts: ({
    status,
    host,
    to,
    record,
  }: WhereItIs & { readonly status: string; readonly to: string | null; readonly record: string }) =>
    `inconsistent record: it is ${status} on ${host ?? 'no node'}, but Nova's migration record to ${to ?? 'no node'} says ${record}`,
  StillAsBefore: ({ changedAt }: { readonly changedAt: string }) =>
    `Nova accepted its migration but still reports it unchanged (last change ${instantWords(changedAt)})`,
  PlaceNotKnown: ({ id, why }: { readonly id: string; readonly why: Finding }) =>
    `${why.message}. Find out where it is with \`openstack server show ${id}\` and \`openstack server migration list --server ${id}\``,
  StartedSince: () => 'Nova accepted its stop, but it runs again: someone started it since',
  NotStopped: ({ status }: { readonly status: string }) => `it is ${status} although Nova accepted its stop`,
} satisfies TextsOf<string>

/** A request about a migration under way. */
type Steered = { readonly steering: 'abort' | 'force-complete' }

/** Facts about a live migration without progress: phrases without a full stop. */
export const INSTANCES_STUCK_FINDINGS = {
  Steering: ({ steering }: Steered) => (steering === 'abort' ? 'abort its migration' : 'complete its migration now'),
  DestinationDown: ({ host }: OfHost) =>
    `nova-compute of its destination ${host} is down: Nova cannot end the migration before it is back`,
  SourceDown: ({ host }: OfHost) =>
    `nova-compute of its node ${host} is down: Nova accepts no request about the migration before it is back`,
  SteeringRefused: (steered: Steered) => `Nova refused to ${verbOf(steered)}, and it continues`,
  SteeringUnread: ({ cause, ...steered }: Steered & Cause) =>
    `Lockkeeper could not read whether Nova was asked to ${verbOf(steered)} (${cause}), and it continues`,
  SteeringUnheeded: (steered: Steered) => `Nova was asked to ${verbOf(steered)}, but it continues`,
  MigrationSilent: ({ forMs }: { readonly forMs: number }) =>
    `Nova has not reported on its migration for ${durationWords(forMs)}`,
  MigrationStuck: ({ forMs, leftMib }: { readonly forMs: number; readonly leftMib: number }) =>
    `its migration is not getting done: for ${durationWords(forMs)} the rest to copy has not fallen below ${leftMib} MiB`,
  /** In the words of an earlier version. */
  AskedBefore: ({ cause }: Cause) => cause,
  DecideOrWait: ({
    run,
    instance,
    afterMs,
    rule,
  }: {
    readonly run: string
    readonly instance: string
    readonly afterMs: number
    readonly rule: string
  }) =>
    `Decide with \`lockkeeper run decide ${run} ${shellWord(instance)}\`, or wait: after ${durationWords(afterMs)} without progress ${rule === 'ask' ? 'the run asks' : `the plan says ${rule}`}.`,
} satisfies TextsOf<string>

export const INSTANCES_MOVE_FAULTS = {
  CellSilent: ({ cause }: Cause) => ({
    message: cause,
    remedy: 'Fix the cell, then verify again.',
  }),
  InstancesLeft: ({ host, instances }: { readonly host: string; readonly instances: Names }) => ({
    message: `${counted(instances.total, 'instance')} still on ${host}: ${someNames(instances)}.`,
    remedy: 'Resume the run to try again, or move them with Nova.',
  }),
  MovedChanged: (changed: ChangedInstances) => ({
    message: changedWords(changed),
    remedy: 'Check these instances; a migration that is still finishing settles within seconds.',
  }),
  StoppedBeforeResending: () => ({
    message: 'The run stopped before it sent the request again.',
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

/** How a migration ended; `which` is the subject of the sentence. */
export function endedWords(which: string, { to, status }: Ended): string {
  const how = status === 'error' || status === 'failed' ? 'failed' : `ended as ${status}`
  return to === null ? `${which} ${how} before a node was found for it` : `${which} to ${to} ${how}`
}

export function changedWords({ instances }: ChangedInstances): string {
  const words = someItems(
    instances,
    ({ before, status, host, ...of }) => `${labelOf(of)} was ${before} and is ${status} on ${host ?? 'no node'}`,
  )
  return `${words}.`
}

function verbOf({ steering }: Steered): string {
  return steering === 'abort' ? 'abort it' : 'complete it now'
}

/** What the step will do. Stranded instances move only if an operator overrode that. */
function leavingWords({ moving, stopping, stranded, isForced, waiting }: Leaving): string {
  if (waiting > 0) return `${counted(waiting, 'instance')} to wait for`
  const tried = isForced ? moving : moving - stranded
  const words = [
    ...(tried > 0 || stopping + stranded === 0 ? [`${counted(tried, 'instance')} to move`] : []),
    ...(stopping > 0 ? [`${counted(stopping, 'instance')} to stop`] : []),
  ]
  if (stranded === 0) return words.join(', ')
  const verb = stranded === 1 ? 'has' : 'have'
  return isForced
    ? `${words.join(', ')}, also ${stranded} that ${verb} nowhere to go`
    : [...words, `${words.length === 0 ? counted(stranded, 'instance') : stranded} ${verb} nowhere to go`].join(', ')
}

/** The result, with the names of stopped instances: only their owners start them again. */
function outcomeWords({ moved, stopped, before }: Omit<Outcome, 'left'>): string {
  const words = [
    ...(moved > 0 ? [`${counted(moved, 'instance')} moved.`] : []),
    ...(stopped.total > 0
      ? [
          `${counted(stopped.total, 'instance')} stopped: ${someNames(stopped, 50)}. Start them again when the node is back.`,
        ]
      : []),
  ]
  if (words.length > 0) return words.join(' ')
  // An empty list now does not prove that no instance had to move.
  return before === 0
    ? 'No instance had to move.'
    : `Nova no longer lists an instance that has to move; ${counted(before, 'instance')} had been counted.`
}
