import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import { firstWords } from '../../../shared/grammar/first-words.ts'
import type { HttpAnswer, HttpHeaders, HttpOutcome } from '../http/exchange.ts'
import { type FaultHints, faultOf } from '../http/faults.ts'
import { requestIdOf } from './fresh-answers.ts'
import { isOwnRefusal, roleFor, ruleIn, serverWords } from './server-words.ts'
import { SERVICES, type ServiceType } from './services.ts'

/** What a request was for, so that its failure can say so. */
export interface RequestPurpose {
  /** What was to be done, after "Could not": `list the compute services`. */
  readonly doing: string
  readonly service: ServiceType
  /** Its address without query, for network failures. */
  readonly address: string
  /** Who asked: `user admin, project admin`. */
  readonly who: string
  /** The project that the login is for; null: none. */
  readonly projectName: string | null
  /** Whether it changes something: then an answer that was lost leaves open whether it did. */
  readonly changes: boolean
  readonly target?: string | undefined
}

/** What came instead of an answer, for a sentence: status, content type and first words, without secrets. */
export function whatCame(
  answer: { readonly status: number; readonly headers: HttpHeaders; readonly body: string },
  scrub: (text: string) => string,
): string {
  const type = firstWords(answer.headers['content-type'] ?? 'no content type', 40)
  // Scrubbed before it is cut: half a secret would not be known again.
  const words = firstWords(scrub(answer.body))
  return `HTTP ${answer.status}, ${type}, ${words === '' ? 'no body' : `beginning with “${words}”`}`
}

/**
 * The failure for an answer from which nothing was learnt: it says what came instead. `why` is ours, never the server's.
 */
export function unreadable(
  answer: { readonly status: number; readonly headers: HttpHeaders; readonly body: string },
  purpose: Pick<RequestPurpose, 'doing' | 'service' | 'changes' | 'target'>,
  scrub: (text: string) => string,
  why: string,
): Failure {
  const { name } = SERVICES[purpose.service]
  const lost = purpose.changes
    ? ' It is unknown whether it was done: look before you try again.'
    : ' Nothing was learnt from it.'
  return failure(
    'unreadable',
    `Could not ${purpose.doing}: what came is not an answer of ${name} to that (${whatCame(answer, scrub)}).${lost} Is a proxy or a login page in between?`,
    { target: purpose.target, detail: scrub(why) },
  )
}

/**
 * The failure for an answer that tells what was so earlier: of now nothing was learnt from it. `why` is ours, and says by what it shows.
 */
export function ofThePast(
  answer: { readonly status: number },
  purpose: Pick<RequestPurpose, 'doing' | 'service' | 'changes' | 'target'>,
  why: string,
): Failure {
  const lost = purpose.changes ? ' It is unknown whether it was done: look before you try again.' : ''
  return failure(
    'unreadable',
    `Could not ${purpose.doing}: what came from ${SERVICES[purpose.service].name} is of the past: ${why}.${lost} Does a cache or a proxy on the way keep answers, is a database replica behind, are the clocks of its API servers apart?`,
    { target: purpose.target, detail: `HTTP ${answer.status}` },
  )
}

/**
 * The failure an operator sees when a request did not come to a 2xx answer (style G36, G37): what, which, why, what next. `scrub`
 * frees the server's own words of secrets; `nowMs` is the time by our clock.
 */
