/** A safety line of the product, broken on purpose, and what must notice it. */
export interface Mutant {
  /** In kebab-case; no other entry of the table has it. */
  readonly name: string
  /** What an operator loses when the line is gone, one plain sentence. */
  readonly harm: string
  /** What breaks the line. All changes are made together. */
  readonly changes: readonly Change[]
  readonly caughtBy: Catcher
}

/** In this file, `from` becomes `to`. */
export interface Change {
  /** From the root of the repository, with slashes. */
  readonly file: string
  /** Occurs exactly once in the file: the run of the mutants fails when the line was edited. */
  readonly from: string
  readonly to: string
}

/** What fails while the line is broken, and passes while it is not. */
export type Catcher =
  /** A test under Vitest. `title` is text that the test's full name contains: its groups and its own title, a space between. */
  | { readonly kind: 'test'; readonly file: string; readonly title: string }
  /**
   * The simulation breaks a promise within this many schedules from seed 1. `options` are flags of `run-seeds.ts`,
   * such as `--batches`.
   */
  | { readonly kind: 'simulation'; readonly schedules: number; readonly options?: readonly string[] }
