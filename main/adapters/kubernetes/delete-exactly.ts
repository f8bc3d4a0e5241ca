import { failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceKind } from '../../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { deleteObject } from './objects.ts'
import { maintenanceType } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** An object of the node maintenance API, with the UID so that one made anew under its name is never mistaken for it. */
export interface ExactObject {
  readonly kind: MaintenanceKind
  readonly name: string
  readonly uid: string
}

/** Deletes exactly this object; one that is gone already is fine, another one under its name is not touched. */
export async function deleteExactly(
  session: KubernetesSession,
  object: ExactObject,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const { kind, name, uid } = object
  const answer = await deleteObject(session, { type: maintenanceType(kind), namespace: null, name }, uid, signal)
  if (answer.ok || answer.failure.code === 'not-found') return ok(undefined)
  return answer.failure.code === 'conflict' ? failed(madeAnew(object)) : answer
}

/** Says that under a name there is another object than the one that was meant. */
export function madeAnew({ kind, name }: Pick<ExactObject, 'kind' | 'name'>) {
  return failure(
    'conflict',
    `${kind} ${name} is another object now: it was deleted and made anew. Look at the new one before you go on.`,
    { retryable: true, target: `${kind}/${name}` },
  )
}
