import type { InstanceObstacle } from '../../domain/watcher-coverage.ts'
import { counted } from '../../grammar/counts.ts'
import { obstacleWords } from '../watcher-fates.ts'
import type { FaultText, OfHost, TextsOf } from './coded.ts'

/** The remedy for a plan that is no longer true. */
export const RECREATE = 'Make the plan again.'

const MODEL_AGES = `${RECREATE} If Watcher recommends the same again, its model of the cloud is old (it is rebuilt every hour by default): wait, or choose --strategy nova.`

const ONLY_SHOWN = { remedy: RECREATE, never: 'Lockkeeper runs only the plan that it showed' } as const

type OfPlan = {
  readonly plan: string
}

/** An obstacle of an instance. */
type Of<Code extends InstanceObstacle['code']> = { readonly instance: string } & Omit<
  Extract<InstanceObstacle, { code: Code }>,
  'code'
>

const BY_STATE: ReadonlyMap<string, string> = new Map([
  [
    'suspended',
    'Nova does not migrate a suspended instance: ask its owner to resume it. With --force it stays on the node.',
  ],
  ['error', 'Fix or delete it first. With --force it stays on the node.'],
  ['rescued', 'Ask its owner to unrescue it. With --force it stays on the node.'],
  ['resized', 'Confirm or revert its resize (`openstack server resize confirm`). With --force it stays on the node.'],
])

/** Blockers of Watcher's plan. */
export const WATCHER_BLOCKER_FAULTS = {
  WatcherPlanChanged: ({ plan }: OfPlan) => ({
    message: `Watcher's plan ${plan} has other actions than Lockkeeper showed.`,
    ...ONLY_SHOWN,
  }),
  WatcherPlanSuperseded: ({ plan }: OfPlan) => ({
    message: `Watcher's plan ${plan} is SUPERSEDED: its recommendation is too old.`,
    ...ONLY_SHOWN,
  }),
  WatcherPlanExpired: ({ plan }: OfPlan) => ({
    message: `Watcher's plan ${plan} is older than 24 hours.`,
    ...ONLY_SHOWN,
  }),
  WatcherPlanStartedElsewhere: ({ plan, state }: OfPlan & { readonly state: string }) => ({
    message: `Lockkeeper did not start Watcher's plan ${plan}, which is ${state}.`,
    ...ONLY_SHOWN,
  }),
  WatcherPlanEnded: ({ plan, state }: OfPlan & { readonly state: string }) => ({
    message: `Watcher's plan ${plan} can no longer start: it is ${state}.`,
    ...ONLY_SHOWN,
  }),
  WatcherPlanOfOtherHost: ({ plan, host, own }: OfPlan & OfHost & { readonly own: string }) => ({
    message: `Watcher's plan ${plan} empties ${host}, but Nova knows the node as ${own}.`,
    ...ONLY_SHOWN,
  }),
  InstanceChangedSincePlan: ({ instance, ...why }: Of<'InstanceChangedSincePlan'>) => ({
    message: `Instance ${instance}: ${obstacleWords({ code: 'InstanceChangedSincePlan', ...why })}.`,
    remedy: MODEL_AGES,
    never: 'the plan was made for another state of the instance',
  }),
  InstanceCannotBeLeftOut: ({ instance }: Of<'InstanceCannotBeLeftOut'>) => ({
    message: `Instance ${instance}: ${obstacleWords({ code: 'InstanceCannotBeLeftOut' })}.`,
    remedy: 'Do not leave it out, choose --strategy nova, or update Watcher (API 1.5 or newer).',
    never: 'Watcher would move what you left out',
  }),
  InstanceNotInPlan: ({ instance, ...why }: Of<'InstanceNotInPlan'>) => ({
    message: `Instance ${instance}: ${obstacleWords({ code: 'InstanceNotInPlan', ...why })}.`,
    remedy: why.isMovable
      ? `${RECREATE} If Watcher still does not know it, move it through Nova with --nova-for-rest.`
      : `${RECREATE} If Watcher still does not know it, ask its owner to stop or delete it.`,
  }),
  InstanceMoveImpossible: ({ instance, ...why }: Of<'InstanceMoveImpossible'>) => ({
    message: `Instance ${instance}: ${obstacleWords({ code: 'InstanceMoveImpossible', ...why })}.`,
    remedy: impossibleRemedy(why),
  }),
  InstanceLeftSincePlan: ({ host, instance, move }: OfHost & { readonly instance: string; readonly move: string }) => ({
    message: `Watcher's plan has a ${move} of ${instance}, which is no longer on ${host}.`,
    remedy: MODEL_AGES,
    never: 'an older Watcher would move the instance away from its current node',
  }),
  WatcherPlanDisablesNothing: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is enabled, but Watcher's plan does not disable it.`,
    remedy: RECREATE,
    never: 'new instances could land on the node',
  }),
  NovaComputeDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is down: instances cannot move off it.`,
    remedy: 'Bring nova-compute back first; the hypervisor service has to stay active.',
    never: 'no instance can leave a node whose nova-compute is down',
  }),
  NoOtherHostForInstances: ({ instances }: { readonly instances: number }) => ({
    message: `${counted(instances, 'instance')} would have nowhere to go: no other compute node is enabled and up.`,
    remedy: 'Enable or repair another compute node first.',
  }),
  WatcherActionUnknown: ({ type, name }: { readonly type: string; readonly name: string }) => ({
    message: `Watcher's plan has an action "${type}" on ${name} that this version of Lockkeeper does not know.`,
    remedy: 'Check it with `openstack optimize action show`, or choose --strategy nova.',
  }),
  LeftOutInstanceNotFound: ({ id, host }: OfHost & { readonly id: string }) => ({
    message: `The plan leaves out instance ${id}, but no instance on ${host} has this id.`,
    remedy: 'Instances are left out by their ids: correct it, or do not leave it out.',
    never: 'the intended instance would move',
  }),
} satisfies TextsOf<FaultText>

function impossibleRemedy({ state, isMovable, liveRuledOut }: Omit<Of<'InstanceMoveImpossible'>, 'instance'>): string {
  if (!isMovable) {
    return BY_STATE.get(state) ?? 'Ask its owner to bring it to ACTIVE or SHUTOFF. With --force it stays on the node.'
  }
  return liveRuledOut
    ? 'Ask its owner to unpause or stop it, or allow live migration.'
    : 'Move it through Nova with --nova-for-rest, or choose --strategy nova.'
}
