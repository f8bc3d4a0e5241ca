import type { Failure } from '../../../shared/domain/failure.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding as Coded, Values } from '../../../shared/words/steps/coded.ts'

/** The result of one check. `attention`: it works, but needs attention. `cannot-tell`: the check was not possible, which never counts as fine. */
export interface Finding {
  /** The subject: `this machine`, `data directory`, `journal`, `kubeconfig`, or `cloud lab`. */
  readonly about: string
  readonly name: string
  readonly outcome: 'fine' | 'attention' | 'broken' | 'cannot-tell'
  readonly message: string
  /** The code of `message`, if the text is Lockkeeper's. */
  readonly code?: string
  readonly values?: Values
  /** The next step; null if nothing needs to be done. */
  readonly next: string | null
  readonly nextCode?: string
  readonly nextValues?: Values
}

/** A text by its code, or a text of another program without one. */
type Said = Pick<Coded, 'message'> & Partial<Coded>

export interface Examination {
  readonly examinedAt: string
  readonly dataDirectory: string
  /** `works`: nothing is broken, and every check was possible. */
  readonly verdict: 'works' | 'broken' | 'cannot-tell'
  readonly findings: readonly Finding[]
}

export interface Findings {
  fine(name: string, seen: Said): Finding
  attention(name: string, seen: Said, next: Said | null): Finding
  broken(name: string, seen: Said, next: Said | null): Finding
  cannotTell(name: string, seen: Said, next?: Said): Finding
  /** The check was not possible because something is broken. */
  failed(name: string, failure: Failure, next?: Said): Finding
}

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

/** `broken` outranks `cannot-tell`. */
export function verdictOf(findings: readonly Finding[]): Examination['verdict'] {
  const has = (outcome: Finding['outcome']) => findings.some(finding => finding.outcome === outcome)
  return has('broken') ? 'broken' : has('cannot-tell') ? 'cannot-tell' : 'works'
}
