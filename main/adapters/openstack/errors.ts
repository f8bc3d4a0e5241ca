import type { z } from 'zod'
import type { Failure } from '../../../shared/domain/failure.ts'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import type { Came } from '../../../shared/words/reasons/openstack.ts'
import type { Login } from '../../../shared/words/reasons/openstack-policy.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { HttpAnswer, HttpOutcome } from '../http/exchange.ts'
import { type FaultHints, faultOf } from '../http/faults.ts'
import { type Scrub, scrubbed } from '../http/scrubbed.ts'
import { requestIdOf } from './fresh-answers.ts'
import { isOwnRefusal, roleFor, ruleIn, serverWords } from './server-words.ts'
import { SERVICES, type ServiceType } from './services.ts'

export interface RequestPurpose {
  readonly call: Finding
  readonly service: ServiceType
  /** Its address without query, for network failures. */
  readonly address: string
  readonly who: Login
  readonly projectName: string | null
  /** Whether it changes something: then a lost answer leaves the outcome open. */
  readonly changes: boolean
  readonly target?: string | undefined
}

type HttpAnswerParts = Pick<HttpAnswer, 'status' | 'headers' | 'body'>

/** What arrived instead of an answer, without secrets. */
export function quotedAnswer({ status, headers, body }: HttpAnswerParts, scrub: Scrub): Came {
  const type = headers['content-type']
  // Scrub before cutting: half a secret would not be recognized.
  return { status, type: type === undefined ? null : firstWords(scrub(type), 40), output: firstWords(scrub(body)) }
}

/** What is wrong with an answer's fields: paths and expectations only, never values. */
export function fieldsNotKnown(error: z.ZodError): Finding {
  const fields = error.issues.slice(0, 5).map(({ path, code }) => ({ path: firstWords(path.join('.')), issue: code }))
  return because('FieldsNotKnown', { fields })
}

export function unreadable(
  answer: HttpAnswerParts,
  { call, service, changes, target }: Pick<RequestPurpose, 'call' | 'service' | 'changes' | 'target'>,
  scrub: Scrub,
  otherwise: Finding,
): Failure {
  const why = scrubbed(otherwise, scrub)
  return refusal(
    'unreadable',
    because('NotAServiceAnswer', {
      call,
      service: SERVICES[service].name,
      came: quotedAnswer(answer, scrub),
      why,
      changes,
    }),
    { target, detail: why.message },
  )
}

export function outdatedFailure(
  answer: { readonly status: number },
  { call, service, changes, target }: Pick<RequestPurpose, 'call' | 'service' | 'changes' | 'target'>,
  why: Finding,
): Failure {
  return refusal(
    'unreadable',
    because('ServiceAnswerOfPast', { call, service: SERVICES[service].name, why, changes }),
    { target, detail: `HTTP ${answer.status}` },
  )
}

/** The failure of a request without a 2xx answer (style G36, G37). `scrub` removes secrets from the server's words; `nowMs` is our time. */
export function failureOf(outcome: HttpOutcome, purpose: RequestPurpose, scrub: Scrub, nowMs: number): Failure {
  const { call, address, target, changes } = purpose
  const service = SERVICES[purpose.service].name
  switch (outcome.kind) {
    case 'not-sent':
      return outcome.failure
    case 'aborted':
      return refusal('aborted', because('CallStopped', { call, changes }), { target })
    case 'timed-out':
      return refusal('timed-out', because('ServiceTimedOut', { call, service, address, changes }), { target })
    case 'senseless': {
      const { wrong } = outcome
      return refusal('unreadable', because('ServiceAnswerSenseless', { call, service, address, wrong, changes }), {
        target,
      })
    }
    case 'broken': {
      const { kind, fault } = faultOf(outcome.code, HINTS, outcome.proxy)
      const detail = scrub(`${outcome.code}: ${outcome.text}`)
      const isNetwork = kind === 'network' || kind === 'silent'
      return refusal(
        'unreachable',
        because('ServiceUnreachable', {
          call,
          service,
          address,
          fault,
          changes: changes && isNetwork && outcome.sent,
        }),
        { detail, target, retryable: isNetwork },
      )
    }
    case 'past':
      return outdatedFailure(outcome, purpose, outcome.why)
    case 'answer':
      return refused(outcome, purpose, scrub, nowMs)
  }
}

const HINTS: FaultHints = {
  authority: because('NameCacert'),
  serverName: because('UseNameOfCertificate'),
  clientCertificate: because('CorrectCertAndKey'),
}

function refused(answer: HttpAnswer, purpose: RequestPurpose, scrub: Scrub, nowMs: number): Failure {
  const { call, who, target } = purpose
  const { status } = answer
  const service = SERVICES[purpose.service].name
  const words = serverWords(answer.body)
  const said = { call, service, status, output: words === null ? null : scrub(words) }
  const requestId = requestIdOf(answer.headers)
  const asked = retryAfterMs(answer.headers, nowMs)
  const more = {
    target,
    detail: scrub(`HTTP ${status}${requestId === null ? '' : `, ${requestId}`}`),
    ...(asked === null ? {} : { retryAfterMs: asked }),
  }
  const unexpected = refusal('server-fault', because('ServiceAnswerUnexpected', said), { ...more, retryable: false })
  // A proxy's page is not the service's word, whatever its status.
  if (words === null && ![401, 406, 413, 429].includes(status) && status < 500) {
    return unreadable(answer, purpose, scrub, because('NotARefusal'))
  }
  const isOwn = isOwnRefusal(purpose.service, status, answer.body)
  switch (status) {
    case 400:
      return refusal('bad-input', because('ServiceRefused', said), more)
    case 401:
      return refusal('unauthenticated', because('TokenNotAccepted', { call, service, who }), more)
    case 403:
      return refusal('not-permitted', forbidden(said, purpose), more)
    case 404:
      return isOwn ? refusal('not-found', because('ServiceRefused', said), more) : unexpected
    case 406:
      return refusal('server-fault', because('ApiVersionGone', said), more)
    case 409:
      return isOwn ? refusal('conflict', because('ServiceRefused', said), more) : unexpected
    case 413:
    case 429:
      return refusal('throttled', because('ServiceThrottles', { call, service }), more)
    default:
      return status >= 500 ? refusal('server-fault', because('ServiceFailed', said), more) : unexpected
  }
}

function forbidden(
  { call, service, output }: { readonly call: Finding; readonly service: string; readonly output: string | null },
  { who, projectName }: RequestPurpose,
): Finding {
  const rule = output === null ? null : ruleIn(output)
  return rule === null
    ? because('ServiceForbids', { call, service, who, output })
    : because('PolicyForbids', { call, service, rule, who, role: roleFor(rule, projectName) })
}
