import type { AccessAnswer, AccessQuestion } from '../../../shared/domain/kubernetes.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { jsonObject, kindOf, readAnswer } from './answers.ts'
import { Misfit, objectIn, textIn } from './fields.ts'
import { createInFlight } from './in-flight.ts'
import { requestWords } from './request-words.ts'
import type { KubernetesSession } from './session.ts'

const AT_ONCE = 10

const API_VERSION = 'authorization.k8s.io/v1'
const KIND = 'SelfSubjectAccessReview'
const REVIEWS = `/apis/${API_VERSION}/selfsubjectaccessreviews`

/** Asks the server, for each question, whether these credentials may do it (style G27). Answers come in the order of the questions. */
export async function reviewAccess(
  session: KubernetesSession,
  questions: readonly AccessQuestion[],
  signal?: AbortSignal,
): Promise<Result<readonly AccessAnswer[]>> {
  const places = createInFlight(AT_ONCE)
  const reviewed = await Promise.all(questions.map(question => places.run(() => review(session, question, signal))))
  const answers: AccessAnswer[] = []
  for (const answer of reviewed) {
    if (!answer.ok) return answer
    answers.push(answer.value)
  }
  return ok(answers)
}

async function review(
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

/** The server repeats the question in its answer: an answer to another question is none. */
function readReview(body: unknown, question: AccessQuestion): AccessAnswer {
  const review = jsonObject(body)
  if (review.kind !== KIND || review.apiVersion !== API_VERSION) throw new Misfit(`it is ${kindOf(review)}`)
  const asked = objectIn(objectIn(review, 'spec'), 'resourceAttributes')
  for (const field of ['verb', 'group', 'resource', 'subresource', 'namespace'] as const) {
    if (textIn(asked, field) !== (question[field] ?? '')) throw new Misfit('it answers another question')
  }
  const status = objectIn(review, 'status')
  if (typeof status.allowed !== 'boolean') throw new Misfit('it does not say whether that is allowed')
  return { question, allowed: status.allowed, reason: textIn(status, 'reason') }
}
