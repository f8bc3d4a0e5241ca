import type { TextsOf } from '../steps/coded.ts'

/** Texts of what an operator asks the program for. */
export const DESK_REASONS = {} satisfies TextsOf<string>
