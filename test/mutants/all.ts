import type { Mutant } from './mutant.ts'
import { ABSENCE_MUTANTS } from './table/absence.ts'
import { OBJECT_ABSENCE_MUTANTS } from './table/absence-of-objects.ts'
import { EFFECT_MUTANTS } from './table/effects.ts'
import { ENGINE_MUTANTS } from './table/engine.ts'
import { FACE_MUTANTS } from './table/faces.ts'
import { FENCING_MUTANTS } from './table/fencing.ts'
import { FILE_READING_MUTANTS } from './table/files-read.ts'
import { GAP_MUTANTS } from './table/gaps.ts'
import { HELD_LEASE_MUTANTS } from './table/held-lease.ts'
import { JOURNAL_MUTANTS } from './table/journal.ts'
import { LIMIT_MUTANTS } from './table/limits.ts'
import { MASAKARI_MUTANTS } from './table/masakari.ts'
import { MOMENT_MUTANTS } from './table/moments.ts'
import { PEOPLE_MUTANTS } from './table/people.ts'
import { PORT_ACCESS_MUTANTS } from './table/port-access.ts'
import { PRECONDITION_MUTANTS } from './table/preconditions.ts'
import { READ_ONLY_MUTANTS } from './table/read-only.ts'
import { RECORD_MUTANTS } from './table/records.ts'
import { REPORT_MUTANTS } from './table/reports.ts'
import { RESCUE_MUTANTS } from './table/rescue.ts'
import { SECRET_MUTANTS } from './table/secrets.ts'
import { SEED_MUTANTS } from './table/seeds.ts'
import { SERVE_MUTANTS } from './table/serve.ts'
import { SIMULATED_MUTANTS } from './table/simulated.ts'
import { VERDICT_MUTANTS } from './table/verdicts.ts'
import { VERIFY_MUTANTS } from './table/verified.ts'

/** The safety lines that are known to be guarded, by area. */
export const MUTANTS: readonly Mutant[] = [
  ...OBJECT_ABSENCE_MUTANTS,
  ...ABSENCE_MUTANTS,
  ...PORT_ACCESS_MUTANTS,
  ...EFFECT_MUTANTS,
  ...ENGINE_MUTANTS,
  ...FACE_MUTANTS,
  ...FENCING_MUTANTS,
  ...FILE_READING_MUTANTS,
  ...GAP_MUTANTS,
  ...HELD_LEASE_MUTANTS,
  ...JOURNAL_MUTANTS,
  ...LIMIT_MUTANTS,
  ...MOMENT_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...PRECONDITION_MUTANTS,
  ...READ_ONLY_MUTANTS,
  ...RECORD_MUTANTS,
  ...REPORT_MUTANTS,
  ...RESCUE_MUTANTS,
  ...SECRET_MUTANTS,
  ...SEED_MUTANTS,
  ...SERVE_MUTANTS,
  ...SIMULATED_MUTANTS,
  ...VERDICT_MUTANTS,
  ...VERIFY_MUTANTS,
  ...MASAKARI_MUTANTS,
]
