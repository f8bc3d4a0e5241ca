import type { V1SelfSubjectReview } from '@kubernetes/client-node'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { jsonObject, kindOf, readAnswer } from '../../../adapters/kubernetes/answers.ts'
import { MalformedAnswer, neededText, objectIn } from '../../../adapters/kubernetes/fields.ts'
import type { Fields } from '../../../adapters/kubernetes/model-fields.ts'
import { servedResources } from '../../../adapters/kubernetes/objects.ts'
import { requestWords } from '../../../adapters/kubernetes/request-words.ts'
import type { KubernetesSession } from '../../../adapters/kubernetes/session.ts'

const API_VERSION = 'authentication.k8s.io/v1'
const PATH = `/apis/${API_VERSION}/selfsubjectreviews`
const KIND = 'SelfSubjectReview'

/** The user of these credentials by the API server (SelfSubjectReview, Kubernetes 1.28); null if the server is older. */
export async function whoAmI(session: KubernetesSession, signal?: AbortSignal): Promise<Result<string | null>> {
  const served = await servedResources(session, API_VERSION, signal)
  if (!served.ok) return served
  if (served.value?.has('selfsubjectreviews') !== true) return ok(null)
  const answer = await session.exchange({
    method: 'POST',
    path: PATH,
    body: { apiVersion: API_VERSION, kind: KIND },
    signal,
  })
  if (!answer.ok) return answer
  return readAnswer(requestWords('POST', PATH), answer.value, body => {
    const review: Fields<V1SelfSubjectReview> = jsonObject(body)
    if (review.kind !== KIND || review.apiVersion !== API_VERSION)
      throw new MalformedAnswer(because('ReviewOfOtherKind', kindOf(review)))
    return neededText(objectIn(objectIn(review, 'status'), 'userInfo'), 'username')
  })
}
