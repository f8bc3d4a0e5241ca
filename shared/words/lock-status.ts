import type { LockStatus, LockStatusCode } from '../domain/lock-status.ts'

/** The meaning of a lock's status; its controller's words follow. */
const MEANINGS: Readonly<Record<LockStatusCode, string>> = {
  StateNotKnown: 'Its state is unknown',
  GaveUp: 'Its controller gave up',
  Released: 'Inactive: this controller allows the work',
  TakenBack: 'Being brought back',
  Idle: 'Active: nobody may work on it',
  Prepared: 'Being prepared',
  Begun: 'Being prepared: its controller has started',
  Asked: 'Requested: its controller has not started',
  Waits: 'Waiting',
  TriedAgain: 'Not successful yet; its controller tries again',
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
