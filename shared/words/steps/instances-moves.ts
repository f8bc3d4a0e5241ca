import type { AttemptsNote } from '../../domain/instance-policy.ts'
import { counted } from '../../grammar/counts.ts'
import { durationWords } from '../../grammar/durations.ts'
import { shellWord } from '../../grammar/shell-word.ts'
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

/** What the steps are that move instances. */
export const INSTANCES_MOVE_STEPS = {
  'migrate-instances': {
    title: input => `Move instances off ${nodeIn(input)}`,
    why: 'The node may be rebooted: what must keep running has to leave first.',
    undo: 'Instances stay where they went, and stopped ones stay stopped; an undo of the run brings them home, and starts them where you say so.',
  },
} satisfies StepTexts

/** Where an instance is; null: on no host. */
type WhereItIs = { readonly host: string | null }

/** A migration that ended, by Nova's record of it; `to` null: before a host was found. */
type Ended = { readonly to: string | null; readonly status: string }

/** An instance that was not moved, and why, with how often it was tried. */
export type NotMoved = OfInstance & { readonly why: Finding }

/** Instances that are not as they were. */
export type ChangedInstances = {
  readonly instances: Items<
    OfInstance & { readonly before: string; readonly status: string; readonly host: string | null }
  >
}

/** How many will be moved, stopped or waited for; `stranded` of those to move have nowhere to go, which `isForced` tries all the same. */
type Leaving = {
  readonly moving: number
  readonly stopping: number
  readonly stranded: number
  readonly isForced: boolean
  /** Those that are waited for, where none is to be moved. */
  readonly waiting: number
  readonly atOnce: number
  readonly attempts: number
}

/** What became of instances; `before` is how many had been counted. */
type Outcome = {
  readonly moved: number
  readonly stopped: Names
  readonly before: number
  readonly left: Names
}

/** What the step finds that moves instances. */
export const INSTANCES_MOVE_FINDINGS = {
  /** What an annotation asks for that is not followed as it is written. */
  AttemptsAnnotation: (note: AttemptsNote) => attemptsWords(note),
  InstancesLeaving: (leaving: Leaving) =>
    `${leavingWords(leaving)}, ${leaving.atOnce} at once, up to ${counted(leaving.attempts, 'attempt')} each.`,
  HostEmptied: ({ left, ...outcome }: Outcome) =>
    [
      outcomeWords(outcome),
      ...(left.total === 0
        ? []
        : [`${counted(left.total, 'instance')} left there, as decided: ${someNames(left, 50)}.`]),
    ].join(' '),
  InstancesNotMoved: ({ node, instances }: { readonly node: string; readonly instances: Items<NotMoved> }) =>
    `${counted(instances.total, 'instance')} could not be moved off ${node}: ${someItems(instances, ({ why, ...of }) => `${labelOf(of)}: ${why.message}`)}. Move or stop them yourself and retry, skip (they stay and go down with the node), or abort.`,
  NoneHadToMove: ({ host }: OfHost) => `No instance that had to move is on ${host}.`,
  InstancesMoved: ({ moved }: { readonly moved: number }) =>
    `${counted(moved, 'instance')} moved, each as it was before, on another host.`,
} satisfies TextsOf<string>

/** Why an attempt to move an instance came to nothing, or why it needs none: phrases without a full stop. */
export const INSTANCES_MOVE_REASONS = {
  NoLongerExists: () => 'it no longer exists',
  DeletedWhileMoving: () => 'it was deleted while it moved',
  DeletedMeanwhile: () => 'it was deleted meanwhile',
  RunsNow: ({ host }: WhereItIs) => `it runs on ${host ?? 'no host'} now`,
  RunsElsewhere: ({ host, to }: { readonly host: string; readonly to: string }) =>
    `it runs on ${host} now, not on ${to}`,
  ByPolicy: ({ reason }: { readonly policy: string | null; readonly reason: string }) => reason,
  AttemptsUsedUp: () => 'its attempts are used up',
  /** As an earlier attempt of the run told it. */
  AttemptFailed: ({ why }: { readonly why: string }) => why,
  RequestRefused: ({ cause }: { readonly failure: string; readonly cause: string }) => cause,
  MigrationEnded: (ended: Ended) => endedWords('the migration', ended),
  MigrationEndedInError: (ended: Ended) => `${endedWords('the migration', ended)}, and the instance is in ERROR`,
  MigrationEndedInTask: ({ task, ...ended }: Ended & { readonly task: string | null }) =>
    `${endedWords('the migration', ended)}, and now it is ${task}`,
  MigrationLost: ({ state, host, ...ended }: Ended & WhereItIs & { readonly state: string }) =>
    `${endedWords("Nova's record says that the migration", ended)}, and the instance is still ${state} on ${host ?? 'no host'}: nova-compute lost it. Where it runs on that host, an administrator of Nova sets its state back`,
  NoRecordTells: ({ status, host }: WhereItIs & { readonly status: string }) =>
    `it is ${status} on ${host ?? 'no host'}, and no migration record of Nova tells more`,
  RecordContradicts: ({
    status,
    host,
    to,
    record,
  }: WhereItIs & { readonly status: string; readonly to: string | null; readonly record: string }) =>
    `inconsistent record: it is ${status} on ${host ?? 'no host'}, and Nova's migration record to ${to ?? 'no host'} says ${record}`,
  StillAsBefore: ({ changedAt }: { readonly changedAt: string }) =>
    `Nova agreed to migrate it and still tells it as it was before (changed ${changedAt})`,
  PlaceNotKnown: ({ id, why }: { readonly id: string; readonly why: Finding }) =>
    `${why.message}. Look where it is with \`openstack server show ${id}\` and \`openstack server migration list --server ${id}\``,
  StartedSince: () => 'Nova was asked to stop it, and it runs again: somebody started it since',
  NotStopped: ({ status }: { readonly status: string }) => `it is ${status} after Nova was asked to stop it`,
} satisfies TextsOf<string>

