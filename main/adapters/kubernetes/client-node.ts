import type { Agent } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { KubeConfig, User } from '@kubernetes/client-node'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { trustThisMachine } from '../http/system-trust.ts'
import type { ConnectionSettings } from './connection.ts'
import { headerBytes, type KubeconfigUser, type ValidatedFile } from './kubeconfig-entries.ts'
import { rawStringMap } from './raw.ts'

/** The one file that loads @kubernetes/client-node, and only when a kubeconfig is opened, to keep starts fast (docs/decisions/0002). */

export interface Proof {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly certificate: { readonly cert: string; readonly key: string } | null
}

type Fetched = Partial<Pick<User, 'token' | 'username' | 'password'>> & Pick<Proof, 'certificate'>

/** Merges files as KubeConfig does; the first with a current context decides, as in kubectl. */
export async function mergedConfig(files: readonly ValidatedFile[]): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const merged = new KubeConfig()
  for (const { folder, text } of files) {
    const one = new KubeConfig()
    // An invalid entry does not hide others of its name.
    one.loadFromString(text, { onInvalidEntry: 'filter' })
    one.makePathsAbsolute(folder)
    merged.mergeConfig(one, Boolean(merged.getCurrentContext()))
  }
  return merged
}

export async function userProof(
  connection: ConnectionSettings,
  user: KubeconfigUser,
  { certificate, ...fetched }: Fetched,
): Promise<Proof> {
  return proofOf(await configOf(connection, certificate, { ...fetched, ...impersonation(user) }), user)
}

/** Signs in with an OpenID Connect provider (`auth-provider: oidc`) and refreshes an expired token. kubectl removed other providers in 1.26. */
export async function oidcProofs(
  connection: ConnectionSettings,
  user: KubeconfigUser,
  certificate: Proof['certificate'],
): Promise<Result<() => Promise<Result<Proof>>>> {
  const { name, file, settings } = user
  if (user.credentials !== 'oidc') {
    const provider = String(settings.authProvider?.name)
    return failed(refusal('bad-input', because('AuthProviderDropped', { user: name, provider })))
  }
  const config = rawStringMap(settings.authProvider?.config)
  const missing = ['idp-issuer-url', 'client-id'].find(each => (config[each] ?? '') === '')
  if (missing !== undefined) {
    return failed(refusal('bad-input', because('OidcSettingMissing', { user: name, file, setting: missing })))
  }
  // The package opens its own connections to the provider.
  trustThisMachine()
  // The package passes the address to a library that requires one.
  const issuer = config['idp-issuer-url'] ?? ''
  const held: Record<string, unknown> = { ...config, 'idp-issuer-url': URL.canParse(issuer) ? new URL(issuer) : issuer }
  const signIn = () =>
    configOf(connection, certificate, { authProvider: { name: 'oidc', config: held }, ...impersonation(user) })
  let signedIn = await signIn()
  let asked: Promise<Proof> | null = null
  async function refreshProof(): Promise<Proof> {
    const before = held['id-token']
    const proof = await proofOf(signedIn, user)
    // The package misreads the lifetime of a renewed token as its expiry; a new instance reads the expiry from the token.
    if (held['id-token'] !== before) signedIn = await signIn()
    return proof
  }
  const over = () => {
    const of = { user: name, file }
    const why = isJwt(held['id-token']) ? because('OidcTokenOver', of) : because('OidcTokenNotJwt', of)
    return failed(refusal('unauthenticated', why))
  }
  return ok(async () => {
    // A refresh token may be single-use: concurrent requests share the result.
    asked ??= refreshProof().finally(() => {
      asked = null
    })
    try {
      const proof = await asked
      // Without a header the request would be anonymous.
      return proof.headers.Authorization === undefined ? over() : ok(proof)
    } catch {
      // The library's errors may contain tokens, so no part is passed on.
      return over()
    }
  })
}

/** Whether a token has the three parts of a JSON web token, the second of them JSON, so that its expiry can be read. */
function isJwt(token: unknown): boolean {
  const [, payload, ...more] = String(token).split('.')
  if (payload === undefined || more.length !== 1) return false
  try {
    return typeof JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) === 'object'
  } catch {
    return false
  }
}

/** An agent through a SOCKS proxy, which Node does not support. */
export async function socksAgent(
  connection: ConnectionSettings,
  certificate: Proof['certificate'],
): Promise<Agent | null> {
  trustThisMachine()
  const config = await configOf(connection, certificate, {})
  const options: RequestOptions = {}
  await config.applyToHTTPSOptions(options)
  return typeof options.agent === 'object' ? options.agent : null
}

/** KubeConfig supports `as` alone; other impersonation headers are added separately. */
function impersonation({ settings: { impersonateUser } }: KubeconfigUser): Partial<User> {
  return impersonateUser ? { impersonateUser: headerBytes(impersonateUser) } : {}
}

async function proofOf(config: KubeConfig, { actsIn }: KubeconfigUser): Promise<Proof> {
  const options: RequestOptions = { headers: {} }
  await config.applyToHTTPSOptions(options)
  const { auth, cert, key } = options
  return {
    headers: {
      ...rawStringMap(options.headers),
      ...(auth ? { Authorization: `Basic ${base64(auth)}` } : {}),
      ...actsIn,
    },
    certificate: cert && key ? { cert: String(cert), key: String(key) } : null,
  }
}

/** A KubeConfig with one resolved cluster and user: it reads no file and runs no command. */
async function configOf(
  { server, verify, ca, proxy, serverName }: ConnectionSettings,
  certificate: Proof['certificate'],
  user: Partial<User>,
): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  config.loadFromClusterAndUser(
    {
      name: 'cluster',
      server: server.href,
      // Without this the package refuses plain http; `verify` alone decides about https.
      skipTLSVerify: !verify || server.protocol === 'http:',
      ...(ca === null ? {} : { caData: base64(ca) }),
      // A SOCKS proxy resolves server names itself, as in kubectl. Node handles other proxies.
      ...(proxy?.protocol.startsWith('socks') ? { proxyUrl: proxy.href.replace(/^socks5:/, 'socks5h:') } : {}),
      ...(serverName === null ? {} : { tlsServerName: serverName }),
    },
    {
      ...user,
      name: 'user',
      ...(certificate === null ? {} : { certData: base64(certificate.cert), keyData: base64(certificate.key) }),
    },
  )
  return config
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
