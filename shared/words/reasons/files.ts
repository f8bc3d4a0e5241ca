import type { TextsOf } from '../steps/coded.ts'

/** Texts of files that an operator names. */
export const FILES_REASONS = {} satisfies TextsOf<string>
