import type { Agent } from 'node:http'
import type { RequestOptions } from 'node:https'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { trustThisMachine } from '../http/system-trust.ts'
import type { ConnectionSettings } from './connection.ts'
import type { KubeconfigContext } from './kubeconfig.ts'
import { rawObject, rawStringMap } from './raw.ts'

/**
 * The one file that loads @kubernetes/client-node, and only when a kubeconfig needs it: loading takes 450 ms, which a plain
 * kubeconfig must not pay (docs/drain.md, client facts).
 */
interface ClientNodeCredentials {
  /** An Authorization header, renewed with the refresh token when it is over. */
  authorization(): Promise<Result<string>>
}

/** Signs in with an OpenID Connect provider (`auth-provider: oidc`). Other providers were removed from kubectl in 1.26. */
export async function oidcCredentials(
  context: KubeconfigContext,
  connection: ConnectionSettings,
): Promise<Result<ClientNodeCredentials>> {
  const user = context.user
  const provider = rawObject(user?.fields['auth-provider'])
  if (user === null || provider.name !== 'oidc') {
    return failed(
      refusal('bad-input', because('AuthProviderDropped', { user: user?.name ?? '', provider: String(provider.name) })),
    )
  }
  const settings = rawStringMap(provider.config)
  const missing = ['idp-issuer-url', 'client-id'].find(name => (settings[name] ?? '') === '')
  if (missing !== undefined) {
    return failed(
      refusal('bad-input', because('OidcSettingMissing', { user: user.name, file: user.file, setting: missing })),
    )
  }
  const config = await singleUserConfig(connection, null, settings)
  const over = () => failed(refusal('unauthenticated', because('OidcTokenOver', { user: user.name, file: user.file })))
  return ok({
    authorization: async () => {
      try {
        const options: RequestOptions = { headers: {} }
        await config.applyToHTTPSOptions(options)
        const header = rawObject(options.headers).Authorization
        // Without a header the server would be asked as nobody.
        return typeof header === 'string' ? ok(header) : over()
      } catch {
        // The library's own errors may hold tokens: nothing of them is passed on.
        return over()
      }
    },
  })
}

/** An agent that goes through a SOCKS proxy, which Node itself does not know. */
export async function socksAgent(
  connection: ConnectionSettings,
  certificate: { readonly cert: string; readonly key: string } | null,
): Promise<Agent | null> {
  const config = await singleUserConfig(connection, certificate, null)
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  return typeof options.agent === 'object' ? options.agent : null
}

/** A SOCKS proxy looks up the names of servers itself, as with kubectl: only it may know them. */
function withNames({ href }: URL): string {
  return href.replace(/^socks5:/, 'socks5h:')
}

async function singleUserConfig(
  connection: ConnectionSettings,
  certificate: { readonly cert: string; readonly key: string } | null,
  oidc: Readonly<Record<string, string>> | null,
) {
  // The package opens connections of its own, to a login provider too.
  trustThisMachine()
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  config.loadFromClusterAndUser(
    {
      name: 'cluster',
      server: connection.server.href,
      // Without this the package refuses plain http; what is verified of https is said by `verify` alone.
      skipTLSVerify: !connection.verify || connection.server.protocol === 'http:',
      ...(connection.ca === null ? {} : { caData: base64(connection.ca) }),
      ...(connection.proxy === null ? {} : { proxyUrl: withNames(connection.proxy) }),
      ...(connection.serverName === null ? {} : { tlsServerName: connection.serverName }),
    },
    {
      name: 'user',
      ...(certificate === null ? {} : { certData: base64(certificate.cert), keyData: base64(certificate.key) }),
      ...(oidc === null ? {} : { authProvider: { name: 'oidc', config: { ...oidc } } }),
    },
  )
  return config
}
