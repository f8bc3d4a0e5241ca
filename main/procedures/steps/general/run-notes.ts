import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/**
 * Notes the run that changed something for a node, or removes the note (null), on the node itself. A machine outside of Kubernetes is no node to note it
 * on: its Lease bears the note, and stays when the run gives it back. `announce` journals it, once it is known where the note goes.
 */
export async function noteRun(
  node: string,
  annotation: string,
  run: string | null,
  { world: { cluster, kubernetes }, signal }: MaintenanceContext,
  announce: () => void = () => {},
): Promise<Result<void>> {
  const note = { [annotation]: run }
  const read = await kubernetes.getNode(node, signal)
  const isOutside = !read.ok && read.failure.code === 'not-found' && cluster.flavour === 'sunbeam'
  if (!read.ok && !isOutside) return read
  // A note of a machine goes also after it became a node.
  const lease: Result<Readonly<Record<string, string>>> =
    cluster.flavour === 'sunbeam' ? await kubernetes.getLeaseAnnotations(node, signal) : ok({})
  if (!lease.ok) return lease
  announce()
  if (run === null ? lease.value[annotation] !== undefined : isOutside) {
    const noted = await kubernetes.annotateLease(node, note, signal)
    if (!noted.ok) return noted
  }
  return isOutside ? ok(undefined) : kubernetes.annotateNode(node, note, signal)
}

/** The run that is noted on a node, or on the Lease of a machine outside of Kubernetes; null: none is. */
export async function readRunNote(
  node: string,
  annotation: string,
  { world: { cluster, kubernetes }, signal }: MaintenanceContext,
): Promise<Result<string | null>> {
  const read = await kubernetes.getNode(node, signal)
  if (!read.ok && !(read.failure.code === 'not-found' && cluster.flavour === 'sunbeam')) return read
  const onNode = read.ok ? read.value.annotations[annotation] : undefined
  if (onNode !== undefined || cluster.flavour !== 'sunbeam') return ok(onNode ?? null)
  const lease = await kubernetes.getLeaseAnnotations(node, signal)
  return lease.ok ? ok(lease.value[annotation] ?? null) : lease
}
