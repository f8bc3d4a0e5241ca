import { durationWords } from '../../grammar/durations.ts'
import type { Finding, OfServer, TextsOf } from '../steps/coded.ts'

/** What a server was asked: a code of the calls, or its text where the caller has none yet. */
type OfCall = { readonly call: Finding | string }

/** The code of a system or TLS error, such as `EPROTO`; empty: it has none. */
type OfError = { readonly error: string }

type OfStatus = { readonly status: number }

/** `hint`: what an operator may have to correct, and where. */
type WithHint = { readonly hint: Finding }

/** Texts of a connection over HTTP. Those of a connection that broke come after the name of a server. */
export const HTTP_REASONS = {
  AnswerCutShort: () => 'the answer was cut short',
  AnswerGivenBefore: ({ id }: { readonly id: string }) => `the answer to request ${id} was given before`,
  AnswerMisses: ({ issues }: { readonly issues: string }) => issues,
  AnswerNotText: () => 'sent what is not text',
  AnswerOldByAge: ({ seconds }: { readonly seconds: number }) => `it is ${seconds} s old by its Age`,
  AnswerOldByDate: ({ behindMs }: { readonly behindMs: number }) =>
    `its Date is ${durationWords(behindMs)} behind the newest of this service (a clock that was set back is believed once it is seen to go on)`,
  AnswerTooLarge: ({ mebibytes }: { readonly mebibytes: number }) =>
    `sent more than ${mebibytes} MiB, which no such answer has`,
  AuthorityUnknown: ({ hint }: WithHint) => `shows a certificate of an authority unknown here. ${hint.message}`,
  CaFileHint: () => 'Name its authority with a CA file.',
  CertificateExpired: () =>
    'shows a certificate that has expired. Have it renewed, or correct the clock of this machine.',
  CertificateForOtherName: ({ hint }: WithHint) => `shows a certificate for another name. ${hint.message}`,
  CertificateNotYetValid: () => 'shows a certificate that is not valid yet. Is the clock of this machine right?',
  ClientCertificateUnusable: ({ error, hint }: OfError & WithHint) =>
    `cannot be asked: our client certificate or key cannot be used${inBrackets(error)}. ${hint.message}`,
  ConnectionBroke: ({ error }: OfError) => `broke the connection${inBrackets(error)}. It may be restarting; try again.`,
  ConnectionRefused: () => 'refuses connections. Is it running, and is its address right?',
  ConnectionSilent: () => 'does not answer. Check the network, the VPN and the firewall.',
  ConnectionTrouble: ({ error }: OfError) =>
    `cannot be spoken to${inBrackets(error)}. Check the network and the address.`,
  HostHint: () => 'Check the host in its address.',
  HostNameNotFound: () => 'is not known here by its name. Check the address, DNS and the VPN.',
  HostNameNotLookedUp: () => 'cannot be looked up by its name now. Check DNS and the network.',
  KeptBack: () => 'The Lease is not held, so nothing was sent.',
  NoClientCertificateHint: () => 'None is used.',
  NoRouteToHost: () => 'cannot be reached: there is no route to it. Check the network and the VPN.',
  ProxyNotReached: ({ proxy, error }: OfError & { readonly proxy: string }) =>
    `is not reached: the proxy ${proxy} ${PROXY_DOES.get(error) ?? ''}. Check the proxy, or name the server in NO_PROXY.`,
  ProxyRefused: () => "is behind a proxy that refused. Check the proxy's address and rules (proxy-url, HTTPS_PROXY).",
  ServerAnswersNonsense: ({ server, wrong }: OfServer & { readonly wrong: Finding }) => `${server} ${wrong.message}.`,
  ServerBusy: ({ server }: OfServer) => `${server} asks for patience.`,
  ServerConnectFailed: ({ server, fault }: OfServer & { readonly fault: Finding }) => `${server} ${fault.message}`,
  ServerFails: ({ server, status }: OfServer & OfStatus) => `${server} fails on its side (HTTP ${status}).`,
  ServerForbids: ({ server }: OfServer) => `${server} does not permit it to this login.`,
  ServerHasNot: ({ server }: OfServer) => `${server} does not have it. Is its address right, with its path?`,
  ServerPointsElsewhere: ({ server, status }: OfServer & OfStatus) =>
    `${server} points elsewhere (HTTP ${status}). Give its real address.`,
  ServerRefuses: ({ server, status }: OfServer & OfStatus) => `${server} does not take it (HTTP ${status}).`,
  ServerRefusesLogin: ({ server }: OfServer) => `${server} does not take the login. Set it again.`,
  ServerSilent: ({ server, seconds }: OfServer & { readonly seconds: number }) =>
    `${server} gave no answer in ${seconds} s.`,
  StoppedBeforeDone: ({ call }: OfCall) =>
    `Stopped before this was done: ${typeof call === 'string' ? call : call.message}.`,
  StoppedBeforeServer: ({ server }: OfServer) => `${server} was not asked to the end: it was stopped before.`,
  TlsNotUnderstood: ({ error }: OfError) =>
    `does not speak TLS as expected${inBrackets(error)}. Is it https or http, does it want another client certificate?`,
} satisfies TextsOf<string>

/** What a proxy does to which no connection was made. */
const PROXY_DOES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections'],
  ['ENOTFOUND', 'is not known here by its name'],
  ['EAI_AGAIN', 'cannot be looked up by its name now'],
  ['EHOSTUNREACH', 'cannot be reached'],
  ['ENETUNREACH', 'cannot be reached'],
  ['ETIMEDOUT', 'does not answer'],
])

function inBrackets(error: string): string {
  return error === '' ? '' : ` (${error})`
}
