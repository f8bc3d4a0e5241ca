import { failure } from '../../../shared/domain/failure.ts'
import { failed, type Result } from '../../../shared/domain/result.ts'
import type { JobStanding } from '../../ports/kubernetes.ts'
import type { KubernetesObject } from './answers.ts'
import { numberIn, objectIn, objectsIn, textIn } from './fields.ts'
import { createObject, getObject } from './objects.ts'
import { rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import { JOBS } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** Creates a Job by a manifest, or answers the one that is there under its name. */
export async function createJob(
  session: KubernetesSession,
  namespace: string,
  manifest: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Result<JobStanding>> {
  const name = rawText(rawObject(manifest.metadata).name)
  if (name === '') {
    return failed(failure('bad-input', 'The manifest of the Job gives it no name. Name it in metadata.name.'))
  }
  const created = await createObject(session, { type: JOBS, namespace, name }, manifest, jobStateOf, { signal })
  return created.ok || created.failure.code !== 'conflict' ? created : getJob(session, namespace, name, signal)
}

/** Reads a Job afresh. */
export async function getJob(
  session: KubernetesSession,
  namespace: string,
  name: string,
  signal?: AbortSignal,
): Promise<Result<JobStanding>> {
  return getObject(session, { type: JOBS, namespace, name }, jobStateOf, signal)
}

function jobStateOf(object: KubernetesObject): JobStanding {
  const { namespace, name, uid } = readMetadata(object)
  const status = objectIn(object, 'status')
  const conditions = objectsIn(status, 'conditions')
  const is = (type: string) => conditions.find(condition => condition.type === type && condition.status === 'True')
  const failure = is('Failed')
  const pods = `${numberIn(status, 'active')} pods active, ${numberIn(status, 'succeeded')} succeeded, ${numberIn(status, 'failed')} failed`
  return {
    namespace,
    name,
    uid,
    state: failure !== undefined ? 'failed' : is('Complete') !== undefined ? 'complete' : 'running',
    message: failure === undefined ? pods : textIn(failure, 'message') || textIn(failure, 'reason') || pods,
  }
}
