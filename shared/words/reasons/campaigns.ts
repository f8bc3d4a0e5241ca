import type { TextsOf } from '../steps/coded.ts'

/** Texts of campaigns over several windows. */
export const CAMPAIGNS_REASONS = {} satisfies TextsOf<string>
