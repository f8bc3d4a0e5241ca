import type { Mutant } from './mutant.ts'
import { EFFECTS } from './table/effects.ts'

/** The safety lines that are known to be guarded, by area. */
export const MUTANTS: readonly Mutant[] = [...EFFECTS]
