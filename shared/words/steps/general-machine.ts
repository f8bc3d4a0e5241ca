import type { FaultText, StepTexts, TextsOf } from './coded.ts'

/** What the steps of machines that are off, or no nodes of Kubernetes are. */
export const MACHINE_STEPS = {} satisfies StepTexts

/** What the steps of machines that are off, or no nodes of Kubernetes find. */
export const MACHINE_FINDINGS = {} satisfies TextsOf<string>

/** What is in the way of the steps of machines that are off, or no nodes of Kubernetes. */
export const MACHINE_FAULTS = {} satisfies TextsOf<FaultText>

/** What the steps of machines that are off, or no nodes of Kubernetes read. */
export const MACHINE_READS = {} satisfies TextsOf<string>
