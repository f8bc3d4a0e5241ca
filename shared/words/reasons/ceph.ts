import type { TextsOf } from '../steps/coded.ts'

/** Texts of Ceph's commands and their answers. */
export const CEPH_REASONS = {} satisfies TextsOf<string>

/** What is asked there, in the infinitive. */
export const CEPH_CALLS = {} satisfies TextsOf<string>
