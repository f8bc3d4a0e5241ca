import { durationWords } from '../../grammar/durations.ts'
import type { Cause, FaultText, OfRun, TextsOf } from './coded.ts'

type OfStep = { readonly title: string }
/** Why a run waited in vain: what did not pass. */
export type NotPassed =
  /** Checks that block it. */
  | { readonly kind: 'blocked'; readonly by: readonly string[] }
  | ({ readonly kind: 'failed' } & Cause)
  /** A look at what a step made so failed: `told` where the question says so. */
  | ({ readonly kind: 'not-verified'; readonly isLast: boolean } & OfStep & Cause)
  | ({ readonly kind: 'lease-away'; readonly node: string } & Cause)

/** What a run says of its own steps. */
export const ENGINE_FINDINGS = {
  NothingToVerify: () => 'There is nothing to verify.',
  AnsweredToGoOn: () => 'The answer was to go on.',
  LaneCannotBegin: ({
    lane,
    blockers,
  }: {
    readonly lane: string
    readonly blockers: readonly { readonly code: string; readonly message: string; readonly remedy: string }[]
  }) => `${lane} cannot be begun now: ${blockers.map(({ message, remedy }) => `${message} ${remedy}`).join(' ')}`,
  PatienceOver: ({ why, forMs }: { readonly why: NotPassed; readonly forMs: number }) =>
    `${notPassedWords(why)} This did not pass within ${durationWords(forMs)}. Retry when it did, or abort.`,
} satisfies TextsOf<string>

const NOTHING_ASSUMED = 'what could not be checked may not be assumed'
const LOG_HAS_DETAILS = 'The log has the details.'

/** What is in the way of a run by itself. */
export const ENGINE_FAULTS = {
  StepNotKnown: ({ kind }: { readonly kind: string }) => ({
    message: `This version does not know the step ${kind}.`,
    remedy: 'Drive the run with the version that made its plan.',
    never: NOTHING_ASSUMED,
  }),
  CheckNotAnswered: ({ title }: OfStep) => ({
    message: `The check of "${title}" got no answer in time.`,
    remedy: 'Look at what it asks, then try again.',
    never: NOTHING_ASSUMED,
  }),
  CheckCrashed: ({ title }: OfStep) => ({
    message: `The check of "${title}" failed on Lockkeeper's own side.`,
    remedy: 'The log has the details; report them.',
    never: NOTHING_ASSUMED,
  }),
  VerifyNotAnswered: ({ title }: OfStep) => ({
    message: `"${title}" could not be verified: no answer came.`,
    remedy: LOG_HAS_DETAILS,
  }),
  StepCrashed: ({ title }: OfStep) => ({
    message: `"${title}" failed on Lockkeeper's own side. The journal has its announcements, the log has the details.`,
    remedy: LOG_HAS_DETAILS,
  }),
  StepTimedOut: ({ title, forMs }: OfStep & { readonly forMs: number }) => ({
    message: `"${title}" did not finish within ${durationWords(forMs)}. Resume the run to go on with it.`,
    remedy: '',
  }),
  RunUnknown: ({ run }: OfRun) => ({ message: `There is no run ${run}.`, remedy: '' }),
  RunIsOver: ({ run, doing }: OfRun & { readonly doing: string }) => ({
    message: `Run ${run} is over; there is nothing to ${doing}.`,
    remedy: '',
  }),
  RunOverNotResumed: ({ run }: OfRun) => ({
    message: `Run ${run} is over; there is nothing to resume.`,
    remedy: 'Start a new one.',
  }),
  RunWentOn: ({ run }: OfRun) => ({ message: `Run ${run} went on meanwhile.`, remedy: 'Look at it, then ask again.' }),
  RunHandedOver: ({ run, object }: OfRun & { readonly object: string | null }) => ({
    message: `Run ${run} is handed over${object === null ? '' : ` as MaintenanceRun ${object}`}, or was about to be: nobody here goes on with it.`,
    remedy: '',
  }),
  RunDrivenElsewhere: ({
    run,
    operator,
    machine,
    pid,
  }: OfRun & { readonly operator: string; readonly machine: string; readonly pid: number }) => ({
    message: `Run ${run} is driven by ${operator} on ${machine} (process ${pid}).`,
    remedy: 'Pause or abort it there, or with `lockkeeper run pause|abort`.',
  }),
  JournalNotWritten: () => ({
    message:
      'The journal could not be written, so the run was not started. Nothing was touched; look at the disk and the log.',
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

function notPassedWords(why: NotPassed): string {
  switch (why.kind) {
    case 'blocked':
      return `Cannot go on: ${why.by.join(' ')}`
    case 'failed':
      return why.cause
    case 'not-verified':
      return `${why.title}: ${why.isLast ? 'Cannot tell whether it is so: ' : ''}${why.cause}`
    case 'lease-away':
      return `Nothing is done on ${why.node}, its Lease is away. ${why.cause}`
  }
}
