import { markedActions } from '../../../../shared/domain/instance-tags.ts'
import type { Blocker, Effect, OverrideRule } from '../../../../shared/domain/plan.ts'
import { MAKE_ANEW } from '../../../../shared/domain/watcher-coverage.ts'
import { vmStateOf } from '../../../../shared/domain/watcher-moves.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE } from '../../answers.ts'
import { instanceLabel } from '../compute/classify-instances.ts'
import type { WatcherLook } from './watcher-look.ts'

/** Everything that stands against running Watcher's plan on the host as it is now. */
export function watcherBlockers(look: WatcherLook): readonly Blocker[] {
  const { standing } = look
  if (standing.kind === 'unusable') {
    return [
      {
        code: standing.code,
        message: standing.message,
        remedy: MAKE_ANEW,
        override: never('only the plan that was shown is run'),
      },
    ]
  }
  // A plan that this run has started is followed to its end; then the run asks about what it left.
  if (look.standing.kind !== 'startable' && look.plan.actions.length > 0) return []
  return [
    ...instanceBlockers(look),
    ...astrayBlockers(look),
    ...serviceBlockers(look),
    ...destinationBlockers(look),
    ...unknownBlockers(look),
    ...strangerBlockers(look),
  ]
}

function instanceBlockers({ fates }: WatcherLook): readonly Blocker[] {
  return fates.flatMap(({ instance, fate }) =>
    fate.kind === 'blocked'
      ? [
          {
            code: fate.code,
            message: `Instance ${instanceLabel(instance)}: ${fate.reason}.`,
            remedy: fate.remedy,
            override: fate.neverBecause === null ? BY_FORCE : never(fate.neverBecause),
          },
        ]
      : [],
  )
}

function astrayBlockers({ astray, choices, host }: WatcherLook): readonly Blocker[] {
  // Where single actions can be left out, these are.
  if (choices.canSkip) return []
  return astray.map(({ resourceName, resourceId, kind }) => ({
    code: 'plan-stale',
    message: `Watcher's plan has a ${kind} of ${resourceName} (${resourceId}), which is not on ${host.service.host} any more.`,
    remedy: `${MAKE_ANEW} When Watcher recommends the same again, its picture of the cloud is old (it is rebuilt every hour by default): wait, or choose --strategy nova.`,
    override: never('an older Watcher would move the instance away from where it is now'),
  }))
}

function serviceBlockers({ host, plan }: WatcherLook): readonly Blocker[] {
  const { service } = host
  const blockers: Blocker[] = []
  if (service.status === 'enabled' && !plan.actions.some(({ kind }) => kind === 'disable-service')) {
    blockers.push({
      code: 'plan-stale',
      message: `nova-compute on ${service.host} is enabled, and Watcher's plan does not disable it.`,
      remedy: MAKE_ANEW,
      override: never('new instances could land on the node'),
    })
  }
  if (service.state === 'down') {
    blockers.push({
      code: 'compute-down',
      message: `nova-compute on ${service.host} is down: nothing can be moved off it.`,
      remedy: 'Bring nova-compute back first; the hypervisor service has to stay active.',
      override: never('nothing moves off a host whose nova-compute is down'),
    })
  }
  return blockers
}

function destinationBlockers({ host, plan, fates }: WatcherLook): readonly Blocker[] {
  const moves = fates.filter(
    ({ fate }) => fate.kind === 'by-nova' || (fate.kind === 'by-watcher' && fate.move !== 'stop'),
  )
  const enabled = new Set(
    plan.actions.flatMap(({ kind, resourceName }) => (kind === 'enable-service' ? [resourceName] : [])),
  )
  const targets = host.services.filter(
    service =>
      service.host !== host.service.host &&
      service.state === 'up' &&
      (service.status === 'enabled' || enabled.has(service.host)),
  )
  if (moves.length === 0 || targets.length > 0) return []
  return [
    {
      code: 'no-destination',
      message: `${counted(moves.length, 'instance')} would have nowhere to go: no other compute host is enabled and up.`,
      remedy: 'Enable or repair another compute host first.',
      override: BY_FORCE,
    },
  ]
}

