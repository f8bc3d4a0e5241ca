import type { TextsOf } from '../steps/coded.ts'

/** Texts of the controllers of the maintenance API. */
export const CONTROLLERS_REASONS = {} satisfies TextsOf<string>
