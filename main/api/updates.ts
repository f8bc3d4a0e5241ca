import { failure } from '../../shared/domain/failure.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import { timelineOfRun } from '../../shared/domain/update-moments.ts'
import { isoNow } from '../clock/clock.ts'
import { planUpdate } from '../lcm/update/plan-update.ts'
import { proposeUpdate } from '../lcm/update/propose-update.ts'
import { readUpdateGround } from '../lcm/update/update-node.ts'
import { completeOptions } from '../maintenance/plans/make-plan.ts'
import type { Observers } from './observers.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about the update of a whole cluster; a plan that was shown is started with `run.start`, as any other. */
export function updateHandlers(
  services: ApiServices,
  observers: Pick<Observers, 'samples' | 'begin'>,
): Pick<Handlers, 'update.propose' | 'update.plan' | 'update.timeline'> {
  const { runs, worlds, plans, clock } = services
  return {
    'update.propose': async ({ cluster }) => {
      const connected = await worlds.open(cluster)
      if (!connected.ok) return connected
      const ground = await readUpdateGround(connected.value.world)
      return ground.ok ? ok(proposeUpdate(ground.value.nodes)) : ground
    },
    'update.plan': async ({ cluster, update, choices }) => {
      const connected = await worlds.open(cluster)
      if (!connected.ok) return connected
      if (connected.value.openstackFailure !== null) return failed(connected.value.openstackFailure)
      const { world } = connected.value
      const ground = await readUpdateGround(world)
      if (!ground.ok) return ground
      const plan = planUpdate({
        id: services.newId(),
        madeAt: isoNow(clock),
        cluster: world.cluster,
        ground: ground.value,
        update,
        options: completeOptions(choices, world.cluster),
        operator: runs.driver.operator,
      })
      if (!plan.ok) return plan
      const checked = await runs.check(plan.value, world)
      plans.keep(plan.value)
      return ok(checked)
    },
    'update.timeline': async ({ runId }) => {
      const found = runs.view(runId)
      if (!found.ok) return found
      const { view, events } = found.value
      if (view.plan.kind !== 'update') {
        return failed(
          failure(
            'bad-input',
            `Run ${view.id} is the maintenance of one node. Only an update of a cluster has a timeline.`,
            {
              target: `run/${view.id}`,
            },
          ),
        )
      }
      const now = isoNow(clock)
      if (view.endedAt === null) observers.begin(view.plan.cluster)
      const samples = observers.samples(view.plan.cluster, view.createdAt, view.endedAt ?? now)
      return ok(timelineOfRun(view, events, now, samples))
    },
  }
}
