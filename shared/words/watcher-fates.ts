import type { InstanceFate, InstanceObstacle } from '../domain/watcher-coverage.ts'

/** What happens to an instance under Watcher's plan: a phrase without a full stop. */
export function fateWords(fate: InstanceFate): string {
  switch (fate.kind) {
    case 'by-watcher':
      return moveWords(fate)
    case 'by-nova':
      return `${fate.refused === null ? "Watcher's plan does not have it" : refusedWords(fate.refused)}: it moves live through Nova`
    case 'stays':
      return `stays on the node: ${STAYS[fate.why]}`
    case 'blocked':
      return obstacleWords(fate.why)
  }
}

/** What an instance that stays loses; empty if there is nothing. */
export function lossWords({ state }: Extract<InstanceFate, { kind: 'stays' }>): readonly string[] {
  const loss = LOSES.get(state)
  return loss === undefined ? [] : [loss]
}

/** Watcher ignores the tag of an owner. */
export function notFollowedWords(action: string): string {
  return `Watcher ignores tags, so it does not follow its owner's ${action}`
}

/** Why an instance blocks Watcher's plan: a phrase without a full stop. */
export function obstacleWords(why: InstanceObstacle): string {
  switch (why.code) {
    case 'InstanceChangedSincePlan': {
      const wish = why.expected === 'stays' ? 'it would stay' : `it must be ${MOVES[why.expected]}`
      return `Watcher planned it to be ${MOVES[why.move]}, but it is ${why.state} now and ${wish}`
    }
    case 'InstanceCannotBeLeftOut':
      return 'it is left out, but this Watcher cannot leave out single actions'
    case 'InstanceNotInPlan':
      return `Watcher's plan does not have it, and it is ${why.state} on the node`
    case 'InstanceMoveImpossible':
      return refusedWords(why)
  }
}

const MOVES = { live: 'live-migrated', cold: 'cold-migrated', stop: 'stopped' } as const

const STAYS = {
  StoppedAlready: 'it is already stopped',
  LeftOut: 'left out by the operator',
  RuledOut: 'migration is ruled out for instances that are not active',
} as const

/** What an instance in this state loses when its host reboots. */
const LOSES: ReadonlyMap<string, string> = new Map([
  ['active', 'it goes down with the node'],
  ['paused', 'its memory is lost when the node reboots'],
])

function moveWords({ move, state, action }: Extract<InstanceFate, { kind: 'by-watcher' }>): string {
  const to = action.destination ?? 'another node'
  switch (move) {
    case 'live':
      return `moves to ${to} by live migration`
    case 'cold':
      return state === 'stopped'
        ? `moves to ${to} by cold migration and stays stopped`
        : `moves to ${to} by cold migration: it is down while it moves`
    case 'stop':
      return 'is stopped and stays: live and cold migration are ruled out'
  }
}

function refusedWords({ move, state }: { readonly move: keyof typeof MOVES; readonly state: string }): string {
  return `Watcher plans it to be ${MOVES[move]}, which Nova refuses while it is ${state === 'error' ? 'in ERROR' : state}`
}
