import { instantWords } from '../../grammar/times.ts'
import type { TextsOf } from '../steps/coded.ts'

type OfChoices = { readonly choices: readonly string[] }
type OfRun = { readonly run: string }
type Withdrawn = { readonly by: string; readonly reason: string }

/** Texts of what a control of a MaintenanceRun comes to. */
export const RUNNER_CONTROLS_REASONS = {
  NoSuchMaintenanceRun: ({ run }: OfRun) => `There is no MaintenanceRun ${run}.`,
  MaintenanceRunOver: ({ run, phase }: OfRun & { readonly phase: string }) =>
    `MaintenanceRun ${run} is over: ${phase}.`,
  MaintenanceRunNotBegun: ({ run }: OfRun) => `MaintenanceRun ${run} is not begun: all that it heeds now is abort.`,
  WithdrawnUnbegun: (withdrawn: Withdrawn) => withdrawnWords(withdrawn, 'anything was begun'),
  WithdrawnUntaken: (withdrawn: Withdrawn) => withdrawnWords(withdrawn, 'a runner took it over'),
  NothingBegun: () => 'Nothing was begun.',
  NotTakenOver: () => 'No runner took it over.',
  JournalOfGoneRunner: ({ runner }: { readonly runner: string }) =>
    `Its journal is that of runner ${runner}, which is not there any more: nothing can be asked of it. Bring that pod back with its volume, or plan again.`,
  DoneAsAsked: ({ by }: { readonly by: string }) => `Done as ${by} asked.`,
  PausesForItsEnd: ({ notAfter }: { readonly notAfter: string }) =>
    `It is about to pause, and no other node may be begun: it would not be finished by ${instantWords(notAfter)} (notAfter). What is under way is finished.`,
  RunEnded: ({ outcome }: { readonly outcome: string }) => `The run is over: ${outcome}.`,
  PausedAlready: () => 'It is paused already.',
  NotPaused: () => 'It is not paused.',
  DrivenAlready: () => 'It is driven already.',
  NoReasonGiven: () => 'no reason was given',
  AbortedAlready: () => 'It is being aborted, or was.',
  AnswerIncomplete: ({ choices }: OfChoices) =>
    `An answer names its question (gateId, as the status has it) and one of ${choices.join(', ')} (choice).`,
  AnswerGiven: () => 'It was given.',
  AnsweredOtherwise: ({ by, choice }: { readonly by: string; readonly choice: string }) =>
    `The question was answered by ${by}: ${choice}.`,
  NoNodeToSkip: () => 'It names no node to pass (node).',
  DecisionIncomplete: ({ choices }: OfChoices) =>
    `A decision names an instance (instanceId) and one of ${choices.join(', ')} (choice).`,
} satisfies TextsOf<string>

function withdrawnWords({ by, reason }: Withdrawn, before: string): string {
  return `Aborted by ${by} before ${before}${reason === '' ? '' : `: ${reason}`}.`
}
