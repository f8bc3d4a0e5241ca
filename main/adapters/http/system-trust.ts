import tls from 'node:tls'

let isTrusted = false

/**
 * Trusts this machine's certificate authorities where a connection names none, as kubectl does; SSL_CERT_FILE and SSL_CERT_DIR replace them. Reading them takes
 * about 75 ms, so the first connection that needs them does it.
 */
export function trustThisMachine(): void {
  if (isTrusted) return
  isTrusted = true
  try {
    tls.setDefaultCACertificates([
      ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]),
    ])
  } catch {
    // A certificate of such an authority is then refused, and the failure says so.
  }
}
