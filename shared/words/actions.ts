import { isAtRest, type ShownAction } from '../domain/instance-policy.ts'
import type { MaintenanceAction } from '../domain/instance-tags.ts'
import type { NodeState, NodeSummary } from '../domain/node-summary.ts'
import type { Effect } from '../domain/step-answers.ts'
import { verdictBadge } from './node-verdict.ts'

type Planned = Extract<Effect, { kind: 'instance' }>

/** What a maintenance does to an instance, in one or two words; the same in plan, table, tile and run. */
export const ACTION_WORDS: Readonly<Record<Planned['action'] | ShownAction, string>> = {
  live_migrate: 'moves live',
  migrating: 'migrating',
  cold_migrate: 'moves stopped',
  evacuate: 'is rebuilt elsewhere',
  stop: 'is stopped',
  poweroff: 'stops with host',
  notify: 'owner acts',
  ignore: 'at rest',
  blocked: 'blocks',
}

/** What a plan does to an instance. "Stays off" is only for an instance that is off, and not left out by choice. */
export function effectWord(effect: Pick<Planned, 'action' | 'source' | 'status' | 'powerState'>): string {
  const stays = effect.action === 'ignore' && (effect.source === 'operator' || !isAtRest(effect))
  return stays ? 'stays' : ACTION_WORDS[effect.action]
}

/** Where the action comes from. */
export const SOURCE_WORDS: Readonly<Record<Planned['source'], string>> = {
  tag: 'tag of the instance',
  'host-mode': 'mode of the host',
  state: 'state of the instance',
  watcher: 'plan of Watcher',
  operator: 'choice of the operator',
}

/** The tag values that an owner may set, and their meaning. */
export const MARK_WORDS: Readonly<Record<MaintenanceAction, string>> = {
  live_migrate: 'Move live to another host',
  poweroff: 'Stay, and stop with the host',
  notify: 'Wait for its owner',
}

export const STATE_WORDS: Readonly<Record<NodeState, string>> = {
  active: 'Active',
  entering: 'Entering',
  maintenance: 'In maintenance',
  leaving: 'Leaving',
  partial: 'Partial',
  unknown: 'Unknown',
  decommissioned: 'Decommissioned',
}

/** The badge of a node: "not empty" comes before its state. */
export function nodeBadge({ state, verdict }: Pick<NodeSummary, 'state' | 'verdict'>): string {
  const isOut = state === 'maintenance' || state === 'partial'
  return isOut && verdict?.kind === 'NotEmpty' ? verdictBadge(verdict) : STATE_WORDS[state]
}
