import { isAtRest, type ShownAction } from '../domain/instance-policy.ts'
import type { MaintenanceAction } from '../domain/instance-tags.ts'
import type { NodeState, NodeSummary } from '../domain/node-summary.ts'
import { onlyStopsWithNode } from '../domain/node-verdict.ts'
import type { Effect } from '../domain/step-answers.ts'
import { verdictBadge } from './node-verdict.ts'

type Planned = Extract<Effect, { kind: 'instance' }>

/** What a maintenance does to an instance, in one or two words; the same in plan, table, tile and run. */
export const ACTION_WORDS: Readonly<Record<Planned['action'] | ShownAction, string>> = {
  live_migrate: 'Moves',
  migrating: 'Moving now',
  cold_migrate: 'Moves with downtime',
  evacuate: 'Restarts elsewhere',
  stop: 'Stops',
  poweroff: 'Stops',
  notify: 'Waits for owner',
  ignore: 'Stays off',
  blocked: 'Blocked',
}

/** What a plan does to an instance. "Stays off" is only for an instance that is off, and not left out by choice. */
export function effectWord(effect: Pick<Planned, 'action' | 'source' | 'status' | 'powerState'>): string {
  const stays = effect.action === 'ignore' && (effect.source === 'operator' || !isAtRest(effect))
  return stays ? 'Stays' : ACTION_WORDS[effect.action]
}

/** Where the action comes from. */
export const SOURCE_WORDS: Readonly<Record<Planned['source'], string>> = {
  tag: 'its tag',
  'host-mode': 'mode of its node',
  state: 'its state',
  watcher: "Watcher's plan",
  operator: 'operator',
}

/** The tag values that an owner may set, and their meaning. */
export const MARK_WORDS: Readonly<Record<MaintenanceAction, string>> = {
  live_migrate: 'Move live',
  poweroff: 'Stop with node',
  notify: 'Wait for owner',
}

export const STATE_WORDS: Readonly<Record<NodeState, string>> = {
  active: 'In service',
  entering: 'Going out',
  maintenance: 'In maintenance',
  leaving: 'Coming back',
  partial: 'Partly in maintenance',
  unknown: 'No answer',
  decommissioned: 'Decommissioned',
}

/** The badge of a node: what the last look at it proves, or cannot prove, comes before its state. */
export function nodeBadge({ state, verdict }: Pick<NodeSummary, 'state' | 'verdict'>): string {
  const isOut = state === 'maintenance' || state === 'partial'
  if (state === 'partial' && verdict?.kind === 'Unknown') return 'Maybe not empty'
  if (!isOut || verdict?.kind !== 'NotEmpty') return STATE_WORDS[state]
  return onlyStopsWithNode(verdict) ? STATE_WORDS.maintenance : verdictBadge(verdict)
}
