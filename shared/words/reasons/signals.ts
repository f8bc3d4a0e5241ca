import { type Finding, type Names, type OfServer, someNames, type TextsOf } from '../steps/coded.ts'

/** What a server of mail said, or what broke. */
type OfOutput = { readonly output: string }

/** Texts of gates, silences, webhooks and mail. */
export const SIGNALS_REASONS = {
  ConsoleEndedBeforeAnswer: () => 'This console ended before an answer came.',
  MailFailed: ({ output }: OfOutput) => output,
  MailMayBeTaken: ({ output }: OfOutput) => `It may have been taken before the connection broke: ${output}`,
  MailTaken: ({ output }: OfOutput) => `The server took it: ${output}`,
  MailTakenNotForAll: ({ output, rejected }: OfOutput & { readonly rejected: Names }) =>
    `The server took it, but not for ${someNames(rejected, 20)}: ${output}`,
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
  NotAnAlertmanagerStatus: ({ server }: OfServer) => notThat(server, 'status of an Alertmanager'),
  NotAPrometheusAnswer: ({ server }: OfServer) =>
    `${server} sent something that is no answer to a query of numbers. Nothing was learnt from it.`,
  NotAPrometheusValue: ({ server }: OfServer) =>
    `${server} sent a value that is neither a number nor NaN. Nothing was learnt from it.`,
  NotASilence: ({ server }: OfServer) => notThat(server, 'silence'),
  NotASilenceId: ({ server }: OfServer) => notThat(server, 'answer about a silence'),
  NotASilenceList: ({ server }: OfServer) => notThat(server, 'list of silences'),
  NoWebhookAtAddress: () => 'There is no webhook at its address any more.',
  OtherSilence: ({ server }: OfServer) => `${server} told of another silence than was asked about.`,
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
