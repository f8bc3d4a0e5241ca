import type { Envelope } from '../../../shared/contract/index.ts'
import type { GateChoice } from '../../../shared/domain/gate-choice.ts'
import { HARM_OF, type InstanceChoice, needsReason } from '../../../shared/domain/instance-choice.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { instanceIdOf } from '../../../shared/domain/run-facts.ts'
import { type MigrationProgress, migrationsOf } from '../../../shared/domain/run-progress.ts'
import type { RunWait } from '../../../shared/domain/run-wait.ts'
import { heedsDecisions, stepOfInstance } from '../../../shared/domain/step-of-instance.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { choiceEffect, instanceChoiceLabel } from '../../../shared/words/instance-choices.ts'
import { gateChoiceWords, gateEffect } from '../../../shared/words/troubles.ts'
import { answerRun, decideInstance } from '../../bridge/runs.ts'
import { setMarks } from '../instances/set-marks.ts'

/** One way out of a wait: its label, what it costs and does, and the request it sends. */
export interface Choice {
  readonly key: string
  readonly label: string
  readonly harm: 0 | 1 | 2 | 3
  readonly cost: string
  readonly effect: string
  /** A production cloud wants a reason. */
  readonly cluster: string
  /**
   * Asks for a reason first; `optional`: it may stay empty; `production`: it may, except on a production cloud; `only-production`:
   * other clouds are not asked; `confirm-production`: as that, but no reason is kept.
   */
  readonly asks: 'no' | 'optional' | 'production' | 'only-production' | 'confirm-production'
  /** What it is about, for the title of its question. */
  readonly about: string
  /** Null if it was refused and the operator has read why. */
  readonly send: (reason: string) => Promise<Envelope<unknown> | null>
}

type Named = RunWait['instances'][number]

/** The ways out of a wait, the least harmful first; empty if no button here ends it. */
export function choicesOf(view: RunView, wait: RunWait): readonly Choice[] {
  switch (wait.code) {
    case 'Question':
      return questionChoices(view, wait)
    case 'InstanceAsks':
      return decisions(view, wait.instances, wait.choices, wait.node ?? '')
    case 'MigrationStalled':
    case 'MigrationNotConverging':
      return wait.instances.every(({ id }) => stepOfInstance(view, id) !== null)
        ? decisions(view, wait.instances, choicesNow(view, wait.instances), wait.node ?? '')
        : []
    case 'LeftToOwners':
      return ownerChoices(view.plan.cluster, wait)
    default:
      return []
  }
}

/** What may be decided about a moving instance without a question. */
const UNASKED: readonly InstanceChoice[] = ['abort-and-retry', 'abort-and-leave', 'force-complete', 'cold', 'stop']

/** The decisions about one instance that moves now. */
export function decisionsNow(view: RunView, instance: Named, node: string): readonly Choice[] {
  return decisions(view, [instance], choicesNow(view, [instance]), node)
}

function choicesNow(view: RunView, instances: readonly Named[]): readonly InstanceChoice[] {
  const own = new Set(instances.map(({ id }) => id))
  const isCold = view.steps
    .flatMap(migrationsOf)
    .some(({ subject, isCold: cold }) => cold && own.has(instanceIdOf(subject)))
  return UNASKED.filter(choice => choice !== 'force-complete' || !isCold)
}

function decisions(
  { id: runId, plan: { cluster } }: RunView,
  instances: readonly Named[],
  offered: readonly InstanceChoice[],
  node: string,
): readonly Choice[] {
  const name = nameOf(instances)
  const labelOf = (choice: InstanceChoice) => instanceChoiceLabel(choice, instances.length)
  return offered
    .filter((choice, at) => offered.findIndex(other => labelOf(other) === labelOf(choice)) === at)
    .toSorted((a, b) => HARM_OF[a] - HARM_OF[b])
    .map(choice => ({
      key: choice,
      label: labelOf(choice),
      harm: HARM_OF[choice],
      ...choiceEffect(choice, { names: instances.map(each => each.name), node }),
      cluster,
      asks: needsReason(choice) ? 'production' : 'no',
      about: name,
      send: reason =>
        inTurn(
          instances.map(
            ({ id }) =>
              () =>
                decideInstance({ runId, instanceId: id, choice, reason }),
          ),
        ),
    }))
}

