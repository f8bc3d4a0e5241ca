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
        const credentials = credentialKind(user)
        // A command that is not needed is not run, and nobody has to agree to it.
        const plugin = credentials === 'exec' ? execPluginOf(user) : null
        return {
          name: context.name,
          current: context.name === config.currentContext,
          cluster,
          host: hostOf(rawText(config.clusters.get(cluster)?.fields.server)),
          user: user?.name ?? null,
          credentials,
          execPlugin: plugin === null ? null : (await withProgram(plugin)).described,
          file: context.file,
        }
      }),
    ),
  )
}

/** How this user proves who it is; where several are given, the one that decides: client-go runs no command and no provider where there is something else. */
export function credentialKind(user: KubeconfigEntry | null): CredentialKind {
  if (user === null) return 'none'
  const has = (...names: readonly string[]) => names.some(name => rawText(user.fields[name]) !== '')
  if (has('token', 'tokenFile')) return 'token'
  if (has('username')) return 'basic'
  const hasCertificate = has('client-certificate', 'client-certificate-data')
  if (execPluginOf(user) !== null) return hasCertificate ? 'client certificate' : 'exec'
  const provider = rawText(rawObject(user.fields['auth-provider']).name)
  if (provider !== '') return provider === 'oidc' ? 'oidc' : 'other provider'
  return hasCertificate ? 'client certificate' : 'none'
}

/** Host and port of a server address, without path, user or password. */
function hostOf(server: string): string | null {
  return URL.canParse(server) ? new URL(server).host : null
}
