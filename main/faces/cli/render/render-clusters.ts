import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { Look } from '../words/look.ts'
import { renderTable } from '../words/table.ts'

export function renderClusters(clusters: readonly Cluster[], look: Look): readonly string[] {
  if (clusters.length === 0)
    return [
      'No cloud is registered. `lockkeeper cluster add --help` explains how; `lockkeeper demo tour` needs no cloud.',
    ]
  return renderTable(
    ['NAME', 'FLAVOUR', 'PRODUCTION', 'CONTEXT', 'CLOUD', 'KUBECONFIG'],
    clusters.map(({ name, flavour, production, kubeconfig, cloud }) => [
      { text: name, paint: look.palette.strong },
      flavour,
      production ? 'yes' : 'no',
      kubeconfig.context,
      cloud === null ? 'none' : cloud.cloud,
      kubeconfig.paths.join(':'),
    ]),
    look,
  )
}
