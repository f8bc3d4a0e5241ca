import type { TextsOf } from '../steps/coded.ts'

/** Texts of the APIs of OpenStack. */
export const OPENSTACK_REASONS = {} satisfies TextsOf<string>

/** What is asked there, in the infinitive. */
export const OPENSTACK_CALLS = {} satisfies TextsOf<string>
