import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { MAINTENANCE_GROUP } from '../../../shared/domain/maintenance-api.ts'
import { RUNNER_GROUP } from '../../../shared/domain/maintenance-run.ts'
import { redactText } from '../../log/redact.ts'
import type { NoAnswer } from '../http/exchange.ts'
import { type FaultHints, faultOf } from '../http/faults.ts'
import type { RequestWords } from './request-words.ts'
import { readStatus, type StatusBody } from './status.ts'

/** The Role of `lockkeeper runner manifests` that grants what is missing. */
function runnerRole(verb: string, resource: string): string {
  if (verb === 'patch') return 'lockkeeper-runner-own'
  if (verb !== 'create') return 'lockkeeper-reader'
  return resource === 'maintenanceruns' ? 'lockkeeper-submitter' : 'lockkeeper-steerer'
}

/** Where the role is found that grants what is missing. */
function roleHint({ group, verb, resource, subresource, namespace }: RequestWords): string {
  if (group === RUNNER_GROUP) {
    const where = namespace === null ? '' : ` of namespace ${namespace}`
    return `Ask for the Role ${runnerRole(verb, resource)}${where} (docs/runner.md).`
  }
  // Locks and finalizers are written by controllers alone; nobody else may enter a pod.
  const role =
    group === MAINTENANCE_GROUP &&
    (verb === 'patch' || (/workloadlocks$/.test(resource) && ['create', 'delete'].includes(verb)))
      ? 'lockkeeper-controllers'
      : subresource === 'exec'
        ? 'lockkeeper-ceph'
        : 'lockkeeper-operator'
  return `Ask for the role in resources/rbac/${role}.yaml, or run \`lockkeeper cluster test\`.`
}

/**
 * Turns an answer with an error status into words (style G36, G37). With transportFailure the only place that knows what errors of
 * Kubernetes look like.
 */
export function failureOfAnswer(words: RequestWords, code: number, body: unknown, contentType = ''): Failure {
  const status = refusalIn(code, body)
  const said = status === null ? null : withoutSecrets(status.message)
  const because = said ? `: ${said.replace(/\.$/, '')}` : ''
  const detail = `HTTP ${code}${status?.reason ? ` ${status.reason}` : ''}`
  const more = { target: words.target ?? undefined, detail, status: code }
  if (!isTheServers(words, code, status)) return notTheServers(words, code, body, contentType)
  switch (code) {
    case 400:
    case 422:
      return failure('bad-input', `The API server does not accept the request to ${words.text}${because}.`, more)
    case 401:
      return failure(
        'unauthenticated',
        `The API server does not accept these credentials (asked to ${words.text}). They may be expired: renew them or sign in again.`,
        more,
      )
    case 403:
      return failure('not-permitted', `These credentials may not ${words.text}${because}. ${roleHint(words)}`, more)
    case 404:
      return failure('not-found', `Asked to ${words.text}, but it does not exist${because}.`, more)
    case 409:
      return failure('conflict', `Could not ${words.text}, it changed meanwhile or already exists${because}.`, more)
    case 410:
      return failure('conflict', `Could not ${words.text}: what it builds on is too old${because}.`, {
        ...more,
        retryable: true,
      })
    case 429:
      return failure('throttled', `The API server asks to wait before it lets us ${words.text}${because}.`, more)
    default:
      return code >= 500
        ? failure('server-fault', `The API server failed (HTTP ${code}) when asked to ${words.text}${because}.`, more)
        : failure('server-fault', `The API server answered HTTP ${code} when asked to ${words.text}${because}.`, {
            ...more,
            retryable: false,
          })
  }
}

/** The Status of a refusal; null where the body is none, or speaks of another answer than the one it came with. */
export function refusalIn(code: number, body: unknown): StatusBody | null {
  const status = readStatus(body)
  return status === null || status.success || status.code !== code ? null : status
}

