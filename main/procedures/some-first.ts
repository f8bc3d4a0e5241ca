import type { Named } from '../../shared/words/steps/coded.ts'

/** So many names of a list are kept with a code; a text shows fewer. */
const MOST_NAMES = 50

/** The first names of a list that may be long, and how many there are. */
export function someFirst(names: readonly string[]): Named {
  return { names: names.slice(0, MOST_NAMES), total: names.length }
}
