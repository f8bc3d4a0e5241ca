import { parseLockMessage } from './lock-message.ts'
import type { NodeWorkloadLock } from './maintenance-api.ts'
import { assertNever } from './must.ts'

/**
 * Where a lock stands in a maintenance, for screens and terminals. `idle`: nobody asked. `asked`: its controller has not begun.
 * `preparing`, `blocked`, `trouble`: on the way, waiting for somebody, failing. `released`: the work may begin as far as it goes.
 * `returning`: its controller takes node or cluster back. `unknown`: the object does not say.
 */
interface LockStanding {
  readonly kind: 'idle' | 'asked' | 'preparing' | 'blocked' | 'trouble' | 'released' | 'returning' | 'unknown'
  /** One sentence, without the controller's name in front of it. */
  readonly text: string
}

/** What of a lock its standing is told from; locks of nodes and of the cluster both have it. */
export type StandingLock = Pick<NodeWorkloadLock, 'state' | 'errorMessage' | 'innerState' | 'progress' | 'faults'>

/** The standing of a lock under the request that it answers; null when there is no request for its node or cluster. */
export function lockStanding(
  lock: StandingLock,
  request: { readonly deletingSince: string | null } | null,
): LockStanding {
  const said = withProgress(parseLockMessage(lock.errorMessage).text, lock.progress)
  switch (lock.state) {
    case 'unknown':
      return { kind: 'unknown', text: sentence('Its state is not known', lock.faults[0] ?? said) }
    case 'failed':
      return { kind: 'trouble', text: sentence('Its controller gave up', said) }
    case 'inactive':
      return request !== null && request.deletingSince === null
        ? { kind: 'released', text: 'Inactive: the work may begin as far as this controller goes.' }
        : { kind: 'returning', text: sentence('Being taken back', said) }
    case 'active':
      return activeStanding(lock, request, said)
    default:
      return assertNever(lock.state, 'lock state')
  }
}

function activeStanding(
  lock: StandingLock,
  request: { readonly deletingSince: string | null } | null,
  said: string,
): LockStanding {
  // Rockoon writes `state: active` last on the way back, so that a begun lock without a wish is still on its way (docs/domain.md A.3).
  if (request === null || request.deletingSince !== null) {
    return lock.innerState === 'active'
      ? { kind: 'returning', text: sentence('Being taken back', said) }
      : { kind: 'idle', text: 'Active: nobody may work on it.' }
  }
  const { kind } = parseLockMessage(lock.errorMessage)
  switch (kind) {
    case 'none':
      if (said !== '') return { kind: 'preparing', text: sentence('Being prepared', said) }
      return lock.innerState === 'active'
        ? { kind: 'preparing', text: 'Being prepared: its controller has begun.' }
        : { kind: 'asked', text: 'Asked: its controller has not begun.' }
    case 'progress':
      return { kind: 'preparing', text: sentence('Being prepared', said) }
    case 'blocked':
      return { kind: 'blocked', text: sentence('Waiting', said) }
    case 'trouble':
      return { kind: 'trouble', text: sentence('Did not work yet, it is tried again', said) }
    default:
      return assertNever(kind, 'lock message')
  }
}

function withProgress(text: string, progress: StandingLock['progress']): string {
  if (progress === null) return text
  const { percentage, description } = progress
  const share = percentage === null ? '' : `${percentage} %`
  return [text, [share, description].filter(part => part !== '').join(', ')].filter(part => part !== '').join(' ')
}

function sentence(what: string, why: string): string {
  if (why === '') return `${what}.`
  return /[.!?\])]$/.test(why) ? `${what}: ${why}` : `${what}: ${why}.`
}
