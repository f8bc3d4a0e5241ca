import { stringify } from 'yaml'
import type { Certificates } from './certificates.ts'

/** The credentials in a kubeconfig: the administrator's certificate or token, or the token of the viewer without rights. */
export type KubeconfigUser = 'admin' | 'admin-token' | 'viewer'

/** Writes a kubeconfig for a simulated API server; its context is `demo`. */
export function kubeconfigText(
  url: string,
  certificates: Certificates,
  tokens: { readonly admin: string; readonly viewer: string },
  user: KubeconfigUser,
): string {
  const encoded = (text: string): string => Buffer.from(text).toString('base64')
  const credentials =
    user === 'admin'
      ? {
          'client-certificate-data': encoded(certificates.client.certificate),
          'client-key-data': encoded(certificates.client.key),
        }
      : { token: user === 'viewer' ? tokens.viewer : tokens.admin }
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'demo', cluster: { server: url, 'certificate-authority-data': encoded(certificates.authority) } },
    ],
    users: [{ name: `demo-${user}`, user: credentials }],
    contexts: [{ name: 'demo', context: { cluster: 'demo', user: `demo-${user}` } }],
    'current-context': 'demo',
  })
}