/** Reasons of a Status that give these codes their meaning for us (apimachinery meta/v1 StatusReason). */
const REASONS: Readonly<Record<number, readonly string[]>> = {
  404: ['NotFound'],
  409: ['Conflict', 'AlreadyExists'],
  410: ['Expired', 'Gone'],
}

/**
 * Whether a refusal whose meaning we act on is the API server's own: anything on the way can answer 404. "It does not exist" is said of the
 * very object that was asked for, or of nothing.
 */
function isTheServers(words: RequestWords, code: number, status: StatusBody | null): boolean {
  if (code !== 400 && code !== 403 && code !== 422 && REASONS[code] === undefined) return true
  if (status === null) return false
  if (REASONS[code]?.includes(status.reason) === false) return false
  return code !== 404 || words.name === null || isAbout(words, status)
}

/** The API names the resource of an object that is missing `kind`; some of its parts write the kind there. */
function isAbout({ name, resource }: RequestWords, { about }: StatusBody): boolean {
  return about.name === name && (about.kind === '' || resource.startsWith(about.kind.toLowerCase()))
}

function notTheServers(words: RequestWords, code: number, body: unknown, contentType: string): Failure {
  return failure(
    'unreadable',
    `The API server's address answered HTTP ${code} when asked to ${words.text}, but not as an API server does. It sent ${sketchOf(contentType, body)}. A proxy, a login page or another server may have answered in its place: look at the address by hand, then try again.`,
    {
      target: words.target ?? undefined,
      detail: `HTTP ${code}`,
      status: code,
      // A proxy on the way goes on forbidding what it forbids; what it cannot find may be there in a moment.
      retryable: REASONS[code] !== undefined,
    },
  )
}

/** What an answer looks like, for people: its type and its first words, without secrets and without what a terminal would act on. */
export function sketchOf(contentType: string, body: unknown, scrub: (text: string) => string = redactText): string {
  const type = /^[\w.+/-]{1,60}/.exec(contentType)?.[0] ?? 'no content type'
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  // Scrubbed before it is cut to what is shown: half a secret would not be known again.
  const words = scrub(text)
    .slice(0, 2000)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  if (words === '') return `${type}, empty`
  return `${type}: "${words.length > 80 ? `${words.slice(0, 80)}…` : words}"`
}

/** Where a kubeconfig has what an operator may have to correct. */
const HINTS: FaultHints = {
  authority: 'Check certificate-authority in the kubeconfig, or whether this is the right server.',
  serverName: 'Check the server address, or set tls-server-name in the kubeconfig.',
  clientCertificate: 'Fetch a new kubeconfig.',
}

const CODES = {
  network: 'unreachable',
  silent: 'timed-out',
  tls: 'unauthenticated',
  'client-certificate': 'bad-input',
} as const

/** Turns what came instead of an answer into words. */
export function transportFailure(words: RequestWords, host: string, outcome: NoAnswer): Failure {
  switch (outcome.kind) {
    case 'not-sent':
      return outcome.failure
    case 'aborted':
      return failure('aborted', `Stopped before there was an answer to: ${words.text}.`)
    case 'timed-out':
      return failure(
        'timed-out',
        `${host} gave no answer in time when asked to ${words.text}. Check the network and the API server's load.`,
      )
    case 'senseless':
      return failure(
        'unreadable',
        `${host} answered when asked to ${words.text}, but it ${outcome.why}. A proxy or another server may have answered in its place: look at the address by hand.`,
        { target: words.target ?? undefined },
      )
    case 'broken': {
      const { kind, words: told } = faultOf(outcome.code, HINTS, outcome.proxy)
      // Only the code: the text of an error may hold keys, as a failed exec of client-node does (docs/drain.md).
      const detail = outcome.code === '' ? undefined : outcome.code
      return failure(CODES[kind], `Could not ${words.text}: the API server at ${host} ${told}`, { detail })
    }
  }
}

/** Takes out of a server's text what could be a secret (style G39), and cuts it to what is worth reading. */
export function withoutSecrets(text: string): string {
  return redactText(text).slice(0, 1000)
}
