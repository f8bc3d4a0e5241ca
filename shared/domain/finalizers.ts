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
  const last = finalizers.at(-1) ?? ''
  return finalizers.length < 2
    ? `its finalizer ${last}`
    : `its finalizers ${finalizers.slice(0, -1).join(', ')} and ${last}`
}
