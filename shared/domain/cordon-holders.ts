import { listed } from '../grammar/counts.ts'

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
export type CordonStanding =
  /** The run's own still. */
  | { readonly kind: 'own' }
  /** Others hold it, by themselves or beside the run. */
  | { readonly kind: 'of-others'; readonly holders: readonly CordonHolder[] }
  /** The API server names nobody, or a Lockkeeper that did not say which run it was. */
  | { readonly kind: 'untold'; readonly holders: readonly CordonHolder[] }

/** Whose a cordon is. What managedFields do not tell is not guessed: a server may keep none, and anybody may strip them. */
export function cordonStanding(holders: readonly CordonHolder[], runId: string): CordonStanding {
  const others = holders.filter(({ manager }) => manager !== managerOfRun(runId) && manager !== ANY_OF_OURS)
  if (others.length > 0) return { kind: 'of-others', holders: others }
  return holders.length > 0 && holders.every(({ manager }) => manager !== ANY_OF_OURS)
    ? { kind: 'own' }
    : { kind: 'untold', holders }
}

/** Who cordoned a node and when, as far as that is told: `by kubectl (it last wrote the node at 2026-01-01T10:00:00Z)`. */
export function cordonedByWords(holders: readonly CordonHolder[]): string {
  return holders.length === 0
    ? 'by somebody whom Kubernetes does not name'
    : `by ${listed(holders.map(({ manager, at }) => `${managerWords(manager)}${at === null ? '' : ` (it last wrote the node at ${at})`}`))}`
}

/** Whether all who hold a cordon are Lockkeeper, whichever run it was. */
export function isLockkeepers(holders: readonly CordonHolder[]): boolean {
  return holders.length > 0 && holders.every(({ manager }) => manager === ANY_OF_OURS || manager.startsWith(RUN))
}

function managerWords(manager: string): string {
  if (manager.startsWith(RUN)) return `run ${manager.slice(RUN.length)} of Lockkeeper`
  return manager === ANY_OF_OURS ? 'Lockkeeper, which did not say for which run' : manager
}

/** What Lockkeeper writes outside of a run: its user agent. */
const ANY_OF_OURS = 'lockkeeper'
const RUN = 'lockkeeper-run-'
