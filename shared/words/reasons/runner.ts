import type { TextsOf } from '../steps/coded.ts'

/** Texts of a runner. */
export const RUNNER_REASONS = {} satisfies TextsOf<string>
