/** A safety line broken on purpose, and what must notice it. */
export interface Mutant {
  /** In kebab-case; no other has it. */
  readonly name: string
  /** What an operator loses when the line is gone. */
  readonly harm: string
  readonly changes: readonly Change[]
  readonly caughtBy: Catcher
}

/** In this file, `from`, which occurs exactly once, becomes `to`. */
export interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A test whose full name contains the title, or the simulation within so many schedules. */
export type Catcher =
  | { readonly kind: 'test'; readonly file: string; readonly title: string }
  | { readonly kind: 'simulation'; readonly schedules: number; readonly options?: readonly string[] }
