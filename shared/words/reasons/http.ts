import type { TextsOf } from '../steps/coded.ts'

/** Texts of a connection over HTTP. */
export const HTTP_REASONS = {} satisfies TextsOf<string>
