import type { InstanceChoice } from '../../../shared/domain/instance-choice.ts'
import { InstanceChoice as Choices } from '../../../shared/domain/instance-choice.ts'
import type { MaintenanceRunControlSpec, MaintenanceRunControlStatus } from '../../../shared/domain/maintenance-run.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { isPauseAsked } from './accepted.ts'
import type { JournaledRun } from './run-status.ts'

/** The result of a control of a run that began. */
type Obeying =
  | { readonly kind: 'ask'; readonly request: ControlRequest }
  /** The run is already so, or an earlier process followed the control and could not answer. */
  | { readonly kind: 'is-so'; readonly why: Finding }
  | { readonly kind: 'refused'; readonly why: Finding }

/** A request of the contract that a control asks for. */
export type ControlRequest =
  | {
      readonly name: 'run.pause' | 'run.pause-after-node' | 'run.unpause' | 'run.resume'
      readonly input: { readonly runId: string }
    }
  | { readonly name: 'run.abort'; readonly input: { readonly runId: string; readonly reason: string } }
  | {
      readonly name: 'run.answer'
      readonly input: {
        readonly runId: string
        readonly gateId: string
        readonly choice: 'continue' | 'retry' | 'skip' | 'abort'
        readonly reason: string
      }
    }
  | {
      readonly name: 'run.skip-node'
      readonly input: { readonly runId: string; readonly node: string; readonly reason: string }
    }
  | {
      readonly name: 'run.decide'
      readonly input: {
        readonly runId: string
        readonly instanceId: string
        readonly choice: InstanceChoice
        readonly reason: string
      }
    }

const ANSWERS = ['continue', 'retry', 'skip', 'abort'] as const

/**
 * What a control asks of a run. A runner that was killed between obeying and saying so looks here again: what the journal tells of already is not done
 * twice. `by`: as the journal names who asks.
 */
export function controlOf(spec: MaintenanceRunControlSpec, by: string, run: JournaledRun): Obeying {
  const { view, events, interrupted } = run
  const runId = view.id
  const { state } = view
  const isOver = state.kind === 'finished'
  const over = () => refused(because('RunEnded', { outcome: isOver ? state.outcome : '' }))
  switch (spec.control) {
    case 'pause':
      if (isOver) return over()
      if (state.kind === 'paused') return isSo(because('PausedAlready'))
      return ask({ name: 'run.pause', input: { runId } })
    case 'pause-after-node':
      return isOver ? over() : ask({ name: 'run.pause-after-node', input: { runId } })
    case 'unpause':
      if (isOver) return over()
      if (state.kind !== 'paused' && !interrupted && !isPauseAsked(events)) return isSo(because('NotPaused'))
      return interrupted
        ? ask({ name: 'run.resume', input: { runId } })
        : ask({ name: 'run.unpause', input: { runId } })
    case 'resume':
      if (isOver && state.outcome !== 'failed') return over()
      if (isOver || interrupted) return ask({ name: 'run.resume', input: { runId } })
      return state.kind === 'paused' ? ask({ name: 'run.unpause', input: { runId } }) : isSo(because('DrivenAlready'))
    case 'abort': {
      const reason = spec.reason === '' ? because('NoReasonGiven').message : spec.reason
      const isAnswering = events.some(
        ({ body }) => body.kind === 'abort-requested' && body.by === by && body.reason === reason,
      )
      if (isAnswering) return isSo(because('AbortedAlready'))
      return isOver ? over() : ask({ name: 'run.abort', input: { runId, reason } })
    }
    case 'answer': {
      const { gateId = '', reason } = spec
      const choice = ANSWERS.find(each => each === spec.choice)
      if (gateId === '' || choice === undefined) {
        return refused(because('AnswerIncomplete', { choices: ANSWERS }))
      }
      const given = events.find(({ body }) => body.kind === 'gate-answered' && body.gateId === gateId)?.body
      if (given?.kind === 'gate-answered') {
        return given.by === by && given.choice === choice
          ? isSo(because('AnswerGiven'))
          : refused(because('AnsweredOtherwise', { by: given.by, choice: given.choice }))
      }
      return isOver ? over() : ask({ name: 'run.answer', input: { runId, gateId, choice, reason } })
    }
    case 'skip-node': {
      const { node = '', reason } = spec
      if (node === '') return refused(because('NoNodeToSkip'))
      return isOver ? over() : ask({ name: 'run.skip-node', input: { runId, node, reason } })
    }
    case 'decide-instance': {
      const { instanceId = '', reason } = spec
      const choice = Choices.safeParse(spec.choice)
      if (instanceId === '' || !choice.success) {
        return refused(because('DecisionIncomplete', { choices: Choices.options }))
      }
      return isOver ? over() : ask({ name: 'run.decide', input: { runId, instanceId, choice: choice.data, reason } })
    }
    default:
      return assertNever(spec.control, 'control')
  }
}

/** The status of a control: its result. */
export function controlStatus(
  outcome: MaintenanceRunControlStatus['outcome'],
  message: string,
  at: string,
): MaintenanceRunControlStatus {
  return { outcome, message: message.slice(0, 2_000), at }
}

function ask(request: ControlRequest): Obeying {
  return { kind: 'ask', request }
}

function isSo(why: Finding): Obeying {
  return { kind: 'is-so', why }
}

function refused(why: Finding): Obeying {
  return { kind: 'refused', why }
}
