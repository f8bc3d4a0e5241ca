import { strategyOf } from '../../../../shared/domain/cluster.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { type WatcherMove, watcherMove } from '../../../../shared/domain/watcher-moves.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { type ClassifiedInstance, instanceLabel, instanceSubject, readComputeHost } from './classify-instances.ts'
import { instancesInMotion } from './own-motion.ts'

/**
 * No instance that moves has an ephemeral disk by its flavor (seed 004, compute role, "No ephemeral disks"; docs/domain.md B.1). Two other
 * disks are told, not held against it, because Nova carries them: a root disk on the host itself is copied over the network, and swap is
 * made anew on the other host when an instance moves cold.
 */
export const noEphemeralDisks = checkStep({
  kind: 'no-ephemeral-disks',
  role: 'compute',
  why: 'An ephemeral disk does not move with its instance: its data has to be saved first.',
  title: input => `No instance on ${nodeOf(input)} that moves has an ephemeral disk`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(`The instances on ${node}`, host.failure)
    const own = instancesInMotion(ctx)
    const moving = host.value.instances
      .filter(({ instance }) => !own.has(instance.id))
      .flatMap(found => {
        const move = moveOfInstance(found, ctx)
        return move === null ? [] : [{ instance: found.instance, move }]
      })
    const blockers = moving.flatMap(({ instance }) =>
      instance.flavor === null
        ? [
            {
              code: 'ephemeral-disk-unknown',
              message: `Nova does not tell the flavor of instance ${instanceLabel(instance)}: whether it has an ephemeral disk is not known.`,
              remedy: 'Look with `openstack server show` whether it has one, or leave the instance out.',
              override: BY_FORCE,
            },
          ]
        : instance.flavor.ephemeralGib > 0
          ? [
              {
                code: 'ephemeral-disk',
                message: `Instance ${instanceLabel(instance)} has an ephemeral disk of ${instance.flavor.ephemeralGib} GiB (flavor ${instance.flavor.name}).`,
                remedy:
                  'Ask its owner to save what is on it and to delete or rebuild the instance; or leave the instance out.',
                override: BY_FORCE,
              },
            ]
          : [],
    )
    return readyUnless(
      blockers,
      moving.length === 0
        ? 'No instance moves.'
        : `No ephemeral disk among the ${counted(moving.length, 'instance')} that ${moving.length === 1 ? 'moves' : 'move'}.`,
      {
        warnings: [...host.value.unreachable, ...warningsOf(moving)],
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

function warningsOf(moving: readonly Moving[]): readonly string[] {
  const labels = (found: readonly Moving[]) => someOf(found.map(({ instance }) => instanceLabel(instance)))
  const local = moving.filter(({ instance }) => isRootLocal(instance))
  const swap = moving.filter(({ instance, move }) => move === 'cold' && (instance.flavor?.swapMib ?? 0) > 0)
  return [
    ...(local.length === 0
      ? []
      : [
          `Root disk on the hypervisor: ${labels(local)}. Unless Nova keeps it on shared storage, it is copied over the network.`,
        ]),
    ...(swap.length === 0 ? [] : [`Swap disk made anew on the other host: ${labels(swap)}.`]),
  ]
}

/** Whether its root disk is no volume; an older record does not say, then having no volume at all says it. */
function isRootLocal({ bootsFromVolume, flavor, volumeIds }: Instance): boolean {
  return bootsFromVolume === undefined ? flavor !== null && volumeIds.length === 0 : !bootsFromVolume
}

/** How an instance is going to move; null: it stays. */
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
