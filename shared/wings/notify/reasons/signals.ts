import type { NoTemplate } from '../../../domain/silence-matchers.ts'
import { asSentence } from '../../../grammar/counts.ts'
import { shellWord } from '../../../grammar/shell-word.ts'
import {
  type Cause,
  type Finding,
  type Names,
  type OfCluster,
  type OfRun,
  type OfServer,
  someNames,
  type TextsOf,
} from '../../../words/steps/coded.ts'
import { noTemplateWords } from '../words/silences.ts'

/** The words of a mail server, or the failure of the connection. */
type OfOutput = { readonly output: string }

/** An address; `system`: its owner, such as a webhook. */
type Addressed = { readonly system: string }

type At = { readonly operator: string; readonly machine: string }

type OfHook = { readonly hook: string }

/** Results and faults of gates, silences, webhooks and mail. */
export const SIGNALS_REASONS = {
  ConsoleEndedBeforeAnswer: () => 'This console ended before an answer came.',
  MailFailed: ({ output }: OfOutput) => output,
  MailMayBeTaken: ({ output }: OfOutput) => `The server may have accepted it before the connection broke: ${output}`,
  MailTaken: ({ output }: OfOutput) => `The server accepted it: ${output}`,
  MailTakenNotForAll: ({ output, rejected }: OfOutput & { readonly rejected: Names }) =>
    `The server accepted it, but not for ${someNames(rejected, 20)}: ${output}`,
  AddressHasFragment: ({ system }: Addressed) =>
    `The address of ${system} has a fragment (#…), which is never sent. Remove it.`,
  AddressHasUser: ({ system }: Addressed) =>
    `The address of ${system} has a user or a password before its host. Remove them.`,
  AddressIncomplete: ({ system }: Addressed) =>
    `The address of ${system} is incomplete: give all of it, such as https://hooks.example.org/lockkeeper.`,
  AddressNotEncrypted: ({ system }: Addressed) =>
    `The address of ${system} must be https: otherwise others can read the messages on the network. http is only for this machine.`,
  DeliveryNotHeardTwice: () =>
    'A console ended twice before it received an answer. The message may have arrived, so it is not sent a third time.',
  MigrationNeedsDecision: ({ subject, cause }: { readonly subject: string; readonly cause: string | null }) =>
    `${subject}: ${cause ?? 'you have to decide about it.'}`,
  NewsTooOld: () => 'It is too old to send.',
  NoAlertmanagerSet: ({ cluster }: OfCluster) => `The settings of ${cluster} name no Alertmanager.`,
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
  NoClientCertificateForWebhooks: () => 'Webhooks use no client certificate.',
  NodeAuthorityHint: () => 'Name the authority to Node with NODE_EXTRA_CA_CERTS.',
  NotAPrometheusAnswer: ({ server }: OfServer) =>
    `${server} sent something that is not an answer to a query of numbers. Lockkeeper ignored it.`,
  NotAPrometheusValue: ({ server }: OfServer) =>
    `${server} sent a value that is neither a number nor NaN. Lockkeeper ignored it.`,
  NotASilence: ({ server }: OfServer) => notThat(server, 'silence'),
  NotASilenceId: ({ server }: OfServer) => notThat(server, 'answer about a silence'),
  NotASilenceList: ({ server }: OfServer) => notThat(server, 'list of silences'),
  NoWebhookAtAddress: () => 'The address no longer has a webhook.',
  OtherSilence: ({ server }: OfServer) => `${server} answered about another silence than requested.`,
  RunConsoleSilent: ({ run, machine, pid }: OfRun & { readonly machine: string; readonly pid: number }) =>
    resumable(run, `Its console on ${machine} (process ${pid}) no longer answers.`),
  RunDriven: ({ operator, machine }: At) => `Runs on ${machine}, by ${operator}.`,
  RunLeft: ({ run, cause }: OfRun & Cause) => resumable(run, cause),
  RunNotHandedOver: ({ run, cause }: OfRun & Cause) => resumable(run, `It was not handed over. ${cause}`),
  SignalNotJournaled: () =>
    'Lockkeeper could not record it in the journal, so nothing was sent. `lockkeeper journal check` shows more.',
  WebhookGone: () => 'The webhook no longer exists.',
  WebhookTried: ({ operator, machine, hook }: At & OfHook) =>
    `${operator} on ${machine} tests webhook ${hook} of Lockkeeper. Nothing happened.`,
  WebhookUnknown: ({ cluster, hook }: OfCluster & OfHook) =>
    `${cluster} has no webhook ${hook}. \`lockkeeper cluster webhook list ${cluster}\` lists them.`,
  QueryRefused: ({ server, type, error }: OfServer & { readonly type: string; readonly error: string }) =>
    `${server} refuses the query (${type}): ${error}`,
  ReceiverAnswersNonsense: ({ wrong }: { readonly wrong: Finding }) => `It ${wrong.message}.`,
  ReceiverBusy: () => 'It is busy and asks to wait.',
  ReceiverConnectFailed: ({ fault }: { readonly fault: Finding }) => `The receiver ${fault.message}`,
  ReceiverDidNotWait: () => 'It closed the connection before the message was complete.',
  ReceiverFails: () => 'It has an internal error.',
  ReceiverForbids: () => 'It no longer allows posts there.',
  ReceiverPointsElsewhere: () => 'It redirects to another address, which you have not named. Nothing was sent there.',
  ReceiverRefuses: () => 'It refuses the message.',
  ReceiverRefusesSignature: () => 'It refuses the signature, or requires a login.',
  ReceiverSilent: ({ seconds }: { readonly seconds: number }) => `It did not answer within ${seconds} s.`,
  WebhookTakenAway: () => 'The webhook was removed.',
  MessagesChanged: () => 'The messages changed since they were shown. Check them again; nothing was sent.',
  MailNotSetUp: () => 'Mail is not set up: `lockkeeper mail set` names the server. Nothing was sent.',
  SilenceTemplateUnfit: (why: NoTemplate) => noTemplateWords(why),
} satisfies TextsOf<string>

function notThat(server: string, what: string): string {
  return `${server} sent something that is not a ${what}. Lockkeeper ignored it.`
}

/** Why a run is paused, and how to resume it. */
function resumable(run: string, why: string): string {
  return `${asSentence(why)} Resume it: \`lockkeeper run resume ${shellWord(run)}\``
}
