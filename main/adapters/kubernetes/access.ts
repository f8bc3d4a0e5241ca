import type { V1SelfSubjectAccessReview, V1SelfSubjectRulesReview } from '@kubernetes/client-node'
import type { AccessAnswer, AccessQuestion } from '../../../shared/domain/kubernetes.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { jsonObject, kindOf, readAnswer } from './answers.ts'
import { MalformedAnswer, objectIn, objectsIn, textIn, textsIn } from './fields.ts'
import { createInFlight } from './in-flight.ts'
import type { Fields } from './model-fields.ts'
import { requestWords } from './request-words.ts'
import type { KubernetesSession } from './session.ts'

const AT_ONCE = 10

const API_VERSION = 'authorization.k8s.io/v1'
const KIND = 'SelfSubjectAccessReview'
const REVIEWS = `/apis/${API_VERSION}/selfsubjectaccessreviews`
const RULES_KIND = 'SelfSubjectRulesReview'
const RULES_REVIEWS = `/apis/${API_VERSION}/selfsubjectrulesreviews`

/** A namespace without RoleBindings: for it the server returns only cluster-wide rules. */
const NO_NAMESPACE = 'lockkeeper-no-namespace'

/**
 * Asks whether these credentials may do each thing, in order (style G27). One request lists the granted rules; each question that the list does not grant is
 * asked alone, because only that answer gives a reason, and some authorizers cannot list (`incomplete`).
 */
export async function reviewAccess(
  session: KubernetesSession,
  questions: readonly AccessQuestion[],
  signal?: AbortSignal,
): Promise<Result<readonly AccessAnswer[]>> {
  const places = createInFlight(AT_ONCE)
  const ofCluster = await rulesIn(session, NO_NAMESPACE, signal)
  const left = questions.filter(question => !isGranted(question, ofCluster))
  const namespaces = ofCluster === null ? [] : [...new Set(left.flatMap(({ namespace }) => namespace ?? []))]
  const byNamespace = new Map(
    await Promise.all(namespaces.map(async name => [name, await rulesIn(session, name, signal)] as const)),
  )
  const reviewed = await Promise.all(
    questions.map(question =>
      isGranted(question, ofCluster) || isGranted(question, byNamespace.get(question.namespace ?? '') ?? null)
        ? ok({ question, allowed: true, reason: '' })
        : places.run(() => reviewOne(session, question, signal)),
    ),
  )
  const answers: AccessAnswer[] = []
  for (const answer of reviewed) {
    if (!answer.ok) return answer
    answers.push(answer.value)
  }
  return ok(answers)
}

interface Rule {
  readonly verbs: readonly string[]
  readonly groups: readonly string[]
  readonly resources: readonly string[]
}

function isGranted({ verb, group, resource, subresource }: AccessQuestion, rules: readonly Rule[] | null): boolean {
  const name = subresource === undefined ? resource : `${resource}/${subresource}`
  const wild = subresource === undefined ? ['*'] : ['*', `*/${subresource}`]
  return (rules ?? []).some(
    rule =>
      [verb, '*'].some(each => rule.verbs.includes(each)) &&
      [group, '*'].some(each => rule.groups.includes(each)) &&
      [name, ...wild].some(each => rule.resources.includes(each)),
  )
}

/** The rules granted in a namespace; null if the server's list is incomplete, or it did not answer. */
async function rulesIn(
  session: KubernetesSession,
  namespace: string,
  signal: AbortSignal | undefined,
): Promise<readonly Rule[] | null> {
  const answer = await session.exchange({
    method: 'POST',
    path: RULES_REVIEWS,
    body: { apiVersion: API_VERSION, kind: RULES_KIND, spec: { namespace } },
    signal,
  })
  if (!answer.ok) return null
  const read = readAnswer(requestWords('POST', RULES_REVIEWS), answer.value, readRules)
  return read.ok ? read.value : null
}

function readRules(body: unknown): readonly Rule[] | null {
  const reviewOne: Fields<V1SelfSubjectRulesReview> = jsonObject(body)
  if (reviewOne.kind !== RULES_KIND || reviewOne.apiVersion !== API_VERSION)
    throw new MalformedAnswer(because('ReviewOfOtherKind', kindOf(reviewOne)))
  const status = objectIn(reviewOne, 'status')
  if (status.incomplete !== false) return null
  return (
    objectsIn(status, 'resourceRules')
      // A rule for named objects grants nothing on others.
      .filter(rule => textsIn(rule, 'resourceNames').length === 0)
      .map(rule => ({
        verbs: textsIn(rule, 'verbs'),
        groups: textsIn(rule, 'apiGroups'),
        resources: textsIn(rule, 'resources'),
      }))
  )
}

async function reviewOne(
  session: KubernetesSession,
  question: AccessQuestion,
  signal: AbortSignal | undefined,
): Promise<Result<AccessAnswer>> {
  const { verb, group, resource, subresource, namespace } = question
  const answer = await session.exchange({
    method: 'POST',
    path: REVIEWS,
    body: {
      apiVersion: API_VERSION,
      kind: KIND,
      spec: {
        resourceAttributes: {
          verb,
          group,
          resource,
          ...(subresource === undefined ? {} : { subresource }),
          ...(namespace === undefined ? {} : { namespace }),
        },
      },
    },
    signal,
  })
  if (!answer.ok) return answer
  return readAnswer(requestWords('POST', REVIEWS), answer.value, body => readReview(body, question))
}

/** The server repeats the question in its answer, so a mismatch is detectable. */
function readReview(body: unknown, question: AccessQuestion): AccessAnswer {
  const reviewOne: Fields<V1SelfSubjectAccessReview> = jsonObject(body)
  if (reviewOne.kind !== KIND || reviewOne.apiVersion !== API_VERSION)
    throw new MalformedAnswer(because('ReviewOfOtherKind', kindOf(reviewOne)))
  const asked = objectIn(objectIn(reviewOne, 'spec'), 'resourceAttributes')
  for (const field of ['verb', 'group', 'resource', 'subresource', 'namespace'] as const) {
    if (textIn(asked, field) !== (question[field] ?? '')) throw new MalformedAnswer(because('ReviewOfOtherQuestion'))
  }
  const status = objectIn(reviewOne, 'status')
  if (typeof status.allowed !== 'boolean') throw new MalformedAnswer(because('ReviewWithoutAnswer'))
  return { question, allowed: status.allowed, reason: textIn(status, 'reason') }
}
