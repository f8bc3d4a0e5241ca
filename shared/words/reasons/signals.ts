import { asSentence } from '../../grammar/counts.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import {
  type Cause,
  type Finding,
  type Names,
  type OfCluster,
  type OfServer,
  someNames,
  type TextsOf,
} from '../steps/coded.ts'

/** What a server of mail said, or what broke. */
type OfOutput = { readonly output: string }

/** An address that is sent to; `system`: what has it, such as a webhook. */
type Addressed = { readonly system: string }

type OfRun = { readonly run: string }

type At = { readonly operator: string; readonly machine: string }

type OfHook = { readonly hook: string }

/** Texts of gates, silences, webhooks and mail. */
export const SIGNALS_REASONS = {
  ConsoleEndedBeforeAnswer: () => 'This console ended before an answer came.',
  MailFailed: ({ output }: OfOutput) => output,
  MailMayBeTaken: ({ output }: OfOutput) => `It may have been taken before the connection broke: ${output}`,
  MailTaken: ({ output }: OfOutput) => `The server took it: ${output}`,
  MailTakenNotForAll: ({ output, rejected }: OfOutput & { readonly rejected: Names }) =>
    `The server took it, but not for ${someNames(rejected, 20)}: ${output}`,
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
  NoAlertmanagerSet: ({ cluster }: OfCluster) => `${cluster} has no Alertmanager set.`,
  NotAnAlertmanagerStatus: ({ server }: OfServer) => notThat(server, 'status of an Alertmanager'),
  NewsOfDemo: ({ title }: { readonly title: string }) => `Demo, nothing here is real: ${title}`,
  NewsOfRun: ({
    run,
    operator,
    machine,
  }: {
    readonly run: string
    readonly operator: string
    readonly machine: string
  }) => `run ${run} by ${operator} on ${machine}`,
  NoClientCertificateForWebhooks: () => 'None is used for webhooks.',
  NodeAuthorityHint: () => 'Name the authority to Node with NODE_EXTRA_CA_CERTS.',
  NotAPrometheusAnswer: ({ server }: OfServer) =>
    `${server} sent something that is no answer to a query of numbers. Nothing was learnt from it.`,
  NotAPrometheusValue: ({ server }: OfServer) =>
    `${server} sent a value that is neither a number nor NaN. Nothing was learnt from it.`,
  NotASilence: ({ server }: OfServer) => notThat(server, 'silence'),
  NotASilenceId: ({ server }: OfServer) => notThat(server, 'answer about a silence'),
  NotASilenceList: ({ server }: OfServer) => notThat(server, 'list of silences'),
  NoWebhookAtAddress: () => 'There is no webhook at its address any more.',
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
  ReceiverAnswersNonsense: ({ wrong }: { readonly wrong: Finding }) => `It ${wrong.message}.`,
  ReceiverBusy: () => 'It asks for patience.',
  ReceiverConnectFailed: ({ fault }: { readonly fault: Finding }) => `The receiver ${fault.message}`,
  ReceiverDidNotWait: () => 'It did not wait for the message.',
  ReceiverFails: () => 'It fails on its side.',
  ReceiverForbids: () => 'It is not allowed to post there any more.',
  ReceiverPointsElsewhere: () => 'It points elsewhere, and nothing is sent where nobody named it.',
  ReceiverRefuses: () => 'It does not take the message.',
  ReceiverRefusesSignature: () => 'It does not take the signature, or wants a login that it was not given.',
  ReceiverSilent: ({ seconds }: { readonly seconds: number }) => `It gave no answer in ${seconds} s.`,
  WebhookTakenAway: () => 'The webhook was taken away.',
} satisfies TextsOf<string>

function notThat(server: string, what: string): string {
  return `${server} sent something that is no ${what}. Nothing was learnt from it.`
}

/** Why nobody drives a run, and how it is driven on. */
function resumable(run: string, why: string): string {
  return `${asSentence(why)} It can be resumed: \`lockkeeper run resume ${shellWord(run)}\``
}
