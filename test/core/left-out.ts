import { posix } from 'node:path'
import type { Source } from '../unit/architecture/source.ts'

/** Tests of the repository as a whole: they hold pages, tables and all rooms, and need every wing. */
const OF_THE_WHOLE = ['test/unit/architecture/', 'test/unit/project/']

/** Tests of one wing, also those that reach it through its doors alone. */
const OF_A_WING = /^test\/unit\/(wings\/[^/]+)\//

/**
 * Those of these tests that cannot run without the wings, each with what it needs: a file of a wing, also by way of other files, that is not a door of the wing. What only
 * names a type of one runs all the same.
 */
export function leftOutOf(
  files: ReadonlyMap<string, Pick<Source, 'imports'>>,
  tests: readonly string[],
): ReadonlyMap<string, string> {
  const known = new Map<string, string | null>()
  const needOf = (file: string): string | null => {
    const before = known.get(file)
    if (before !== undefined) return before
    // Two files that load each other need what either of them needs.
    known.set(file, null)
    const found = firstNeed(file)
    known.set(file, found)
    return found
  }
  const firstNeed = (file: string): string | null => {
    for (const { from, types } of files.get(file)?.imports ?? []) {
      if (types || from === null || !from.startsWith('.')) continue
      const target = posix.join(posix.dirname(file), from)
      const need = isBehindDoor(target) ? target : isInWing(target) ? null : needOf(target)
      if (need !== null) return need
    }
    return null
  }
  return new Map(
    tests.flatMap(file => {
      if (OF_THE_WHOLE.some(folder => file.startsWith(folder))) return [[file, 'the whole repository'] as const]
      const wing = OF_A_WING.exec(file)?.[1]
      const need = wing === undefined ? needOf(file) : `main/${wing}`
      return need === null ? [] : [[file, need] as const]
    }),
  )
}

function isInWing(file: string): boolean {
  return /^(?:main|renderer)\/wings\//.test(file)
}

function isBehindDoor(file: string): boolean {
  return isInWing(file) && !/^(?:main|renderer)\/wings\/[^/]+\/(?:cli\/)?door\.tsx?$/.test(file)
}
