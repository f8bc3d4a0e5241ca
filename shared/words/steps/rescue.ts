import type { LeftReason } from '../../domain/rescue.ts'
import { counted } from '../../grammar/counts.ts'
import { rescueWords } from '../rescues.ts'
import { type Cause, type FaultText, type Finding, nodeIn, type OfHost, type StepTexts, type TextsOf } from './coded.ts'

/** What the steps of a rescue are, and of the way back from one. */
export const RESCUE_STEPS = {
  'compute-service-down': {
    title: input => `nova-compute of ${nodeIn(input)} is down`,
    why: 'Nova rebuilds instances elsewhere only where their own host failed.',
  },
  'force-down-compute': {
    title: input => `Force nova-compute of ${nodeIn(input)} down`,
    why: 'Nova rebuilds instances elsewhere only where it knows that their host failed.',
    undo: 'Bring the node back into service once its machine runs: that forces it down no longer.',
  },
  'force-up-compute': {
    title: input => `Force nova-compute of ${nodeIn(input)} down no longer`,
    why: 'While it is forced down, Nova takes the host for failed, whatever it reports.',
    undo: 'None: a host that reports is not forced down.',
  },
} satisfies StepTexts

type Forced = OfHost & {
  readonly forcedDown: boolean
}

type ForcedState = Forced & {
  readonly status: string
  readonly state: string
}

/** `copies`: of so many evacuated instances it has copies still. */
type Copies = OfHost & {
  readonly copies: number
}

/** How a task of an instance is ended. */
type Task = {
  readonly id: string
  readonly task: string
}

/** `host`: where Nova's record says that it is rebuilt; null: it names none. */
type Rebuild = {
  readonly host: string | null
}

/** `remedy`: what is to be done about its task, by the codes `Task…`; null: nothing. */
type Unending = {
  readonly remedy: Finding | null
}

/** What a rescue finds, and the way back from one. */
export const RESCUE_FINDINGS = {
  ComputeServiceIsDown: ({ host, forcedDown }: Forced) =>
    `nova-compute on ${host} is down${forcedDown ? ' (forced down)' : ''}.`,
  ComputeToForceDown: ({ host, status, state, forcedDown }: ForcedState) =>
    `nova-compute on ${host} is ${status} and ${forcedDown ? 'forced down' : state}.`,
  ComputeForcedDownAlready: ({ host }: OfHost) => `nova-compute on ${host} is forced down and disabled already.`,
  ComputeReportToRecord: ({ host }: OfHost) =>
    `nova-compute on ${host} is forced down and disabled already; when it last reported is recorded.`,
  ComputeForcedDown: ({ host }: OfHost) => `nova-compute on ${host} is forced down and disabled.`,
  ComputeReportNotRecorded: ({ host }: OfHost) =>
    `Lockkeeper was ended just as it forced nova-compute on ${host} down: whether it reported since is not known, and Nova shows it as down whatever it does. Look at the machine again. Continue if it is off, or abort.`,
  ComputeToForceUp: ({ host }: OfHost) => `nova-compute on ${host} is forced down since its machine was off.`,
  ComputeNoteToRemove: ({ host }: OfHost) =>
    `nova-compute on ${host} is not forced down any more; the note of it is to go.`,
  ComputeForcedUp: ({ host }: OfHost) => `nova-compute on ${host} is forced down no longer.`,
  ComputeIsUp: ({ host }: OfHost) => `nova-compute on ${host} is up.`,
  /** What is waited for, as the end of a sentence. */
  ComputeToReport: ({ host }: OfHost) => waitedFor({ host, copies: null }),
  ComputeToDestroyCopies: ({ host, copies }: Copies) => waitedFor({ host, copies }),
  /** Why there is nothing to rescue, and why an attempt came to nothing: after the name of an instance. */
  DeletedMeanwhile: () => 'it was deleted meanwhile',
  OnAnotherHostAlready: ({ host }: Rebuild) => `it is on ${host ?? 'no host'} already`,
  NotToBeRescued: ({ because, remedy }: Unending & { readonly because: LeftReason }) =>
    `${rescueWords(because)} ${remedy?.message ?? ''}`.trim(),
  EvacuationEnded: ({ host, status }: Rebuild & { readonly status: string }) =>
    `Nova's evacuation ended in ${status}, ${host === null ? 'no host took it' : `on ${host}`}`,
  EvacuationNeverShowed: () => 'Nova agreed to it, and nothing came of it',
  EvacuationRefused: ({ cause }: Cause) => cause,
  RebuildStandsStill: ({ remedy }: Unending) => `its rebuild does not go on. ${remedy?.message ?? ''}`,
  RebuildDidNotEnd: ({ remedy }: Unending) =>
    `Nova did not end it within half an hour. ${remedy?.message ?? ''}`.trim(),
  NoPlaceBesideRebuilt: ({ cause }: Cause) => `not beside what else is rebuilt: ${cause}`,
  TaskToReset: (task: Task) => resetWords(task),
  TaskOfEndedRebuild: ({ status, ...task }: Task & { readonly status: string }) =>
    `Its rebuild ended in ${status}. ${resetWords(task)}`,
  TaskOfDeadDestination: ({ host, ...task }: Task & OfHost) =>
    `nova-compute of its destination ${host} is down. ${resetWords(task)}`,
  TaskMayGoOn: ({ host }: Rebuild) =>
    `Its rebuild may go on${host === null ? '' : ` on ${host}`}: do not reset its state, or it is built twice.`,
} satisfies TextsOf<string>

