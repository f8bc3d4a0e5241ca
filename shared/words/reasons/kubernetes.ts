import type { TextsOf } from '../steps/coded.ts'

/** Texts of the Kubernetes API. */
export const KUBERNETES_REASONS = {} satisfies TextsOf<string>

/** What is asked there, in the infinitive. */
export const KUBERNETES_CALLS = {} satisfies TextsOf<string>
