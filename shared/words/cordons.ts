import { type CordonHolder, cordonedBy } from '../domain/cordon-holders.ts'
import { listed } from '../grammar/counts.ts'
import { instantWords } from '../grammar/times.ts'

/** The holder of a cordon and the time: `by kubectl (it last wrote the node at 2026-01-01 10:00:00 UTC)`. */
export function cordonedByWords(holders: readonly CordonHolder[]): string {
  return holders.length === 0
    ? 'by a client that Kubernetes does not name'
    : `by ${listed(holders.map(holder => `${managerWords(holder)}${holder.at === null ? '' : ` (it last wrote the node at ${instantWords(holder.at)})`}`))}`
}

function managerWords(holder: CordonHolder): string {
  const by = cordonedBy(holder)
  switch (by.kind) {
    case 'run':
      return `run ${by.runId} of Lockkeeper`
    case 'lockkeeper':
      return 'Lockkeeper, for an unknown run'
    case 'other':
      return by.manager
  }
}
