import type { Failure } from '../../../shared/domain/failure.ts'
import { MAINTENANCE_GROUP } from '../../../shared/domain/maintenance-api.ts'
import { RUNNER_GROUP } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { redactText } from '../../platform/log/redact.ts'
import type { NoAnswer } from '../http/exchange.ts'
import { type FaultHints, faultOf } from '../http/faults.ts'
import { shortened } from './fields.ts'
import type { RequestWords } from './request-words.ts'
import { readStatus, type StatusBody } from './status.ts'

function runnerRole(verb: string, resource: string): string {
  if (verb === 'patch') return 'lockkeeper-runner-own'
  if (verb !== 'create') return 'lockkeeper-reader'
  return resource === 'maintenanceruns' ? 'lockkeeper-submitter' : 'lockkeeper-steerer'
}

function roleHint({ group, verb, resource, subresource, namespace }: RequestWords): Finding {
  if (group === RUNNER_GROUP) {
    return because('RunnerRoleLacking', { role: runnerRole(verb, resource), namespace })
  }
  // Only controllers write locks and finalizers; nobody else may exec into a pod.
  const role =
    group === MAINTENANCE_GROUP &&
    (verb === 'patch' || (/workloadlocks$/.test(resource) && ['create', 'delete'].includes(verb)))
      ? 'lockkeeper-controllers'
      : subresource === 'exec'
        ? 'lockkeeper-ceph'
        : 'lockkeeper-operator'
  return because('RbacRoleLacking', { role })
}

/** Turns an error status into a message (style G36, G37). Only this and transportFailure know the format of Kubernetes errors. */
export function failureOfAnswer(words: RequestWords, code: number, body: unknown, contentType = ''): Failure {
  const status = refusalIn(code, body)
  const said = withoutSecrets(status?.message ?? '').replace(/\.$/, '')
  const { call } = words
  const refused = { call, cause: said }
  const detail = `HTTP ${code} ${shortened(status?.reason ?? '')}`.trimEnd()
  const more = { target: words.target ?? undefined, detail, status: code }
  if (!isFromApiServer(words, code, status)) return failureOfForeignAnswer(words, code, body, contentType)
  switch (code) {
    case 400:
    case 422:
      return refusal('bad-input', because('KubernetesRequestRefused', refused), more)
    case 401:
      return refusal('unauthenticated', because('KubernetesCredentialsRefused', { call }), more)
    case 403:
      return refusal('not-permitted', because('CredentialsMayNot', { ...refused, remedy: roleHint(words) }), more)
    case 404:
      return refusal('not-found', because('KubernetesObjectAbsent', refused), more)
    case 409:
      return refusal('conflict', because('KubernetesConflict', refused), more)
    case 410:
      return refusal('conflict', because('KubernetesVersionGone', refused), { ...more, retryable: true })
    case 429:
      return refusal('throttled', because('ApiServerThrottles', refused), more)
    default:
      return code >= 500
        ? refusal('server-fault', because('ApiServerFailed', { ...refused, status: code }), more)
        : refusal('server-fault', because('ApiServerAnsweredStatus', { ...refused, status: code }), {
            ...more,
            retryable: false,
          })
  }
}

/** The Status of a refusal; null if the body is not one, or its code differs from the response. */
export function refusalIn(code: number, body: unknown): StatusBody | null {
  const status = readStatus(body)
  return status === null || status.success || status.code !== code ? null : status
}

/** The reasons that confirm these codes (apimachinery meta/v1 StatusReason). */
const REASONS: Readonly<Record<number, readonly string[]>> = {
  404: ['NotFound'],
  409: ['Conflict', 'AlreadyExists'],
  410: ['Expired', 'Gone'],
}

/** Whether a refusal that Lockkeeper acts on comes from the API server: anything on the way can answer 404. "Not found" must name the requested object or none. */
function isFromApiServer(words: RequestWords, code: number, status: StatusBody | null): boolean {
  if (code !== 400 && code !== 403 && code !== 422 && REASONS[code] === undefined) return true
  if (status === null) return false
  if (REASONS[code]?.includes(status.reason) === false) return false
  return code !== 404 || words.name === null || isAbout(words, status)
}

/** The API's `kind` holds the missing object's resource; some components write the kind. */
function isAbout({ name, resource }: RequestWords, { about }: StatusBody): boolean {
  return about.name === name && (about.kind === '' || resource.startsWith(about.kind.toLowerCase()))
}

function failureOfForeignAnswer(
  { call, target }: RequestWords,
  code: number,
  body: unknown,
  contentType: string,
): Failure {
  return refusal('unreadable', because('NotTheApiServers', { call, status: code, ...quoteOf(contentType, body) }), {
    target: target ?? undefined,
    detail: `HTTP ${code}`,
    status: code,
    // A proxy that forbids will keep forbidding; what it does not find may appear in a moment.
    retryable: REASONS[code] !== undefined,
  })
}

/** A short, safe quote of an answer: its type and first words, without secrets and terminal codes. */
export function quoteOf(contentType: string, body: unknown, scrub: (text: string) => string = redactText) {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  // Scrub before cutting: half a secret would not be recognized.
  const words = scrub(text)
    .slice(0, 2000)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return {
    contentType: /^[\w.+/-]{1,60}/.exec(scrub(contentType))?.[0] ?? '',
    output: words.length > 80 ? `${words.slice(0, 80)}…` : words,
  }
}

const HINTS: FaultHints = {
  authority: because('KubeconfigAuthorityWrong'),
  serverName: because('KubeconfigServerNameWrong'),
  clientCertificate: because('KubeconfigCertificateUnusable'),
}

const CODES = {
  network: 'unreachable',
  silent: 'timed-out',
  tls: 'unauthenticated',
  'client-certificate': 'bad-input',
} as const

export function transportFailure({ call, target }: RequestWords, host: string, outcome: NoAnswer): Failure {
  const asked = { server: host, call }
  switch (outcome.kind) {
    case 'not-sent':
      return outcome.failure
    case 'aborted':
      return refusal('aborted', because('KubernetesStopped', { call }))
    case 'timed-out':
      return refusal('timed-out', because('ApiServerSilent', asked))
    case 'senseless':
      return refusal('unreadable', because('ApiServerMakesNoSense', { ...asked, wrong: outcome.wrong }), {
        target: target ?? undefined,
      })
    case 'broken': {
      const { kind, fault } = faultOf(outcome.code, HINTS, outcome.proxy)
      // Only the code: the text may contain keys, as a failed exec of client-node does (docs/drain.md).
      const detail = outcome.code === '' ? undefined : outcome.code
      return refusal(CODES[kind], because('ApiServerNotReached', { ...asked, fault }), { detail })
    }
  }
}

/** Removes possible secrets from a server's text (style G39) and shortens it. */
export function withoutSecrets(text: string): string {
  return redactText(text).slice(0, 1000)
}
