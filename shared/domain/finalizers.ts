import { listed } from '../grammar/counts.ts'

/** Finalizers that Kubernetes itself processes and removes. */
const KUBERNETES_OWN: ReadonlySet<string> = new Set([
  'batch.kubernetes.io/job-tracking',
  'foregroundDeletion',
  'orphan',
])

/** Finalizers that another program than Kubernetes must remove before the object is deleted. */
export function foreignFinalizers(finalizers: readonly string[]): readonly string[] {
  return finalizers.filter(finalizer => !KUBERNETES_OWN.has(finalizer))
}

/** `its finalizer a`, or `its finalizers a and b`. */
export function finalizersNamed(finalizers: readonly string[]): string {
  return `its ${finalizers.length < 2 ? 'finalizer' : 'finalizers'} ${listed(finalizers)}`
}
