import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { MAINTENANCE_GROUP } from '../../../shared/domain/maintenance-api.ts'
import { rawObject, rawText } from './raw.ts'
import type { RequestWords } from './request-words.ts'
import { readStatus, type StatusBody } from './status.ts'

/** The server did not answer in the time a request has. Thrown inside the transport only. */
export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime'
}

/** The caller gave up waiting. Thrown inside the transport only. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp'
}

/** The body of an answer cannot be one of the API: too long, or no text. Thrown inside the transport only. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
}

/** Where the role is found that grants what is missing. */
function roleHint({ group, verb, resource, subresource }: RequestWords): string {
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
  const more = { target: words.target ?? undefined, detail: `HTTP ${code}${status?.reason ? ` ${status.reason}` : ''}` }
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
      // What something on the way forbids, it goes on forbidding; what it cannot find may be there in a moment.
      retryable: REASONS[code] !== undefined,
    },
  )
}

/** What an answer looks like, for people: its type and its first words, without secrets and without what a terminal would act on. */
export function sketchOf(contentType: string, body: unknown, scrub: (text: string) => string = same): string {
  const type = /^[\w.+/-]{1,60}/.exec(contentType)?.[0] ?? 'no content type'
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  // Scrubbed before it is cut to what is shown: half a secret would not be known again.
  const words = withoutSecrets(scrub(text.slice(0, 20_000)).slice(0, 2000))
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  if (words === '') return `${type}, empty`
  return `${type}: "${words.length > 80 ? `${words.slice(0, 80)}…` : words}"`
}

function same(text: string): string {
  return text
}

/**
 * Turns a broken or refused connection into words. Only the error's code is read, whatever library threw it: the rest may hold keys, as a
 * failed exec of client-node does (drain.md).
 */
export function transportFailure(words: RequestWords, host: string, error: unknown): Failure {
  if (error instanceof GivenUp) return failure('aborted', `Stopped before there was an answer to: ${words.text}.`)
  if (error instanceof NoAnswerInTime) {
    return failure(
      'timed-out',
      `${host} gave no answer in time when asked to ${words.text}. Check the network and the API server's load.`,
    )
  }
  if (error instanceof UnreadableBody) {
    return failure(
      'unreadable',
      `${host} answered when asked to ${words.text}, but ${error.message}. A proxy or another server may have answered in its place: look at the address by hand.`,
      { target: words.target ?? undefined },
    )
  }
  const code = codeOf(error)
  return failure(...wordsForCode(code, host, words), { ...(code === '' ? {} : { detail: code }) })
}

/** Takes out of a server's text what could be a secret: PEM blocks, bearer and other tokens, passwords (style G39). */
export function withoutSecrets(text: string): string {
  return text
    .replace(/-----BEGIN [^-]+-----[\s\S]*?(-----END [^-]+-----|$)/g, '[removed]')
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 [removed]')
    .replace(/\beyJ[\w-]+(\.[\w-]*)*/g, '[removed]')
    .replace(
      /\b(password|passwd|token|secret|client-key-data|authorization)(["']?\s*[=:]\s*["']?)[^\s"',;]+/gi,
      '$1$2[removed]',
    )
    .slice(0, 1000)
}

/** The error code of a thrown thing or of what caused it; fetch and ws errors wrap theirs. */
function codeOf(error: unknown, depth = 0): string {
  const thing = rawObject(error)
  const code = rawText(thing.code)
  if (/^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code
  const inner = thing.cause ?? thing.error ?? (Array.isArray(thing.errors) ? thing.errors[0] : undefined)
  return inner === undefined || depth > 3 ? '' : codeOf(inner, depth + 1)
}

function wordsForCode(
  code: string,
  host: string,
  words: RequestWords,
): readonly [code: 'unreachable' | 'unauthenticated' | 'timed-out' | 'bad-input', message: string] {
  switch (code) {
    case 'ECONNREFUSED':
      return [
        'unreachable',
        `Nothing listens on ${host} (connection refused). Is the API server running, and the address right?`,
      ]
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['unreachable', `The name of ${host} is not known here. Check the server address, DNS and VPN.`]
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return ['unreachable', `There is no route to ${host}. Check network and VPN.`]
    case 'ETIMEDOUT':
    case 'ESOCKETTIMEDOUT':
      return ['timed-out', `${host} does not answer. Check network, VPN and firewall.`]
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return [
        'unreachable',
        `${host} broke the connection when asked to ${words.text}. It may be restarting; try again.`,
      ]
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'CERT_UNTRUSTED':
      return [
        'unauthenticated',
        `The certificate of ${host} is not signed by the authority in the kubeconfig. Check certificate-authority, or whether this is the right server.`,
      ]
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return [
        'unauthenticated',
        `The certificate of ${host} is not valid today. Check its dates and this machine's clock.`,
      ]
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return [
        'unauthenticated',
        `The certificate of ${host} is made for another name. Check the server address, or set tls-server-name.`,
      ]
    case 'ERR_PROXY_TUNNEL':
    case 'ERR_PROXY_INVALID_CONFIG':
      return [
        'unreachable',
        `The proxy on the way to ${host} refused. Check proxy-url, HTTPS_PROXY and the proxy's rules.`,
      ]
    default:
      if (/^ERR_OSSL_(PEM|X509|ASN1|EVP|DECODER|UNSUPPORTED)|^ERR_CRYPTO|KEY_VALUES_MISMATCH/.test(code)) {
        return [
          'bad-input',
          `The client certificate or key in the kubeconfig cannot be used (${code}). Fetch a new kubeconfig.`,
        ]
      }
      if (/^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) {
        return [
          'unauthenticated',
          `${host} and we could not agree on a TLS connection (${code}). Check the client certificate, and that the address speaks https.`,
        ]
      }
      return [
        'unreachable',
        `The connection to ${host} failed${code === '' ? '' : ` (${code})`} when asked to ${words.text}. Check network and address.`,
      ]
  }
}
