import { ok, type Result } from '../../../../shared/domain/result.ts'
import { LOCKKEEPER_VERSION } from '../../../version.ts'
import type { Manifest } from './manifest.ts'
import { RUNNER_NAMESPACE, type RunnerInstall, SINCE } from './runner-install.ts'
import { manifestsText, runnerManifests } from './runner-manifests.ts'

/** How to install a runner; null: as usual. */
type RunnerInstallWish = Omit<RunnerInstall, 'namespace' | 'image'> & {
  readonly namespace: string | null
  readonly image: string | null
}

/** The objects that install a runner, and the same as text for kubectl. */
interface PrintedManifests {
  readonly items: readonly Manifest[]
  readonly lines: readonly string[]
}

/** Everything that a runner needs in a cluster, with the first command, and with what an older Kubernetes lacks. */
export function printManifests(wish: RunnerInstallWish): Result<PrintedManifests> {
  const namespace = wish.namespace ?? RUNNER_NAMESPACE
  const image = wish.image ?? `lockkeeper:${LOCKKEEPER_VERSION}`
  const items = runnerManifests({ ...wish, namespace, image })
  return ok({ items, lines: [...headOf(namespace, wish.minor), manifestsText(items).trimEnd()] })
}

function headOf(namespace: string, minor: number): readonly string[] {
  return [
    `# A runner of Lockkeeper ${LOCKKEEPER_VERSION} (docs/runner.md). First: kubectl create namespace ${namespace}`,
    ...(minor < SINCE.rules
      ? [
          '# Kubernetes before 1.25 has no rules in definitions: that a spec is never changed is kept by the runner alone.',
        ]
      : []),
    ...(minor < SINCE.admission
      ? ['# Kubernetes before 1.30 does not prove who confirmed: the journal says "by their own word".']
      : []),
  ]
}
