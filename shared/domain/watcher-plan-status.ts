import type { WatcherAction, WatcherPlan, WatcherPlanState } from './watcher.ts'

/** Where a plan of Watcher stands for the run that wants to carry it out. */
export type PlanStatus =
  /** It waits to be started, as it was shown. */
  | { readonly kind: 'startable' }
  /** This run started it, and actions are still to come or under way. */
  | { readonly kind: 'under-way' }
  /** Nothing of it goes on any more. */
  | { readonly kind: 'over' }
  /** It is not what the operator confirmed any more. */
  | { readonly kind: 'unusable'; readonly why: WatcherPlanDoubt }

/** Why a plan of Watcher is not run. */
export type WatcherPlanDoubt =
  /** It has other actions than those that were shown. */
  | { readonly code: 'WatcherPlanChanged' }
  /** Watcher calls its recommendation too old. */
  | { readonly code: 'WatcherPlanSuperseded' }
  /** It is a day old. */
  | { readonly code: 'WatcherPlanExpired' }
  | { readonly code: 'WatcherPlanStartedElsewhere'; readonly state: WatcherPlanState }
  /** It was over before this run started it. */
  | { readonly code: 'WatcherPlanEnded'; readonly state: WatcherPlanState }
  /** It empties `host`, but Nova calls the node by the name `own`. */
  | { readonly code: 'WatcherPlanOfOtherHost'; readonly host: string; readonly own: string }

/** Watcher calls a recommendation SUPERSEDED after this time (docs/domain.md B.2); it looks only now and then. */
const RECOMMENDED_FOR_MS = 24 * 3_600_000

/** Decides where a plan stands: by what was shown, by who started it, and by its actions. What Watcher says of the whole plan does not tell what became of it. */
export function planStatus(
  plan: WatcherPlan,
  more: {
    readonly shown: readonly { readonly uuid: string }[]
    readonly startedByUs: boolean
    readonly now: number
  },
): PlanStatus {
  if (more.startedByUs && plan.state !== 'RECOMMENDED') return isOver(plan) ? { kind: 'over' } : { kind: 'under-way' }
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

/** Whether no action goes on or will begin: an action that was never begun begins no more once the plan has ended. */
export function isOver({ actions, state }: Pick<WatcherPlan, 'actions' | 'state'>): boolean {
  if (actions.some(isUnderWay)) return false
  return ENDED.has(state) || !actions.some(action => action.state === 'PENDING')
}

const ENDED: ReadonlySet<WatcherPlanState> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED', 'DELETED'])

/** Whether Watcher works on an action now. */
export function isUnderWay({ state }: Pick<WatcherAction, 'state'>): boolean {
  return state === 'ONGOING' || state === 'CANCELLING'
}

/** What became of a plan's actions, counted; the only thing that tells it (docs/domain.md B.2, LP 2106407). */
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
