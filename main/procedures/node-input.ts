import { must } from '../../shared/domain/must.ts'
import type { OverrideFlag } from '../../shared/domain/step-answers.ts'
import type { OpenStackPort } from '../ports/openstack.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { StepContext, StepInput } from '../runs/engine/step.ts'

/** What every procedure step gets: the world, the clock, the journal and the operator's options. */
export type MaintenanceContext = StepContext<MaintenanceWorld>

export function nodeOf(input: StepInput): string {
  const node = input.node
  if (typeof node !== 'string') throw new Error('Broken invariant: every step of a node plan has the node in its input')
  return node
}

/** The cloud of a compute step: a plan has compute steps only where the cluster has a cloud (plans/node/compute-steps.ts). */
export function cloudOf(ctx: Pick<MaintenanceContext, 'world'>): OpenStackPort {
  return must(ctx.world.openstack, 'compute steps are planned only where the cluster has an OpenStack cloud')
}

export function isOverridden(ctx: MaintenanceContext, flag: OverrideFlag): boolean {
  return ctx.options.overrides.some(given => given.flag === flag)
}
