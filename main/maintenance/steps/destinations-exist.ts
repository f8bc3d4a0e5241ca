import type { ComputeService, Instance } from '../../../shared/domain/openstack.ts'
import type { Blocker } from '../../../shared/domain/plan.ts'
import type { Step } from '../../engine/step.ts'
import { BY_FORCE, cannotAsk, count, evidence, readyUnless } from '../answers.ts'
import { instanceLabel, movesAway, readComputeHost } from '../classify-instances.ts'
import { nodeOf } from '../node-input.ts'
import type { MaintenanceWorld } from '../ports.ts'

/** Instances that must move have somewhere to go: another enabled compute that is up, in their zone when they are pinned to one. */
export const destinationsExist: Step<MaintenanceWorld> = {
  kind: 'destinations-exist',
  role: 'compute',
  risk: 'none',
  why: 'A host cannot be emptied when there is nowhere to go.',
  title: input => `Instances of ${nodeOf(input)} have somewhere to go`,
  verifyEarly: false,
  withinMs: 60_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const host = await readComputeHost(node, ctx)
    if (!host.ok) return cannotAsk(`The instances on ${node}`, host.failure)
    const { service, services, instances } = host.value
    const moving = instances.filter(({ policy }) => movesAway(policy)).map(({ instance }) => instance)
    const targets = services.filter(
      other => other.host !== service.host && other.status === 'enabled' && other.state === 'up',
    )
    const findings = moving.map(instance => placeOf(instance, service, targets))
    return readyUnless(
      findings.flatMap(finding => (finding.kind === 'nowhere' ? [finding.blocker] : [])),
      moving.length === 0
        ? 'No instance has to move.'
        : `${count(targets.length, 'other compute host')} enabled and up for ${count(moving.length, 'instance')}. Whether they fit is decided by Nova's scheduler.`,
      {
        warnings: findings.flatMap(finding => (finding.kind === 'unsure' ? [finding.warning] : [])),
        evidence: [
          evidence('compute services', ctx.at(), {
            targets: targets.map(target => `${target.host} (${target.zone ?? 'no zone'})`),
            moving: moving.map(instance => instance.id),
          }),
        ],
      },
    )
  },
}

type Place =
  | { readonly kind: 'somewhere' }
  | { readonly kind: 'unsure'; readonly warning: string }
  | { readonly kind: 'nowhere'; readonly blocker: Blocker }

function placeOf(instance: Instance, source: ComputeService, targets: readonly ComputeService[]): Place {
  if (targets.length === 0) return nowhere(instance, 'no other compute host is enabled and up')
  const zone = instance.pinnedZone === undefined ? (instance.availabilityZone ?? source.zone) : instance.pinnedZone
  if (zone === null || targets.some(target => target.zone === zone)) return { kind: 'somewhere' }
  if (instance.pinnedZone === undefined) {
    return {
      kind: 'unsure',
      warning: `${instanceLabel(instance)} runs in zone ${zone}, where no other host is enabled and up, and this Nova (older than 2.96) does not tell whether it is pinned there.`,
    }
  }
  return nowhere(instance, `it is pinned to zone ${zone}, where no other host is enabled and up`)
}

function nowhere(instance: Instance, why: string): Place {
  return {
    kind: 'nowhere',
    blocker: {
      code: 'no-destination',
      message: `Instance ${instanceLabel(instance)} has nowhere to go: ${why}.`,
      remedy:
        'Enable or repair another compute host there first, or give the instance another action (tag maintenance_action=poweroff).',
      override: BY_FORCE,
    },
  }
}
