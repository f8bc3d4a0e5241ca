import type { LeftReason } from '../../domain/rescue.ts'
import { counted } from '../../grammar/counts.ts'
import { instantWords } from '../../grammar/times.ts'
import { rescueWords } from '../rescues.ts'
import { type Cause, type FaultText, type Finding, nodeIn, type OfHost, type StepTexts, type TextsOf } from './coded.ts'

export const RESCUE_STEPS = {
  'compute-service-down': {
    title: input => `nova-compute of ${nodeIn(input)} is down`,
    why: 'Nova rebuilds instances elsewhere only if their own node failed.',
  },
  'force-down-compute': {
    title: input => `Force nova-compute of ${nodeIn(input)} down`,
    why: 'Nova rebuilds instances elsewhere only if it knows that their node failed.',
    undo: 'Bring the node back into service once its machine runs: that clears the forced-down flag.',
  },
  'force-up-compute': {
    title: input => `Clear forced-down of nova-compute of ${nodeIn(input)}`,
    why: 'While it is forced down, Nova treats the node as failed, even if it reports.',
    undo: 'Not possible: a node that reports must not be forced down.',
  },
} satisfies StepTexts

type Forced = OfHost & {
  readonly forcedDown: boolean
}

type ForcedState = Forced & {
  readonly status: string
  readonly state: string
}

/** `copies`: the evacuated instances of which it still has copies. */
type Copies = OfHost & {
  readonly copies: number
}

/** The stuck task of an instance. */
type Task = {
  readonly id: string
  readonly task: string
}

/** `host`: the destination in Nova's record of the rebuild; null if unknown. */
type Rebuild = {
  readonly host: string | null
}

/** `remedy`: how to end its task (a code `Task…`); null if there is nothing to do. */
type Unending = {
  readonly remedy: Finding | null
}

/** The findings of a rescue and of the way back from it. */
export const RESCUE_FINDINGS = {
  ComputeServiceIsDown: ({ host, forcedDown }: Forced) =>
    `nova-compute on ${host} is down${forcedDown ? ' (forced down)' : ''}.`,
  ComputeToForceDown: ({ host, status, state, forcedDown }: ForcedState) =>
    `nova-compute on ${host} is ${status} and ${forcedDown ? 'forced down' : state}.`,
  ComputeForcedDownAlready: ({ host }: OfHost) => `nova-compute on ${host} is already forced down and disabled.`,
  ComputeReportToRecord: ({ host }: OfHost) =>
    `nova-compute on ${host} is already forced down and disabled; Lockkeeper records when it last reported.`,
  ComputeForcedDown: ({ host }: OfHost) => `nova-compute on ${host} is forced down and disabled.`,
  ComputeReportNotRecorded: ({ host }: OfHost) =>
    `Lockkeeper stopped just as it forced nova-compute on ${host} down. It may have reported since: Nova shows it as down in any case. Check the machine again. Continue if it is off, or stop the run.`,
  ComputeToForceUp: ({ host }: OfHost) => `nova-compute on ${host} is forced down because its machine was off.`,
  ComputeNoteToRemove: ({ host }: OfHost) =>
    `nova-compute on ${host} is no longer forced down; Lockkeeper removes its note.`,
  ComputeForcedUp: ({ host }: OfHost) => `nova-compute on ${host} is no longer forced down.`,
  ComputeIsUp: ({ host }: OfHost) => `nova-compute on ${host} is up.`,
  /** The object of a wait, as the end of a sentence. */
  ComputeToReport: ({ host }: OfHost) => waitedFor({ host, copies: null }),
  ComputeToDestroyCopies: ({ host, copies }: Copies) => waitedFor({ host, copies }),
  /** Why no rescue is needed, or why an attempt failed: a phrase that follows the name of an instance. */
  DeletedMeanwhile: () => 'it was deleted meanwhile',
  OnAnotherHostAlready: ({ host }: Rebuild) => `it is already on ${host ?? 'no node'}`,
  NotToBeRescued: ({ because, remedy }: Unending & { readonly because: LeftReason }) =>
    `${rescueWords(because)} ${remedy?.message ?? ''}`.trim(),
  EvacuationEnded: ({ host, status }: Rebuild & { readonly status: string }) =>
    `Nova's evacuation ended in ${status}, ${host === null ? 'no node took it' : `on ${host}`}`,
  EvacuationNeverShowed: () => 'Nova accepted the request but did nothing',
  EvacuationRefused: ({ cause }: Cause) => cause,
  RebuildStandsStill: ({ remedy }: Unending) => `its rebuild makes no progress. ${remedy?.message ?? ''}`,
  RebuildDidNotEnd: ({ remedy }: Unending) =>
    `Nova did not end it within half an hour. ${remedy?.message ?? ''}`.trim(),
  NoPlaceBesideRebuilt: ({ cause }: Cause) => `no room beside the other rebuilds: ${cause}`,
  TaskToReset: (task: Task) => resetWords(task),
  TaskOfEndedRebuild: ({ status, ...task }: Task & { readonly status: string }) =>
    `Its rebuild ended in ${status}. ${resetWords(task)}`,
  TaskOfDeadDestination: ({ host, ...task }: Task & OfHost) =>
    `nova-compute of its destination ${host} is down. ${resetWords(task)}`,
  TaskMayGoOn: ({ host }: Rebuild) =>
    `Its rebuild may still be running${host === null ? '' : ` on ${host}`}: do not reset its state, or it is built twice.`,
} satisfies TextsOf<string>

