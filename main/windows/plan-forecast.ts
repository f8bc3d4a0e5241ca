import type { InstanceForecast, PlanForecast } from '../../shared/contract/index.ts'
import { mapLimited } from '../../shared/domain/map-limited.ts'
import { expectedSpan, expectedTotal, type MeasuredMove } from '../../shared/domain/move-durations.ts'
import { isNodePlan, type NodePlan, type Plan, takesOut } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { isoNow } from '../platform/clock/clock.ts'
import type { OpenStackPort } from '../ports/openstack.ts'
import { policyOf } from '../procedures/steps/compute/classify-instances.ts'
import { computeServiceOf } from '../procedures/steps/compute/compute-host.ts'
import { placeForecast } from '../procedures/steps/compute/forecast.ts'
import { readDestinations } from '../procedures/steps/compute/read-destinations.ts'
import { readMachine } from '../procedures/steps/general/machine-outside.ts'
import { createMeasurements } from './measurements.ts'
import type { WindowServices } from './window-services.ts'

type Services = Pick<WindowServices, 'runs' | 'worlds' | 'clock'>

/** Forecasts where the instances of a shown plan may go and how long that may take. Only reads. */
export function createForecast(
  services: Services,
): (plan: Plan, returning: readonly string[]) => Promise<Result<PlanForecast>> {
  const { worlds, clock } = services
  const measuredOn = createMeasurements(services)

  return async (plan, returning) => {
    const nothing: PlanForecast = {
      planId: plan.id,
      readAt: isoNow(clock),
      instances: [],
      evacuationMs: null,
      ...basisIn(because(plan.steps.some(({ kind }) => MOVING.has(kind)) ? 'ForecastNotMade' : 'ForecastNothingMoves')),
      unreachable: [],
    }
    const isReturn = returning.length > 0 && !takesOut(plan.kind)
    const isAway = takesOut(plan.kind) && plan.options.scope === 'os'
    if (!isNodePlan(plan) || !(isReturn || isAway)) return ok(nothing)
    const connected = await worlds.open(plan.cluster)
    if (!connected.ok) return connected
    if (connected.value.openstackFailure !== null) return failed(connected.value.openstackFailure)
    const { openstack } = connected.value.world
    if (openstack === null) return ok(nothing)
    if (isReturn)
      return ok(await forecastReturn(plan, { nothing, returning, openstack, measured: measuredOn(plan.cluster).moves }))

    const [node, services] = await Promise.all([
      readMachine(plan.node, connected.value.world),
      openstack.computeServices(),
    ])
    if (!node.ok) return node
    if (!services.ok) return services
    const source = computeServiceOf(node.value, services.value)
    if (source === null) return ok({ ...nothing, ...basisIn(because('NoComputeServiceOn', { node: plan.node })) })
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
      ...basisIn(basisOf({ measured: measured.length, moving: moving.length, atOnce: plan.options.concurrency })),
      unreachable: [...onHost.value.unreachable, ...unread.map(({ message }) => message)],
    })
  }
}

/** Instances read at a time: Nova answers others meanwhile. */
const INSTANCES_AT_ONCE = 8

interface Returning {
  readonly nothing: PlanForecast
  readonly returning: readonly string[]
  readonly openstack: Pick<OpenStackPort, 'getInstance'>
  readonly measured: readonly MeasuredMove[]
}

/** How long it takes to bring instances back, by earlier moves; the plan itself has checked that they fit. */
async function forecastReturn(
  { node, options: { concurrency } }: NodePlan,
  { nothing, returning, openstack, measured }: Returning,
): Promise<PlanForecast> {
  const read = await mapLimited(returning, INSTANCES_AT_ONCE, id => openstack.getInstance(id))
  const instances = read.flatMap((each): readonly InstanceForecast[] =>
    each.ok
      ? [
          {
            id: each.value.id,
            mayGoTo: [node],
            note: null,
            expectedMs: expectedSpan(each.value.flavor?.ramMib ?? null, measured),
          },
        ]
      : [],
  )
  return {
    ...nothing,
    instances,
    evacuationMs: expectedTotal(
      instances.map(({ expectedMs }) => expectedMs),
      concurrency,
    ),
    ...basisIn(basisOf({ measured: measured.length, moving: instances.length, atOnce: concurrency })),
    unreachable: read.flatMap(each => (each.ok ? [] : [each.failure.message])),
  }
}

const MOVING: ReadonlySet<string> = new Set([
  'migrate-instances',
  'run-watcher-plan',
  'bring-home',
  'rescue-instances',
  'rebalance-instances',
])

function basisOf(of: { readonly measured: number; readonly moving: number; readonly atOnce: number }): Finding {
  if (of.moving === 0) return because('ForecastNothingMoves')
  const moves = { instances: of.moving, atOnce: of.atOnce }
  return of.measured === 0
    ? because('ForecastNotMeasured', moves)
    : because('ForecastMeasured', { ...moves, migrations: of.measured })
}

function basisIn({ code, values, message }: Finding): Pick<PlanForecast, 'basis' | 'code' | 'values'> {
  return { basis: message, code, values }
}

export function planGone(planId: string): Result<never> {
  return failed(refusal('not-found', because('PlanGone'), { target: `plan/${planId}` }))
}
