import { asSentence } from '../../grammar/counts.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import type { Cause, OfCluster, OfServer, TextsOf } from '../steps/coded.ts'

/** An address that is sent to; `system`: what has it, such as a webhook. */
type Addressed = { readonly system: string }

type OfRun = { readonly run: string }

type At = { readonly operator: string; readonly machine: string }

type OfHook = { readonly hook: string }

/** Texts of gates, silences, webhooks and mail. */
export const SIGNALS_REASONS = {
  AddressHasFragment: ({ system }: Addressed) =>
    `The address of ${system} has a fragment (#…), which is never sent. Leave it out.`,
  AddressHasUser: ({ system }: Addressed) =>
    `The address of ${system} has a user or a password before its host. Leave them out.`,
  AddressIncomplete: ({ system }: Addressed) =>
    `The address of ${system} is not complete: give all of it, such as https://hooks.example.org/lockkeeper.`,
  AddressNotEncrypted: ({ system }: Addressed) =>
    `The address of ${system} has to be https: what is sent is read on the way otherwise. http is for this machine alone.`,
  DeliveryNotHeardTwice: () =>
    'Twice a console ended before it heard an answer: it may have arrived, and is not sent a third time.',
  MigrationNeedsDecision: ({ subject, cause }: { readonly subject: string; readonly cause: string | null }) =>
    `${subject}: ${cause ?? 'somebody has to decide about it.'}`,
  NewsTooOld: () => 'It is no news any more.',
  NotAnAlertmanagerStatus: ({ server }: OfServer) => notThat(server, 'status of an Alertmanager'),
  NotAPrometheusAnswer: ({ server }: OfServer) =>
    `${server} sent something that is no answer to a query of numbers. Nothing was learnt from it.`,
  NotAPrometheusValue: ({ server }: OfServer) =>
    `${server} sent a value that is neither a number nor NaN. Nothing was learnt from it.`,
  NotASilence: ({ server }: OfServer) => notThat(server, 'silence'),
  NotASilenceId: ({ server }: OfServer) => notThat(server, 'answer about a silence'),
  NotASilenceList: ({ server }: OfServer) => notThat(server, 'list of silences'),
  OtherSilence: ({ server }: OfServer) => `${server} told of another silence than was asked about.`,
  RunConsoleSilent: ({ run, machine, pid }: OfRun & { readonly machine: string; readonly pid: number }) =>
    resumable(run, `Its console on ${machine} (process ${pid}) does not answer any more.`),
  RunDriven: ({ operator, machine }: At) => `Driven by ${operator} on ${machine}.`,
  RunLeft: ({ run, cause }: OfRun & Cause) => resumable(run, cause),
  RunNotHandedOver: ({ run, cause }: OfRun & Cause) => resumable(run, `It was not handed over. ${cause}`),
  SignalNotJournaled: () => 'The journal does not take it, so nothing was sent. `lockkeeper journal check` says more.',
  WebhookGone: () => 'The webhook is not there any more.',
  WebhookTried: ({ operator, machine, hook }: At & OfHook) =>
    `${operator} on ${machine} tries webhook ${hook} of Lockkeeper. Nothing happened.`,
  WebhookUnknown: ({ cluster, hook }: OfCluster & OfHook) =>
    `${cluster} has no webhook ${hook}. \`lockkeeper cluster webhook list ${cluster}\` lists them.`,
  QueryRefused: ({ server, type, error }: OfServer & { readonly type: string; readonly error: string }) =>
    `${server} does not take the query (${type}): ${error}`,
} satisfies TextsOf<string>

function notThat(server: string, what: string): string {
  return `${server} sent something that is no ${what}. Nothing was learnt from it.`
}

/** Why nobody drives a run, and how it is driven on. */
function resumable(run: string, why: string): string {
  return `${asSentence(why)} It can be resumed: \`lockkeeper run resume ${shellWord(run)}\``
}
