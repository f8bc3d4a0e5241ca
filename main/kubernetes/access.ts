import type { AccessAnswer, AccessQuestion } from '../../shared/domain/kubernetes.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { createInFlight } from './in-flight.ts'
import { rawObject, rawText } from './raw.ts'
import type { KubernetesSession } from './session.ts'

const AT_ONCE = 10

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
  const answer = await session.ask({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
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
  const status = rawObject(rawObject(answer.value).status)
  return ok({ question, allowed: status.allowed === true, reason: rawText(status.reason) })
}
