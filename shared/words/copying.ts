import type { Copying } from '../domain/migration-pace.ts'

/** The progress of a migration in two or three words. */
export const COPYING_WORDS: Readonly<Record<Copying, string>> = {
  copying: 'migrating',
  'not-converging': 'not getting done',
  still: 'makes no progress',
}

/** The estimated end of a migration that is not getting done. */
export const NO_END = 'no end in sight'
