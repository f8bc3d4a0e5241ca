import type { CommandWish } from '../../ports/commands.ts'

/** Variables that hold this console's own secrets, or their locations. */
const OWN_NAMES = /^(OS_|LOCKKEEPER_|JUJU_|KUBECONFIG$)/i

/**
 * The environment of an operator's command: this process's, without the console's secrets, plus the node or application, cluster and run. `isSecret` recognizes
 * loaded secrets.
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
