import { z } from 'zod'
import type { Failure } from '../../../shared/domain/failure.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { causeOf } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { loginOf } from './login-of.ts'
import type { OpenStackSession, ServiceRequest } from './openstack-session.ts'
import { roleFor } from './server-words.ts'
import type { ServiceType } from './services.ts'

export interface PolicyProbe extends Finding {
  readonly need: string
  readonly rule: string
  readonly allowed: boolean | 'unknown'
}

/** What an answer other than a plain 403 proves about the rule; the texts are Nova's. */
export type Verdict = true | 'unknown'

/** A request that tests a rule and changes nothing. */
export interface Probe {
  readonly need: Finding
  readonly rule: string
  readonly service: ServiceType
  readonly request: Pick<ServiceRequest, 'method' | 'path' | 'query' | 'body' | 'notAfter'>
  readonly onAnswer: (body: unknown) => Verdict
  readonly onFailure: (failure: Failure) => Verdict
  /** Another rule for the same request in other releases, which must allow it too. */
  readonly newerRule?: string
  /** Another request, if the answer came from a rule that no plan needs. */
  readonly otherwise?: Probe
  readonly unclear: Finding
  readonly accepted?: Finding
}

/** A read is allowed if the answer has a list of that name; a login page proves nothing. */
export const lists =
  (name: string) =>
  (body: unknown): Verdict =>
    z.object({ [name]: z.array(z.unknown()) }).safeParse(body).success ? true : 'unknown'
export const provesNothing = (): Verdict => 'unknown'

export async function askProbes(
  session: OpenStackSession,
  probes: readonly Probe[],
  signal: AbortSignal | undefined,
): Promise<Result<readonly PolicyProbe[]>> {
  const answers: PolicyProbe[] = []
  for (const probe of probes) {
    const answer = await askProbe(session, probe, signal)
    if (!answer.ok) return answer
    answers.push(answer.value)
  }
  return ok(answers)
}

async function askProbe(
  session: OpenStackSession,
  probe: Probe,
  signal: AbortSignal | undefined,
): Promise<Result<PolicyProbe>> {
  const { need, rule } = probe
  const answer = await session.request(probe.service, { ...probe.request, call: call('ProbePolicy', { need }), signal })
  const verdict = answer.ok ? probe.onAnswer(answer.value.body) : refusedBy(answer.failure, probe)
  if (verdict === 'gone') return answer.ok ? ok(unknown(need, rule, probe.unclear)) : answer
  if (verdict === 'unknown') {
    const isForbidden = !answer.ok && answer.failure.code === 'not-permitted'
    if (isForbidden && probe.otherwise !== undefined) return askProbe(session, probe.otherwise, signal)
    if (answer.ok) return ok(unknown(need, rule, probe.accepted ?? probe.unclear))
    return ok(
      unknown(need, rule, isForbidden ? probe.unclear : because('ProbeFailed', { cause: causeOf(answer.failure) })),
    )
  }
  if (verdict === true) return ok({ need: need.message, rule, allowed: true, ...because('PolicyAllows', { need }) })
  const identity = session.identity()
  const refusing = verdict.refusedBy
  const [who, role] = [loginOf(identity), roleFor(refusing, identity.projectName)]
  return ok({
    need: need.message,
    rule: refusing,
    allowed: false,
    ...because('PolicyDenies', { need, who, rule: refusing, role }),
  })
}

/** `gone`: the cloud does not answer, so the caller stops. */
function refusedBy(failure: Failure, probe: Probe): Verdict | { readonly refusedBy: string } | 'gone' {
  if (failure.code === 'aborted' || failure.code === 'unauthenticated') return 'gone'
  if (failure.code !== 'not-permitted') return probe.onFailure(failure)
  const named = textIn(failure, 'PolicyForbids', 'rule') ?? probe.rule
  return named === probe.rule || named === probe.newerRule ? { refusedBy: named } : 'unknown'
}

export function unknown(need: Finding, rule: string, why: Finding): PolicyProbe {
  return { need: need.message, rule, allowed: 'unknown', ...because('PolicyNotKnown', { need, why }) }
}

/** The service's words in a refusal; empty if there is none, or another failure. */
export function refusalSays(failure: Failure): string {
  return textIn(failure, 'ServiceRefused', 'output') ?? ''
}

function textIn({ reason, values }: Failure, code: string, name: string): string | null {
  const value = reason === code ? values?.[name] : null
  return typeof value === 'string' ? value : null
}
