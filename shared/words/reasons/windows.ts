import type { TextsOf } from '../steps/coded.ts'

/** Texts of windows and starts agreed in advance. */
export const WINDOWS_REASONS = {} satisfies TextsOf<string>