/** `changedAt`: when Nova's record of it changed; null if unknown. */
type Changed = OfHost & {
  readonly changedAt: string | null
}

/** Blockers of a rescue and of the way back from it. */
export const RESCUE_FAULTS = {
  CellDown: ({ host }: OfHost) => ({
    message: `The Nova cell of ${host} does not answer, so Lockkeeper does not know what runs on it.`,
    remedy: 'Fix the cell first.',
    never: 'Lockkeeper cannot know which instances are there',
  }),
  ComputeServiceUp: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is up: it reports, so its machine runs.`,
    remedy: 'Take the node out of service instead (enter): its instances can move while it runs.',
    never: 'an instance that runs twice destroys its own data',
  }),
  ComputeServiceReports: ({ host, changedAt, isWatched }: Changed & { readonly isWatched: boolean }) => ({
    message: `Another client forced nova-compute on ${host} down, and ${changedWords(changedAt, isWatched)}: it may still report.`,
    remedy: 'Try again in two minutes: the record of a nova-compute that is off no longer changes.',
    never: 'an instance that runs twice destroys its own data',
  }),
  ComputeServiceGone: ({ host }: OfHost) => ({
    message: `Nova no longer lists nova-compute on ${host}.`,
    remedy: '',
  }),
  LastReportNotKnown: ({ host }: OfHost) => ({
    message: `Nova does not show when nova-compute on ${host} last reported. Lockkeeper evacuates nothing from it.`,
    remedy: '',
  }),
  MachineMayRun: ({ host, changedAt }: Changed) => ({
    message: `Nova's record of nova-compute on ${host} changed at ${timeWords(changedAt)}, after it was forced down: its machine may run. Lockkeeper does nothing more to it.`,
    remedy:
      'Check the machine. If it is off and another client changed the service, stop this run and start a new rescue.',
  }),
  ComputeUpNotForcedDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is up: its machine runs. Nothing was forced down.`,
    remedy: '',
  }),
  ComputeChangedMeanwhile: ({ host, status, state, forcedDown }: ForcedState) => ({
    message: `nova-compute on ${host} is ${status} and ${state}${forcedDown ? ', forced down' : ''}.`,
    remedy: 'Find out who changed it before you continue.',
  }),
  ComputeStillForcedDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is still forced down.`,
    remedy: 'Resume the run.',
  }),
  ComputeNotBackInTime: (waited: OfHost & { readonly copies: number | null }) => ({
    message: `Gave up waiting for ${waitedFor(waited)}.`,
    remedy: 'Check its log, then resume.',
  }),
} satisfies TextsOf<FaultText>

export const RESCUE_READS = {} satisfies TextsOf<string>

/** What nova-compute of a rescued host must still do; `copies` null: report. */
function waitedFor({ host, copies }: OfHost & { readonly copies: number | null }): string {
  return copies === null
    ? `nova-compute on ${host} to report`
    : `nova-compute on ${host} to delete its copies of ${counted(copies, 'evacuated instance')}`
}

function changedWords(changedAt: string | null, isWatched: boolean): string {
  if (changedAt === null && !isWatched) return 'Nova does not show when it changed'
  return `it changed at ${timeWords(changedAt)}${isWatched ? ' while Lockkeeper watched it' : ''}`
}

function timeWords(at: string | null): string {
  return at === null ? 'an unknown time' : instantWords(at)
}

function resetWords({ id, task }: Task): string {
  return `End its task ${task} with \`openstack server set --state error ${id}\`, then try again.`
}