/** `changedAt`: when Nova's record of it changed; null: Nova does not tell. */
type Changed = OfHost & {
  readonly changedAt: string | null
}

/** What is in the way of a rescue, and of the way back from one. */
export const RESCUE_FAULTS = {
  CellDown: ({ host }: OfHost) => ({
    message: `The Nova cell of ${host} does not answer: what is on it is not known.`,
    remedy: 'Mend the cell first.',
    never: 'which instances are there cannot be known',
  }),
  ComputeServiceUp: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is up: it reports, so its machine runs.`,
    remedy: 'Take the node out of service instead (enter): its instances move while it lives.',
    never: 'an instance that runs twice destroys its own data',
  }),
  ComputeServiceReports: ({ host, changedAt, isWatched }: Changed & { readonly isWatched: boolean }) => ({
    message: `Somebody forced nova-compute on ${host} down, and ${changedWords(changedAt, isWatched)}: it may report still.`,
    remedy: 'Try again in two minutes: a nova-compute that is off changes no more.',
    never: 'an instance that runs twice destroys its own data',
  }),
  ComputeServiceGone: ({ host }: OfHost) => ({
    message: `Nova no longer lists nova-compute on ${host}.`,
    remedy: '',
  }),
  LastReportNotKnown: ({ host }: OfHost) => ({
    message: `Nova does not say when nova-compute on ${host} last reported. Lockkeeper evacuates nothing from it.`,
    remedy: '',
  }),
  MachineMayRun: ({ host, changedAt }: Changed) => ({
    message: `Nova's record of nova-compute on ${host} changed at ${changedAt ?? 'an unknown time'}, after it was forced down: its machine may run. Lockkeeper does nothing more to it.`,
    remedy:
      'Look at the machine. If it is off and somebody else changed the service, abort this run and start a new rescue.',
  }),
  ComputeUpNotForcedDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is up: its machine runs. Nothing was forced down.`,
    remedy: '',
  }),
  ComputeChangedMeanwhile: ({ host, status, state, forcedDown }: ForcedState) => ({
    message: `nova-compute on ${host} is ${status} and ${state}${forcedDown ? ', forced down' : ''}.`,
    remedy: 'Somebody changed it meanwhile; find out who before going on.',
  }),
  ComputeStillForcedDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is still forced down.`,
    remedy: 'Resume the run.',
  }),
  ComputeNotBackInTime: (waited: OfHost & { readonly copies: number | null }) => ({
    message: `Waited in vain for ${waitedFor(waited)}.`,
    remedy: 'Look at its log, then resume.',
  }),
} satisfies TextsOf<FaultText>

/** What a rescue reads. */
export const RESCUE_READS = {} satisfies TextsOf<string>

/** What nova-compute of a rescued host is waited for to do; `copies` null: to report. */
function waitedFor({ host, copies }: OfHost & { readonly copies: number | null }): string {
  return copies === null
    ? `nova-compute on ${host} to report`
    : `nova-compute on ${host} to destroy its copies of ${counted(copies, 'instance')} that were evacuated`
}

function changedWords(changedAt: string | null, isWatched: boolean): string {
  if (changedAt === null && !isWatched) return 'Nova does not tell when it changed'
  return `it changed at ${changedAt ?? 'an unknown time'}${isWatched ? ' while it was watched' : ''}`
}

function resetWords({ id, task }: Task): string {
  return `Its task ${task} ends by \`openstack server set --state error ${id}\`; then retry.`
}
