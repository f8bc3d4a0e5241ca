import type { TextsOf } from '../steps/coded.ts'

/** Texts of what the map shows. */
export const VIEW_REASONS = {} satisfies TextsOf<string>
