import { atMostWords, durationWords } from '../../grammar/durations.ts'
import { stoppedWords } from '../run-ending.ts'
import { type Finding, type Names, type OfRun, someNames, type TextsOf } from '../steps/coded.ts'

type OfEvent = { readonly event: number }
type Unproved = { readonly title: string; readonly reason: string }

/** `trouble`: why a request about the Lease failed. */
type Troubled = { readonly trouble: Finding }

/** Longest list of runs in a text. */
const MOST_LISTED = 50

/** Refusals and states of runs. */
export const RUNS_REASONS = {
  NoSuchRun: ({ given }: { readonly given: string }) =>
    `Run "${given}" does not exist. \`lockkeeper runs\` lists the runs.`,
  SeveralRunsBegin: ({ given, runs }: { readonly given: string; readonly runs: Names }) =>
    `Several runs begin with "${given}": ${someNames(runs, MOST_LISTED)}. Give more characters.`,
  StoppedBy: (by: { readonly by: string; readonly reason: string }) => stoppedWords(by),
  /** `causes`: the blockers, in the order of the plan. */
  NothingTouched: ({ causes }: { readonly causes: readonly string[] }) => `Nothing was changed: ${causes.join(' ')}`,
  CannotGoOn: ({ causes }: { readonly causes: readonly string[] }) => `Cannot continue: ${causes.join(' ')}`,
  /** `failing`: results that are wrong; `unreported`: results that are unknown. */
  RunNotVerified: ({
    failing,
    unreported,
  }: {
    readonly failing: readonly Unproved[]
    readonly unreported: readonly Unproved[]
  }) =>
    [
      'Not verified.',
      ...failing.map(unprovedText),
      ...(unreported.length === 0 ? [] : [`Cannot verify the result: ${unreported.map(unprovedText).join(' ')}`]),
    ].join(' '),
  StepNotVerified: ({ title, reason, remedy }: Unproved & { readonly remedy: string }) =>
    `${title}: ${reason} ${remedy}`,
  StepVerdictUnknown: ({ title, reason, remedy }: Unproved & { readonly remedy: string }) =>
    `${title}: Cannot verify the result: ${reason} ${remedy}`,
  PassedTogether: ({ title }: { readonly title: string }) => `skipped together with "${title}"`,
  AnsweredWithContinue: () => 'an operator answered continue',
  MachineSlept: ({ ms }: { readonly ms: number }) => `This computer slept for ${durationWords(ms)}.`,
  JournalUnwritten: () => 'Lockkeeper could not write the journal.',
  LeaseMayBeFreed: ({ held, freeInMs }: { readonly held: string; readonly freeInMs: number }) =>
    `${held} If its console has stopped, the Lease is free in ${atMostWords(freeInMs)}.`,
  LeaseRanOut: () => 'The Lease expired because it could not be renewed in time.',
  LeaseClockSetBack: () => 'The clock of this machine was set back, so the age of the Lease is unknown.',
  LeaseSilent: () => 'The API server did not answer about the Lease in time.',
  LeaseHeldByNobody: () => 'The Lease has no holder any more: another client deleted it, or removed this run’s name.',
  LeaseTakenByOther: ({ held }: { readonly held: string }) => held,
  /** `why`: the Lease expired, or its age is unknown. */
  LeaseNotRenewed: ({ why, trouble }: { readonly why: Finding } & Troubled) => `${why.message} ${trouble.message}`,
  LeaseNotTakenBack: ({ forMs, trouble }: { readonly forMs: number } & Troubled) =>
    `The Lease could not be taken back for ${durationWords(forMs)}. ${trouble.message}`,
  LeaseUnread: ({ trouble }: Troubled) => `Lockkeeper could not read the Lease, so it sent nothing. ${trouble.message}`,
  LeaseLookTooOld: () =>
    'Too much time passed between each check of the Lease and the request, so Lockkeeper sent nothing.',
  StoryTooLongForRunner: ({ events, bytes }: { readonly events: number; readonly bytes: number }) =>
    `The history of the run is too long for a runner: ${events} events, ${(bytes / 1_000_000).toFixed(1)} MB. Let it continue here.`,
  /** `why`: what is wrong with the history. */
  StoryUnfit: ({ why }: { readonly why: Finding }) =>
    `The runner cannot continue the run that was handed over: ${why.message}. Take it back where it ran (\`lockkeeper run resume\`).`,
  StoryUnread: () => 'its history cannot be read',
  StoryNotUnpacked: () => 'its history cannot be unpacked, or is too long',
  StoryOfOtherHash: () => 'its history does not match its hash',
  StoryTooLong: () => 'its history is too long',
  StoryEventUnread: ({ event }: OfEvent) => `this version cannot read event ${event} of its history`,
  StoryEventWithoutTime: ({ event }: OfEvent) => `event ${event} of its history has no valid time`,
  StoryWithoutBeginning: () => 'its history does not begin with the start of a run',
  StoryBegunByRunner: () => 'a runner started it',
  StoryOfOtherPlan: () => 'its history belongs to another plan',
  StoryOfSeveralRuns: () => 'its history is not that of one run, in order',
  StoryBegunTwice: () => 'its history has a second start',
  StoryLiftsMore: () => 'its history overrides checks that its plan does not',
  StoryOfOtherSteps: () => 'its history has steps that its plan lacks',
  StoryIsOver: ({ outcome }: { readonly outcome: string }) => `the run has ended: ${outcome}`,
  RunInRunnersJournal: ({ run }: OfRun) => `The journal of this runner already has a run ${run}. Plan again.`,
  RunnerGoesOn: ({
    object,
    namespace,
    by,
  }: {
    readonly object: string
    readonly namespace: string
    readonly by: string
  }) => `Handed over: the runner continues it as MaintenanceRun ${object}, in namespace ${namespace} of ${by}.`,
} satisfies TextsOf<string>

function unprovedText({ title, reason }: Unproved): string {
  return `${title}: ${reason}`
}
