import type { z } from 'zod'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { type Finding, namesOf } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { keptBack, mayBeSent } from '../../platform/clock/sent-while.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { redactText } from '../../platform/log/redact.ts'
import { orStopped } from '../http/single-flight.ts'
import { ModelSummaries } from './juju-answers.ts'
import { refusedFailure } from './juju-failures.ts'
import { type CallOutcome, type JujuFacades, type JujuSession, openJujuSession } from './juju-session.ts'
import type { ResolvedJuju } from './resolved-juju.ts'

interface JujuRequest<K extends keyof JujuFacades, T> {
  readonly doing: Finding
  readonly facade: K
  readonly use: (facade: JujuFacades[K]) => Promise<unknown>
  readonly shape: z.ZodType<T>
  /** Why the answer does not match the question; null if it does. */
  readonly isAsked?: (answer: T) => Finding | null
  readonly signal?: AbortSignal | undefined
  readonly repeatable: boolean
}

/** An answer, or why there is none; `lost`: the controller may have carried it out. */
type JujuAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure; readonly lost: boolean }

interface ModelFacts {
  readonly model: string
  readonly cloudType: string
  readonly controllerVersion: string
}

/** The model with the machines; connects at the first call and again after the connection broke. */
export interface JujuModel {
  call<K extends keyof JujuFacades, T>(request: JujuRequest<K, T>): Promise<JujuAnswer<T>>
  facts(signal?: AbortSignal): Promise<Result<ModelFacts>>
  scrub(text: string): string
  close(): void
}

interface Connected {
  readonly session: JujuSession
  readonly facts: ModelFacts
  readonly controller: string
}

const CALL_MS = seconds(30)
/** How long a failed connection is remembered: steps ask often, and each would wait the whole time-out. */
const REMEMBER_FAILURE_MS = seconds(2)
/** How long a refused login is remembered: a controller slows down repeated wrong passwords. */
const REMEMBER_REFUSAL_MS = seconds(30)

interface ModelOptions {
  readonly resolve: () => Promise<Result<ResolvedJuju>>
  readonly clock: Clock
  readonly log: Logger
}

interface ModelState extends ModelOptions {
  readonly closing: AbortController
  /** The connection attempt that all callers share; null if the next call starts one. */
  current: Promise<Result<Connected>> | null
  connected: Connected | null
  lastFailure: { readonly at: number; readonly failure: Failure } | null
}

export function createJujuModel(options: ModelOptions): JujuModel {
  const state: ModelState = {
    ...options,
    closing: new AbortController(),
    current: null,
    connected: null,
    lastFailure: null,
  }
  return {
    facts: async signal => {
      const held = await connectionOf(state, signal)
      return held.ok ? ok(held.value.facts) : held
    },
    call: request => callModel(state, request),
    scrub: text => state.connected?.session.scrub(text) ?? redactText(text),
    close: () => {
      state.closing.abort()
      state.connected?.session.close()
    },
  }
}

async function callModel<K extends keyof JujuFacades, T>(
  state: ModelState,
  request: JujuRequest<K, T>,
): Promise<JujuAnswer<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const held = await connectionOf(state, request.signal)
    if (!held.ok) return { ok: false, failure: held.failure, lost: false }
    if (!request.repeatable && !mayBeSent()) return { ok: false, failure: keptBack(), lost: false }
    const { session } = held.value
    const limits = { timeoutMs: CALL_MS, signal: request.signal }
    const outcome = await session.call(request.facade, request.use, limits)
    if (outcome.kind === 'broken' && request.repeatable && attempt === 1) continue
    // A missing answer may mean that the connection has been dead for long.
    if (outcome.kind === 'timed-out') session.close()
    return answerOf(outcome, request, held.value)
  }
}

async function connectionOf(state: ModelState, signal: AbortSignal | undefined): Promise<Result<Connected>> {
  const { clock, closing, connected, lastFailure } = state
  if (closing.signal.aborted) return failed(refusal('aborted', because('JujuSessionClosed')))
  if (connected !== null && !connected.session.isOpen()) {
    state.connected = null
    state.current = null
  }
  if (state.current === null) {
    if (lastFailure !== null && clock.now() - lastFailure.at < rememberedMs(lastFailure.failure)) {
      return failed(lastFailure.failure)
    }
    state.current = connect(state).then(result => {
      if (result.ok) {
        state.connected = result.value
        state.lastFailure = null
      } else {
        state.current = null
        state.lastFailure = { at: clock.now(), failure: result.failure }
      }
      return result
    })
  }
  // All callers share one attempt; one that aborts does not abort the others.
  return orStopped(state.current, signal, () => because('StoppedBeforeJuju'))
}

