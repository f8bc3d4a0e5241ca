import type { TextsOf } from '../steps/coded.ts'

/** Texts of the journal. */
export const JOURNAL_REASONS = {} satisfies TextsOf<string>
