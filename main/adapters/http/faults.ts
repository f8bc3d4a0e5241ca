import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

interface Fault {
  /** `tls`: the two sides do not trust or understand each other; `client-certificate`: our certificate is unusable. */
  readonly kind: 'network' | 'silent' | 'tls' | 'client-certificate'
  /** What happened and what to do, as a code; its text follows the server's name. */
  readonly fault: Finding
}

export interface FaultHints {
  readonly authority: Finding
  readonly serverName: Finding
  readonly clientCertificate: Finding
}

/** Faults that pass within seconds: a restart, a dropped idle connection. Wrong TLS settings and names do not. */
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

export function isPassing(code: string): boolean {
  return PASSING.has(code)
}

/** Errors that mean that no connection was made, to the proxy if there is one. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

/** The meaning of a system, TLS or parser error code. Other parts of an error are not read: they may contain keys (docs/drain.md). */
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
      return faultBy('tls', because('AuthorityUnknown', { hint: hints.authority }))
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return faultBy('tls', because('CertificateForOtherName', { hint: hints.serverName }))
    case 'CERT_HAS_EXPIRED':
      return faultBy('tls', because('CertificateExpired'))
    case 'CERT_NOT_YET_VALID':
      return faultBy('tls', because('CertificateNotYetValid'))
  }
  if (/^ERR_OSSL_(PEM|X509|ASN1|EVP|DECODER|UNSUPPORTED)|^ERR_CRYPTO|KEY_VALUES_MISMATCH/.test(code)) {
    const hint = hints.clientCertificate
    return faultBy('client-certificate', because('ClientCertificateUnusable', { error: code, hint }))
  }
  if (code === 'EPROTO' || /^(ERR_SSL|ERR_TLS|CERT)_/.test(code)) {
    return faultBy('tls', because('TlsNotUnderstood', { error: code }))
  }
  return faultBy('network', because('ConnectionTrouble', { error: code }))
}

function faultBy(kind: Fault['kind'], fault: Finding): Fault {
  return { kind, fault }
}
