import { type CordonHolder, cordonedBy } from '../domain/cordon-holders.ts'
import { listed } from '../grammar/counts.ts'

/** Who cordoned a node and when, as far as that is told: `by kubectl (it last wrote the node at 2026-01-01T10:00:00Z)`. */
export function cordonedByWords(holders: readonly CordonHolder[]): string {
  return holders.length === 0
    ? 'by somebody whom Kubernetes does not name'
    : `by ${listed(holders.map(holder => `${managerWords(holder)}${holder.at === null ? '' : ` (it last wrote the node at ${holder.at})`}`))}`
}

function managerWords(holder: CordonHolder): string {
  const by = cordonedBy(holder)
  switch (by.kind) {
    case 'run':
      return `run ${by.runId} of Lockkeeper`
    case 'lockkeeper':
      return 'Lockkeeper, which did not say for which run'
    case 'other':
      return by.manager
  }
}
