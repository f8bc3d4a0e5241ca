import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

/** What an error's code says of the way to a server. */
interface Fault {
  /** `tls`: the two do not trust or understand each other; `client-certificate`: ours cannot be used. */
  readonly kind: 'network' | 'silent' | 'tls' | 'client-certificate'
  /** What the server does, and what next, by a code: its text comes after the server's name. */
  readonly fault: Finding
  /** That text. */
  readonly words: string
}

/** What an operator may have to correct in the settings of one system. */
type Hint = string | Finding

/** Where the settings of one system have what an operator may have to correct. */
export interface FaultHints {
  /** The server's certificate is of an authority unknown here. */
  readonly authority: Hint
  /** The server's certificate is for another name. */
  readonly serverName: Hint
  /** Our own certificate or key cannot be used. */
  readonly clientCertificate: Hint
}

/** Faults that mend themselves within seconds: a restart, an idle connection that was forgotten. TLS and names that are wrong do not. */
const PASSING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])

/** Whether a request that met this fault may go through in a moment. */
export function isPassing(code: string): boolean {
  return PASSING.has(code)
}

/** What says that no connection was made: to the proxy, where there is one. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

/**
 * What the code of a system, TLS or parser error says. Only the code is read: the rest of an error may hold keys (docs/drain.md). `proxy`:
 * the one that the request was to go through.
 */
export function faultOf(code: string, hints: FaultHints, proxy?: string): Fault {
  if (proxy !== undefined && NOT_CONNECTED.has(code)) {
    return faultBy('network', because('ProxyNotReached', { proxy, error: code }))
  }
  switch (code) {
    case 'ECONNREFUSED':
      return faultBy('network', because('ConnectionRefused'))
    case 'ENOTFOUND':
      return faultBy('network', because('HostNameNotFound'))
    case 'EAI_AGAIN':
      return faultBy('network', because('HostNameNotLookedUp'))
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return faultBy('network', because('NoRouteToHost'))
    case 'ETIMEDOUT':
    case 'ESOCKETTIMEDOUT':
      return faultBy('silent', because('ConnectionSilent'))
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return faultBy('network', because('ConnectionBroke', { error: code }))
    case 'ERR_PROXY_TUNNEL':
    case 'ERR_PROXY_INVALID_CONFIG':
      return faultBy('network', because('ProxyRefused'))
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_UNTRUSTED':
    case 'CERT_SIGNATURE_FAILURE':
      return faultBy('tls', because('AuthorityUnknown', { hint: codedHint(hints.authority) }))
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return faultBy('tls', because('CertificateForOtherName', { hint: codedHint(hints.serverName) }))
    case 'CERT_HAS_EXPIRED':
      return faultBy('tls', because('CertificateExpired'))
    case 'CERT_NOT_YET_VALID':
      return faultBy('tls', because('CertificateNotYetValid'))
  }
  if (/^ERR_OSSL_(PEM|X509|ASN1|EVP|DECODER|UNSUPPORTED)|^ERR_CRYPTO|KEY_VALUES_MISMATCH/.test(code)) {
    const hint = codedHint(hints.clientCertificate)
    return faultBy('client-certificate', because('ClientCertificateUnusable', { error: code, hint }))
  }
  if (code === 'EPROTO' || /^(ERR_SSL|ERR_TLS|CERT)_/.test(code)) {
    return faultBy('tls', because('TlsNotUnderstood', { error: code }))
  }
  return faultBy('network', because('ConnectionTrouble', { error: code }))
}

function faultBy(kind: Fault['kind'], fault: Finding): Fault {
  return { kind, fault, words: fault.message }
}

/** A hint that is a text alone has no code of its own. */
function codedHint(hint: Hint): Finding {
  return typeof hint === 'string' ? { code: 'Hint', values: {}, message: hint } : hint
}