async function connect({ resolve, clock, log, closing }: ModelState): Promise<Result<Connected>> {
  const resolved = await resolve()
  if (!resolved.ok) return resolved
  const juju = resolved.value
  for (const warning of juju.warnings) log.warn('Juju file exposed', { warning })
  const way = { juju, clock, signal: closing.signal }
  const controller = await openJujuSession({ ...way, modelUuid: null })
  if (!controller.ok) return controller
  const found = await findModel(controller.value, juju)
  controller.value.close()
  if (!found.ok) return found
  const session = await openJujuSession({ ...way, modelUuid: found.value.uuid })
  if (!session.ok) return session
  if (closing.signal.aborted) {
    session.value.close()
    return failed(refusal('aborted', because('JujuSessionClosed')))
  }
  const { endpoint, serverVersion } = session.value
  log.info('connected to Juju', { controller: juju.name, endpoint, version: serverVersion, model: found.value.name })
  const facts = { model: found.value.name, cloudType: found.value.cloudType, controllerVersion: serverVersion }
  return ok({ session: session.value, facts, controller: juju.name })
}

function rememberedMs({ code }: Failure): number {
  return code === 'unauthenticated' || code === 'not-permitted' ? REMEMBER_REFUSAL_MS : REMEMBER_FAILURE_MS
}

function answerOf<K extends keyof JujuFacades, T>(
  outcome: CallOutcome,
  { doing, shape, isAsked = () => null }: JujuRequest<K, T>,
  { controller, session }: Connected,
): JujuAnswer<T> {
  const target = `juju/${controller}`
  const version = session.serverVersion
  const lost = (why: Failure): JujuAnswer<T> => ({ ok: false, failure: why, lost: true })
  const refused = (why: Failure): JujuAnswer<T> => ({ ok: false, failure: why, lost: false })
  switch (outcome.kind) {
    case 'answer': {
      const read = shape.safeParse(outcome.value)
      const wrong = read.success ? isAsked(read.data) : because('AnswerMisses', { issues: issuesOf(read.error) })
      if (read.success && wrong === null) return { ok: true, value: read.data }
      const output = firstWords(session.scrub(JSON.stringify(outcome.value) ?? ''))
      const strange = because('NotAJujuAnswer', { call: doing, controller, version, output, wrong })
      // The controller may have carried it out in any case.
      return lost(refusal('unreadable', strange, { target, detail: wrong?.message ?? '' }))
    }
    case 'refused':
      return refused(refusedFailure(target, doing, outcome.text))
    case 'no-facade': {
      const missing = because('JujuFacadeMissing', { call: doing, controller, version })
      return refused(refusal('server-fault', missing, { target, retryable: false }))
    }
    case 'aborted':
      return lost(refusal('aborted', because('StoppedBeforeDone', { call: doing }), { target }))
    case 'broken':
      return lost(refusal('unreachable', because('JujuConnectionBroke', { call: doing, controller }), { target }))
    case 'timed-out': {
      const late = because('JujuCallTimedOut', { call: doing, controller, seconds: CALL_MS / 1000 })
      return lost(refusal('timed-out', late, { target }))
    }
    default:
      return assertNever(outcome, 'outcome of a call')
  }
}

function issuesOf({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join('; ')
}

interface FoundModel {
  readonly name: string
  readonly uuid: string
  readonly cloudType: string
}

async function findModel(session: JujuSession, juju: ResolvedJuju): Promise<Result<FoundModel>> {
  const controller = juju.name
  const doing = call('FindJujuModel', { model: juju.model, controller })
  const target = `juju/${juju.name}`
  const outcome = await session.call(
    'modelManager',
    facade => facade.listModelSummaries({ 'user-tag': `user-${juju.user}`, all: true }),
    { timeoutMs: CALL_MS },
  )
  if (outcome.kind === 'refused') return failed(refusedFailure(target, doing, outcome.text))
  const read = outcome.kind === 'answer' ? ModelSummaries.safeParse(outcome.value) : null
  if (read === null) return failed(refusal('unreachable', because('JujuModelsUnanswered', { call: doing }), { target }))
  if (!read.success) return failed(refusal('unreadable', because('NotAJujuModelList', { call: doing }), { target }))
  const models = read.data.results.flatMap(({ result }) => {
    if (result === null || result === undefined) return []
    const owner = result.qualifier ?? result['owner-tag']?.replace(/^user-/, '') ?? juju.user
    return [
      { name: `${owner}/${result.name}`, short: result.name, uuid: result.uuid, cloudType: result['provider-type'] },
    ]
  })
  const { model } = juju
  const own = models.filter(each => each.uuid === model || each.name === model || each.short === model)
  const [only] = own
  if (only !== undefined && own.length === 1) return ok(only)
  const namesIn = (some: readonly FoundModel[]) => namesOf(some.map(({ name }) => name))
  if (own.length > 1) {
    const ambiguous = because('JujuModelAmbiguous', { controller, model, models: namesIn(own) })
    return failed(refusal('bad-input', ambiguous, { target }))
  }
  const absent = because('JujuModelAbsent', { controller, model, user: juju.user, models: namesIn(models) })
  return failed(refusal('not-found', absent, { target }))
}
