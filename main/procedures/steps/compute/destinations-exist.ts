import type { MoveObstacle } from '../../../../shared/domain/move-obstacles.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { InstanceEffect } from '../../../../shared/domain/plan-effects.ts'
import type { Evidence } from '../../../../shared/domain/step-answers.ts'
import { MOVE_SOURCES } from '../../../../shared/words/move-obstacles.ts'
import { type Fault, fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { type Finding, namesOf } from '../../../../shared/words/steps/coded.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { type ClassifiedInstance, instanceEffect, instanceSubject, readComputeHost } from './classify-instances.ts'
import { fitTogether, type PlaceForecast, placeForecast } from './forecast.ts'
import {
  cloudAsked,
  type Destinations,
  type Leaving,
  leavingOf,
  novaMinorOf,
  readDestinations,
} from './read-destinations.ts'

/** Instances that must move obey Nova's rules (docs/moves.md) and have room together. `waits`: a controller moves them, so it only warns. */
export const destinationsExist = checkStep({
  kind: 'destinations-exist',
  role: 'compute',
  ...stepText('destinations-exist'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(thing('InstancesOnNode', { node }), host.failure)
    const { service, services, instances } = host.value
    const leaving = leavingOf(instances)
    const { known, unread } = await readDestinations(
      { source: service, services, leaving },
      cloudAsked(ctx),
      ctx.signal,
    )
    const places = leaving.map(each => ({ ...each, place: placeForecast(each.instance, known) }))
    const without = places.filter(({ place }) => place.mayGoTo.length === 0)
    const within = places.filter(({ place }) => place.mayGoTo.length > 0)
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
      ...without.map(each =>
        refused.includes(each)
          ? cannotMove(each, refusalsOf(each.instance, known))
          : nowhere(each, canFree && heldByZone(each.instance)),
      ),
      ...within.flatMap(each => {
        const why = crowdedOut.get(each.instance.id)
        return why === undefined ? [] : [noRoomBeside(each, why)]
      }),
    ]
    const blockers = stranded.map(({ why }) => blocker(why, BY_FORCE))
    const moving = within.length
    const open = new Set(within.flatMap(({ place }) => place.mayGoTo))
    return readyUnless(
      input.waits === true ? [] : blockers,
      leaving.length === 0
        ? found('NoInstanceHasToMove')
        : found('PlacesFound', { moving, hosts: open.size, together: together.kind, gib: copiedGib(within, known) }),
      {
        warnings: [
          ...unread,
          ...(input.waits === true
            ? stranded.map(({ why: { code, values, message, remedy } }) =>
                found('LockWillStayActive', { blocker: { code, values, message }, remedy }),
              )
            : []),
          ...(together.kind === 'cannot-tell' ? [found('RoomTogetherNotKnown', { moving, cause: together.why })] : []),
          ...placeDoubts(places),
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
        // Its tag or the host's mode requires a move; the plan shows the missing destination instead.
        effects: stranded.map(({ effect }) => effect),
      },
    )
  },
})

/** How much is copied from disk to disk unless hosts share their storage, which no API shows. */
function copiedGib(moving: readonly Leaving[], { obstacles }: Destinations): number {
  return moving
    .flatMap(({ instance }) => obstacles.get(instance.id) ?? [])
    .reduce((sum, { verdict }) => sum + (verdict.kind === 'copies' ? verdict.gib : 0), 0)
}

/** Nova's rules for an instance with their source, as evidence of the decision. */
function rulesRead(leaving: readonly Leaving[], { obstacles }: Destinations, at: string): readonly Evidence[] {
  return leaving.flatMap(({ instance, way }) => {
    const own = obstacles.get(instance.id) ?? []
    return own.length === 0
      ? []
      : [
          evidence(`rules of Nova for ${instanceSubject(instance.id)} (${instance.name})`, at, {
            way,
            ...Object.fromEntries(
              own.map(({ rule, verdict }) => [rule, { verdict: verdict.kind, source: MOVE_SOURCES[rule] }]),
            ),
          }),
        ]
  })
}

function refusalsOf(instance: Instance, { obstacles }: Destinations): readonly MoveObstacle[] {
  return (obstacles.get(instance.id) ?? []).filter(({ verdict }) => verdict.kind === 'refused')
}

/** What makes a destination uncertain, once for all instances with that doubt. */
export function placeDoubts(
  places: readonly { readonly instance: Instance; readonly place: PlaceForecast }[],
): readonly Finding[] {
  const unsure = places.filter(({ place }) => place.mayGoTo.length > 0 && place.notes.length > 0)
  const alike = Map.groupBy(unsure, ({ place }) =>
    JSON.stringify(place.notes.map(({ code, values }) => [code, values])),
  )
  return [...alike.values()].map(group =>
    found('PlacesLessThanCertain', {
      instances: namesOf(group.map(({ instance }) => instance.name)),
      notes: group[0]?.place.notes ?? [],
    }),
  )
}

/** From this version Nova can release an instance from its zone: `pinned_availability_zone` null (NV rest_api_version_history.rst, 2.104). */
const FREEING_MINOR = 104

async function freesFromZones(ctx: MaintenanceContext): Promise<boolean> {
  const minor = await novaMinorOf(signal => ctx.world.versions(signal), ctx.signal)
  return minor !== null && minor >= FREEING_MINOR
}

interface Stranded {
  readonly why: Fault
  readonly effect: InstanceEffect
}

function strandedBy(stranded: ClassifiedInstance, why: Fault, inPlan: Finding): Stranded {
  return { why, effect: { ...instanceEffect(stranded), action: 'blocked', reason: inPlan.message } }
}

function cannotMove(refused: ClassifiedInstance, rules: readonly MoveObstacle[]): Stranded {
  const { id, name } = refused.instance
  return strandedBy(refused, fault('MoveRefused', { id, name, rules }), found('CannotMove', { rules }))
}

function noRoomBeside(crowded: ClassifiedInstance, cause: string): Stranded {
  const { id, name } = crowded.instance
  return strandedBy(crowded, fault('NoRoomTogether', { id, name, cause }), found('NoPlaceBesideOthers', { cause }))
}

function nowhere(
  { instance, policy, place: { notes } }: ClassifiedInstance & { readonly place: PlaceForecast },
  isFreed: boolean,
): Stranded {
  const { id, name, pinnedZone } = instance
  const freedFrom = isFreed ? (pinnedZone ?? null) : null
  return strandedBy(
    { instance, policy },
    fault('NoDestination', { id, name, notes, freedFrom }),
    found('NowhereToGo', { notes }),
  )
}
