import { durationWords } from '../../grammar/durations.ts'
import type { Cause, FaultText, OfRun, TextsOf } from './coded.ts'

type OfStep = { readonly title: string }
/** The condition that did not end while a run waited. */
export type NotPassed =
  /** Checks that block it. */
  | { readonly kind: 'blocked'; readonly by: readonly string[] }
  | ({ readonly kind: 'failed' } & Cause)
  /** A check of the result of a step failed; `isLast`: the question says that the result is unknown. */
  | ({ readonly kind: 'not-verified'; readonly isLast: boolean } & OfStep & Cause)
  | ({ readonly kind: 'lease-away'; readonly node: string } & Cause)

export const ENGINE_FINDINGS = {
  NothingToVerify: () => 'This step has nothing to verify.',
  AnsweredToGoOn: () => 'The answer was to continue.',
  LaneCannotBegin: ({
    lane,
    blockers,
  }: {
    readonly lane: string
    readonly blockers: readonly { readonly code: string; readonly message: string; readonly remedy: string }[]
  }) => `${lane} cannot start now: ${blockers.map(({ message, remedy }) => `${message} ${remedy}`).join(' ')}`,
  PatienceOver: ({ why, forMs }: { readonly why: NotPassed; readonly forMs: number }) =>
    `${notPassedWords(why)} This continued for ${durationWords(forMs)}. Try again once it is fixed, or stop the run.`,
} satisfies TextsOf<string>

const NOTHING_ASSUMED = 'an unchecked condition cannot be assumed to be safe'
const LOG_HAS_DETAILS = 'The log has the details.'
/** What nobody can do to a run that has ended. */
const DOING_TO_RUN = { abort: 'abort it', 'hand over': 'hand it over', resume: 'resume it here' } as const

export const ENGINE_FAULTS = {
  StepNotKnown: ({ kind }: { readonly kind: string }) => ({
    message: `This version does not know the step ${kind}.`,
    remedy: 'Continue the run with the version that made its plan.',
    never: NOTHING_ASSUMED,
  }),
  CheckNotAnswered: ({ title }: OfStep) => ({
    message: `The check of "${title}" got no answer in time.`,
    remedy: 'Check the service that it asks, then try again.',
    never: NOTHING_ASSUMED,
  }),
  CheckCrashed: ({ title }: OfStep) => ({
    message: `The check of "${title}" failed inside Lockkeeper.`,
    remedy: 'The log has the details; report them.',
    never: NOTHING_ASSUMED,
  }),
  VerifyNotAnswered: ({ title }: OfStep) => ({
    message: `"${title}" could not be verified: no answer came.`,
    remedy: LOG_HAS_DETAILS,
  }),
  StepCrashed: ({ title }: OfStep) => ({
    message: `"${title}" failed inside Lockkeeper. The journal has the announced changes.`,
    remedy: LOG_HAS_DETAILS,
  }),
  StepTimedOut: ({ title, forMs }: OfStep & { readonly forMs: number }) => ({
    message: `"${title}" did not finish within ${durationWords(forMs)}. Resume the run to continue.`,
    remedy: '',
  }),
  RunUnknown: ({ run }: OfRun) => ({ message: `Run ${run} does not exist.`, remedy: '' }),
  RunIsOver: ({ run, doing }: OfRun & { readonly doing: keyof typeof DOING_TO_RUN }) => ({
    message: `Run ${run} has ended. You can no longer ${DOING_TO_RUN[doing]}.`,
    remedy: '',
  }),
  RunOverNotResumed: ({ run }: OfRun) => ({
    message: `Run ${run} has ended and cannot resume.`,
    remedy: 'Start a new run.',
  }),
  RunWentOn: ({ run }: OfRun) => ({ message: `Run ${run} continued meanwhile.`, remedy: 'Check it, then try again.' }),
  RunHandedOver: ({ run, object }: OfRun & { readonly object: string | null }) => ({
    message: `Run ${run} was handed over${object === null ? '' : ` as MaintenanceRun ${object}`}, or a hand-over had started: this console no longer continues it.`,
    remedy: '',
  }),
  RunDrivenElsewhere: ({
    run,
    operator,
    machine,
    pid,
  }: OfRun & { readonly operator: string; readonly machine: string; readonly pid: number }) => ({
    message: `Run ${run} runs on ${machine}, by ${operator} (process ${pid}).`,
    remedy: 'Pause or stop it there, or with `lockkeeper run pause|abort`.',
  }),
  JournalNotWritten: () => ({
    message:
      'Lockkeeper could not write the journal, so the run did not start and nothing changed. Check the disk and the log.',
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

function notPassedWords(why: NotPassed): string {
  switch (why.kind) {
    case 'blocked':
      return `Cannot continue: ${why.by.join(' ')}`
    case 'failed':
      return why.cause
    case 'not-verified':
      return `${why.title}: ${why.isLast ? 'Cannot verify the result: ' : ''}${why.cause}`
    case 'lease-away':
      return `The Lease of ${why.node} is lost, so nothing is done there. ${why.cause}`
  }
}
