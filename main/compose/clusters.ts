import type { Cluster } from '../../shared/domain/cluster.ts'
import { describeContexts } from '../adapters/kubernetes/describe-contexts.ts'
import { defaultKubeconfigPaths } from '../adapters/kubernetes/kubeconfig.ts'
import { type Clusters, createClusters } from '../clusters/clusters.ts'
import { openTokenFiles } from '../clusters/token-files.ts'
import type { CommandPort } from '../ports/commands.ts'
import type { PrometheusPort } from '../ports/prometheus.ts'
import { accessQuestionsOf } from '../procedures/steps/general/access-questions.ts'
import { openConnectors } from './connectors.ts'
import type { AppOptions, Foundation } from './foundation.ts'

/** Opens the registered clusters with the real adapters. */
export function openClusters(
  { clock, log, places, redactor, registry, registryFolder }: Foundation,
  { face, onRequest }: Pick<AppOptions, 'face' | 'onRequest'>,
  {
    commands,
    prometheusOf,
  }: {
    readonly commands: CommandPort
    readonly prometheusOf: (cluster: Cluster) => PrometheusPort | null
  },
): Clusters {
  const { registerSecret } = redactor
  return createClusters({
    ...openConnectors({ clock, log, tokens: openTokenFiles(registryFolder, face.secrets), registerSecret, onRequest }),
    registry,
    places,
    describeContexts,
    defaultKubeconfigPaths: () => defaultKubeconfigPaths(places.environment, places.home),
    prometheusOf,
    accessQuestions: cluster => accessQuestionsOf(cluster),
    commands,
    registerSecret,
    clock,
    log,
  })
}