/** What can be asked of a migration under way. */
type Steered = { readonly steering: 'abort' | 'force-complete' }

/** What is known of a live migration that makes no progress: phrases without a full stop. */
export const INSTANCES_STUCK_FINDINGS = {
  Steering: ({ steering }: Steered) => (steering === 'abort' ? 'abort its migration' : 'end its migration now'),
  DestinationDown: ({ host }: OfHost) =>
    `the nova-compute of its destination ${host} is down: Nova cannot end the migration before it is back`,
  SourceDown: ({ host }: OfHost) =>
    `the nova-compute of its host ${host} is down: nothing can be asked of the migration before it is back`,
  SteeringRefused: (steered: Steered) => `Nova refused to ${verbOf(steered)}, and it goes on`,
  SteeringUnread: ({ cause, ...steered }: Steered & Cause) =>
    `whether Nova was asked to ${verbOf(steered)} could not be looked at (${cause}), and it goes on`,
  SteeringUnheeded: (steered: Steered) => `Nova was asked to ${verbOf(steered)}, and it goes on all the same`,
  MigrationSilent: ({ forMs }: { readonly forMs: number }) =>
    `Nova has told nothing of its migration for ${durationWords(forMs)}`,
  MigrationStuck: ({ forMs, leftMib }: { readonly forMs: number; readonly leftMib: number }) =>
    `its migration gets nowhere: for ${durationWords(forMs)} no less was left to copy than ${leftMib} MiB`,
  /** As an earlier version told it. */
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
    `Decide about it with \`lockkeeper run decide ${run} ${shellWord(instance)}\`, or wait: after ${durationWords(afterMs)} without progress ${rule === 'ask' ? 'the run asks' : `the plan says ${rule}`}.`,
} satisfies TextsOf<string>

/** What is in the way of the step that moves instances. */
export const INSTANCES_MOVE_FAULTS = {
  CellSilent: ({ cause }: Cause) => ({
    message: cause,
    remedy: 'Mend the cell, then verify again.',
  }),
  InstancesLeft: ({ host, instances }: { readonly host: string; readonly instances: Names }) => ({
    message: `${counted(instances.total, 'instance')} still on ${host}: ${someNames(instances)}.`,
    remedy: 'Resume the run to try again, or move them with Nova.',
  }),
  MovedChanged: (changed: ChangedInstances) => ({
    message: changedWords(changed),
    remedy: 'Look at these instances; a migration that is still finishing settles within seconds.',
  }),
  StoppedBeforeResending: () => ({
    message: 'The run stopped before the request was sent again.',
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

/** How a migration ended; `which` is how the sentence calls it. */
export function endedWords(which: string, { to, status }: Ended): string {
  const how = status === 'error' || status === 'failed' ? 'failed' : `ended as ${status}`
  return to === null ? `${which} ${how} before a host was found for it` : `${which} to ${to} ${how}`
}

/** What each is, and what it was. */
export function changedWords({ instances }: ChangedInstances): string {
  const words = someItems(
    instances,
    ({ before, status, host, ...of }) => `${labelOf(of)} was ${before} and is ${status} on ${host ?? 'no host'}`,
  )
  return `${words}.`
}

function verbOf({ steering }: Steered): string {
  return steering === 'abort' ? 'abort it' : 'end it now'
}

/** What will be done; what has nowhere to go is moved by nobody, unless that was overridden: then it is tried with the others. */
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

/** What became of the instances; those that were stopped are named, because nobody but their owners starts them again. */
function outcomeWords({ moved, stopped, before }: Omit<Outcome, 'left'>): string {
  const words = [
    ...(moved > 0 ? [`${counted(moved, 'instance')} moved.`] : []),
    ...(stopped.total > 0
      ? [
          `${counted(stopped.total, 'instance')} stopped: ${someNames(stopped, 50)}. Start them again when the host is back.`,
        ]
      : []),
  ]
  if (words.length > 0) return words.join(' ')
  // That none is listed any more does not say that none had to.
  return before === 0
    ? 'No instance had to move.'
    : `Nova lists none any more that has to move; ${counted(before, 'instance')} had been counted.`
}
