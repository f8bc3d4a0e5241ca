import { seconds } from '../../../shared/domain/durations.ts'
import type { JujuActionOutcome } from '../../../shared/domain/juju.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { Enqueued, OperationResults, outcomeOf, type Task, TaskResults } from './juju-answers.ts'
import { refusedFailure } from './juju-failures.ts'
import type { JujuModel } from './juju-model.ts'
import type { JujuFacades } from './juju-session.ts'

interface JujuTaskRequest {
  readonly doing: Finding
  readonly unit: string
  /** The action's name, to find a task whose id was lost; null for commands, which all share one name in Juju. */
  readonly action: string | null
  readonly enqueue: (facade: JujuFacades['action']) => Promise<unknown>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const FIRST_LOOK_MS = 200
const LOOK_FACTOR = 1.5
const SLOWEST_LOOK_MS = seconds(2)
/** Juju's default is the oldest 50 (Juju `state/operation.go`, defaultMaxOperationsLimit); it deletes operations after two weeks. */
const MOST_OPERATIONS = 10_000
/** How often to look for a task whose id was lost; a pending request arrives within this time. */
const LOOKS_FOR_LOST = 3

/** Runs a task once on Juju and waits for its end by its id, reconnecting as needed. A broken connection never submits the task twice. */
export async function runTask(
  model: JujuModel,
  clock: Clock,
  request: JujuTaskRequest,
): Promise<Result<JujuActionOutcome>> {
  const deadline = clock.monotonicMs() + request.timeoutMs
  const enqueued = await enqueue(model, clock, request, deadline)
  return enqueued.ok ? waitForEnd(model, clock, request, enqueued.value, deadline) : enqueued
}

async function enqueue(
  model: JujuModel,
  clock: Clock,
  request: JujuTaskRequest,
  deadline: number,
): Promise<Result<string>> {
  const before = request.action === null ? null : await taskIds(model, request, request.action)
  if (before !== null && !before.ok) return before
  if (request.signal?.aborted) return failed(refusal('aborted', because('StoppedBeforeBegun', { call: request.doing })))
  // Not abortable: otherwise it would be unknown whether Juju accepted the task.
  const answer = await model.call({
    doing: request.doing,
    facade: 'action',
    use: request.enqueue,
    shape: Enqueued,
    isAsked: ({ actions: [task] }) => isTaskOf(task, request),
    repeatable: false,
  })
  if (answer.ok) {
    const [task] = answer.value.actions
    const target = `unit/${request.unit}`
    const refused = task.error?.message
    if (refused !== undefined) return failed(refusedFailure(target, request.doing, model.scrub(refused)))
    const id = task.action?.tag.replace(/^action-/, '') ?? ''
    if (id !== '') return ok(id)
    return failed(refusal('server-fault', because('JujuTaskWithoutId', { call: request.doing }), { target }))
  }
  if (!answer.lost) return failed(answer.failure)
  const { action } = request
  if (action !== null && before !== null) {
    const found = await findLost(model, clock, { request, action, before: before.value, deadline })
    if (found !== null) return found
  }
  const { doing, unit } = request
  return failed(
    refusal(answer.failure.code, because('JujuTaskMayHaveBegun', { call: doing, unit }), {
      target: `unit/${unit}`,
      detail: answer.failure.detail ?? answer.failure.message,
    }),
  )
}

/** Null if Juju did not answer within the limit. */
async function findLost(
  model: JujuModel,
  clock: Clock,
  lost: {
    readonly request: JujuTaskRequest
    readonly action: string
    readonly before: ReadonlySet<string>
    readonly deadline: number
  },
): Promise<Result<string> | null> {
  const { request, action, before, deadline } = lost
  let looks = 0
  while (clock.monotonicMs() < deadline && request.signal?.aborted !== true) {
    const now = await taskIds(model, request, action)
    if (now.ok) {
      const id = [...now.value].find(each => !before.has(each))
      if (id !== undefined) return ok(id)
      looks += 1
      if (looks === LOOKS_FOR_LOST) {
        const notBegun = because('JujuTaskNotBegun', { call: request.doing })
        return failed(refusal('unreachable', notBegun, { target: `unit/${request.unit}` }))
      }
    } else if (!now.failure.retryable) return now
    await clock.sleep(seconds(1), request.signal)
  }
  return null
}

async function taskIds(
  model: JujuModel,
  request: JujuTaskRequest,
  action: string,
): Promise<Result<ReadonlySet<string>>> {
  const receiver = tagOf(request.unit)
  const answer = await model.call({
    doing: request.doing,
    facade: 'action',
    use: facade => facade.listOperations({ units: [request.unit], actions: [action], limit: MOST_OPERATIONS }),
    shape: OperationResults,
    signal: request.signal,
    repeatable: true,
  })
  if (!answer.ok) return failed(answer.failure)
  const tasks = answer.value.results.flatMap(({ actions }) => actions)
  return ok(
    new Set(
      tasks.flatMap(task => (task.action?.receiver === receiver ? [task.action.tag.replace(/^action-/, '')] : [])),
    ),
  )
}

async function waitForEnd(
  model: JujuModel,
  clock: Clock,
  request: JujuTaskRequest,
  id: string,
  deadline: number,
): Promise<Result<JujuActionOutcome>> {
  const { doing, unit, signal } = request
  const target = `unit/${unit}`
  const reading = call('ReadJujuTask', { task: id })
  let status = 'pending'
  let trouble: string | null = null
  let pauseMs = FIRST_LOOK_MS
  for (;;) {
    const answer = await model.call({
      doing: reading,
      facade: 'action',
      use: facade => facade.actions({ entities: [{ tag: `action-${id}` }] }),
      shape: TaskResults,
      isAsked: ({ results: [task] }) => isTaskOf(task, request, id),
      signal,
      repeatable: true,
    })
    if (answer.ok) {
      const [task] = answer.value.results
      const gone = task.error?.message
      if (gone !== undefined) {
        // Juju accepted the task and has deleted it: the outcome is unknown, which differs from "not found".
        const unknown = refusedFailure(target, reading, model.scrub(gone))
        return failed({ ...unknown, code: 'unreachable', retryable: false })
      }
      const outcome = outcomeOf(id, task)
      if (outcome !== null) return ok({ ...outcome, message: model.scrub(outcome.message) })
      status = task.status
      trouble = null
    } else if (answer.failure.code !== 'aborted') {
      if (!answer.failure.retryable) return failed(answer.failure)
      trouble = answer.failure.message
    }
    if (signal?.aborted) {
      const left = await cancelPendingTask(model, id, status)
      return failed(refusal('aborted', because('StoppedWaitingForTask', { call: doing, left }), { target }))
    }
    if (clock.monotonicMs() >= deadline) break
    await clock.sleep(Math.min(pauseMs, Math.max(0, deadline - clock.monotonicMs())), signal)
    pauseMs = Math.min(pauseMs * LOOK_FACTOR, SLOWEST_LOOK_MS)
  }
  if (trouble !== null) {
    const lost = because('JujuTaskLost', { call: doing, task: id })
    return failed(refusal('unreachable', lost, { target, detail: trouble }))
  }
  const waited = { call: doing, withinMs: request.timeoutMs, left: await cancelPendingTask(model, id, status) }
  const late =
    status === 'pending'
      ? because('JujuTaskNotBegunInTime', { ...waited, unit })
      : because('JujuTaskNotEndedInTime', { ...waited, task: id })
  return failed(refusal('timed-out', late, { target }))
}

/** A pending task must not start hours later when its agent is back, so it is cancelled; a running task is left to its charm. */
async function cancelPendingTask(model: JujuModel, id: string, status: string): Promise<Finding> {
  if (status !== 'pending') return because('JujuTaskStillRuns', { task: id })
  const answer = await model.call({
    doing: call('CancelJujuTask', { task: id }),
    facade: 'action',
    use: facade => facade.cancel({ entities: [{ tag: `action-${id}` }] }),
    shape: TaskResults,
    repeatable: true,
  })
  return answer.ok && answer.value.results[0].status === 'cancelled'
    ? because('JujuTaskCancelled', { task: id })
    : because('JujuTaskNotCancelled', { task: id })
}

function isTaskOf(task: Task, { unit, action }: JujuTaskRequest, id?: string): Finding | null {
  if (task.action === null || task.action === undefined) return null
  const { tag, receiver, name } = task.action
  if (id !== undefined && tag !== `action-${id}`) return because('JujuAnswerOfOtherTask')
  if (receiver !== tagOf(unit)) return because('JujuAnswerOfOtherUnit')
  return action === null || name === action ? null : because('JujuAnswerOfOtherAction')
}

export function tagOf(unit: string): string {
  return `unit-${unit.replace('/', '-')}`
}
