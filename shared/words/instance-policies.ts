import {
  ATTEMPTS_ANNOTATION,
  type AttemptsNote,
  HOST_MODE_ANNOTATION,
  HOST_MODES,
  type InstancePolicy,
  type PolicyNote,
  type PolicyReason,
  type WishedBy,
} from '../domain/instance-policy.ts'
import { ACTION_TAG_PREFIX, MAINTENANCE_ACTIONS } from '../domain/instance-tags.ts'

/** The policy for an instance with its words: phrases without a full stop; `remedy` is a sentence, null if none is needed. */
export type WordedPolicy<Policy extends Pick<InstancePolicy, 'because' | 'notes'>> = Policy & {
  readonly reason: string
  readonly remedy: string | null
  readonly warnings: readonly string[]
}

export function wordedPolicy<Policy extends Pick<InstancePolicy, 'because' | 'notes'>>(
  policy: Policy,
): WordedPolicy<Policy> {
  const { because, notes } = policy
  return { ...policy, reason: reasonWords(because), remedy: remedyWords(because), warnings: notes.map(noteWords) }
}

export function reasonWords(because: PolicyReason): string {
  switch (because.code) {
    case 'Moves':
      return `moves live${wishWords(because.wish)}`
    case 'StaysWithHost':
      return `stops with the node${wishWords(because.wish)}`
    case 'OwnerActs':
      return `its owner has to move or stop it${wishWords(because.wish)}`
    case 'NothingRuns':
      return `it is off: ${because.state}`
    case 'PoweredOff':
      return `it is off: its power state is ${because.power}`
    case 'Migrates':
      return 'it is migrating now'
    case 'MovesStopped':
      return `Nova is busy with it: a cold migration or a resize moves it, with downtime (${because.task})`
    case 'NovaIsBusy':
      return `Nova is busy with it (${because.task})`
    case 'ErrorButNotOff':
      return 'it is in ERROR while its power state is not off'
    case 'StateUntold':
      return 'Nova cannot report its state because its cell does not answer'
    case 'ResizeWaits':
      return 'its resize or cold migration waits to be confirmed or reverted'
    case 'NotMovableState':
      return `it is ${because.state}; Nova live-migrates only active and paused instances`
    case 'LiveRuledOut':
      return `live migration is ruled out, and Nova neither cold-migrates nor stops an instance that is ${because.state ?? 'unknown'}`
    case 'MovesCold':
      return 'moves with downtime: live migration is ruled out'
    case 'StopsHere':
      return 'is stopped and stays: live and cold migration are ruled out'
    case 'StoppedMoves':
      return 'moves and stays off: the plan also moves stopped instances'
    case 'ColdRuledOut':
      return `${reasonWords(because.but)}, and cold migration is ruled out`
  }
}

function wishWords(wish: WishedBy): string {
  if (wish.by === 'tag') return ', by its tag'
  if (wish.mode === null) return ' (default)'
  return `, by the mode of its node (${wish.mode}${wish.isKnown ? '' : ', unknown: treated as manual'})`
}

/** What an operator can do so that it no longer blocks; null if there is nothing. */
export function remedyWords(because: PolicyReason): string | null {
  switch (because.code) {
    case 'OwnerActs':
      return 'Ask its owner to move or stop it, or set its mode to “Move live” or “Stop with node”.'
    case 'Migrates':
      return 'Wait for its migration to end, or abort it.'
    case 'MovesStopped':
      return 'Wait until it has arrived, then confirm or revert it (openstack server resize confirm).'
    case 'NovaIsBusy':
      return 'Wait until Nova has finished with it; a task that never ends needs a reset of its state.'
    case 'ErrorButNotOff':
      return 'Find out why (openstack server show), then reset its state, stop it or delete it.'
    case 'StateUntold':
      return 'Fix the database or message queue of that Nova cell, then try again.'
    case 'ResizeWaits':
      return 'Confirm it (openstack server resize confirm) or revert it (openstack server resize revert).'
    case 'NotMovableState':
      return because.state === 'rescued'
        ? 'Ask its owner to unrescue or stop it.'
        : 'Ask its owner to stop it or bring it back to active.'
    case 'LiveRuledOut':
      return 'Ask its owner to unpause or stop it, or allow live migration.'
    default:
      return null
  }
}

function noteWords(note: PolicyNote): string {
  switch (note.code) {
    case 'UnknownTag':
      return `its tag ${ACTION_TAG_PREFIX}${note.value} names no known action (${MAINTENANCE_ACTIONS.join(', ')}): the node's mode decides`
    case 'SeveralTags':
      return `its maintenance tags contradict (${note.actions.join(', ')}): the node's mode decides`
    case 'UnknownMode':
      return `the node's annotation ${HOST_MODE_ANNOTATION} is "${note.mode}", not one of ${HOST_MODES.join(', ')}: treated as manual (Rockoon itself fails on it with a KeyError)`
    case 'Locked':
      return 'it is locked: Nova moves it only for an administrator; others have to unlock it first'
    case 'NotActive':
      return `it is ${note.state}, not active`
    case 'ResizeStillWaits':
      return 'its resize or cold migration still waits to be confirmed or reverted'
    case 'IsInError':
      return 'it is in ERROR'
    case 'SuspendedStays':
      return 'Nova does not migrate a suspended instance: it stays with the node'
    case 'DownWhileItMoves':
      return 'it is down while it moves: Nova stops it and starts it on the other node'
    case 'StaysStopped':
      return 'it stays stopped: start it when the node is back'
  }
}

/** An annotation of a node that Lockkeeper does not follow as written. */
export function attemptsWords({ code, asked, used }: AttemptsNote): string {
  return code === 'AttemptsNotANumber'
    ? `The node's annotation ${ATTEMPTS_ANNOTATION} is "${asked}", not a whole number from 1 up: Lockkeeper uses ${used}.`
    : `The node's annotation ${ATTEMPTS_ANNOTATION} asks for ${asked} attempts: Lockkeeper makes at most ${used}.`
}
