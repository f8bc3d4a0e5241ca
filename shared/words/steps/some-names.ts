import { someOf } from '../../grammar/counts.ts'

/** More names than any text shows of a list. */
const MOST_KEPT = 50

/** Names of a list as the values of a code keep them: the first, and how many there are. */
export type Names = { readonly names: readonly string[]; readonly total: number }

/** The names of a list that may be long. */
export function namesOf(names: readonly string[]): Names {
  return { names: names.slice(0, MOST_KEPT), total: names.length }
}

/** `a, b, c and 4 more`: the first few of them. */
export function someNames({ names, total }: Names, most = 5): string {
  const shown = names.slice(0, most)
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : someOf(shown, most)
}
