import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import type { InstanceEffect } from '../../../../shared/domain/plan-effects.ts'
import { NOVA_SPOKEN } from '../../../../shared/domain/version-evidence.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import {
  type ClassifiedInstance,
  instanceEffect,
  instanceLabel,
  movesAway,
  readComputeHost,
} from './classify-instances.ts'
import { type PlaceForecast, placeForecast, readDestinations } from './forecast.ts'

/**
 * Instances that must move have somewhere to go by the rules that a plan shows: a compute host that is enabled and up, in their zone where they are
 * pinned, beside or apart from their group, with room by Placement's figures. With `waits` in its input a controller does the moving, and what has
 * nowhere to go is told as a warning: its lock waits.
 */
export const destinationsExist = checkStep({
  kind: 'destinations-exist',
  role: 'compute',
  why: 'A host cannot be emptied when there is nowhere to go.',
  title: input => `Instances of ${nodeOf(input)} have somewhere to go`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(`The instances on ${node}`, host.failure)
    const { service, services, instances } = host.value
    const leaving = instances.filter(({ policy }) => movesAway(policy))
    const moving = leaving.map(({ instance }) => instance)
    const { known, unread } = await readDestinations({ source: service, services, moving }, cloudOf(ctx), ctx.signal)
    const places = leaving.map(({ instance, policy }) => ({ instance, policy, place: placeForecast(instance, known) }))
    const without = places.filter(({ place }) => place.mayGoTo.length === 0)
    // Its zone alone may be what leaves it nowhere to go.
    const heldByZone = (instance: Instance) =>
      typeof instance.pinnedZone === 'string' &&
      placeForecast({ ...instance, pinnedZone: null }, known).mayGoTo.length > 0
    const canFree = without.some(({ instance }) => heldByZone(instance)) && (await freesFromZones(ctx))
    const stranded = without.map(found => nowhere(found, canFree && heldByZone(found.instance)))
    const blockers = stranded.map(({ blocker }) => blocker)
    const open = new Set(places.flatMap(({ place }) => place.mayGoTo))
    return readyUnless(
      input.waits === true ? [] : blockers,
      moving.length === 0
        ? 'No instance has to move.'
        : `${counted(open.size, 'other compute host')} may take ${counted(moving.length, 'instance')}, each weighed by itself. Which one, and whether all fit, is decided by Nova's scheduler.`,
      {
        warnings: [
          ...unread,
          ...(input.waits === true
            ? blockers.map(({ message, remedy }) => `The lock will stay active for this: ${message} ${remedy}`)
            : []),
          ...notesOf(places),
        ],
        evidence: [
          evidence('where instances may go', ctx.at(), {
            ...Object.fromEntries(places.map(({ instance, place }) => [instance.id, [...place.mayGoTo]])),
          }),
        ],
        // Its tag or the host's mode moves it; where it cannot go the plan says so of it, instead of a move.
        effects: stranded.map(({ effect }) => effect),
      },
    )
  },
})

/** What makes a place less than certain, once for all instances of which the same is said. */
function notesOf(places: readonly { readonly instance: Instance; readonly place: PlaceForecast }[]): readonly string[] {
  const saidOf = new Map<string, string[]>()
  for (const { instance, place } of places) {
    if (place.mayGoTo.length === 0 || place.note === null) continue
    saidOf.set(place.note, [...(saidOf.get(place.note) ?? []), instance.name])
  }
  return [...saidOf].map(([note, names]) => `${someOf(names)}: ${note}`)
}

/** From here on Nova frees an instance from its zone: `pinned_availability_zone` null (NV rest_api_version_history.rst, 2.104). */
const FREEING_MINOR = 104

async function freesFromZones(ctx: MaintenanceContext): Promise<boolean> {
  const spoken = /2\.(\d+)$/.exec((await ctx.world.versions(ctx.signal))[NOVA_SPOKEN] ?? '')
  return spoken !== null && Number(spoken[1]) >= FREEING_MINOR
}

function nowhere(
  { instance, policy, place }: ClassifiedInstance & { readonly place: PlaceForecast },
  isFreed: boolean,
): { readonly blocker: Blocker; readonly effect: InstanceEffect } {
  const reason = `has nowhere to go: ${place.note ?? 'no host takes it.'}`
  return {
    blocker: {
      code: 'no-destination',
      message: `Instance ${instanceLabel(instance)} ${reason}`,
      remedy: isFreed
        ? `Other zones have a place: with its owner's word, free it from zone ${instance.pinnedZone} (\`openstack --os-compute-api-version 2.104 server unset --pinned-availability-zone ${instance.id}\`). Or make room in its zone, or have its owner move or stop it.`
        : 'Make room for it on another compute host, have its owner move or stop it, or give it another action (tag maintenance_action=poweroff).',
      override: BY_FORCE,
    },
    effect: { ...instanceEffect({ instance, policy }), action: 'blocked', reason: reason.replace(/\.$/, '') },
  }
}
