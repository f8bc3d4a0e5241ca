/** What an error's code says of the way to a server. */
interface Fault {
  /** `tls`: the two do not trust or understand each other; `client-certificate`: ours cannot be used. */
  readonly kind: 'network' | 'silent' | 'tls' | 'client-certificate'
  /** What the server does, and what next: after its name. */
  readonly words: string
}

/** Where the settings of one system have what an operator may have to correct: sentences. */
export interface FaultHints {
  /** The server's certificate is of an authority unknown here. */
  readonly authority: string
  /** The server's certificate is for another name. */
  readonly serverName: string
  /** Our own certificate or key cannot be used. */
  readonly clientCertificate: string
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
const NOT_CONNECTED: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections'],
  ['ENOTFOUND', 'is not known here by its name'],
  ['EAI_AGAIN', 'cannot be looked up by its name now'],
  ['EHOSTUNREACH', 'cannot be reached'],
  ['ENETUNREACH', 'cannot be reached'],
  ['ETIMEDOUT', 'does not answer'],
])

/**
 * Puts the code of a system, TLS or parser error into words. Only the code is read: the rest of an error may hold keys (docs/drain.md). `proxy`:
 * the one that the request was to go through.
 */
export function faultOf(code: string, hints: FaultHints, proxy?: string): Fault {
  const ofProxy = proxy === undefined ? undefined : NOT_CONNECTED.get(code)
  if (ofProxy !== undefined) {
    return {
      kind: 'network',
      words: `is not reached: the proxy ${proxy} ${ofProxy}. Check the proxy, or name the server in NO_PROXY.`,
    }
  }
  const network = (words: string): Fault => ({ kind: 'network', words })
  const tls = (words: string): Fault => ({ kind: 'tls', words })
  const said = code === '' ? '' : ` (${code})`
  switch (code) {
    case 'ECONNREFUSED':
      return network('refuses connections. Is it running, and is its address right?')
    case 'ENOTFOUND':
      return network('is not known here by its name. Check the address, DNS and the VPN.')
    case 'EAI_AGAIN':
      return network('cannot be looked up by its name now. Check DNS and the network.')
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return network('cannot be reached: there is no route to it. Check the network and the VPN.')
    case 'ETIMEDOUT':
    case 'ESOCKETTIMEDOUT':
      return { kind: 'silent', words: 'does not answer. Check the network, the VPN and the firewall.' }
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return network(`broke the connection${said}. It may be restarting; try again.`)
    case 'ERR_PROXY_TUNNEL':
    case 'ERR_PROXY_INVALID_CONFIG':
      return network("is behind a proxy that refused. Check the proxy's address and rules (proxy-url, HTTPS_PROXY).")
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_UNTRUSTED':
    case 'CERT_SIGNATURE_FAILURE':
      return tls(`shows a certificate of an authority unknown here. ${hints.authority}`)
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return tls(`shows a certificate for another name. ${hints.serverName}`)
    case 'CERT_HAS_EXPIRED':
      return tls('shows a certificate that has expired. Have it renewed, or correct the clock of this machine.')
    case 'CERT_NOT_YET_VALID':
      return tls('shows a certificate that is not valid yet. Is the clock of this machine right?')
  }
  if (/^ERR_OSSL_(PEM|X509|ASN1|EVP|DECODER|UNSUPPORTED)|^ERR_CRYPTO|KEY_VALUES_MISMATCH/.test(code)) {
    const words = `cannot be asked: our client certificate or key cannot be used${said}. ${hints.clientCertificate}`
    return { kind: 'client-certificate', words }
  }
  if (code === 'EPROTO' || /^(ERR_SSL|ERR_TLS|CERT)_/.test(code)) {
    return tls(`does not speak TLS as expected${said}. Is it https or http, does it want another client certificate?`)
  }
  return network(`cannot be spoken to${said}. Check the network and the address.`)
}
