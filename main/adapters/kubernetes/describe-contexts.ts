import { ok, type Result } from '../../../shared/domain/result.ts'
import { type ExecPluginDescription, execPluginOf, withProgram } from './exec-program.ts'
import { type KubeconfigEntry, loadKubeconfig } from './kubeconfig.ts'
import { rawObject, rawText } from './raw.ts'

/** How a user of a kubeconfig proves who it is. */
type CredentialKind = 'exec' | 'oidc' | 'other provider' | 'token' | 'basic' | 'client certificate' | 'none'

/** One context of a kubeconfig in words that may be shown: no secret is in it. */
export interface ContextDescription {
  readonly name: string
  readonly current: boolean
  readonly cluster: string
  /** Host and port of the API server; null when the cluster is not defined or its address is unusable. */
  readonly host: string | null
  readonly user: string | null
  readonly credentials: CredentialKind
  readonly execPlugin: ExecPluginDescription | null
  readonly file: string
}

/** What contexts there are to choose from, without secrets and without running anything (style G15). */
export async function describeContexts(paths: readonly string[]): Promise<Result<readonly ContextDescription[]>> {
  const loaded = await loadKubeconfig(paths)
  if (!loaded.ok) return loaded
  const config = loaded.value
  return ok(
    await Promise.all(
      [...config.contexts.values()].map(async context => {
        const cluster = rawText(context.fields.cluster)
        const user = config.users.get(rawText(context.fields.user)) ?? null
        const plugin = execPluginOf(user)
        return {
          name: context.name,
          current: context.name === config.currentContext,
          cluster,
          host: hostOf(rawText(config.clusters.get(cluster)?.fields.server)),
          user: user?.name ?? null,
          credentials: credentialKind(user),
          execPlugin: plugin === null ? null : (await withProgram(plugin)).described,
          file: context.file,
        }
      }),
    ),
  )
}

/** How this user proves who it is; where several are given, the one that decides (client-go: exec and providers, then tokens, then basic). */
export function credentialKind(user: KubeconfigEntry | null): CredentialKind {
  if (user === null) return 'none'
  const has = (...names: readonly string[]) => names.some(name => rawText(user.fields[name]) !== '')
  if (execPluginOf(user) !== null) return 'exec'
  const provider = rawText(rawObject(user.fields['auth-provider']).name)
  if (provider !== '') return provider === 'oidc' ? 'oidc' : 'other provider'
  if (has('token', 'tokenFile')) return 'token'
  if (has('username')) return 'basic'
  if (has('client-certificate', 'client-certificate-data')) return 'client certificate'
  return 'none'
}

/** Host and port of a server address, without path, user or password. */
function hostOf(server: string): string | null {
  return URL.canParse(server) ? new URL(server).host : null
}
