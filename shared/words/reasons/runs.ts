import { atMostWords, durationWords } from '../../grammar/durations.ts'
import { stoppedWords } from '../run-ending.ts'
import { type Finding, type Names, type OfRun, someNames, type TextsOf } from '../steps/coded.ts'

type OfEvent = { readonly event: number }
type Unproved = { readonly title: string; readonly reason: string }

/** `trouble`: why a request about the Lease failed. */
type Troubled = { readonly trouble: Finding }

/** How many runs a text lists that begin alike. */
const MOST_LISTED = 50

/** Texts of runs and their driving. */
export const RUNS_REASONS = {
  NoSuchRun: ({ given }: { readonly given: string }) => `There is no run "${given}". \`lockkeeper runs\` lists them.`,
  /** `given`: the beginning of an id. */
  SeveralRunsBegin: ({ given, runs }: { readonly given: string; readonly runs: Names }) =>
    `"${given}" begins several runs: ${someNames(runs, MOST_LISTED)}. Give more of it.`,
  StoppedBy: (by: { readonly by: string; readonly reason: string }) => stoppedWords(by),
  /** `causes`: what is in the way, in the order of the plan. */
  NothingTouched: ({ causes }: { readonly causes: readonly string[] }) => `Nothing was touched: ${causes.join(' ')}`,
  CannotGoOn: ({ causes }: { readonly causes: readonly string[] }) => `Cannot go on: ${causes.join(' ')}`,
  /** `failing`: what is not as it should be; `untold`: of what that cannot be told. */
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
      ...(unreported.length === 0 ? [] : [`Cannot tell whether it is so: ${unreported.map(unprovedText).join(' ')}`]),
    ].join(' '),
  StepNotVerified: ({ title, reason, remedy }: Unproved & { readonly remedy: string }) =>
    `${title}: ${reason} ${remedy}`,
  StepVerdictUnknown: ({ title, reason, remedy }: Unproved & { readonly remedy: string }) =>
    `${title}: Cannot tell whether it is so: ${reason} ${remedy}`,
  PassedTogether: ({ title }: { readonly title: string }) => `passed together with "${title}"`,
  AnsweredWithContinue: () => 'the question was answered with continue',
  MachineSlept: ({ ms }: { readonly ms: number }) => `The machine slept for ${durationWords(ms)}.`,
  JournalUnwritten: () => 'The journal could not be written.',
  /** `held`: who holds it. */
  LeaseMayBeFreed: ({ held, freeInMs }: { readonly held: string; readonly freeInMs: number }) =>
    `${held} If its console is gone, it is free in ${atMostWords(freeInMs)}.`,
  LeaseRanOut: () => 'It ran out: it could not be renewed in time.',
  LeaseClockSetBack: () => 'The clock of this machine was set back: nobody knows how long ago it was renewed.',
  LeaseSilent: () => 'The API server gave no answer about the Lease in time.',
  LeaseHeldByNobody: () => 'Nobody holds it any more: somebody deleted it, or took this run’s name off it.',
  /** `held`: who holds it now. */
  LeaseTakenByOther: ({ held }: { readonly held: string }) => held,
  /** `why`: that it ran out, or that nobody can know. */
  LeaseNotRenewed: ({ why, trouble }: { readonly why: Finding } & Troubled) => `${why.message} ${trouble.message}`,
  LeaseNotTakenBack: ({ forMs, trouble }: { readonly forMs: number } & Troubled) =>
    `It could not be taken back for ${durationWords(forMs)}. ${trouble.message}`,
  LeaseUnread: ({ trouble }: Troubled) => `The Lease could not be read, so nothing was sent. ${trouble.message}`,
  LeaseLookTooOld: () => 'Too much time passed between each look at the Lease and the request, so nothing was sent.',
  StoryTooLongForRunner: ({ events, bytes }: { readonly events: number; readonly bytes: number }) =>
    `The story of the run is too long for a runner: ${events} events, ${(bytes / 1_000_000).toFixed(1)} MB. Let it go on here.`,
  /** `why`: what its story is not. */
  StoryUnfit: ({ why }: { readonly why: Finding }) =>
    `The run that is handed over cannot be gone on with: ${why.message}. Take it back where it was driven (\`lockkeeper run resume\`).`,
  StoryUnread: () => 'its story cannot be read',
  StoryNotUnpacked: () => 'its story cannot be unpacked, or is too long',
  StoryOfOtherHash: () => 'its story is not the one whose hash it names',
  StoryTooLong: () => 'its story is too long',
  StoryEventUnread: ({ event }: OfEvent) => `event ${event} of its story cannot be read by this version`,
  StoryEventWithoutTime: ({ event }: OfEvent) => `event ${event} of its story has no time that can be`,
  StoryWithoutBeginning: () => 'its story does not begin with the beginning of a run',
  StoryBegunByRunner: () => 'it was begun by a runner',
  StoryOfOtherPlan: () => 'its story is of another plan',
  StoryOfSeveralRuns: () => 'its story is not that of one run, in order',
  StoryBegunTwice: () => 'its story has a second beginning',
  StoryLiftsMore: () => 'its story lifts what its plan does not lift',
  StoryOfOtherSteps: () => 'its story tells of steps that its plan has not',
  StoryIsOver: ({ outcome }: { readonly outcome: string }) => `the run is over: ${outcome}`,
  RunInRunnersJournal: ({ run }: OfRun) => `A run ${run} is in the journal of this runner already. Plan again.`,
  RunnerGoesOn: ({
    object,
    namespace,
    by,
  }: {
    readonly object: string
    readonly namespace: string
    readonly by: string
  }) => `Handed over: the runner goes on with it as MaintenanceRun ${object}, in namespace ${namespace} of ${by}.`,
} satisfies TextsOf<string>

function unprovedText({ title, reason }: Unproved): string {
  return `${title}: ${reason}`
}
