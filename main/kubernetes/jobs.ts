import { ok, type Result } from '../../shared/domain/result.ts'
import type { JobStanding } from '../maintenance/ports.ts'
import { rawList, rawNumber, rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import type { KubernetesSession } from './session.ts'

/** Creates a Job by a manifest, or answers the one that is there under its name. */
export async function createJob(
  session: KubernetesSession,
  namespace: string,
  manifest: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Result<JobStanding>> {
  const answer = await session.ask({ method: 'POST', path: folderOf(namespace), body: manifest, signal })
  if (answer.ok) return ok(standingOf(answer.value))
  if (answer.failure.code !== 'conflict') return answer
  return getJob(session, namespace, rawText(rawObject(manifest.metadata).name), signal)
}

/** Reads a Job afresh. */
export async function getJob(
  session: KubernetesSession,
  namespace: string,
  name: string,
  signal?: AbortSignal,
): Promise<Result<JobStanding>> {
  const answer = await session.ask({
    method: 'GET',
    path: `${folderOf(namespace)}/${encodeURIComponent(name)}`,
    signal,
  })
  return answer.ok ? ok(standingOf(answer.value)) : answer
}

function folderOf(namespace: string): string {
  return `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs`
}

function standingOf(body: unknown): JobStanding {
  const object = rawObject(body)
  const { namespace, name, uid } = readMetadata(object)
  const status = rawObject(object.status)
  const conditions = rawList(status.conditions).map(rawObject)
  const is = (type: string) => conditions.find(condition => condition.type === type && condition.status === 'True')
  const failure = is('Failed')
  const pods = `${rawNumber(status.active)} pods active, ${rawNumber(status.succeeded)} succeeded, ${rawNumber(status.failed)} failed`
  return {
    namespace: namespace ?? '',
    name,
    uid,
    state: failure !== undefined ? 'failed' : is('Complete') !== undefined ? 'complete' : 'running',
    message: failure === undefined ? pods : rawText(failure.message) || rawText(failure.reason) || pods,
  }
}
