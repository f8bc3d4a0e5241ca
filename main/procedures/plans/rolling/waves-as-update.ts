import type { UpdateOptions } from '../../../../shared/domain/update.ts'
import type { WindowPlan } from '../../../../shared/domain/window.ts'
import type { UpdateNode } from './update-node.ts'

/**
 * A window's waves as the choices of an update. Under flavour `mosk` control-plane nodes are their own phase, one by one in the order of the
 * waves, before every worker (docs/domain.md A.4); elsewhere each wave is what it says.
 */
export function wavesAsUpdate(
  plan: Extract<WindowPlan, { kind: 'waves' }>,
  {
    nodes,
    hasControlPhase,
    reason,
  }: { readonly nodes: readonly UpdateNode[]; readonly hasControlPhase: boolean; readonly reason: string },
): UpdateOptions {
  const isControl = (name: string) =>
    hasControlPhase && nodes.some(node => node.name === name && node.roles.includes('control'))
  const workers = plan.waves.map(wave => wave.nodes.filter(name => !isControl(name)))
  return {
    scope: plan.scope,
    release: null,
    reason,
    controlNodes: plan.waves.flatMap(wave => wave.nodes.filter(isControl)),
    groups: workers.flatMap((names, at) =>
      names.length === 0
        ? []
        : [{ name: `wave-${at + 1}`, index: at + 1, nodes: names, concurrentUpdates: names.length }],
    ),
    zoneAtATime: false,
    work: plan.work,
    pauseBetweenNodes: plan.pauseBetweenWaves,
    pauseBetweenPhases: false,
  }
}
