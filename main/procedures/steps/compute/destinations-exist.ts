import type { BatchCapacity } from '../../../../shared/domain/batches.ts'
import type { MoveObstacle } from '../../../../shared/domain/move-obstacles.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { Blocker, Evidence } from '../../../../shared/domain/plan.ts'
import type { InstanceEffect } from '../../../../shared/domain/plan-effects.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import {
  type ClassifiedInstance,
  instanceEffect,
  instanceLabel,
  instanceSubject,
  readComputeHost,
} from './classify-instances.ts'
import { fitTogether, type PlaceForecast, placeForecast } from './forecast.ts'
import {
  cloudAsked,
  type Destinations,
  type Leaving,
  leavingOf,
  novaMinorOf,
  readDestinations,
} from './read-destinations.ts'

/**
 * Instances that must move can be moved by Nova's rules (docs/moves.md), and have somewhere to go, all of them together: a compute host that is enabled
 * and up, in their zone where they are pinned, beside or apart from their group, with what they ask of Placement and room by its figures. With `waits` in its input a controller does the moving, and what has
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
    const leaving = leavingOf(instances)
    const { known, unread } = await readDestinations(
      { source: service, services, leaving },
      cloudAsked(ctx),
      ctx.signal,
    )
    const places = leaving.map(found => ({ ...found, place: placeForecast(found.instance, known) }))
    const without = places.filter(({ place }) => place.mayGoTo.length === 0)
    const within = places.filter(({ place }) => place.mayGoTo.length > 0)
    // Its zone alone may be what leaves it nowhere to go.
    const heldByZone = (instance: Instance) =>
      typeof instance.pinnedZone === 'string' &&
      placeForecast({ ...instance, pinnedZone: null }, known).mayGoTo.length > 0
    const canFree = without.some(({ instance }) => heldByZone(instance)) && (await freesFromZones(ctx))
    const refused = without.filter(({ instance }) => refusalsOf(instance, known).length > 0)
    const together = fitTogether(
      within.map(({ instance }) => instance),
      known,
    )
    const crowdedOut =
      together.kind === 'does-not-fit'
        ? new Map(together.instances.map(each => [each.id, each.why]))
        : new Map<string, string>()
    const stranded = [
      ...without.map(found =>
        refused.includes(found)
          ? cannotMove(found, refusalsOf(found.instance, known))
          : nowhere(found, canFree && heldByZone(found.instance)),
      ),
      ...within.flatMap(found => {
        const why = crowdedOut.get(found.instance.id)
        return why === undefined ? [] : [noRoomBeside(found, why)]
      }),
    ]
    const blockers = stranded.map(({ blocker }) => blocker)
    const open = new Set(within.flatMap(({ place }) => place.mayGoTo))
    return readyUnless(
      input.waits === true ? [] : blockers,
      leaving.length === 0
        ? 'No instance has to move.'
        : fitWords(within.length, open.size, together) + copyWords(within, known),
      {
        warnings: [
          ...unread,
          ...(input.waits === true
            ? blockers.map(({ message, remedy }) => `The lock will stay active for this: ${message} ${remedy}`)
            : []),
          ...(together.kind === 'cannot-tell'
            ? [`Whether all ${within.length} find a place together cannot be told: ${together.why}`]
            : []),
          ...notesOf(places),
        ],
        evidence: [
          evidence('where instances may go', ctx.at(), {
            ...Object.fromEntries(places.map(({ instance, place }) => [instance.id, [...place.mayGoTo]])),
          }),
          ...(leaving.length === 0
            ? []
            : [evidence('whether they fit together', ctx.at(), { verdict: together.kind })]),
          ...rulesRead(leaving, known, ctx.at()),
        ],
        // Its tag or the host's mode moves it; where it cannot go the plan says so of it, instead of a move.
        effects: stranded.map(({ effect }) => effect),
      },
    )
  },
})

/** What holds of all of them together; which host takes which is the scheduler's. */
function fitWords(moving: number, hosts: number, together: BatchCapacity): string {
  const may = `${counted(hosts, 'other compute host')} may take ${counted(moving, 'instance')}`
  switch (together.kind) {
    case 'fits':
      return `${may}, and all fit together by Placement's figures and their groups. Which host takes which is decided by Nova's scheduler.`
    case 'does-not-fit':
      return `${may}, but they do not fit together.`
    case 'cannot-tell':
      return `${may}, each weighed by itself. Whether all fit together cannot be told.`
  }
}

/** How much is copied from disk to disk unless hosts share their storage, which no API tells. */
function copyWords(moving: readonly Leaving[], { obstacles }: Destinations): string {
  const gib = moving
    .flatMap(({ instance }) => obstacles.get(instance.id) ?? [])
    .reduce((sum, { verdict }) => sum + (verdict.kind === 'copies' ? verdict.gib : 0), 0)
  return gib === 0 ? '' : ` Up to ${gib} GiB of disk is copied, unless hosts share it.`
}

/** The rules of Nova that concern an instance, with their source: how it was judged. */
function rulesRead(leaving: readonly Leaving[], { obstacles }: Destinations, at: string): readonly Evidence[] {
  return leaving.flatMap(({ instance, way }) => {
    const found = obstacles.get(instance.id) ?? []
    return found.length === 0
      ? []
      : [
          evidence(`rules of Nova for ${instanceSubject(instance.id)} (${instance.name})`, at, {
            way,
            ...Object.fromEntries(found.map(({ rule, verdict, source }) => [rule, { verdict: verdict.kind, source }])),
          }),
        ]
  })
}

function refusalsOf(instance: Instance, { obstacles }: Destinations): readonly MoveObstacle[] {
  return (obstacles.get(instance.id) ?? []).filter(({ verdict }) => verdict.kind === 'refused')
}

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
  const minor = await novaMinorOf(signal => ctx.world.versions(signal), ctx.signal)
  return minor !== null && minor >= FREEING_MINOR
}

interface Stranded {
  readonly blocker: Blocker
  readonly effect: InstanceEffect
}

/** Of an instance that Nova does not move this way, whatever the destination. */
function cannotMove(found: ClassifiedInstance, refusals: readonly MoveObstacle[]): Stranded {
  const reason = `cannot move: ${refusals.map(({ words }) => words).join(' ')}`
  return {
    blocker: {
      code: 'move-refused',
      message: `Instance ${instanceLabel(found.instance)} ${reason}`,
      remedy: [...new Set(refusals.map(({ remedy }) => remedy))].join(' '),
      override: BY_FORCE,
    },
    effect: { ...instanceEffect(found), action: 'blocked', reason: reason.replace(/\.$/, '') },
  }
}

/** Of an instance that would have a place alone, and has none beside the others. */
function noRoomBeside(found: ClassifiedInstance, why: string): Stranded {
  const reason = `finds no place beside what else moves: ${why}`
  return {
    blocker: {
      code: 'no-room-together',
      message: `Instance ${instanceLabel(found.instance)} ${reason}`,
      remedy:
        'Make room on another compute host, have owners move or stop instances, or give some of them another action (tag maintenance_action=poweroff).',
      override: BY_FORCE,
    },
    effect: { ...instanceEffect(found), action: 'blocked', reason: reason.replace(/\.$/, '') },
  }
}

function nowhere(
  { instance, policy, place }: ClassifiedInstance & { readonly place: PlaceForecast },
  isFreed: boolean,
): Stranded {
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
