import { markedActions } from '../../../../shared/domain/instance-tags.ts'
import type { Blocker, Effect } from '../../../../shared/domain/step-answers.ts'
import type { InstanceObstacle } from '../../../../shared/domain/watcher-coverage.ts'
import { vmStateOf } from '../../../../shared/domain/watcher-moves.ts'
import type { WatcherPlanDoubt } from '../../../../shared/domain/watcher-plan-status.ts'
import { type Fault, fault, found } from '../../../../shared/words/step-texts.ts'
import { type Finding, labelOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import { fateWords, lossWords, notFollowedWords } from '../../../../shared/words/watcher-fates.ts'
import { BY_FORCE, blocker } from '../../answers.ts'
import { actionLabel, type WatcherLook } from './watcher-look.ts'

export function watcherBlockers(look: WatcherLook): readonly Blocker[] {
  const { status } = look
  if (status.kind === 'unusable') return [blocker(doubtFault(look.plan.uuid, status.why))]
  // A plan that this run started is followed to its end; then the run asks about the rest.
  if (look.status.kind !== 'startable' && look.plan.actions.length > 0) return []
  return [
    ...instanceBlockers(look),
    ...astrayBlockers(look),
    ...serviceBlockers(look),
    ...destinationBlockers(look),
    ...unknownBlockers(look),
    ...unknownNodeBlockers(look),
  ]
}

function doubtFault(plan: string, why: WatcherPlanDoubt): Fault {
  switch (why.code) {
    case 'WatcherPlanChanged':
    case 'WatcherPlanSuperseded':
    case 'WatcherPlanExpired':
      return fault(why.code, { plan })
    case 'WatcherPlanStartedElsewhere':
    case 'WatcherPlanEnded':
      return fault(why.code, { plan, state: why.state })
    case 'WatcherPlanOfOtherHost':
      return fault(why.code, { plan, host: why.host, own: why.own })
  }
}

function instanceBlockers({ fates }: WatcherLook): readonly Blocker[] {
  return fates.flatMap(({ instance, fate }) =>
    fate.kind === 'blocked' ? [obstacleBlocker(labelOf(instance), fate.why)] : [],
  )
}

function obstacleBlocker(instance: string, why: InstanceObstacle): Blocker {
  switch (why.code) {
    case 'InstanceChangedSincePlan': {
      const { move, state, expected } = why
      return blocker(fault(why.code, { instance, move, state, expected }))
    }
    case 'InstanceCannotBeLeftOut':
      return blocker(fault(why.code, { instance }))
    case 'InstanceNotInPlan':
      return blocker(fault(why.code, { instance, state: why.state, isMovable: why.isMovable }), BY_FORCE)
    case 'InstanceMoveImpossible': {
      const { move, state, isMovable, liveRuledOut } = why
      return blocker(fault(why.code, { instance, move, state, isMovable, liveRuledOut }), BY_FORCE)
    }
  }
}

function astrayBlockers({ astray, choices, host }: WatcherLook): readonly Blocker[] {
  // Where single actions can be skipped, these are.
  if (choices.canSkip) return []
  return astray.map(action =>
    blocker(
      fault('InstanceLeftSincePlan', { host: host.service.host, instance: actionLabel(action), move: action.kind }),
    ),
  )
}

function serviceBlockers({ host, plan }: WatcherLook): readonly Blocker[] {
  const { service } = host
  const blockers: Blocker[] = []
  if (service.status === 'enabled' && !plan.actions.some(({ kind }) => kind === 'disable-service')) {
    blockers.push(blocker(fault('WatcherPlanDisablesNothing', { host: service.host })))
  }
  if (service.state === 'down') blockers.push(blocker(fault('NovaComputeDown', { host: service.host })))
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
  return [blocker(fault('NoOtherHostForInstances', { instances: moves.length }), BY_FORCE)]
}

function unknownBlockers({ plan }: WatcherLook): readonly Blocker[] {
  return plan.actions
    .filter(({ kind }) => kind === 'other')
    .map(({ type, resourceName }) => blocker(fault('WatcherActionUnknown', { type, name: resourceName }), BY_FORCE))
}

/** An excluded instance that does not exist was mistyped, or is gone: the operator expected something else. */
function unknownNodeBlockers({ choices, host }: WatcherLook): readonly Blocker[] {
  const onHost = new Set(host.instances.map(({ instance }) => instance.id))
  return [...choices.excluded]
    .filter(id => !onHost.has(id))
    .map(id => blocker(fault('LeftOutInstanceNotFound', { id, host: host.service.host })))
}

/** One line for each action and instance. */
export function watcherEffects(
  look: WatcherLook,
  backupNode: string | null,
): {
  readonly effects: readonly Effect[]
  readonly warnings: readonly Finding[]
} {
  const services = look.plan.actions.filter(({ kind }) => kind === 'disable-service' || kind === 'enable-service')
  const moves = look.plan.actions.filter(({ kind }) => kind === 'live-migrate' || kind === 'cold-migrate')
  const enabled = services.filter(({ kind }) => kind === 'enable-service').map(({ resourceName }) => resourceName)
  const left = look.astray.map(actionLabel)
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
      ...(enabled.length === 0 ? [] : [found('WatcherEnablesHosts', { hosts: namesOf(enabled) })]),
      ...(backupNode !== null && moves.some(({ destination }) => destination === null)
        ? [found('NotAllToBackupNode', { node: backupNode })]
        : []),
      ...(left.length === 0 || !look.choices.canSkip
        ? []
        : [found('WatcherActionsLeftOut', { actions: namesOf(left) })]),
    ],
  }
}

/** Watcher knows no tags, so it ignores what owners request. An instance that is or will be off has what `poweroff` requests. */
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
    reason: fateWords(fate),
    warnings: [],
  } as const
  switch (fate.kind) {
    case 'by-watcher': {
      const ignored = notFollowed(instance, fate.move).map(notFollowedWords)
      return { ...base, action: ACTIONS[fate.move], source: 'watcher', warnings: ignored }
    }
    case 'by-nova':
      return { ...base, action: 'live_migrate', source: 'operator', warnings: [] }
    case 'stays':
      return { ...base, action: 'ignore', source: 'operator', warnings: [...lossWords(fate)] }
    case 'blocked':
      return { ...base, action: 'blocked', source: 'watcher', warnings: [] }
  }
}
