import type { TextsOf } from '../steps/coded.ts'

/** Texts of Juju. */
export const JUJU_REASONS = {} satisfies TextsOf<string>

/** What is asked there, in the infinitive. */
export const JUJU_CALLS = {} satisfies TextsOf<string>
