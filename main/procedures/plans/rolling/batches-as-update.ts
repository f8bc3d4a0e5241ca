import type { UpdateOptions } from '../../../../shared/domain/update.ts'
import type { WindowPlan } from '../../../../shared/domain/window.ts'
import type { UpdateNode } from './update-node.ts'

/** Batches as update options. On `mosk` control-plane nodes are a phase before all workers, one by one (docs/domain.md A.4). */
export function batchesAsUpdate(
  plan: Pick<Extract<WindowPlan, { kind: 'batches' }>, 'batches' | 'pauseBetweenBatches' | 'scope' | 'work'>,
  {
    nodes,
    hasControlPhase,
    reason,
  }: { readonly nodes: readonly UpdateNode[]; readonly hasControlPhase: boolean; readonly reason: string },
): UpdateOptions {
  const isControl = (name: string) =>
    hasControlPhase && nodes.some(node => node.name === name && node.roles.includes('control'))
  const workers = plan.batches.map(batch => batch.nodes.filter(name => !isControl(name)))
  return {
    scope: plan.scope,
    release: null,
    reason,
    controlNodes: plan.batches.flatMap(batch => batch.nodes.filter(isControl)),
    groups: workers.flatMap((names, at) =>
      names.length === 0
        ? []
        : [{ name: `batch-${at + 1}`, index: at + 1, nodes: names, concurrentUpdates: names.length }],
    ),
    zoneAtATime: false,
    work: plan.work,
    pauseBetweenNodes: plan.pauseBetweenBatches,
    pauseBetweenPhases: false,
  }
}

/** Nodes that go out together and stay out: control-plane nodes first, one by one. */
export function takingOut(names: readonly string[], nodes: readonly UpdateNode[]): UpdateOptions {
  const isControl = (name: string) => nodes.some(node => node.name === name && node.roles.includes('control'))
  const workers = names.filter(name => !isControl(name))
  return {
    scope: 'os',
    release: null,
    reason: '',
    controlNodes: names.filter(isControl),
    groups: workers.length === 0 ? [] : [{ name: 'out', index: 1, nodes: workers, concurrentUpdates: workers.length }],
    zoneAtATime: false,
    work: { kind: 'person' },
    pauseBetweenNodes: false,
    pauseBetweenPhases: false,
    staysOut: true,
  }
}
