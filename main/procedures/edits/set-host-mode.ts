import type { Failure } from '../../../shared/domain/failure.ts'
import { ATTEMPTS_ANNOTATION, HOST_MODE_ANNOTATION, type HostMode } from '../../../shared/domain/instance-policy.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { fault } from '../../../shared/words/step-texts.ts'
import type { KubernetesPort } from '../../ports/kubernetes.ts'
import { refusal, reworded } from '../answers.ts'

/** The two annotations of a host; null where it has none. */
interface HostModeAnnotations {
  readonly mode: string | null
  readonly attempts: string | null
}

/** Absent changes nothing, null removes. `restore` writes back any text, for undo. */
interface HostModeChange {
  readonly mode?: HostMode | null | undefined
  readonly attempts?: number | null | undefined
  readonly restore?:
    | { readonly mode?: string | null | undefined; readonly attempts?: string | null | undefined }
    | undefined
}

/** How a host's mode changed, or why it did not. */
type HostModeOutcome =
  | { readonly kind: 'unread'; readonly failure: Failure }
  | { readonly kind: 'same'; readonly before: HostModeAnnotations }
  /** Requested; `after` is what the node has now, or why that differs from the request. */
  | {
      readonly kind: 'asked'
      readonly before: HostModeAnnotations
      readonly wanted: HostModeAnnotations
      readonly after: Result<HostModeAnnotations>
    }

/** Writes only a host's migration mode and attempts (docs/domain.md A.5), then reads them back. */
export async function setHostMode(
  kubernetes: Pick<KubernetesPort, 'getNode' | 'annotateNode'>,
  name: string,
  change: HostModeChange,
): Promise<HostModeOutcome> {
  const read = await kubernetes.getNode(name)
  if (!read.ok) return { kind: 'unread', failure: read.failure }
  const before = annotationsOf(read.value)
  const wanted = { mode: modeOf(change, before), attempts: attemptsOf(change, before) }
  const patch = {
    ...(wanted.mode === before.mode ? {} : { [HOST_MODE_ANNOTATION]: wanted.mode }),
    ...(wanted.attempts === before.attempts ? {} : { [ATTEMPTS_ANNOTATION]: wanted.attempts }),
  }
  if (Object.keys(patch).length === 0) return { kind: 'same', before }
  const written = await kubernetes.annotateNode(name, patch)
  return { kind: 'asked', before, wanted, after: written.ok ? await readBack(kubernetes, name, wanted) : written }
}

async function readBack(
  kubernetes: Pick<KubernetesPort, 'getNode'>,
  name: string,
  wanted: HostModeAnnotations,
): Promise<Result<HostModeAnnotations>> {
  const again = await kubernetes.getNode(name)
  if (!again.ok) return failed(notReadBack(name, again.failure))
  const after = annotationsOf(again.value)
  const isAsWanted = after.mode === wanted.mode && after.attempts === wanted.attempts
  return isAsWanted ? ok(after) : failed(changedByOthers(name, after))
}

function annotationsOf({ annotations }: ClusterNode): HostModeAnnotations {
  return {
    mode: annotations[HOST_MODE_ANNOTATION] ?? null,
    attempts: annotations[ATTEMPTS_ANNOTATION] ?? null,
  }
}

function modeOf({ mode, restore }: HostModeChange, before: HostModeAnnotations): string | null {
  if (restore?.mode !== undefined) return restore.mode
  return mode === undefined ? before.mode : mode
}

function attemptsOf({ attempts, restore }: HostModeChange, before: HostModeAnnotations): string | null {
  if (restore?.attempts !== undefined) return restore.attempts
  if (attempts === undefined) return before.attempts
  return attempts === null ? null : String(attempts)
}

function notReadBack(name: string, why: Failure): Failure {
  return reworded(why, fault('ModeNotReadBack', { node: name, cause: why.message }))
}

function changedByOthers(name: string, after: HostModeAnnotations): Failure {
  return refusal('conflict', fault('ModeChangedByOthers', { node: name, ...after }), { target: `node/${name}` })
}
