import type { TextsOf } from '../steps/coded.ts'

/** Texts of runs and their driving. */
export const RUNS_REASONS = {} satisfies TextsOf<string>
