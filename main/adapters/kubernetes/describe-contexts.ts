import { ok, type Result } from '../../../shared/domain/result.ts'
import { type ExecPluginDescription, execPluginOf, withProgram } from './exec-program.ts'
import { loadKubeconfig, userOf } from './kubeconfig.ts'
import type { CredentialKind } from './kubeconfig-entries.ts'

export interface ContextDescription {
  readonly name: string
  readonly current: boolean
  readonly cluster: string
  /** Host and port of the API server; null if the cluster is undefined or its address is unusable. */
  readonly host: string | null
  readonly user: string | null
  readonly credentials: CredentialKind
  readonly execPlugin: ExecPluginDescription | null
  readonly file: string
}

/** The available contexts, without secrets and without running anything (style G15). */
export async function describeContexts(paths: readonly string[]): Promise<Result<readonly ContextDescription[]>> {
  const loaded = await loadKubeconfig(paths)
  if (!loaded.ok) return loaded
  const { config, entries } = loaded.value
  return ok(
    await Promise.all(
      config.getContexts().map(async ({ name, cluster, user: userName }) => {
        const user = userOf(loaded.value, userName ?? '')
        const plugin = execPluginOf(user)
        return {
          name,
          current: name === config.getCurrentContext(),
          cluster,
          host: hostOf(config.getCluster(cluster)?.server ?? ''),
          user: user?.name ?? null,
          credentials: user?.credentials ?? 'none',
          execPlugin: plugin === null ? null : (await withProgram(plugin)).described,
          file: entries.contexts.get(name)?.file ?? '',
        }
      }),
    ),
  )
}

function hostOf(server: string): string | null {
  return URL.canParse(server) ? new URL(server).host : null
}
