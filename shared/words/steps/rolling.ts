import type { FaultText, StepTexts, TextsOf } from './coded.ts'

/** What the steps of this room are. */
export const ROLLING_STEPS = {} satisfies StepTexts

/** What the steps of this room find. */
export const ROLLING_FINDINGS = {} satisfies TextsOf<string>

/** What is in the way of the steps of this room. */
export const ROLLING_FAULTS = {} satisfies TextsOf<FaultText>

/** What the steps of this room read. */
export const ROLLING_READS = {} satisfies TextsOf<string>
