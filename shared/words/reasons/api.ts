import type { TextsOf } from '../steps/coded.ts'

/** Texts of what an operator asks the program for. */
export const API_REASONS = {} satisfies TextsOf<string>
