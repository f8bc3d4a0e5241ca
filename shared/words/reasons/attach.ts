import type { TextsOf } from '../steps/coded.ts'

/** Texts of what a console and a runner say to each other. */
export const ATTACH_REASONS = {} satisfies TextsOf<string>

/** What is asked there, in the infinitive. */
export const ATTACH_CALLS = {} satisfies TextsOf<string>
