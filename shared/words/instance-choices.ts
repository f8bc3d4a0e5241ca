import type { InstanceChoice, StuckRule } from '../domain/instance-choice.ts'
import { durationWords } from '../grammar/durations.ts'

/** What each choice about an instance does, as a phrase. */
export const INSTANCE_CHOICE_WORDS: Readonly<Record<InstanceChoice, string>> = {
  wait: 'wait for it on',
  'abort-and-retry': 'abort it, which leaves the instance running on its host, and move it again',
  'abort-and-leave': 'abort it and leave the instance running on its host: where that is emptied, it goes down with it',
  'force-complete':
    'have Nova complete it now: with post-copy the instance goes on at the destination while the rest is copied, without it is paused until all is copied; Nova does not tell which',
  cold: 'abort it and migrate the instance cold: it is down meanwhile',
  stop: 'abort it and stop the instance where it is; its owner starts it again',
  skip: 'leave the instance where it is: where its host is emptied, it goes down with it',
}

/** The same as a button says it. */
export const INSTANCE_CHOICE_LABELS: Readonly<Record<InstanceChoice, string>> = {
  wait: 'Wait on',
  'abort-and-retry': 'Abort and try again',
  'abort-and-leave': 'Abort and leave it there',
  'force-complete': 'Force it to complete',
  cold: 'Migrate it cold',
  stop: 'Stop it',
  skip: 'Leave it there',
}

/** What a run does about a live migration that gets nowhere, in a phrase. */
export function stuckRuleWords({ afterMs, do: rule }: StuckRule): string {
  return `a migration without progress for ${durationWords(afterMs)}: ${STUCK_WORDS[rule]}`
}

const STUCK_WORDS: Readonly<Record<StuckRule['do'], string>> = {
  ask: 'a person is asked',
  'force-complete': 'forced to complete',
  'abort-and-retry': 'aborted and tried again, as often as its attempts allow',
  'abort-and-leave': 'aborted, and the instance stays',
  cold: 'aborted and migrated cold',
}