/** The open question that a run waits for; null if it waits for something else. */
export function gateOf({ openGates }: RunView, wait: RunWait): RunView['openGates'][number] | null {
  return wait.code === 'Question' ? (openGates.find(({ gateId }) => gateId === wait.gateId) ?? null) : null
}

/** The instances that could not move, for which a step asks. */
export function stuckInstances(view: RunView, wait: RunWait): readonly MigrationProgress[] {
  if (wait.code !== 'Question') return []
  // The cloud could not be read, so nothing is known of its instances now, and no move can be judged.
  if (gateOf(view, wait)?.code === 'PatienceOver') return []
  const step = view.steps.find(({ step: { id } }) => id === wait.stepId)
  if (step === undefined || !heedsDecisions(step)) return []
  return migrationsOf(step).filter(({ state }) => state === 'given-up' || state === 'again')
}

function questionChoices(view: RunView, wait: Extract<RunWait, { code: 'Question' }>): readonly Choice[] {
  const { gateId, stepId, node, choices } = wait
  const stepKind = view.steps.find(({ step }) => step.id === stepId)?.step.kind ?? null
  const stuck = stuckInstances(view, wait).map(({ subject, name }) => ({ id: instanceIdOf(subject), name }))
  const answer = (choice: (typeof choices)[number], reason: string) =>
    answerRun({ runId: view.id, gateId, choice, reason })
  const answers = choices.map(
    (choice): Choice => ({
      key: choice,
      label: choice === 'skip' && stuck.length === 1 ? 'Leave it here' : gateChoiceWords(choice, stepKind),
      ...gateEffect(choice, { stepKind, node }),
      cluster: view.plan.cluster,
      asks: asksOf(choice, stuck.length > 0),
      about: node ?? view.plan.cluster,
      send: reason => answer(choice, reason),
    }),
  )
  if (stuck.length === 0 || !choices.includes('retry')) return answers
  const others = decisions(view, stuck, ['cold', 'stop'], node ?? '').map(
    (choice): Choice => ({
      ...choice,
      // The step reads decisions when it starts over.
      send: reason => inTurn([() => choice.send(reason), () => answer('retry', '')]),
    }),
  )
  return [...answers, ...others].toSorted((a, b) => a.harm - b.harm)
}

/** What stays undone on a production cloud needs a reason; stopping a run never does. */
function asksOf(choice: GateChoice, isStuck: boolean): Choice['asks'] {
  if (choice === 'skip') return isStuck ? 'only-production' : 'production'
  return choice === 'abort' ? 'optional' : 'no'
}

/** What can be done about instances whose owner a run waits for. */
export function ownerChoices(
  cluster: string,
  { instances, node }: Pick<RunWait, 'instances' | 'node'>,
): readonly Choice[] {
  if (instances.length === 0) return []
  const ids = instances.map(({ id }) => id)
  const it = instances.length === 1 ? 'it' : 'them'
  const set = async (action: 'live_migrate' | 'poweroff') => {
    // It reports a refusal itself.
    return (await setMarks(cluster, ids, [action])) ? { ok: true as const, value: {} } : null
  }
  return [
    {
      key: 'live_migrate',
      label: instances.length === 1 ? 'Move it live' : `Move all ${ids.length} live`,
      harm: 0,
      cost: 'Costs time only',
      effect: `Sets the mode of ${nameOf(instances)} to Move live. No downtime.`,
      cluster,
      asks: 'no',
      about: nameOf(instances),
      send: () => set('live_migrate'),
    },
    {
      key: 'poweroff',
      label: `Stop ${it} with the node`,
      harm: 3,
      cost: `Down until ${instances.length === 1 ? 'its owner starts it' : 'their owners start them'}`,
      effect: `${nameOf(instances)} ${instances.length === 1 ? 'stops' : 'stop'} when ${node ?? 'the node'} goes down.`,
      cluster,
      asks: 'confirm-production',
      about: nameOf(instances),
      send: () => set('poweroff'),
    },
  ]
}

function nameOf(instances: readonly Named[]): string {
  const [only] = instances
  return instances.length === 1 && only !== undefined ? only.name : counted(instances.length, 'instance')
}

/** Sends requests one after another, and stops at the first refusal. */
async function inTurn(requests: readonly (() => ReturnType<Choice['send']>)[]): ReturnType<Choice['send']> {
  for (const request of requests) {
    const answer = await request()
    if (answer?.ok !== true) return answer
  }
  return { ok: true, value: {} }
}
