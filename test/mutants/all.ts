import type { Mutant } from './mutant.ts'
import { ABSENCE_MUTANTS } from './table/absence.ts'
import { OBJECT_ABSENCE_MUTANTS } from './table/absence-of-objects.ts'
import { DEED_MUTANTS } from './table/deeds.ts'
import { EFFECT_MUTANTS } from './table/effects.ts'
import { ENGINE_MUTANTS } from './table/engine.ts'
import { FENCING_MUTANTS } from './table/fencing.ts'
import { HELD_LEASE_MUTANTS } from './table/held-lease.ts'
import { LIMIT_MUTANTS } from './table/limits.ts'
import { MOMENT_MUTANTS } from './table/moments.ts'
import { PRECONDITION_MUTANTS } from './table/preconditions.ts'
import { READ_ONLY_MUTANTS } from './table/read-only.ts'
import { SIMULATED_MUTANTS } from './table/simulated.ts'
import { VERIFY_MUTANTS } from './table/verified.ts'

/** The safety lines that are known to be guarded, by area. */
export const MUTANTS: readonly Mutant[] = [
  ...EFFECT_MUTANTS,
  ...HELD_LEASE_MUTANTS,
  ...ENGINE_MUTANTS,
  ...FENCING_MUTANTS,
  ...PRECONDITION_MUTANTS,
  ...ABSENCE_MUTANTS,
  ...OBJECT_ABSENCE_MUTANTS,
  ...MOMENT_MUTANTS,
  ...LIMIT_MUTANTS,
  ...VERIFY_MUTANTS,
  ...READ_ONLY_MUTANTS,
  ...SIMULATED_MUTANTS,
  ...DEED_MUTANTS,
]
