import type { Copying } from '../domain/migration-pace.ts'

/** Whether a migration gets done, in two or three words; one that copies says how far it is. */
export const COPYING_WORDS: Readonly<Record<Copying, string>> = {
  copying: 'migrating',
  'not-converging': 'not getting done',
  still: 'stands still',
}

/** What is said of the end of a migration that does not get done. */
export const NO_END = 'no end in sight'
