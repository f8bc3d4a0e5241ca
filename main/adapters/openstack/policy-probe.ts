import { z } from 'zod'
import type { Failure } from '../../../shared/domain/failure.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import type { OpenStackSession, ServiceRequest } from './keystone-session.ts'
import { roleFor } from './server-words.ts'
import type { ServiceType } from './services.ts'

/** Whether the policy of the cloud lets this user do one thing that a plan needs. */
export interface PolicyProbe {
  /** What a plan needs it for. */
  readonly need: string
  readonly rule: string
  readonly allowed: boolean | 'unknown'
  /** In an operator's words; says what to do where it is not allowed, and why where it cannot be told. */
  readonly message: string
}

/** What an answer that is not a plain 403 tells about the rule; the texts are Nova's own. */
export type Verdict = true | 'unknown'

/** One question: a request that tells about a rule and does nothing. */
export interface Probe {
  readonly need: string
  readonly rule: string
  readonly service: ServiceType
  readonly request: Pick<ServiceRequest, 'method' | 'path' | 'query' | 'body'>
  readonly onAnswer: (body: unknown) => Verdict
  readonly onFailure: (failure: Failure) => Verdict
  /** Another rule that judges the same request too in newer releases, and so has to allow it. */
  readonly newerRule?: string
  /** The same asked in another way, for where the answer came from a rule that no plan needs. */
  readonly otherwise?: Probe
  /** Why an answer may tell nothing. */
  readonly unclear: string
  /** What has to be looked at where the request was taken after all, though it cannot come to anything. */
  readonly accepted?: string
}

/** A read that was answered by a list of that name was allowed; a login page allows nothing. */
export const lists =
  (name: string) =>
  (body: unknown): Verdict =>
    z.object({ [name]: z.array(z.unknown()) }).safeParse(body).success ? true : 'unknown'
export const tellsNothing = (): Verdict => 'unknown'

/** Asks one question, and tells what its answer means. */
export async function askProbe(
  session: OpenStackSession,
  probe: Probe,
  signal: AbortSignal | undefined,
): Promise<Result<PolicyProbe>> {
  const { need, rule } = probe
  const answer = await session.request(probe.service, { ...probe.request, doing: `probe the policy: ${need}`, signal })
  const verdict = answer.ok ? probe.onAnswer(answer.value.body) : refusedBy(answer.failure, probe)
  if (verdict === 'gone') return answer.ok ? ok(unknown(need, rule, probe.unclear)) : answer
  if (verdict === 'unknown') {
    const isForbidden = !answer.ok && answer.failure.code === 'not-permitted'
    if (isForbidden && probe.otherwise !== undefined) return askProbe(session, probe.otherwise, signal)
    if (answer.ok) return ok(unknown(need, rule, probe.accepted ?? probe.unclear))
    return ok(unknown(need, rule, isForbidden ? probe.unclear : answer.failure.message))
  }
  if (verdict === true) return ok({ need, rule, allowed: true, message: `Allowed: ${need}.` })
  const { userName, projectName } = session.identity()
  const refusing = verdict.refusedBy
  return ok({
    need,
    rule: refusing,
    allowed: false,
    message: `Not allowed to user ${userName}${projectName === null ? '' : ` in project ${projectName}`}: ${need}. The rule ${refusing} needs ${roleFor(refusing, projectName)}.`,
  })
}

/** `gone`: nothing more can be asked, the caller stops. */
function refusedBy(failure: Failure, probe: Probe): Verdict | { readonly refusedBy: string } | 'gone' {
  if (failure.code === 'aborted' || failure.code === 'unauthenticated') return 'gone'
  if (failure.code !== 'not-permitted') return probe.onFailure(failure)
  const named = /the rule ([\w.:-]+) of/.exec(failure.message)?.[1] ?? probe.rule
  return named === probe.rule || named === probe.newerRule ? { refusedBy: named } : 'unknown'
}

/** What cannot be told, and why. */
export function unknown(need: string, rule: string, why: string): PolicyProbe {
  return { need, rule, allowed: 'unknown', message: `Cannot be told beforehand: ${need}. ${why}` }
}
