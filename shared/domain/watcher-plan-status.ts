import type { WatcherAction, WatcherPlan, WatcherPlanState } from './watcher.ts'

export type PlanStatus =
  | { readonly kind: 'startable' }
  /** This run started it, and actions are pending or running. */
  | { readonly kind: 'under-way' }
  | { readonly kind: 'over' }
  | { readonly kind: 'unusable'; readonly why: WatcherPlanDoubt }

export type WatcherPlanDoubt =
  | { readonly code: 'WatcherPlanChanged' }
  | { readonly code: 'WatcherPlanSuperseded' }
  | { readonly code: 'WatcherPlanExpired' }
  | { readonly code: 'WatcherPlanStartedElsewhere'; readonly state: WatcherPlanState }
  | { readonly code: 'WatcherPlanEnded'; readonly state: WatcherPlanState }
  /** It empties `host`, but Nova's name of the node is `own`. */
  | { readonly code: 'WatcherPlanOfOtherHost'; readonly host: string; readonly own: string }

/** Watcher marks a recommendation SUPERSEDED after this time (docs/domain.md B.2), but checks only now and then. */
const RECOMMENDED_FOR_MS = 24 * 3_600_000

/** By what was shown, who started it, and its actions: Watcher's state of the plan does not show its result. */
export function planStatus(
  plan: WatcherPlan,
  more: {
    readonly shown: readonly { readonly uuid: string }[]
    readonly startedByUs: boolean
    readonly now: number
  },
): PlanStatus {
  if (more.startedByUs && plan.state !== 'RECOMMENDED')
    return hasPlanEnded(plan) ? { kind: 'over' } : { kind: 'under-way' }
  if (more.shown.length === 0) return { kind: 'over' }
  switch (plan.state) {
    case 'RECOMMENDED':
      return recommended(plan, more)
    case 'PENDING':
    case 'ONGOING':
    case 'CANCELLING':
      return unusable({ code: 'WatcherPlanStartedElsewhere', state: plan.state })
    case 'SUPERSEDED':
      return unusable({ code: 'WatcherPlanSuperseded' })
    case 'SUCCEEDED':
    case 'FAILED':
    case 'CANCELLED':
    case 'DELETED':
    case 'UNKNOWN':
      return unusable({ code: 'WatcherPlanEnded', state: plan.state })
  }
}

function recommended(
  plan: WatcherPlan,
  { shown, now }: { readonly shown: readonly { readonly uuid: string }[]; readonly now: number },
): PlanStatus {
  const there = new Set(plan.actions.map(({ uuid }) => uuid))
  if (there.size !== shown.length || shown.some(({ uuid }) => !there.has(uuid)))
    return unusable({ code: 'WatcherPlanChanged' })
  const age = plan.createdAt === null ? 0 : now - Date.parse(plan.createdAt)
  return age >= RECOMMENDED_FOR_MS ? unusable({ code: 'WatcherPlanExpired' }) : { kind: 'startable' }
}

function unusable(why: WatcherPlanDoubt): PlanStatus {
  return { kind: 'unusable', why }
}

/** An action that has not started never starts once the plan has ended. */
export function hasPlanEnded({ actions, state }: Pick<WatcherPlan, 'actions' | 'state'>): boolean {
  if (actions.some(isUnderWay)) return false
  return ENDED.has(state) || !actions.some(action => action.state === 'PENDING')
}

const ENDED: ReadonlySet<WatcherPlanState> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED', 'DELETED'])

export function isUnderWay({ state }: Pick<WatcherAction, 'state'>): boolean {
  return state === 'ONGOING' || state === 'CANCELLING'
}

/** Only this shows a plan's result (docs/domain.md B.2, LP 2106407). */
export function tallyActions(actions: readonly Pick<WatcherAction, 'state'>[]): {
  readonly succeeded: number
  readonly skipped: number
  readonly failed: number
  readonly notRun: number
} {
  const count = (...states: readonly WatcherAction['state'][]) =>
    actions.filter(({ state }) => states.includes(state)).length
  const succeeded = count('SUCCEEDED')
  const skipped = count('SKIPPED')
  const failed = count('FAILED')
  return { succeeded, skipped, failed, notRun: actions.length - succeeded - skipped - failed }
}
