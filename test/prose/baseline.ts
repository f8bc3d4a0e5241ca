/** How many findings a file may still have, by file. A file without any is not in it. */
export type Baseline = Readonly<Record<string, number>>

/**
 * The files that have more findings than they may. A listed file that is gone was moved: a file of the same name that is not listed
 * has what it may have.
 */
export function filesOver(baseline: Baseline, counts: ReadonlyMap<string, number>): readonly string[] {
  const moved = new Map<string, number>()
  for (const [file, allowed] of Object.entries(baseline)) {
    if (!counts.has(file)) moved.set(nameOf(file), (moved.get(nameOf(file)) ?? 0) + allowed)
  }
  return [...counts].flatMap(([file, count]) =>
    count > (baseline[file] ?? moved.get(nameOf(file)) ?? 0) ? [file] : [],
  )
}

/** The baseline after a rewrite; null where there are more findings than before, which no rewrite may hide. */
export function shrunk(baseline: Baseline, counts: ReadonlyMap<string, number>): Baseline | null {
  const left = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1))
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  if (sum(left.map(([, count]) => count)) > sum(Object.values(baseline))) return null
  return Object.fromEntries(left)
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
