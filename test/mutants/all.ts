import type { Mutant } from './mutant.ts'
import { ABSENCE_MUTANTS } from './table/absence.ts'
import { EFFECT_MUTANTS } from './table/effects.ts'
import { FENCING_MUTANTS } from './table/fencing.ts'
import { JOURNAL_MUTANTS } from './table/journal.ts'
import { LIMIT_MUTANTS } from './table/limits.ts'
import { MOMENT_MUTANTS } from './table/moments.ts'
import { PRECONDITION_MUTANTS } from './table/preconditions.ts'
import { READ_ONLY_MUTANTS } from './table/read-only.ts'
import { SERVE_MUTANTS } from './table/serve.ts'
import { VERIFY_MUTANTS } from './table/verified.ts'

/** The safety lines that are known to be guarded, by area. */
export const MUTANTS: readonly Mutant[] = [
  ...EFFECT_MUTANTS,
  ...FENCING_MUTANTS,
  ...PRECONDITION_MUTANTS,
  ...ABSENCE_MUTANTS,
  ...MOMENT_MUTANTS,
  ...LIMIT_MUTANTS,
  ...VERIFY_MUTANTS,
  ...READ_ONLY_MUTANTS,
  ...JOURNAL_MUTANTS,
  ...SERVE_MUTANTS,
]
