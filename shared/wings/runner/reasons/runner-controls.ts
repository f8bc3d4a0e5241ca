import { instantWords } from '../../../grammar/times.ts'
import type { OfRun, TextsOf } from '../../../words/steps/coded.ts'

type OfChoices = { readonly choices: readonly string[] }
type Withdrawn = { readonly by: string; readonly reason: string }

/** Results of a control of a MaintenanceRun. */
export const RUNNER_CONTROLS_REASONS = {
  NoSuchMaintenanceRun: ({ run }: OfRun) => `MaintenanceRun ${run} does not exist.`,
  MaintenanceRunOver: ({ run, phase }: OfRun & { readonly phase: string }) =>
    `MaintenanceRun ${run} has ended: ${phase}.`,
  MaintenanceRunNotBegun: ({ run }: OfRun) => `MaintenanceRun ${run} has not started: it accepts only abort.`,
  WithdrawnUnbegun: (withdrawn: Withdrawn) => withdrawnWords(withdrawn, 'it started'),
  WithdrawnUntaken: (withdrawn: Withdrawn) => withdrawnWords(withdrawn, 'a runner took it over'),
  NothingBegun: () => 'Nothing was started.',
  NotTakenOver: () => 'No runner took it over.',
  JournalOfGoneRunner: ({ runner }: { readonly runner: string }) =>
    `Runner ${runner} has its journal but no longer exists, so the run cannot be controlled. Bring that pod back with its volume, or plan again.`,
  DoneAsAsked: ({ by }: { readonly by: string }) => `Done as ${by} requested.`,
  PausesForItsEnd: ({ notAfter }: { readonly notAfter: string }) =>
    `It is about to pause and starts no other node, which would not finish by ${instantWords(notAfter)} (notAfter). Started work finishes.`,
  RunEnded: ({ outcome }: { readonly outcome: string }) => `The run has ended: ${outcome}.`,
  PausedAlready: () => 'It is already paused.',
  NotPaused: () => 'It is not paused.',
  DrivenAlready: () => 'It is already running.',
  NoReasonGiven: () => 'no reason was given',
  AbortedAlready: () => 'It is already aborted or stopping.',
  AnswerIncomplete: ({ choices }: OfChoices) =>
    `An answer names its question (gateId, as in the status) and one of ${choices.join(', ')} (choice).`,
  AnswerGiven: () => 'The answer was given.',
  AnsweredOtherwise: ({ by, choice }: { readonly by: string; readonly choice: string }) =>
    `${by} already answered the question: ${choice}.`,
  NoNodeToSkip: () => 'It names no node to skip (node).',
  DecisionIncomplete: ({ choices }: OfChoices) =>
    `A decision names an instance (instanceId) and one of ${choices.join(', ')} (choice).`,
} satisfies TextsOf<string>

function withdrawnWords({ by, reason }: Withdrawn, before: string): string {
  return `${by} aborted it before ${before}${reason === '' ? '' : `: ${reason}`}.`
}
