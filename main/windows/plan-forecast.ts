import type { InstanceForecast, PlanForecast } from '../../shared/contract/index.ts'
import { failure } from '../../shared/domain/failure.ts'
import { expectedSpan, expectedTotal } from '../../shared/domain/move-durations.ts'
import { isNodePlan, type Plan, takesOut } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { isoNow } from '../clock/clock.ts'
import { policyOf } from '../procedures/steps/compute/classify-instances.ts'
import { computeServiceOf } from '../procedures/steps/compute/compute-host.ts'
import { placeForecast } from '../procedures/steps/compute/forecast.ts'
import { readDestinations } from '../procedures/steps/compute/read-destinations.ts'
import { readMachine } from '../procedures/steps/general/machine-outside.ts'
import { createMeasurements } from './measurements.ts'
import type { WindowServices } from './window-services.ts'

type Services = Pick<WindowServices, 'runs' | 'worlds' | 'clock'>

/** Answers, for a plan that was shown, where its instances may go and how long that may take. Only reads. */
export function createForecast(services: Services): (plan: Plan) => Promise<Result<PlanForecast>> {
  const { worlds, clock } = services
  const measuredOn = createMeasurements(services)

  return async plan => {
    const nothing: PlanForecast = {
      planId: plan.id,
      readAt: isoNow(clock),
      instances: [],
      evacuationMs: null,
      basis: plan.steps.some(({ kind }) => MOVING.has(kind))
        ? 'How long its moves take is not forecast.'
        : 'This plan moves no instance.',
      unreachable: [],
    }
    if (!isNodePlan(plan) || !takesOut(plan.kind) || plan.options.scope !== 'os') return ok(nothing)
    const connected = await worlds.open(plan.cluster)
    if (!connected.ok) return connected
    if (connected.value.openstackFailure !== null) return failed(connected.value.openstackFailure)
    const { openstack } = connected.value.world
    if (openstack === null) return ok(nothing)

    const [node, services] = await Promise.all([
      readMachine(plan.node, connected.value.world),
      openstack.computeServices(),
    ])
    if (!node.ok) return node
    if (!services.ok) return services
    const source = computeServiceOf(node.value, services.value)
    if (source === null) return ok({ ...nothing, basis: `Nova has no compute service on ${plan.node}.` })
    const onHost = await openstack.instancesOnHost(source.host)
    if (!onHost.ok) return onHost
    const moving = onHost.value.items.filter(instance => policyOf(instance, node.value).action === 'live_migrate')
    const { known, unread } = await readDestinations(
      { source, services: services.value, leaving: moving.map(instance => ({ instance, way: 'live' as const })) },
      { openstack, versions: connected.value.world.versions },
    )
    const measured = measuredOn(plan.cluster).moves
    const instances = moving.map((instance): InstanceForecast => {
      const { mayGoTo, note } = placeForecast(instance, known)
      return {
        id: instance.id,
        mayGoTo: [...mayGoTo],
        note,
        expectedMs: expectedSpan(instance.flavor?.ramMib ?? null, measured),
      }
    })
    return ok({
      planId: plan.id,
      readAt: isoNow(clock),
      instances,
      evacuationMs: expectedTotal(
        instances.map(({ expectedMs }) => expectedMs),
        plan.options.concurrency,
      ),
      basis: basisOf({ measured: measured.length, moving: moving.length, atOnce: plan.options.concurrency }),
      unreachable: [...onHost.value.unreachable, ...unread.map(({ message }) => message)],
    })
  }
}

/** Steps that move instances, by whatever means. */
const MOVING: ReadonlySet<string> = new Set([
  'migrate-instances',
  'run-watcher-plan',
  'bring-home',
  'rescue-instances',
  'rebalance-instances',
])

function basisOf(of: { readonly measured: number; readonly moving: number; readonly atOnce: number }): string {
  if (of.moving === 0) return 'This plan moves no instance.'
  const amount = `${counted(of.moving, 'instance')}, ${of.atOnce} at once`
  return of.measured === 0
    ? `${amount}. No move was measured on this cluster yet: the first run here will tell.`
    : `${amount}, by ${counted(of.measured, 'migration')} measured on this cluster, by memory: usual time, and what nine in ten stay below.`
}

/** The answer about a plan that is no longer kept. */
export function planGone(planId: string): Result<never> {
  return failed(
    failure('not-found', 'The plan is no longer at hand. Make it again, read it, then start it.', {
      target: `plan/${planId}`,
    }),
  )
}
