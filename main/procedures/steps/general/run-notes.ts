import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/** Notes on the node which run changed something for it; null removes the note. A machine outside Kubernetes has it on its Lease. */
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
  // A machine's note also goes after it became a node.
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

/** The run noted on a node or its Lease; null if there is no note. */
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
