import type { Failure } from '../../shared/domain/failure.ts'

/**
 * One thing that was looked at. `attention`: it works, and something is to be known or done. `cannot-tell`: it could not be looked at, which
 * is never as good as fine.
 */
export interface Finding {
  /** What it belongs to: `this machine`, `data directory`, `journal`, `kubeconfig`, or `cluster lab`. */
  readonly about: string
  readonly name: string
  readonly outcome: 'fine' | 'attention' | 'broken' | 'cannot-tell'
  readonly message: string
  /** What to do next; null where nothing is to be done. */
  readonly next: string | null
}

/** All that was looked at, and what it comes to. */
export interface Examination {
  readonly examinedAt: string
  readonly dataDirectory: string
  /** `works`: nothing is broken, and everything could be told. */
  readonly verdict: 'works' | 'broken' | 'cannot-tell'
  readonly findings: readonly Finding[]
}

/** How findings about one thing are made. */
export interface Findings {
  fine(name: string, message: string): Finding
  attention(name: string, message: string, next: string | null): Finding
  broken(name: string, why: string | Pick<Failure, 'message'>, next: string | null): Finding
  cannotTell(name: string, message: string, next?: string): Finding
}

/** Findings about one thing. */
export function findingsAbout(about: string): Findings {
  return {
    fine: (name, message) => ({ about, name, outcome: 'fine', message, next: null }),
    attention: (name, message, next) => ({ about, name, outcome: 'attention', message, next }),
    broken: (name, why, next) => ({
      about,
      name,
      outcome: 'broken',
      message: typeof why === 'string' ? why : why.message,
      next,
    }),
    cannotTell: (name, message, next) => ({ about, name, outcome: 'cannot-tell', message, next: next ?? null }),
  }
}

/** What findings come to: what is broken counts before what could not be told. */
export function verdictOf(findings: readonly Finding[]): Examination['verdict'] {
  const has = (outcome: Finding['outcome']) => findings.some(finding => finding.outcome === outcome)
  return has('broken') ? 'broken' : has('cannot-tell') ? 'cannot-tell' : 'works'
}
