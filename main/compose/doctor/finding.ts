import type { Failure } from '../../../shared/domain/failure.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding as Coded, Values } from '../../../shared/words/steps/coded.ts'

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
  /** What `message` says, where it is of our own. */
  readonly code?: string
  readonly values?: Values
  /** What to do next; null where nothing is to be done. */
  readonly next: string | null
  /** The same of `next`. */
  readonly nextCode?: string
  readonly nextValues?: Values
}

/** What is said of something: by a code, or in the words of another who has none. */
type Said = Pick<Coded, 'message'> & Partial<Coded>

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
  fine(name: string, seen: Said): Finding
  attention(name: string, seen: Said, next: Said | null): Finding
  broken(name: string, seen: Said, next: Said | null): Finding
  cannotTell(name: string, seen: Said, next?: Said): Finding
  /** Something could not be looked at, because it is broken. */
  failed(name: string, failure: Failure, next?: Said): Finding
}

/** Findings about one thing. */
export function findingsAbout(about: string): Findings {
  const found = (name: string, outcome: Finding['outcome'], seen: Said, next: Said | null = null): Finding => ({
    about,
    name,
    outcome,
    ...seen,
    next: next?.message ?? null,
    ...(next?.code === undefined ? {} : { nextCode: next.code, nextValues: next.values ?? {} }),
  })
  return {
    fine: (name, seen) => found(name, 'fine', seen),
    attention: (name, seen, next) => found(name, 'attention', seen, next),
    broken: (name, seen, next) => found(name, 'broken', seen, next),
    cannotTell: (name, seen, next) => found(name, 'cannot-tell', seen, next),
    failed: (name, failure, next) => found(name, 'broken', findingIn(failure), next),
  }
}

/** What findings come to: what is broken counts before what could not be told. */
export function verdictOf(findings: readonly Finding[]): Examination['verdict'] {
  const has = (outcome: Finding['outcome']) => findings.some(finding => finding.outcome === outcome)
  return has('broken') ? 'broken' : has('cannot-tell') ? 'cannot-tell' : 'works'
}
