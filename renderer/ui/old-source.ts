import type { SourceState } from '../../shared/domain/cluster-view.ts'

/** Whether data of a source may be old. */
export function isOld(state: SourceState | undefined): boolean {
  return state?.kind === 'offline' || state?.kind === 'not-permitted'
}
