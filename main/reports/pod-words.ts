import type { ReportPod } from '../../shared/domain/report.ts'

/** Said of a pod whose eviction was taken and whose end nobody saw. */
export const EVICTION_TAKEN = 'Its eviction was taken; nobody saw it leave.'

/** Whether the API server took the pod's eviction, as far as the journal knows. */
export function wasEvicted({ outcome, words }: Pick<ReportPod, 'outcome' | 'words'>): boolean {
  return outcome === 'left' || (outcome === 'asked' && words.startsWith(EVICTION_TAKEN))
}
