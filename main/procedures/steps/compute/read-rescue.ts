import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { InstanceEffect } from '../../../../shared/domain/plan-effects.ts'
import { type RescuePolicy, rescuePolicy } from '../../../../shared/domain/rescue.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { asPhrase } from '../../../../shared/grammar/counts.ts'
import { rescueWords } from '../../../../shared/words/rescues.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { isOverridden, type MaintenanceContext } from '../../node-input.ts'
import { type ComputeHost, readComputeHost } from './classify-instances.ts'
import { fitTogether, noPlace, type PlaceForecast, placeForecast } from './forecast.ts'
import { cloudAsked, readDestinations } from './read-destinations.ts'

export interface RescuedInstance {
  readonly instance: Instance
  readonly policy: RescuePolicy
  /** Null if it is not rescued. */
  readonly place: PlaceForecast | null
}

export interface RescueFacts {
  readonly host: ComputeHost
  readonly instances: readonly RescuedInstance[]
  readonly unread: readonly Finding[]
}

/** Judges each instance of a machine that is off: whether it can be rescued, what it loses, and where it may go beside the others. */
export async function readRescue(node: string, ctx: MaintenanceContext): Promise<Result<RescueFacts>> {
  const host = await readComputeHost(node, ctx)
  if (!host.ok) return host
  const { service, services } = host.value
  const judged = host.value.instances.map(({ instance }) => ({ instance, policy: policyIn(instance, ctx) }))
  // It is rebuilt elsewhere: the rules of a cold migration apply, those for running guests do not.
  const leaving = judged.flatMap(({ instance, policy }) =>
    policy.kind === 'evacuate' ? [{ instance, way: 'cold' as const }] : [],
  )
  const { known, unread } = await readDestinations({ source: service, services, leaving }, cloudAsked(ctx), ctx.signal)
  const alone = judged.map(({ instance, policy }) => ({
    instance,
    policy,
    place: policy.kind === 'evacuate' ? placeForecast(instance, known) : null,
  }))
  const going = alone.filter(isRescued).map(({ instance }) => instance)
  const together = fitTogether(going, known)
  const crowdedOut = new Map(together.kind === 'does-not-fit' ? together.instances.map(({ id, why }) => [id, why]) : [])
  const instances = alone.map(each => {
    const cause = crowdedOut.get(each.instance.id)
    return cause === undefined ? each : { ...each, place: noPlace(found('NoPlaceBesideRebuilt', { cause })) }
  })
  const unreported =
    together.kind === 'cannot-tell' && going.length > 1
      ? [found('RescueFitUnknown', { going: going.length, cause: together.why })]
      : []
  return ok({ host: host.value, instances, unread: [...unread, ...unreported] })
}

/** What this run does with an instance of a machine that is off. */
export function policyIn(instance: Instance, ctx: MaintenanceContext): RescuePolicy {
  const { sharedDisks } = ctx.options
  return rescuePolicy(instance, { sharedDisks, acceptsDataLoss: isOverridden(ctx, 'allow-data-loss') })
}

/** Rescued, and with a destination: Nova puts one without a destination into ERROR. */
export function isRescued({ policy, place }: RescuedInstance): boolean {
  return policy.kind === 'evacuate' && place !== null && place.mayGoTo.length > 0
}

export function whyLeft({ policy, place }: RescuedInstance): Finding {
  return policy.kind === 'stays'
    ? found('RescueLeaves', { because: policy.because })
    : found('RescueNowhere', { note: place?.note ?? null })
}

/** An instance that stays, as texts name it. */
export function leftOf(left: RescuedInstance) {
  const { code, message } = whyLeft(left)
  return { name: left.instance.name, id: left.instance.id, code, why: message }
}

export function rescueEffect(rescued: RescuedInstance): InstanceEffect {
  const { id, name, status, projectId, powerState } = rescued.instance
  const { policy } = rescued
  const goes = isRescued(rescued)
  return {
    kind: 'instance',
    id,
    name,
    status,
    projectId,
    powerState,
    action: goes ? 'evacuate' : 'ignore',
    source: policy.kind === 'stays' && policy.because.code === 'DiskWouldBeLost' ? 'operator' : 'state',
    reason: asPhrase(goes ? rescueWords(policy.because) : whyLeft(rescued).message),
    warnings: goes && policy.kind === 'evacuate' && policy.loses ? [found('LocalDiskLost').message] : [],
  }
}
