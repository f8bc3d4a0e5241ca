import { listed } from '../grammar/counts.ts'

/** Finalizers by which Kubernetes itself tidies up, and which it takes away by itself. */
const KUBERNETES_OWN: ReadonlySet<string> = new Set([
  'batch.kubernetes.io/job-tracking',
  'foregroundDeletion',
  'orphan',
])

/** The finalizers of an object that somebody else than Kubernetes has to take away before it is gone. */
export function foreignFinalizers(finalizers: readonly string[]): readonly string[] {
  return finalizers.filter(finalizer => !KUBERNETES_OWN.has(finalizer))
}

/** `its finalizer a`, or `its finalizers a and b`. */
export function finalizersNamed(finalizers: readonly string[]): string {
  return `its ${finalizers.length < 2 ? 'finalizer' : 'finalizers'} ${listed(finalizers)}`
}
