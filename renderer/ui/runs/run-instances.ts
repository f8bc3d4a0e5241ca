import type { InstanceHistory } from '../../../shared/domain/instance-history.ts'
import { isAtRest } from '../../../shared/domain/instance-policy.ts'
import { type InstanceState, stateOf, wentTo } from '../../../shared/domain/instance-state.ts'
import { copyingOf } from '../../../shared/domain/migration-pace.ts'
import type { StayReason } from '../../../shared/domain/node-verdict.ts'
import { nodeOfPlan } from '../../../shared/domain/plan.ts'
import type { RunView, StepView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import type { RunEnding } from '../../../shared/domain/run-ending.ts'
import { historyOfView } from '../../../shared/domain/run-history.ts'
import { migrationsOf } from '../../../shared/domain/run-progress.ts'

/** What a run did or does to an instance of its node. */
export type RunInstanceState =
  | 'waits'
  | 'blocked'
  | 'left'
  | 'moving'
  | 'unknown'
  | 'to-move'
  | 'owner'
  | 'not-moved'
  | 'not-followed'
  | 'moved'
  | 'gone'
  | 'stopped'
  | 'stops'
  | 'started'
  | 'settled'
  | 'stays'

/** An instance on the page of a run. */
export interface RunInstance {
  readonly id: string
  readonly name: string
  readonly state: RunInstanceState
  /** The node to which it moved; null if it did not, or nobody saw it there. */
  readonly to: string | null
  readonly tries: number
  /** The time of all its tries, from the first request on; null without any. `to` null: it is under way. */
  readonly span: { readonly from: string; readonly to: string | null } | null
  /** How much of its memory is copied, while it moves. */
  readonly percent: number | null
  /** When the run stopped it; `to` null: not seen running since. */
  readonly down: InstanceHistory['down']
  /** Off before the run began. */
  readonly isOff: boolean
}

/** The order on the page: what needs you first, what is under way, then what is ahead, what has ended, and what stays. */
const ORDER: readonly RunInstanceState[] = [
  'waits',
  'blocked',
  'left',
  'moving',
  'unknown',
  'to-move',
  'owner',
  'not-moved',
  'not-followed',
  'moved',
  'gone',
  'started',
  'settled',
  'stopped',
  'stops',
  'stays',
]

/** Whether a run moves instances and reports each; in a cloud of flavour `mosk` the controllers do. */
export function followsMoves(view: RunView): boolean {
  if (view.plan.flavour !== 'mosk') return true
  return view.steps.some(
    step =>
      migrationsOf(step).length > 0 ||
      (step.step.verbs.includes('apply') && (step.check?.effects ?? []).some(({ kind }) => kind === 'instance')),
  )
}

/**
 * The instances that a run found on its node, each by its facts. One without facts is as the checks found it, unless it is on
 * another node now. `nodeNow`: where instances are seen; null if unknown.
 */
export function instancesOfRun(
  view: RunView,
  condition: RunCondition,
  leftAt: string | null,
  nodeNow: ((id: string) => string | null) | null = null,
): readonly RunInstance[] {
  const rows = new Map<string, RunInstance>()
  const isFollowed = followsMoves(view)
  for (const step of view.steps) {
    for (const effect of step.check?.effects ?? []) {
      if (effect.kind !== 'instance') continue
      const { id, name, action } = effect
      const isOff = action === 'ignore' && effect.source !== 'operator' && isAtRest(effect)
      const now = nodeNow?.(id) ?? null
      const isAway = now !== null && now !== nodeOfPlan(view.plan)
      const state = isAway ? 'gone' : foundState(action, step, !isFollowed && condition.kind === 'over')
      rows.set(id, { id, name, state, to: isAway ? now : null, ...UNTRIED, isOff })
    }
  }
  // Also instances that controllers moved, if the run checked them afterwards.
  for (const instance of historyOfView(view).instances.values()) {
    const { id, name, attempts, effect, down } = instance
    const last = attempts.at(-1)
    const isCopied = last === undefined || copyingOf(last) === 'copying'
    const state = reportedState(stateOf(instance), isCopied, leftAt)
    const to = state === 'moved' ? wentTo(instance) : null
    if (state !== null) {
      const percent = state === 'moving' || state === 'waits' ? (last?.percent ?? null) : null
      rows.set(id, {
        ...{ id, name: effect?.name ?? name ?? id, state, to, percent, down, isOff: false },
        ...triesOf(attempts, leftAt),
      })
    }
  }
  const waits = 'waits' in condition ? condition.waits : []
  for (const { id, name } of waits.flatMap(({ instances }) => instances))
    rows.set(id, { ...(rows.get(id) ?? { id, name, to: null, ...UNTRIED }), state: 'waits' })
  if (condition.kind === 'over') for (const row of atTheEnd(rows, condition.ending)) rows.set(row.id, row)
  return [...rows.values()].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
}

const UNTRIED = { tries: 0, span: null, percent: null, down: null, isOff: false } as const

function triesOf(attempts: InstanceHistory['attempts'], leftAt: string | null): Pick<RunInstance, 'tries' | 'span'> {
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (first === undefined || last === undefined) return { tries: 0, span: null }
  return { tries: last.number, span: { from: first.startedAt, to: last.end?.at ?? leftAt } }
}

/**
 * After the end nothing is ahead and nothing waits: a planned move did not happen, and what the last check found there is still
 * there.
 */
function atTheEnd(rows: ReadonlyMap<string, RunInstance>, ending: RunEnding): readonly RunInstance[] {
  const here = 'verdict' in ending && ending.verdict.kind === 'NotEmpty' ? ending.verdict.instances : []
  const ahead = [...rows.values()].filter(({ state }) => state === 'to-move' || state === 'waits')
  const unfollowed = here.flatMap(({ id, code }) => {
    const [row, state] = [rows.get(id), AGREED.get(code)]
    return row?.state === 'not-followed' && state !== undefined ? [{ ...row, state }] : []
  })
  return [
    ...ahead.map(row => ({ ...row, state: 'not-moved' as const })),
    ...unfollowed,
    ...here
      .filter(({ code }) => !AGREED.has(code))
      .map(({ id, name }) => ({
        ...(rows.get(id) ?? { id, name, to: null, ...UNTRIED }),
        state: 'left' as const,
        to: null,
      })),
  ]
}

/** What stays as agreed is not left over. */
const AGREED: ReadonlyMap<StayReason, 'stops' | 'owner'> = new Map([
  ['StopsWithNode', 'stops'],
  ['WaitsForOwner', 'owner'],
])

type FoundAction = Extract<NonNullable<StepView['check']>['effects'][number], { readonly kind: 'instance' }>['action']

/** As the checks found it. `isUnreported`: the run is finished and has no facts about instances. */
function foundState(action: FoundAction, { state, step }: StepView, isUnreported: boolean): RunInstanceState {
  // Controllers report no single instance, but the last check found the node empty.
  const isGone = state === 'verified' && step.verbs.includes('verify')
  switch (action) {
    case 'live_migrate':
    case 'cold_migrate':
    case 'evacuate':
      return isGone ? 'gone' : isUnreported ? 'not-followed' : 'to-move'
    case 'stop':
    case 'poweroff':
      return 'stops'
    case 'notify':
      return isGone ? 'gone' : isUnreported ? 'not-followed' : 'owner'
    case 'ignore':
      return 'stays'
    case 'blocked':
      return 'blocked'
  }
}

function reportedState(state: InstanceState, isCopied: boolean, leftAt: string | null): RunInstanceState | null {
  switch (state) {
    case 'untouched':
      return null
    case 'running':
      return leftAt !== null ? 'unknown' : isCopied ? 'moving' : 'waits'
    case 'again':
      return 'waits'
    case 'given-up':
      return 'blocked'
    case 'moved':
    // It left alone, was deleted, or may stay: the log says which.
    case 'settled':
    case 'stopped':
    case 'started':
    case 'left':
      return state
  }
}
