import type { FaultText, StepTexts, TextsOf } from './coded.ts'

/** What the steps of this room are. */
export const INSTANCES_STEPS = {} satisfies StepTexts

/** What the steps of this room find. */
export const INSTANCES_FINDINGS = {} satisfies TextsOf<string>

/** What is in the way of the steps of this room. */
export const INSTANCES_FAULTS = {} satisfies TextsOf<FaultText>

/** What the steps of this room read. */
export const INSTANCES_READS = {} satisfies TextsOf<string>
