import tls from 'node:tls'

let isTrusted = false

/**
 * Trusts the certificate authorities of this machine where a connection names none, as kubectl and the openstack client do. Reading them takes about 75 ms, so
 * the first connection that needs them does it. SSL_CERT_FILE and SSL_CERT_DIR replace them. If they cannot be read, Node's own list counts.
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
