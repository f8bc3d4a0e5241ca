/**
 * One who holds the cordon of a node, as the node's managedFields tell: the manager of its field `spec.unschedulable`. `at` is when that manager last changed
 * anything of the node, by the API server's clock; null: it is not told.
 */
export interface CordonHolder {
  readonly manager: string
  readonly at: string | null
}

/** By these words the API server knows what a run of ours writes: each run is a manager of its own, so that its cordon is told from that of another run. */
export function managerOfRun(runId: string): string {
  return `${RUN}${runId}`
}

/** Whose the cordon of a node is, for a run that cordoned it once. */
export type CordonStatus =
  /** The run's own still. */
  | { readonly kind: 'own' }
  /** Others hold it, by themselves or beside the run. */
  | { readonly kind: 'of-others'; readonly holders: readonly CordonHolder[] }
  /** The API server names nobody, or a Lockkeeper that did not say which run it was. */
  | { readonly kind: 'untold'; readonly holders: readonly CordonHolder[] }

/** Whose a cordon is. What managedFields do not tell is not guessed: a server may keep none, and anybody may strip them. */
export function cordonStatus(holders: readonly CordonHolder[], runId: string): CordonStatus {
  const others = holders.filter(({ manager }) => manager !== managerOfRun(runId) && manager !== ANY_OF_OURS)
  if (others.length > 0) return { kind: 'of-others', holders: others }
  return holders.length > 0 && holders.every(({ manager }) => manager !== ANY_OF_OURS)
    ? { kind: 'own' }
    : { kind: 'untold', holders }
}

/** Whether a run's cordon is there still: whoever lifts it takes the field away from all its managers. */
export function holdsCordon(holders: readonly CordonHolder[], runId: string): boolean {
  return holders.some(({ manager }) => manager === managerOfRun(runId))
}

/** Whose a manager is: a run of Lockkeeper, a Lockkeeper that did not say for which run, or another program. */
type CordonedBy =
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'lockkeeper' }
  | { readonly kind: 'other'; readonly manager: string }

/** Who a manager is. */
export function cordonedBy({ manager }: Pick<CordonHolder, 'manager'>): CordonedBy {
  if (manager.startsWith(RUN)) return { kind: 'run', runId: manager.slice(RUN.length) }
  return manager === ANY_OF_OURS ? { kind: 'lockkeeper' } : { kind: 'other', manager }
}

/** Whether all who hold a cordon are Lockkeeper, whichever run it was. */
export function isLockkeepers(holders: readonly CordonHolder[]): boolean {
  return holders.length > 0 && holders.every(holder => cordonedBy(holder).kind !== 'other')
}

/** What Lockkeeper writes outside of a run: its user agent. */
const ANY_OF_OURS = 'lockkeeper'
const RUN = 'lockkeeper-run-'
