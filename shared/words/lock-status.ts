import type { LockStatus, LockStatusCode } from '../domain/lock-status.ts'

/** What a lock's standing means; what its controller says follows it. */
const MEANINGS: Readonly<Record<LockStatusCode, string>> = {
  StateNotKnown: 'Its state is not known',
  GaveUp: 'Its controller gave up',
  Released: 'Inactive: the work may begin as far as this controller goes',
  TakenBack: 'Being taken back',
  Idle: 'Active: nobody may work on it',
  Prepared: 'Being prepared',
  Begun: 'Being prepared: its controller has begun',
  Asked: 'Asked: its controller has not begun',
  Waits: 'Waiting',
  TriedAgain: 'Did not work yet, it is tried again',
}

/** One sentence about a lock, without the controller's name in front of it. */
export function lockStatusText({ code, says, progress }: LockStatus): string {
  const meaning = MEANINGS[code]
  const why = code === 'Released' || code === 'Idle' ? '' : withProgress(says, progress)
  if (why === '') return `${meaning}.`
  return /[.!?\])]$/.test(why) ? `${meaning}: ${why}` : `${meaning}: ${why}.`
}

function withProgress(text: string, progress: LockStatus['progress']): string {
  if (progress === null) return text
  const { percentage, description } = progress
  const share = percentage === null ? '' : `${percentage} %`
  return [text, [share, description].filter(part => part !== '').join(', ')].filter(part => part !== '').join(' ')
}
