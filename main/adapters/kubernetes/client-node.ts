import type { Agent } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { KubeConfig, User } from '@kubernetes/client-node'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { trustThisMachine } from '../http/system-trust.ts'
import type { ConnectionSettings } from './connection.ts'
import { inHeader, type KubeconfigUser, type ProvenFile } from './kubeconfig-entries.ts'
import { rawStringMap } from './raw.ts'

/**
 * The one file that loads @kubernetes/client-node, when a kubeconfig is opened: every start of the console would pay for it (docs/decisions/0002).
 */

/** What one request proves itself with. Holds secrets: never log it. */
export interface Proof {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly certificate: { readonly cert: string; readonly key: string } | null
}

/** Credentials that were fetched and proven already, for KubeConfig to sign in with. */
type Fetched = Partial<Pick<User, 'token' | 'username' | 'password'>> & Pick<Proof, 'certificate'>

/** Merges files as KubeConfig does; the first that names a current context decides, as for kubectl. */
export async function mergedConfig(files: readonly ProvenFile[]): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const merged = new KubeConfig()
  for (const { folder, text } of files) {
    const one = new KubeConfig()
    // An entry that has no name or lacks what it is for hides no other one.
    one.loadFromString(text, { onInvalidEntry: 'filter' })
    one.makePathsAbsolute(folder)
    merged.mergeConfig(one, Boolean(merged.getCurrentContext()))
  }
  return merged
}

/** What KubeConfig proves a user with: its name and password, token, certificate, and whom it acts as. */
export async function proofBy(
  connection: ConnectionSettings,
  user: KubeconfigUser,
  { certificate, ...fetched }: Fetched,
): Promise<Proof> {
  return askedOf(await configOf(connection, certificate, { ...fetched, ...actsAs(user) }), user)
}

/**
 * Signs in with an OpenID Connect provider (`auth-provider: oidc`), and renews the token with the refresh token when it is over. Other providers were
 * removed from kubectl in 1.26.
 */
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
  // The package opens connections of its own to the provider.
  trustThisMachine()
  // The package hands the address on as it is, to a library that takes no text.
  const issuer = config['idp-issuer-url'] ?? ''
  const held: Record<string, unknown> = { ...config, 'idp-issuer-url': URL.canParse(issuer) ? new URL(issuer) : issuer }
  const signIn = () =>
    configOf(connection, certificate, { authProvider: { name: 'oidc', config: held }, ...actsAs(user) })
  let signedIn = await signIn()
  let asked: Promise<Proof> | null = null
  async function ask(): Promise<Proof> {
    const before = held['id-token']
    const proof = await askedOf(signedIn, user)
    // It takes the seconds that a renewed token lasts for the time when it ends: a new one reads that from the token.
    if (held['id-token'] !== before) signedIn = await signIn()
    return proof
  }
  const over = () => failed(refusal('unauthenticated', because('OidcTokenOver', { user: name, file })))
  return ok(async () => {
    // A refresh token may count once: requests beside each other share what it gives.
    asked ??= ask().finally(() => {
      asked = null
    })
    try {
      const proof = await asked
      // Without a header the server would be asked as nobody.
      return proof.headers.Authorization === undefined ? over() : ok(proof)
    } catch {
      // The library's own errors may hold tokens: nothing of them is passed on.
      return over()
    }
  })
}

/** An agent that goes through a SOCKS proxy, which Node itself does not know. */
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

/** KubeConfig knows `as` alone; the rest of whom a user acts as goes beside it. */
function actsAs({ settings: { impersonateUser } }: KubeconfigUser): Partial<User> {
  return impersonateUser ? { impersonateUser: inHeader(impersonateUser) } : {}
}

async function askedOf(config: KubeConfig, { actsIn }: KubeconfigUser): Promise<Proof> {
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

/** One cluster and one user with what was settled of them: nothing of it is read from a file again, and no command runs. */
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
      // Without this the package refuses plain http; what is verified of https is said by `verify` alone.
      skipTLSVerify: !verify || server.protocol === 'http:',
      ...(ca === null ? {} : { caData: base64(ca) }),
      // A SOCKS proxy looks up the names of servers itself, as with kubectl: only it may know them. Other proxies are Node's.
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
