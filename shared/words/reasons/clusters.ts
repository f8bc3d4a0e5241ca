import type { TextsOf } from '../steps/coded.ts'

/** Texts of clusters, their files and credentials. */
export const CLUSTERS_REASONS = {} satisfies TextsOf<string>
