import type { PlanChoices } from '../../shared/contract/index.ts'
import type { ApplicationCommand } from '../../shared/domain/command-work.ts'
import type { CheckedPlan, Plan, PlanWindow } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { UpdateOptions } from '../../shared/domain/update.ts'
import { isoNow } from '../platform/clock/clock.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { completeOptions, whyNoCommandHere } from '../procedures/plans/node/make-plan.ts'
import { readChosenNodes } from '../procedures/plans/rolling/chosen-nodes.ts'
import { planRollingMaintenance } from '../procedures/plans/rolling/plan-rolling-maintenance.ts'
import { planTakingOut } from '../procedures/plans/rolling/plan-taking-out.ts'
import { planUpdate } from '../procedures/plans/rolling/plan-update.ts'
import { readUpdateFacts, type UpdateFacts, type UpdateRequest } from '../procedures/plans/rolling/update-node.ts'
import { healthGates } from '../procedures/steps/general/health-gates.ts'
import { openCloud, type WindowServices } from './window-services.ts'

/** Makes the plan of work on many nodes, runs every check and keeps it for confirmation. Flavour `mosk` has five phases. Only reads. */
export async function planClusterUpdate(
  wish: {
    readonly cluster: string
    readonly choices: PlanChoices
    readonly update: (facts: UpdateFacts) => UpdateOptions
    readonly window: PlanWindow | null
    /** Only for an update planned at a terminal. */
    readonly commands?: readonly ApplicationCommand[]
  },
  services: Pick<WindowServices, 'runs' | 'worlds' | 'plans' | 'clock' | 'newId'>,
): Promise<Result<CheckedPlan>> {
  const { runs, worlds, plans } = services
  const command = whyNoCommandHere(wish.choices)
  if (command !== null) return failed(command)
  const opened = await openCloud(wish.cluster, worlds)
  if (!opened.ok) return opened
  const world = opened.value
  const plan = await makeUpdatePlan(
    {
      id: services.newId(),
      madeAt: isoNow(services.clock),
      update: wish.update,
      ...(wish.commands === undefined ? {} : { commands: wish.commands }),
      options: completeOptions(wish.choices, world.cluster),
      operator: runs.driver.operator,
    },
    world,
  )
  if (!plan.ok) return plan
  const belonging = { ...plan.value, window: wish.window }
  const checked = await runs.check(belonging, world)
  const { lifted } = checked.plan
  const steps = withShownGates(belonging, checked.plan)
  plans.keep({ ...belonging, ...(lifted === undefined ? {} : { lifted }), steps })
  return ok(checked)
}

/** The plan of work on many nodes, unchecked and not kept, by the cluster's current state. */
export async function makeUpdatePlan(
  wish: Pick<UpdateRequest, 'id' | 'madeAt' | 'options' | 'operator' | 'commands'> & {
    readonly update: (facts: UpdateFacts) => UpdateOptions
  },
  world: MaintenanceWorld,
): Promise<Result<Plan>> {
  const facts = await readUpdateFacts(world)
  if (!facts.ok) return facts
  const update = wish.update(facts.value)
  const asked = { ...wish, cluster: world.cluster, facts: facts.value, update }
  const taken = update.staysOut === true ? await readChosenNodes(update, world) : null
  if (taken !== null) return taken.ok ? planTakingOut({ ...asked, nodes: taken.value }) : taken
  // Other flavours have no update of applications: this is reported, not skipped.
  if (world.cluster.flavour === 'mosk' || (wish.commands ?? []).length > 0) return planUpdate(asked)
  const nodes = await readChosenNodes(update, world)
  return nodes.ok ? planRollingMaintenance({ ...asked, nodes: nodes.value }) : nodes
}

/** The gates shown with the plan stay with it; other counts are made again when a node's turn comes, hours later. */
function withShownGates({ steps }: Plan, shown: Plan): Plan['steps'] {
  const counted = new Map(shown.steps.map(step => [step.id, step.counted]))
  return steps.map(step => {
    const own = step.kind === healthGates.kind ? counted.get(step.id) : undefined
    return own === undefined ? step : { ...step, counted: own }
  })
}
