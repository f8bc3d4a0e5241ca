import type { TextsOf } from '../steps/coded.ts'

/** Texts of the test of a cluster. */
export const CLUSTER_TESTS_REASONS = {} satisfies TextsOf<string>
