import { durationWords } from '../../grammar/durations.ts'
import type { Finding, OfCall, OfServer, TextsOf } from '../steps/coded.ts'

/** The code of a system or TLS error, such as `EPROTO`; empty if there is no code. */
type OfError = { readonly error: string }

type OfStatus = { readonly status: number }

/** `hint`: what an operator can correct, and where. */
type WithHint = { readonly hint: Finding }

/** Faults of a connection over HTTP. Those of a broken connection follow the name of a server. */
export const HTTP_REASONS = {
  AnswerCutShort: () => 'the answer was cut short',
  AnswerGivenBefore: ({ id }: { readonly id: string }) => `request ${id} was already answered`,
  AnswerMisses: ({ issues }: { readonly issues: string }) => issues,
  AnswerNotText: () => 'sent something that is not text',
  AnswerOldByAge: ({ seconds }: { readonly seconds: number }) => `it is ${seconds} s old by its Age`,
  AnswerOldByDate: ({ behindMs }: { readonly behindMs: number }) =>
    `its Date is ${durationWords(behindMs)} behind the newest of this service (Lockkeeper accepts a clock that was set back once it sees it advance)`,
  AnswerTooLarge: ({ mebibytes }: { readonly mebibytes: number }) =>
    `sent more than ${mebibytes} MiB, which is too much for such an answer`,
  AuthorityUnknown: ({ hint }: WithHint) => `has a certificate from an unknown authority. ${hint.message}`,
  CaFileHint: () => 'Name its authority with a CA file.',
  CertificateExpired: () => 'has an expired certificate. Renew it, or correct the clock of this machine.',
  CertificateForOtherName: ({ hint }: WithHint) => `has a certificate for another name. ${hint.message}`,
  CertificateNotYetValid: () => 'has a certificate that is not valid yet. Is the clock of this machine right?',
  ClientCertificateUnusable: ({ error, hint }: OfError & WithHint) =>
    `cannot be reached: the client certificate or key is unusable${inBrackets(error)}. ${hint.message}`,
  ConnectionBroke: ({ error }: OfError) => `broke the connection${inBrackets(error)}. It may be restarting; try again.`,
  ConnectionRefused: () => 'refuses connections. Is it running, and is its address right?',
  ConnectionSilent: () => 'does not answer. Check the network, the VPN and the firewall.',
  ConnectionTrouble: ({ error }: OfError) =>
    `cannot be reached${inBrackets(error)}. Check the network and the address.`,
  HostHint: () => 'Check the host in its address.',
  HostNameNotFound: () => 'has a name that DNS does not know. Check the address, DNS and the VPN.',
  HostNameNotLookedUp: () => 'has a name that DNS cannot resolve now. Check DNS and the network.',
  KeptBack: () => 'This console has lost the Lease, so it sent nothing.',
  NoClientCertificateHint: () => 'No client certificate is in use.',
  NoRouteToHost: () => 'cannot be reached: there is no route to it. Check the network and the VPN.',
  ProxyNotReached: ({ proxy, error }: OfError & { readonly proxy: string }) =>
    `is not reached: the proxy ${proxy} ${PROXY_DOES.get(error) ?? ''}. Check the proxy, or name the server in NO_PROXY.`,
  ProxyRefused: () => "is behind a proxy that refused. Check the proxy's address and rules (proxy-url, HTTPS_PROXY).",
  ServerAnswersNonsense: ({ server, wrong }: OfServer & { readonly wrong: Finding }) => `${server} ${wrong.message}.`,
  ServerBusy: ({ server }: OfServer) => `${server} is busy and asks to wait.`,
  ServerConnectFailed: ({ server, fault }: OfServer & { readonly fault: Finding }) => `${server} ${fault.message}`,
  ServerFails: ({ server, status }: OfServer & OfStatus) => `${server} has an internal error (HTTP ${status}).`,
  ServerForbids: ({ server }: OfServer) => `${server} does not permit this to the login.`,
  ServerHasNot: ({ server }: OfServer) => `${server} does not have it. Is its address right, with its path?`,
  ServerPointsElsewhere: ({ server, status }: OfServer & OfStatus) =>
    `${server} redirects to another address (HTTP ${status}). Give its real address.`,
  ServerRefuses: ({ server, status }: OfServer & OfStatus) => `${server} refuses the request (HTTP ${status}).`,
  ServerRefusesLogin: ({ server }: OfServer) => `${server} refuses the login. Set it again.`,
  ServerSilent: ({ server, seconds }: OfServer & { readonly seconds: number }) =>
    `${server} did not answer within ${seconds} s.`,
  StoppedBeforeDone: ({ call }: OfCall) => `Stopped before it was done: ${call.message}.`,
  StoppedBeforeServer: ({ server }: OfServer) => `The run stopped before ${server} answered.`,
  TlsNotUnderstood: ({ error }: OfError) =>
    `does not use TLS as expected${inBrackets(error)}. Should the address be https or http, or does it need another client certificate?`,
} satisfies TextsOf<string>

/** What a proxy without a connection did, by error code. */
const PROXY_DOES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections'],
  ['ENOTFOUND', 'has a name that DNS does not know'],
  ['EAI_AGAIN', 'has a name that DNS cannot resolve now'],
  ['EHOSTUNREACH', 'cannot be reached'],
  ['ENETUNREACH', 'cannot be reached'],
  ['ETIMEDOUT', 'does not answer'],
])

function inBrackets(error: string): string {
  return error === '' ? '' : ` (${error})`
}
