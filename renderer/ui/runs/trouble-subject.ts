import type { InstanceAttempt } from '../../../shared/domain/instance-attempts.ts'
import { copyingOf } from '../../../shared/domain/migration-pace.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { historyOfView } from '../../../shared/domain/run-history.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { counted, listed, someOf } from '../../../shared/grammar/counts.ts'
import { patienceSentence, troubleSentence, troubleTitle, troubleWhy } from '../../../shared/words/troubles.ts'
import { gateOf, stuckInstances } from './choices.ts'

interface Subject {
  readonly title: string
  readonly isName: boolean
  readonly sentence: string
  /** The sentence where the title is not beside it. */
  readonly line: string
  readonly why: readonly string[]
  /** The sentence does not name the cause. */
  readonly isWhyOpen: boolean
  /** The move that does not get done; null if it is not about one. */
  readonly attempt: InstanceAttempt | null
}

/** What a wait is about, and why, in the words of its card. */
export function subjectOf(view: RunView, wait: RunWait): Subject {
  const stuck = stuckInstances(view, wait)
  if (stuck.length > 0) {
    const names = stuck.map(({ name }) => name)
    const title = names.length > 3 ? someOf(names, 3) : listed(names)
    const from = wait.node === null ? 'move' : `leave ${wait.node}`
    const what = `did not ${from} after ${counted(Math.max(...stuck.map(({ attempt }) => attempt)), 'try', 'tries')}.`
    return {
      title,
      isName: true,
      sentence: `${names.length === 1 ? 'It' : 'They'} ${what}`,
      line: `${title} ${what}`,
      why: stuck.map(({ name, note }) => `${name}: ${note}`),
      isWhyOpen: false,
      attempt: null,
    }
  }
  const [only] = wait.instances
  const isMove =
    wait.code === 'InstanceAsks' || wait.code === 'MigrationStalled' || wait.code === 'MigrationNotConverging'
  const attempt =
    isMove && wait.instances.length === 1 && only !== undefined
      ? ([...historyOfView(view).instances.values()].find(({ id }) => id === only.id)?.attempts.at(-1) ?? null)
      : null
  const gate = gateOf(view, wait)
  const patience = gate === null ? null : patienceSentence(gate)
  const why = patience === null ? troubleWhy(wait) : (gate?.question ?? null)
  const sentence = patience ?? troubleSentence(wait, attempt === null ? null : copyingOf(attempt))
  return {
    ...troubleTitle(wait),
    sentence,
    line: sentence,
    why: why === null ? [] : [why],
    isWhyOpen: patience !== null || wait.code === 'StepRetries' || wait.code === 'NotVerifiedYet',
    attempt,
  }
}
