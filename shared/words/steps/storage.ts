import type { FaultText, StepTexts, TextsOf } from './coded.ts'

/** What the steps of this room are. */
export const STORAGE_STEPS = {} satisfies StepTexts

/** What the steps of this room find. */
export const STORAGE_FINDINGS = {} satisfies TextsOf<string>

/** What is in the way of the steps of this room. */
export const STORAGE_FAULTS = {} satisfies TextsOf<FaultText>

/** What the steps of this room read. */
export const STORAGE_READS = {} satisfies TextsOf<string>