function unknownBlockers({ plan }: WatcherLook): readonly Blocker[] {
  return plan.actions
    .filter(({ kind }) => kind === 'other')
    .map(({ type, resourceName }) => ({
      code: 'unknown-action',
      message: `Watcher's plan has an action "${type}" on ${resourceName} that this version of Lockkeeper does not know.`,
      remedy: 'Look at it with `openstack optimize action show`, or choose --strategy nova.',
      override: BY_FORCE,
    }))
}

/** An excluded instance that is not there was mistyped, or has gone: either way the operator meant something else than what would happen. */
function strangerBlockers({ choices, host }: WatcherLook): readonly Blocker[] {
  const onHost = new Set(host.instances.map(({ instance }) => instance.id))
  return [...choices.excluded]
    .filter(id => !onHost.has(id))
    .map(id => ({
      code: 'excluded-not-found',
      message: `${id} is to be left out, but no instance on ${host.service.host} has this id.`,
      remedy: 'Instances are left out by their ids: correct it, or do not leave it out.',
      override: never('the instance that was meant would be moved'),
    }))
}

function never(why: string): OverrideRule {
  return { kind: 'never', why }
}

/** What the plan does, one line an action and an instance, and what an operator should know of it. */
export function watcherEffects(
  look: WatcherLook,
  backupNode: string | null,
): {
  readonly effects: readonly Effect[]
  readonly warnings: readonly string[]
} {
  const services = look.plan.actions.filter(({ kind }) => kind === 'disable-service' || kind === 'enable-service')
  const moves = look.plan.actions.filter(({ kind }) => kind === 'live-migrate' || kind === 'cold-migrate')
  const enabled = services.filter(({ kind }) => kind === 'enable-service').map(({ resourceName }) => resourceName)
  const left = look.astray.map(({ resourceName, resourceId }) => `${resourceName} (${resourceId})`)
  return {
    effects: [
      ...services.map(
        ({ kind, resourceName }): Effect => ({
          kind: 'change',
          target: `nova-compute on ${resourceName}`,
          from: kind === 'disable-service' ? 'enabled' : 'disabled',
          to: kind === 'disable-service' ? 'disabled' : 'enabled',
        }),
      ),
      ...look.fates.map(instanceEffect),
    ],
    warnings: [
      ...(enabled.length === 0
        ? []
        : [`Watcher enables nova-compute on ${someOf(enabled)} again to move instances there.`]),
      ...(backupNode !== null && moves.some(({ destination }) => destination === null)
        ? [`Not everything goes to ${backupNode}: where Watcher finds no room there, Nova's scheduler decides.`]
        : []),
      ...(left.length === 0 || !look.choices.canSkip
        ? []
        : [
            `${counted(left.length, 'action')} of Watcher's plan are left out, their instances are not on the host any more: ${someOf(left)}.`,
          ]),
    ],
  }
}

/** What the owner asked for and Watcher, which knows of no tags, does not do. An instance that is off, or is stopped here, has what `poweroff` asks for. */
function notFollowed(
  instance: WatcherLook['fates'][number]['instance'],
  move: 'live' | 'cold' | 'stop',
): readonly string[] {
  if (vmStateOf(instance) === 'stopped') return []
  return markedActions(instance.tags).filter(
    action => action !== 'live_migrate' && !(action === 'poweroff' && move === 'stop'),
  )
}

const ACTIONS = { live: 'live_migrate', cold: 'cold_migrate', stop: 'stop' } as const

function instanceEffect({ instance, fate }: WatcherLook['fates'][number]): Effect {
  const { id, name, status, projectId, powerState } = instance
  const base = {
    kind: 'instance',
    id,
    name,
    status,
    projectId,
    powerState,
    reason: fate.reason,
    warnings: [],
  } as const
  switch (fate.kind) {
    case 'by-watcher': {
      const { destination } = fate.action
      const ignored = notFollowed(instance, fate.move).map(
        action => `Watcher does not know of tags: its owner's ${action} is not followed`,
      )
      const reason = destination === null ? fate.reason : fate.reason.replace('another host', destination)
      return { ...base, action: ACTIONS[fate.move], source: 'watcher', reason, warnings: ignored }
    }
    case 'by-nova':
      return { ...base, action: 'live_migrate', source: 'operator', warnings: [] }
    case 'stays':
      return { ...base, action: 'ignore', source: 'operator', warnings: [...fate.warnings] }
    case 'blocked':
      return { ...base, action: 'blocked', source: 'watcher', warnings: [] }
  }
}
