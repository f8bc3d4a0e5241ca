import type { UpdateProposal } from '../../../../shared/contract/maintenance.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { UpdateNode } from './update-node.ts'

/** The group that holds every worker by default, with the index of LCM's own default group (docs/domain.md A.4). */
const DEFAULT_GROUP = { name: 'default', index: 1 } as const

/** Control-plane nodes first, then all other nodes in one group, one by one. */
export function proposeUpdate(nodes: readonly UpdateNode[]): Omit<UpdateProposal, 'batches'> {
  const ready = nodes.filter(({ isReady }) => isReady).toSorted(byPlace)
  const workers = ready.filter(node => !isControl(node))
  return {
    options: {
      scope: 'os',
      release: null,
      reason: '',
      controlNodes: ready.filter(isControl).map(({ name }) => name),
      groups:
        workers.length === 0
          ? []
          : [{ ...DEFAULT_GROUP, nodes: workers.map(({ name }) => name), concurrentUpdates: 1 }],
      zoneAtATime: false,
      work: { kind: 'person' },
      pauseBetweenNodes: false,
      pauseBetweenPhases: false,
    },
    left: nodes
      .filter(({ isReady }) => !isReady)
      .map(({ name }) => ({ node: name, why: found('LeftForSilentKubelet').message })),
  }
}

function isControl(node: UpdateNode): boolean {
  return node.roles.includes('control')
}

/** By zone, then by name, with numbers compared as numbers. */
function byPlace(a: UpdateNode, b: UpdateNode): number {
  return (
    Number(isControl(b)) - Number(isControl(a)) ||
    (isControl(a) ? 0 : (a.zone ?? '').localeCompare(b.zone ?? '')) ||
    a.name.localeCompare(b.name, 'en', { numeric: true })
  )
}
