import type { FaultText, StepTexts, TextsOf } from './coded.ts'

/** What the steps of the drain of a node are. */
export const DRAIN_STEPS = {} satisfies StepTexts

/** What the steps of the drain of a node find. */
export const DRAIN_FINDINGS = {} satisfies TextsOf<string>

/** What is in the way of the steps of the drain of a node. */
export const DRAIN_FAULTS = {} satisfies TextsOf<FaultText>

/** What the steps of the drain of a node read. */
export const DRAIN_READS = {} satisfies TextsOf<string>
