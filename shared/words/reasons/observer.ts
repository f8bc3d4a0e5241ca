import type { TextsOf } from '../steps/coded.ts'

/** Texts of an observed update. */
export const OBSERVER_REASONS = {} satisfies TextsOf<string>
