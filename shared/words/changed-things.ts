import { stateOf } from '../domain/instance-state.ts'
import { planSubject } from '../domain/plan.ts'
import type { RunView, StepView } from '../domain/run.ts'
import { historyOfView } from '../domain/run-history.ts'
import { unseenEnds } from '../domain/run-progress.ts'
import { undoneSteps } from '../domain/undone-steps.ts'
import { listed, someOf } from '../grammar/counts.ts'
import { unseenEndWords } from './unseen-ends.ts'

/** A change that a run left: what is different now, and what an undo does about it; empty if an undo does nothing. */
export interface ChangedThing {
  readonly stepId: string
  readonly what: string
  readonly undo: string
}

/** Longest list of names in a sentence. */
const MOST_NAMED = 3

/** What a run has changed and not undone, the latest step last. */
export function changedThings(view: RunView): readonly ChangedThing[] {
  const undone = undoneSteps(view)
  return view.steps
    .filter(
      ({ step, attempts, facts }) =>
        attempts > 0 && step.risk !== 'none' && !undone.has(step.id) && facts.some(fact => fact.announces),
    )
    .flatMap(step => changesOf(view, step).map(change => ({ stepId: step.step.id, ...change })))
}

type Change = Omit<ChangedThing, 'stepId'>

function changesOf(view: RunView, step: StepView): readonly Change[] {
  const moves = step.step.kind === 'migrate-instances' ? movedIn(view, step) : null
  const unseen = unseenEnds(step).map(unseenEndWords)
  const known = CHANGES[step.step.kind]
  const node = nodeIn(view, step)
  const changes = moves ?? (known === undefined ? [{ what: step.step.title, undo: step.step.undo }] : [known(node)])
  return [...changes, ...unseen.map(what => ({ what, undo: '' }))]
}

function nodeIn({ plan }: RunView, { step }: StepView): string {
  const { node } = step.input
  return typeof node === 'string' ? node : planSubject(plan)
}

const CHANGES: Readonly<Record<string, (node: string) => Change>> = {
  'disable-compute': node => ({ what: `nova-compute on ${node} is disabled.`, undo: 'Undo enables it.' }),
  'cordon-node': node => ({ what: `${node} takes no new pods.`, undo: 'Undo uncordons it.' }),
  'drain-node': node => ({ what: `Pods left ${node}.`, undo: 'They may come back once it is uncordoned.' }),
  'enable-compute': node => ({ what: `nova-compute on ${node} is enabled.`, undo: 'Undo disables it.' }),
  'uncordon-node': node => ({ what: `${node} takes new pods.`, undo: 'Undo cordons it.' }),
}

function movedIn(view: RunView, step: StepView): readonly Change[] {
  const ids = new Set(step.facts.flatMap(({ subject }) => (subject.startsWith('server/') ? [subject.slice(7)] : [])))
  const own = [...historyOfView(view).instances.values()].filter(({ id }) => ids.has(id))
  const named = (state: 'moved' | 'stopped') =>
    own.filter(instance => stateOf(instance) === state).map(({ name, id }) => name ?? id)
  const [moved, stopped] = [named('moved'), named('stopped')]
  return [
    ...(moved.length === 0
      ? []
      : [
          {
            what: `${namesWords(moved)} ${moved.length === 1 ? 'is on another node' : 'are on other nodes'}.`,
            undo: `Undo moves ${moved.length === 1 ? 'it' : 'them'} back.`,
          },
        ]),
    ...(stopped.length === 0
      ? []
      : [
          {
            what: `${namesWords(stopped)} ${stopped.length === 1 ? 'is' : 'are'} off.`,
            undo: `Undo starts ${stopped.length === 1 ? 'it' : 'them'} if you ask for it.`,
          },
        ]),
  ]
}

function namesWords(names: readonly string[]): string {
  return names.length > MOST_NAMED ? someOf(names, MOST_NAMED) : listed(names)
}
