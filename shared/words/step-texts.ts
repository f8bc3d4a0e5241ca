import {
  APPLICATIONS_FAULTS,
  APPLICATIONS_FINDINGS,
  APPLICATIONS_READS,
  APPLICATIONS_STEPS,
} from './steps/applications.ts'
import { type FaultText, type Finding, type StepText, valuesIn } from './steps/coded.ts'
import { COMPUTE_FAULTS, COMPUTE_FINDINGS, COMPUTE_READS, COMPUTE_STEPS } from './steps/compute.ts'
import { HOME_FAULTS, HOME_FINDINGS } from './steps/compute-home.ts'
import { MOVE_FAULTS, MOVE_FINDINGS } from './steps/compute-moves.ts'
import { PLACE_FAULTS, PLACE_FINDINGS } from './steps/compute-places.ts'
import { RETURN_FAULTS, RETURN_FINDINGS, RETURN_READS, RETURN_STEPS } from './steps/compute-return.ts'
import { CONTROL_FAULTS, CONTROL_FINDINGS, CONTROL_READS, CONTROL_STEPS } from './steps/control.ts'
import { EDITS_FAULTS } from './steps/edits.ts'
import { ENGINE_FAULTS, ENGINE_FINDINGS } from './steps/engine.ts'
import { GENERAL_FAULTS, GENERAL_FINDINGS, GENERAL_READS, GENERAL_STEPS } from './steps/general.ts'
import { DRAIN_FAULTS, DRAIN_FINDINGS, DRAIN_READS, DRAIN_STEPS } from './steps/general-drain.ts'
import { MACHINE_FAULTS, MACHINE_FINDINGS, MACHINE_READS, MACHINE_STEPS } from './steps/general-machine.ts'
import { OTHERS_FAULTS, OTHERS_FINDINGS, OTHERS_READS, OTHERS_STEPS } from './steps/general-others.ts'
import { INSTANCES_FAULTS, INSTANCES_FINDINGS, INSTANCES_READS, INSTANCES_STEPS } from './steps/instances.ts'
import {
  INSTANCES_MOVE_FAULTS,
  INSTANCES_MOVE_FINDINGS,
  INSTANCES_MOVE_REASONS,
  INSTANCES_MOVE_STEPS,
  INSTANCES_STUCK_FINDINGS,
} from './steps/instances-moves.ts'
import { INSTANCES_PLACE_FINDINGS } from './steps/instances-places.ts'
import { INSTANCES_PROOF_FAULTS } from './steps/instances-proofs.ts'
import { INSTANCES_RESCUE_FAULTS, INSTANCES_RESCUE_FINDINGS, INSTANCES_RESCUE_STEPS } from './steps/instances-rescue.ts'
import { MASAKARI_FAULTS, MASAKARI_FINDINGS, MASAKARI_READS, MASAKARI_STEPS } from './steps/masakari.ts'
import { PLANS_FAULTS, PLANS_FINDINGS } from './steps/plans.ts'
import { REQUESTS_FAULTS, REQUESTS_FINDINGS, REQUESTS_READS, REQUESTS_STEPS } from './steps/requests.ts'
import { RESCUE_FAULTS, RESCUE_FINDINGS, RESCUE_READS, RESCUE_STEPS } from './steps/rescue.ts'
import { ROLLING_FAULTS, ROLLING_FINDINGS, ROLLING_READS, ROLLING_STEPS } from './steps/rolling.ts'
import { STORAGE_FAULTS, STORAGE_FINDINGS, STORAGE_READS, STORAGE_STEPS } from './steps/storage.ts'
import { STORAGE_NOOUT_FAULTS, STORAGE_NOOUT_FINDINGS } from './steps/storage-noout.ts'
import { WATCHER_FAULTS, WATCHER_FINDINGS, WATCHER_READS, WATCHER_STEPS } from './steps/watcher.ts'
import { WATCHER_BLOCKER_FAULTS } from './steps/watcher-blockers.ts'

/**
 * All texts of the steps of procedures, by code: titles, findings, faults and readings. A procedure gives only a code
 * with values.
 */
