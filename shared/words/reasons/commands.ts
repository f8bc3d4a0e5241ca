import type { TextsOf } from '../steps/coded.ts'

/** Texts of commands on this machine. */
export const COMMANDS_REASONS = {} satisfies TextsOf<string>
