import type { CommandWish } from '../../ports/commands.ts'

/** Names under which this console is told its own secrets, or where they are. */
const OWN_NAMES = /^(OS_|LOCKKEEPER_|JUJU_|KUBECONFIG$)/i

/**
 * What a command of the operator's finds in its environment: this process's own, without what names or holds secrets of the console, and which node or application, cluster and run it
 * is for. `isSecret` tells of a value whether it holds one that was loaded.
 */
export function commandEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  { node, application, cluster, runId }: Pick<CommandWish, 'node' | 'application' | 'cluster' | 'runId'>,
  isSecret: (value: string) => boolean,
): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || OWN_NAMES.test(name) || isSecret(value)) continue
    given[name] = value
  }
  const about = application === undefined ? { LOCKKEEPER_NODE: node } : { LOCKKEEPER_APPLICATION: application }
  return { ...given, ...about, LOCKKEEPER_CLUSTER: cluster, LOCKKEEPER_RUN: runId }
}
