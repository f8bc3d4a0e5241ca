import type { InstanceChoice } from '../../../shared/domain/instance-choice.ts'
import { InstanceChoice as Choices } from '../../../shared/domain/instance-choice.ts'
import type { MaintenanceRunControlSpec, MaintenanceRunControlStatus } from '../../../shared/domain/maintenance-run.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { isPauseAsked } from './accepted.ts'
import type { JournaledRun } from './run-status.ts'

/** What a control asks of a run that started. */
type JudgedControl =
  | { readonly kind: 'ask'; readonly request: ControlRequest }
  /** The run is in the requested state, or an earlier process carried out the control and could not answer. */
  | { readonly kind: 'done'; readonly why: Finding }
  | { readonly kind: 'refused'; readonly why: Finding }

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
 * Judges a control by the journal: a runner that was killed before its answer judges the control again, and does nothing twice. `by`: the author's
 * name in the journal.
 */
export function judgeControl(spec: MaintenanceRunControlSpec, by: string, run: JournaledRun): JudgedControl {
  const { view, events, interrupted } = run
  const runId = view.id
  const { state } = view
  const hasEnded = state.kind === 'finished'
  const over = () => refused(because('RunEnded', { outcome: hasEnded ? state.outcome : '' }))
  switch (spec.control) {
    case 'pause':
      if (hasEnded) return over()
      if (state.kind === 'paused') return done(because('PausedAlready'))
      return request({ name: 'run.pause', input: { runId } })
    case 'pause-after-node':
      return hasEnded ? over() : request({ name: 'run.pause-after-node', input: { runId } })
    case 'unpause':
      if (hasEnded) return over()
      if (state.kind !== 'paused' && !interrupted && !isPauseAsked(events)) return done(because('NotPaused'))
      return interrupted
        ? request({ name: 'run.resume', input: { runId } })
        : request({ name: 'run.unpause', input: { runId } })
    case 'resume':
      if (hasEnded && state.outcome !== 'failed') return over()
      if (hasEnded || interrupted) return request({ name: 'run.resume', input: { runId } })
      return state.kind === 'paused'
        ? request({ name: 'run.unpause', input: { runId } })
        : done(because('DrivenAlready'))
    case 'abort': {
      const reason = spec.reason === '' ? because('NoReasonGiven').message : spec.reason
      const isAskedBefore = events.some(
        ({ body }) => body.kind === 'abort-requested' && body.by === by && body.reason === reason,
      )
      if (isAskedBefore) return done(because('AbortedAlready'))
      return hasEnded ? over() : request({ name: 'run.abort', input: { runId, reason } })
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
          ? done(because('AnswerGiven'))
          : refused(because('AnsweredOtherwise', { by: given.by, choice: given.choice }))
      }
      return hasEnded ? over() : request({ name: 'run.answer', input: { runId, gateId, choice, reason } })
    }
    case 'skip-node': {
      const { node = '', reason } = spec
      if (node === '') return refused(because('NoNodeToSkip'))
      return hasEnded ? over() : request({ name: 'run.skip-node', input: { runId, node, reason } })
    }
    case 'decide-instance': {
      const { instanceId = '', reason } = spec
      const choice = Choices.safeParse(spec.choice)
      if (instanceId === '' || !choice.success) {
        return refused(because('DecisionIncomplete', { choices: Choices.options }))
      }
      return hasEnded
        ? over()
        : request({ name: 'run.decide', input: { runId, instanceId, choice: choice.data, reason } })
    }
    default:
      return assertNever(spec.control, 'control')
  }
}

export function controlStatus(
  outcome: MaintenanceRunControlStatus['outcome'],
  message: string,
  at: string,
): MaintenanceRunControlStatus {
  return { outcome, message: message.slice(0, 2_000), at }
}

function request(request: ControlRequest): JudgedControl {
  return { kind: 'ask', request }
}

function done(why: Finding): JudgedControl {
  return { kind: 'done', why }
}

function refused(why: Finding): JudgedControl {
  return { kind: 'refused', why }
}