const STEPS = {
  ...APPLICATIONS_STEPS,
  ...COMPUTE_STEPS,
  ...CONTROL_STEPS,
  ...DRAIN_STEPS,
  ...GENERAL_STEPS,
  ...MACHINE_STEPS,
  ...OTHERS_STEPS,
  ...INSTANCES_STEPS,
  ...INSTANCES_MOVE_STEPS,
  ...INSTANCES_RESCUE_STEPS,
  ...MASAKARI_STEPS,
  ...REQUESTS_STEPS,
  ...RESCUE_STEPS,
  ...RETURN_STEPS,
  ...ROLLING_STEPS,
  ...STORAGE_STEPS,
  ...WATCHER_STEPS,
}
const FINDINGS = {
  ...APPLICATIONS_FINDINGS,
  ...COMPUTE_FINDINGS,
  ...CONTROL_FINDINGS,
  ...DRAIN_FINDINGS,
  ...ENGINE_FINDINGS,
  ...GENERAL_FINDINGS,
  ...MACHINE_FINDINGS,
  ...OTHERS_FINDINGS,
  ...HOME_FINDINGS,
  ...INSTANCES_FINDINGS,
  ...MOVE_FINDINGS,
  ...PLACE_FINDINGS,
  ...INSTANCES_MOVE_FINDINGS,
  ...INSTANCES_MOVE_REASONS,
  ...INSTANCES_PLACE_FINDINGS,
  ...INSTANCES_RESCUE_FINDINGS,
  ...INSTANCES_STUCK_FINDINGS,
  ...MASAKARI_FINDINGS,
  ...PLANS_FINDINGS,
  ...REQUESTS_FINDINGS,
  ...RESCUE_FINDINGS,
  ...RETURN_FINDINGS,
  ...ROLLING_FINDINGS,
  ...STORAGE_FINDINGS,
  ...STORAGE_NOOUT_FINDINGS,
  ...WATCHER_FINDINGS,
}
const FAULTS = {
  ...APPLICATIONS_FAULTS,
  ...COMPUTE_FAULTS,
  ...CONTROL_FAULTS,
  ...DRAIN_FAULTS,
  ...EDITS_FAULTS,
  ...ENGINE_FAULTS,
  ...GENERAL_FAULTS,
  ...MACHINE_FAULTS,
  ...OTHERS_FAULTS,
  ...HOME_FAULTS,
  ...INSTANCES_FAULTS,
  ...MOVE_FAULTS,
  ...PLACE_FAULTS,
  ...INSTANCES_MOVE_FAULTS,
  ...INSTANCES_PROOF_FAULTS,
  ...INSTANCES_RESCUE_FAULTS,
  ...MASAKARI_FAULTS,
  ...PLANS_FAULTS,
  ...REQUESTS_FAULTS,
  ...RESCUE_FAULTS,
  ...RETURN_FAULTS,
  ...ROLLING_FAULTS,
  ...STORAGE_FAULTS,
  ...STORAGE_NOOUT_FAULTS,
  ...WATCHER_FAULTS,
  ...WATCHER_BLOCKER_FAULTS,
}
const READS = {
  ...APPLICATIONS_READS,
  ...COMPUTE_READS,
  ...CONTROL_READS,
  ...DRAIN_READS,
  ...GENERAL_READS,
  ...MACHINE_READS,
  ...OTHERS_READS,
  ...INSTANCES_READS,
  ...MASAKARI_READS,
  ...REQUESTS_READS,
  ...RESCUE_READS,
  ...RETURN_READS,
  ...ROLLING_READS,
  ...STORAGE_READS,
  ...WATCHER_READS,
}

type Given<Texts extends Record<string, (...values: never[]) => unknown>> = {
  readonly [Code in keyof Texts]: Parameters<Texts[Code]>
}
type FindingValues = Given<typeof FINDINGS>
type FaultValues = Given<typeof FAULTS>
type ReadValues = Given<typeof READS>

const findings: { readonly [Code in keyof FindingValues]: (...given: FindingValues[Code]) => string } = FINDINGS
const faults: { readonly [Code in keyof FaultValues]: (...given: FaultValues[Code]) => FaultText } = FAULTS
const reads: { readonly [Code in keyof ReadValues]: (...given: ReadValues[Code]) => string } = READS

/** A blocker of a step: a code with values, and its texts. */
export type Fault = Finding & {
  readonly remedy: string
  readonly never: string | null
}

export function found<Code extends keyof FindingValues>(code: Code, ...given: FindingValues[Code]): Finding {
  return { code, values: valuesIn(given), message: findings[code](...given) }
}

export function fault<Code extends keyof FaultValues>(code: Code, ...given: FaultValues[Code]): Fault {
  const { message, remedy, never = null } = faults[code](...given)
  return { code, values: valuesIn(given), message, remedy, never }
}

export function thing<Code extends keyof ReadValues>(code: Code, ...given: ReadValues[Code]): Finding {
  return { code, values: valuesIn(given), message: reads[code](...given) }
}

export function stepText(kind: keyof typeof STEPS): Required<StepText> {
  const text: StepText = STEPS[kind]
  return { undo: 'Nothing to undo: it only reads.', ...text }
}
