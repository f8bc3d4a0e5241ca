import { type Names, type OfServer, someNames, type TextsOf } from '../steps/coded.ts'

/** What a server of mail said, or what broke. */
type OfOutput = { readonly output: string }

/** Texts of gates, silences, webhooks and mail. */
export const SIGNALS_REASONS = {
  MailFailed: ({ output }: OfOutput) => output,
  MailMayBeTaken: ({ output }: OfOutput) => `It may have been taken before the connection broke: ${output}`,
  MailTaken: ({ output }: OfOutput) => `The server took it: ${output}`,
  MailTakenNotForAll: ({ output, rejected }: OfOutput & { readonly rejected: Names }) =>
    `The server took it, but not for ${someNames(rejected, 20)}: ${output}`,
  NotAnAlertmanagerStatus: ({ server }: OfServer) => notThat(server, 'status of an Alertmanager'),
  NotAPrometheusAnswer: ({ server }: OfServer) =>
    `${server} sent something that is no answer to a query of numbers. Nothing was learnt from it.`,
  NotAPrometheusValue: ({ server }: OfServer) =>
    `${server} sent a value that is neither a number nor NaN. Nothing was learnt from it.`,
  NotASilence: ({ server }: OfServer) => notThat(server, 'silence'),
  NotASilenceId: ({ server }: OfServer) => notThat(server, 'answer about a silence'),
  NotASilenceList: ({ server }: OfServer) => notThat(server, 'list of silences'),
  OtherSilence: ({ server }: OfServer) => `${server} told of another silence than was asked about.`,
  QueryRefused: ({ server, type, error }: OfServer & { readonly type: string; readonly error: string }) =>
    `${server} does not take the query (${type}): ${error}`,
} satisfies TextsOf<string>

function notThat(server: string, what: string): string {
  return `${server} sent something that is no ${what}. Nothing was learnt from it.`
}
