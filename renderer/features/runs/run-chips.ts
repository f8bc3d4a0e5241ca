import { type InstanceState, stateOf, wentTo } from '../../../shared/domain/instance-state.ts'
import { copyingOf } from '../../../shared/domain/migration-pace.ts'
import { nodeOfPlan } from '../../../shared/domain/plan.ts'
import type { RunView, StepView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import type { RunEnding } from '../../../shared/domain/run-ending.ts'
import { historyOfView } from '../../../shared/domain/run-history.ts'
import { migrationsOf } from '../../../shared/domain/run-progress.ts'

/** The state of an instance of the node that a run empties. */
export type ChipState =
  | 'blocked'
  | 'waits'
  | 'moving'
  | 'to-move'
  | 'not-moved'
  | 'owner'
  | 'moved'
  | 'gone'
  | 'unknown'
  | 'not-followed'
  | 'stops'
  | 'stopped'
  | 'started'
  | 'left'
  | 'stays'
  | 'settled'

/** An instance in the picture of a run. */
interface RunChip {
  readonly id: string
  readonly name: string
  readonly state: ChipState
  /** The host to which it moved; null if it did not, or nobody saw it there. */
  readonly to: string | null
}

/** The text of a chip: `web-01: moved to cmp-04`. */
export function chipWords({ name, state, to }: RunChip): string {
  return `${name}: ${CHIP_WORDS[state]}${to === null ? '' : ` to ${to}`}`
}

/** The name of each state, in the order of the legend. */
const CHIP_WORDS: Readonly<Record<ChipState, string>> = {
  blocked: 'blocked',
  waits: 'waits',
  moving: 'moving',
  'to-move': 'to move',
  'not-moved': 'did not move',
  owner: 'left to the owner',
  moved: 'moved',
  gone: 'gone',
  unknown: 'unknown: not followed to the end',
  'not-followed': 'left to a controller, not followed here',
  stops: 'stops with the node',
  stopped: 'stopped',
  started: 'started again',
  left: 'still here',
  stays: 'stays',
  settled: 'needed no move',
}

const OF_SEVERAL: Partial<Record<ChipState, string>> = {
  waits: 'wait',
  stops: 'stop with the node',
  stays: 'stay',
}

/** One line of the legend: `1 stays`, `2 stay`. */
export function chipLegend(state: ChipState, count: number): string {
  return `${count} ${(count === 1 ? undefined : OF_SEVERAL[state]) ?? CHIP_WORDS[state]}`
}

const ORDER = Object.keys(CHIP_WORDS)

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
export function chipsOfRun(
  view: RunView,
  condition: RunCondition,
  leftAt: string | null,
  nodeNow: ((id: string) => string | null) | null = null,
): readonly RunChip[] {
  const chips = new Map<string, RunChip>()
  const isFollowed = followsMoves(view)
  for (const step of view.steps) {
    for (const effect of step.check?.effects ?? []) {
      if (effect.kind !== 'instance') continue
      const { id, name, action } = effect
      const now = nodeNow?.(id) ?? null
      const isAway = now !== null && now !== nodeOfPlan(view.plan)
      const state = isAway ? 'gone' : foundState(action, step, !isFollowed && condition.kind === 'over')
      chips.set(id, { id, name, state, to: null })
    }
  }
  // Also instances that controllers moved, if the run checked them afterwards.
  for (const instance of historyOfView(view).instances.values()) {
    const { id, name, attempts, effect } = instance
    const last = attempts.at(-1)
    const isCopied = last === undefined || copyingOf(last) === 'copying'
    const state = reportedState(stateOf(instance), isCopied, leftAt)
    const to = state === 'moved' ? wentTo(instance) : null
    if (state !== null) chips.set(id, { id, name: effect?.name ?? name ?? id, state, to })
  }
  const waits = 'waits' in condition ? condition.waits : []
  for (const { id, name } of waits.flatMap(({ instances }) => instances))
    chips.set(id, { id, name, state: 'waits', to: null })
  if (condition.kind === 'over') for (const chip of atTheEnd(chips, condition.ending)) chips.set(chip.id, chip)
  return [...chips.values()].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
}

/**
 * After the end nothing is ahead and nothing waits: a planned move did not happen, and what the last check found there is still
 * there.
 */
function atTheEnd(chips: ReadonlyMap<string, RunChip>, ending: RunEnding): readonly RunChip[] {
  const here = 'verdict' in ending && ending.verdict.kind === 'NotEmpty' ? ending.verdict.instances : []
  const ahead = [...chips.values()].filter(({ state }) => state === 'to-move' || state === 'waits')
  return [
    ...ahead.map(chip => ({ ...chip, state: 'not-moved' as const })),
    ...here
      .filter(({ code }) => code !== 'StopsWithNode' && code !== 'WaitsForOwner')
      .map(({ id, name }) => ({ id, name, state: 'left' as const, to: null })),
  ]
}

type FoundAction = Extract<NonNullable<StepView['check']>['effects'][number], { readonly kind: 'instance' }>['action']

/** As the checks found it. `isUnreported`: the run is finished and has no facts about instances. */
function foundState(action: FoundAction, { state, step }: StepView, isUnreported: boolean): ChipState {
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

function reportedState(state: InstanceState, isCopied: boolean, leftAt: string | null): ChipState | null {
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