export function failureOf(
  outcome: HttpOutcome,
  purpose: RequestPurpose,
  scrub: (text: string) => string,
  nowMs: number,
): Failure {
  const { doing, address, target } = purpose
  const service = SERVICES[purpose.service].name
  const lost = purpose.changes ? ' It is unknown whether it was received: look before you try again.' : ''
  switch (outcome.kind) {
    case 'not-sent':
      return outcome.failure
    case 'aborted':
      return failure('aborted', `Stopped before this was done: ${doing}.${lost}`, { target })
    case 'timed-out':
      return failure('timed-out', `Could not ${doing}: ${service} at ${address} did not answer in time.${lost}`, {
        target,
      })
    case 'senseless':
      return failure(
        'unreadable',
        `Could not ${doing}: ${service} at ${address} ${outcome.why}.${lost} Is a proxy or another server in between?`,
        { target },
      )
    case 'broken': {
      const { kind, words } = faultOf(outcome.code, HINTS, outcome.proxy)
      const detail = scrub(`${outcome.code}: ${outcome.text}`)
      const isNetwork = kind === 'network' || kind === 'silent'
      return failure(
        'unreachable',
        `Could not ${doing}: ${service} at ${address} ${words}${isNetwork && outcome.sent ? lost : ''}`,
        { detail, target, retryable: isNetwork },
      )
    }
    case 'past':
      return ofThePast(outcome, purpose, outcome.why)
    case 'answer':
      return refused(outcome, purpose, scrub, nowMs)
  }
}

/** Where clouds.yaml has what an operator may have to correct. */
const HINTS: FaultHints = {
  authority: 'Name the authority with cacert in clouds.yaml.',
  serverName: 'Use the name the certificate is for, or have it corrected.',
  clientCertificate: 'Correct cert and key in clouds.yaml.',
}

function refused(answer: HttpAnswer, purpose: RequestPurpose, scrub: (text: string) => string, nowMs: number): Failure {
  const { doing, who, projectName, target } = purpose
  const service = SERVICES[purpose.service].name
  const words = serverWords(answer.body)
  const text = words === null ? null : scrub(words)
  const said = text === null ? `HTTP ${answer.status}` : `${service} says: ${text}`
  const requestId = requestIdOf(answer.headers)
  const asked = retryAfterMs(answer.headers, nowMs)
  const more = {
    target,
    detail: scrub(`HTTP ${answer.status}${requestId === null ? '' : `, ${requestId}`}`),
    ...(asked === null ? {} : { retryAfterMs: asked }),
  }
  const unexpected = failure(
    'server-fault',
    `Could not ${doing}: ${service} answered in an unexpected way (${said}). Is its address right?`,
    { ...more, retryable: false },
  )
  // A proxy's page is not the service's word, whatever its status: nothing may be concluded from it.
  if (words === null && ![401, 406, 413, 429].includes(answer.status) && answer.status < 500) {
    return unreadable(answer, purpose, scrub, 'it is not a refusal in its own form')
  }
  const isOwn = isOwnRefusal(purpose.service, answer.status, answer.body)
  switch (answer.status) {
    case 400:
      return failure('bad-input', `Could not ${doing}: ${said}`, more)
    case 401:
      return failure(
        'unauthenticated',
        `Could not ${doing}: ${service} does not accept the token of ${who}, also after it was renewed. Is the account still enabled, do ${service} and this clouds.yaml use the same Keystone?`,
        more,
      )
    case 403:
      return failure('not-permitted', `Could not ${doing}: ${forbidden(text, service, who, projectName)}`, more)
    case 404:
      return isOwn ? failure('not-found', `Could not ${doing}: ${said}`, more) : unexpected
    case 406:
      return failure(
        'server-fault',
        `Could not ${doing}: ${said} The API was changed meanwhile; the versions are asked for again.`,
        more,
      )
    case 409:
      return isOwn ? failure('conflict', `Could not ${doing}: ${said}`, more) : unexpected
    case 413:
    case 429:
      return failure('throttled', `Could not ${doing}: ${service} asks to slow down. Try again in a while.`, more)
    default:
      if (answer.status >= 500) {
        return failure(
          'server-fault',
          `Could not ${doing}: ${service} failed (${said}). Its log tells more under the request id.`,
          more,
        )
      }
      return unexpected
  }
}

function forbidden(text: string | null, service: string, who: string, projectName: string | null): string {
  const rule = text === null ? null : ruleIn(text)
  if (rule === null) return `${service} forbids this to ${who}${text === null ? '.' : `: ${text}`}`
  return `the rule ${rule} of ${service}'s policy does not allow this to ${who}. It needs ${roleFor(rule, projectName)}: use such credentials, or have the rule widened.`
}
