import type { TextsOf } from '../steps/coded.ts'

/** Texts of settings of this console. */
export const SETTINGS_REASONS = {} satisfies TextsOf<string>
