import { isNodeRun } from '../../shared/domain/plan.ts'
import { failed, ok } from '../../shared/domain/result.ts'
import { conditionOf, mayShowEnd } from '../../shared/domain/run-condition.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { timelineOfRun } from '../../shared/words/timelines.ts'
import { isoNow } from '../platform/clock/clock.ts'
import { batchesAsUpdate, takingOut } from '../procedures/plans/rolling/batches-as-update.ts'
import { proposeUpdate } from '../procedures/plans/rolling/propose-update.ts'
import { readUpdateFacts } from '../procedures/plans/rolling/update-node.ts'
import { createBatchPlanner } from '../windows/batch-planner.ts'
import { createNodeBlocks } from '../windows/node-blocks.ts'
import { planClusterUpdate } from '../windows/update-plan.ts'
import type { Observers } from './observers.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about the update of a whole cluster; `run.start` starts a shown plan, as for any other. */
export function updateHandlers(
  services: Pick<ApiServices, 'clock' | 'clusters' | 'commands' | 'newId' | 'plans' | 'runs' | 'worlds'>,
  observers: Pick<Observers, 'samples' | 'begin'>,
): Pick<Handlers, 'update.propose' | 'update.plan' | 'update.timeline'> {
  const { runs, worlds, clock } = services
  const planner = createBatchPlanner({ ...services, nodeBlocks: createNodeBlocks(services), blocked: 'kept' })
  return {
    'update.propose': async ({ cluster, nodes: chosen, staysOut }) => {
      const connected = await worlds.open(cluster)
      if (!connected.ok) return connected
      const { world } = connected.value
      const facts = await readUpdateFacts(world)
      if (!facts.ok) return facts
      const { nodes } = facts.value
      if (chosen === undefined) return ok({ ...proposeUpdate(nodes), batches: [] })
      const judged = await planner.plan(cluster, chosen, { zones: 'spread', atOnce: {} }, 'os')
      if (!judged.ok) return judged
      const { batches, left } = judged.value
      if (staysOut === true) {
        const names = batches.flatMap(batch => batch.nodes)
        const whole = await planner.judge(cluster, [{ nodes: names }], { zones: 'spread', atOnce: {} }, 'os')
        if (!whole.ok) return whole
        return ok({ options: takingOut(names, nodes), left, batches: whole.value.batches })
      }
      const work = { scope: 'os', work: { kind: 'person' }, pauseBetweenBatches: false } as const
      const options = batchesAsUpdate(
        { ...work, batches },
        { nodes, hasControlPhase: world.cluster.flavour === 'mosk', reason: '' },
      )
      return ok({ options, left, batches })
    },
    'update.plan': async ({ cluster, update, choices, commands = [] }) => {
      const why = commands.map(services.commands.whyNot).find(each => each !== null)
      if (why != null) return failed(refusal('bad-input', why, { target: `cluster/${cluster}` }))
      const given = commands.length === 0 ? {} : { commands }
      return planClusterUpdate({ cluster, choices, update: () => update, window: null, ...given }, services)
    },
    'update.timeline': async ({ runId }) => {
      const found = runs.view(runId)
      if (!found.ok) return found
      const { view, events, interrupted } = found.value
      if (isNodeRun(view.plan.kind)) {
        return failed(refusal('bad-input', because('RunHasNoTimeline', { run: view.id }), { target: `run/${view.id}` }))
      }
      const now = isoNow(clock)
      if (view.endedAt === null) observers.begin(view.plan.cluster)
      const samples = observers.samples(view.plan.cluster, view.createdAt, view.endedAt ?? now)
      const timeline = timelineOfRun(view, events, now, samples)
      // While the update is paused, finished nodes do not predict its end.
      return ok(mayShowEnd(conditionOf(view, interrupted)) ? timeline : { ...timeline, eta: null })
    },
  }
}

export function observeHandlers(observers: Observers): Pick<Handlers, 'update.observe'> {
  return { 'update.observe': async ({ cluster }) => observers.observe(cluster) }
}
