import type { PlanChoices } from '../../shared/contract/index.ts'
import type { CheckedPlan, PlanWindow } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { UpdateOptions } from '../../shared/domain/update.ts'
import { isoNow } from '../clock/clock.ts'
import { completeOptions } from '../procedures/plans/node/make-plan.ts'
import { readChosenNodes } from '../procedures/plans/rolling/chosen-nodes.ts'
import { planRollingMaintenance } from '../procedures/plans/rolling/plan-rolling-maintenance.ts'
import { planUpdate } from '../procedures/plans/rolling/plan-update.ts'
import { readUpdateGround, type UpdateGround } from '../procedures/plans/rolling/update-node.ts'
import type { WindowServices } from './window-services.ts'

/**
 * Makes the plan of work on many nodes of a cluster, runs every check and keeps it to be confirmed: the five phases where there is the node
 * maintenance API (flavour `mosk`), else each node's own way into maintenance and back. Touches nothing.
 */
export async function planClusterUpdate(
  wish: {
    readonly cluster: string
    readonly choices: PlanChoices
    /** The choices may lean on what the nodes are. */
    readonly update: (ground: UpdateGround) => UpdateOptions
    readonly window: PlanWindow | null
  },
  services: Pick<WindowServices, 'runs' | 'worlds' | 'plans' | 'clock' | 'newId'>,
): Promise<Result<CheckedPlan>> {
  const { runs, worlds, plans } = services
  const connected = await worlds.open(wish.cluster)
  if (!connected.ok) return connected
  if (connected.value.openstackFailure !== null) return failed(connected.value.openstackFailure)
  const { world } = connected.value
  const ground = await readUpdateGround(world)
  if (!ground.ok) return ground
  const update = wish.update(ground.value)
  const asked = {
    id: services.newId(),
    madeAt: isoNow(services.clock),
    cluster: world.cluster,
    ground: ground.value,
    update,
    options: completeOptions(wish.choices, world.cluster),
    operator: runs.driver.operator,
  }
  if (world.cluster.flavour === 'mosk') return keepChecked(planUpdate(asked))
  const nodes = await readChosenNodes(update, world)
  return nodes.ok ? keepChecked(planRollingMaintenance({ ...asked, nodes: nodes.value })) : nodes

  async function keepChecked(plan: ReturnType<typeof planUpdate>): Promise<Result<CheckedPlan>> {
    if (!plan.ok) return plan
    const belonging = { ...plan.value, window: wish.window }
    const checked = await runs.check(belonging, world)
    plans.keep(belonging)
    return ok(checked)
  }
}
