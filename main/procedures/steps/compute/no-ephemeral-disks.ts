import { strategyOf } from '../../../../shared/domain/cluster.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { type WatcherMove, watcherMove } from '../../../../shared/domain/watcher-moves.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { type Finding, labelOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { type ClassifiedInstance, instanceSubject, readComputeHost } from './classify-instances.ts'
import { instancesInMotion } from './own-motion.ts'

/** No moving instance has an ephemeral disk (seed 004; docs/domain.md B.1). A local root disk and swap only warn: Nova carries them. */
export const noEphemeralDisks = checkStep({
  kind: 'no-ephemeral-disks',
  role: 'compute',
  ...stepText('no-ephemeral-disks'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(thing('InstancesOnNode', { node }), host.failure)
    const own = instancesInMotion(ctx)
    const moving = host.value.instances
      .filter(({ instance }) => !own.has(instance.id))
      .flatMap(each => {
        const move = moveOfInstance(each, ctx)
        return move === null ? [] : [{ instance: each.instance, move }]
      })
    const blockers = moving.flatMap(({ instance }) => blockerOf(instance))
    return readyUnless(
      blockers,
      moving.length === 0 ? found('NoInstanceMoves') : found('NoEphemeralDisk', { moving: moving.length }),
      {
        warnings: [...host.value.unreachable.map(cause => found('NovaCannotTell', { cause })), ...warningsOf(moving)],
        evidence: moving.map(({ instance, move }) =>
          evidence(`${instanceSubject(instance.id)} (${instance.name})`, ctx.at(), {
            move,
            flavor: instance.flavor?.name ?? null,
            diskGib: instance.flavor?.diskGib ?? null,
            ephemeralGib: instance.flavor?.ephemeralGib ?? null,
            swapMib: instance.flavor?.swapMib ?? null,
            volumes: instance.volumeIds.length,
          }),
        ),
      },
    )
  },
})

interface Moving {
  readonly instance: Instance
  readonly move: 'live' | 'cold'
}

function blockerOf({ name, id, flavor }: Instance): readonly Blocker[] {
  if (flavor === null) return [blocker(fault('EphemeralDiskUnknown', { name, id }), BY_FORCE)]
  const gib = flavor.ephemeralGib
  return gib > 0 ? [blocker(fault('EphemeralDisk', { name, id, gib, flavor: flavor.name }), BY_FORCE)] : []
}

function warningsOf(moving: readonly Moving[]): readonly Finding[] {
  const labels = (some: readonly Moving[]) => ({
    instances: namesOf(some.map(({ instance }) => labelOf(instance))),
  })
  const local = moving.filter(({ instance }) => isRootLocal(instance))
  const swap = moving.filter(({ instance, move }) => move === 'cold' && (instance.flavor?.swapMib ?? 0) > 0)
  return [
    ...(local.length === 0 ? [] : [found('RootDisksLocal', labels(local))]),
    ...(swap.length === 0 ? [] : [found('SwapDisksRemade', labels(swap))]),
  ]
}

/** Older records do not say: then an instance without volumes has a local root disk. */
function isRootLocal({ bootsFromVolume, flavor, volumeIds }: Instance): boolean {
  return bootsFromVolume === undefined ? flavor !== null && volumeIds.length === 0 : !bootsFromVolume
}

function moveOfInstance({ instance, policy }: ClassifiedInstance, ctx: MaintenanceContext): Moving['move'] | null {
  const { options, world } = ctx
  if ((options.strategy ?? strategyOf(world.cluster)) === 'watcher') {
    return options.excludedInstances.includes(instance.id)
      ? null
      : MOVING[watcherMove(instance, options.disableMigration)]
  }
  const action: string = policy.action
  return action === 'live_migrate' ? 'live' : action === 'cold_migrate' ? 'cold' : null
}

const MOVING: Readonly<Record<WatcherMove, Moving['move'] | null>> = {
  live: 'live',
  cold: 'cold',
  stop: null,
  stays: null,
}
