import { listed } from '../grammar/counts.ts'

/** Kubernetes itself processes and removes these. */
const KUBERNETES_OWN: ReadonlySet<string> = new Set([
  'batch.kubernetes.io/job-tracking',
  'foregroundDeletion',
  'orphan',
])

/** Another program must remove these before the object is deleted. */
export function foreignFinalizers(finalizers: readonly string[]): readonly string[] {
  return finalizers.filter(finalizer => !KUBERNETES_OWN.has(finalizer))
}

/** `its finalizer a`, or `its finalizers a and b`. */
export function finalizersNamed(finalizers: readonly string[]): string {
  return `its ${finalizers.length < 2 ? 'finalizer' : 'finalizers'} ${listed(finalizers)}`
}
