import type { Unreadable } from '../../../shared/domain/maintenance-run.ts'

/** How many objects are in each phase; `New`: no runner has read it, or its status cannot be read. */
export function countByPhase<P extends string>(
  objects: readonly { readonly status: { readonly phase: P } | Unreadable | null }[],
): ReadonlyMap<P | 'New', number> {
  const phases = objects.map(({ status }) => (status === null || 'unreadable' in status ? 'New' : status.phase))
  return new Map([...Map.groupBy(phases, phase => phase)].map(([phase, all]) => [phase, all.length]))
}
