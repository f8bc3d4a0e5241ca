/** A field manager of `spec.unschedulable` (managedFields). `at`: its last change, by the API server's clock; null if unknown. */
export interface CordonHolder {
  readonly manager: string
  readonly at: string | null
}

/** Each run has its own, so that its cordon differs from another run's. */
export function managerOfRun(runId: string): string {
  return `${RUN}${runId}`
}

export type CordonStatus =
  | { readonly kind: 'own' }
  | { readonly kind: 'of-others'; readonly holders: readonly CordonHolder[] }
  /** The API server names no manager, or a Lockkeeper without a run. */
  | { readonly kind: 'untold'; readonly holders: readonly CordonHolder[] }

/** Missing managedFields are not guessed: a server may keep none, and anybody may strip them. */
export function cordonStatus(holders: readonly CordonHolder[], runId: string): CordonStatus {
  const others = holders.filter(({ manager }) => manager !== managerOfRun(runId) && manager !== ANY_OF_OURS)
  if (others.length > 0) return { kind: 'of-others', holders: others }
  return holders.length > 0 && holders.every(({ manager }) => manager !== ANY_OF_OURS)
    ? { kind: 'own' }
    : { kind: 'untold', holders }
}

/** An uncordon takes the field from all its managers. */
export function holdsCordon(holders: readonly CordonHolder[], runId: string): boolean {
  return holders.some(({ manager }) => manager === managerOfRun(runId))
}

type CordonedBy =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'lockkeeper' }
  | { readonly kind: 'other'; readonly manager: string }

export function cordonedBy({ manager }: Pick<CordonHolder, 'manager'>): CordonedBy {
  if (manager.startsWith(RUN)) return { kind: 'run', runId: manager.slice(RUN.length) }
  return manager === ANY_OF_OURS ? { kind: 'lockkeeper' } : { kind: 'other', manager }
}

export function isLockkeepers(holders: readonly CordonHolder[]): boolean {
  return holders.length > 0 && holders.every(holder => cordonedBy(holder).kind !== 'other')
}

const ANY_OF_OURS = 'lockkeeper'
const RUN = 'lockkeeper-run-'
