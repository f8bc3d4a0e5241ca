import type { Cause, Finding, TextsOf } from '../steps/coded.ts'

type OfRequest = { readonly request: string }

/** Texts of what a console and a runner say to each other. */
export const ATTACH_REASONS = {
  NoConnectionToRunner: ({ why }: { readonly why: Finding }) => `There is no connection to the runner. ${why.message}`,
  NotAKnownRunner: ({ status }: { readonly status: number }) =>
    `What listens in the pod is no runner that this version knows (HTTP ${status}).`,
  NotAMessageOfRunner: () => 'What came from the runner is no message of ours.',
  RunnerAnswerLate: ({ request }: OfRequest) => `It did not answer ${request} in time.`,
  RunnerConnectionBroke: ({ cause }: Cause) => cause,
  RunnerEnded: () => 'The runner ended the connection.',
  RunnerEndedWith: ({ output }: { readonly output: string }) => `The runner ended the connection: ${output}.`,
  RunnerLeft: () => 'It was left.',
  RunnerOfOtherVersion: ({ request }: OfRequest) =>
    `The runner's answer to ${request} is not one that this version reads. Bring both to one version.`,
  RunnerSilent: ({ seconds }: { readonly seconds: number }) => `The runner said nothing for ${seconds} s.`,
} satisfies TextsOf<string>

/** What is asked there, in the infinitive. */
export const ATTACH_CALLS = {} satisfies TextsOf<string>
