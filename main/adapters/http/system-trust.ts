import tls from 'node:tls'

let isTrusted = false

/**
 * Lets the certificate authorities of this machine count where a connection names none of its own, as for kubectl and the openstack client: a
 * company's root is installed there. Reading them takes some 75 ms, so the first connection that needs them does it. SSL_CERT_FILE and
 * SSL_CERT_DIR name other ones. A machine whose authorities cannot be read keeps those that Node brings.
 */
export function trustThisMachine(): void {
  if (isTrusted) return
  isTrusted = true
  try {
    tls.setDefaultCACertificates([
      ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]),
    ])
  } catch {
    // Without them a certificate of such an authority is refused, and the failure says so.
  }
}
