import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { seededRandom } from '../fixtures/seeded-random.ts'
import { MUTANTS } from './all.ts'
import { tableProblems } from './check-table.ts'
import { copySources } from './copy-sources.ts'
import type { Mutant } from './mutant.ts'
import { playMutant, unbrokenProblems } from './play.ts'
import { endTests } from './vitest-run.ts'

// Breaks safety lines one at a time, in copies of the sources, and fails where nothing notices: `npm run test:mutants -- [--only NAME] [--sample N [--seed S]] [--list]`.
const WORKERS = 2

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

const root = resolve(import.meta.dirname, '../..')
const copies: string[] = []
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    endTests()
    removeCopies()
    process.exit(code)
  })
}
process.exitCode = await main()

async function main(): Promise<number> {
  for (const flag of ['sample', 'seed'] as const) {
    const given = values[flag]
    if (given === undefined || /^[1-9]\d*$/.test(given) || (flag === 'seed' && given === '0')) continue
    process.stderr.write(`--${flag} needs a whole number, not "${given}"\n`)
    return 2
  }
  const named = MUTANTS.filter(({ name }) => values.only === undefined || values.only.some(only => name.includes(only)))
  if (values.list) {
    for (const { name, harm } of named) process.stdout.write(`${name}: ${harm}\n`)
    return 0
  }
  const chosen = values.sample === undefined ? named : sampled(named, Number(values.sample))
  if (chosen.length === 0) {
    process.stdout.write('No mutant has these words in its name.\n0 passed, 1 failed\n')
    return 1
  }
  // Checks the whole table, whatever was chosen, so that a missing line is reported at once.
  const problems = tableProblems(MUTANTS, root)
  for (const problem of problems) process.stdout.write(`FAILED ${problem}\n`)
  if (problems.length > 0) return ended(0, problems.length)
  return playAll(chosen)
}

/** A random choice; the seed that is printed repeats it. */
function sampled(mutants: readonly Mutant[], count: number): readonly Mutant[] {
  const seed = Number(values.seed ?? Math.trunc(Math.random() * 1_000_000))
  process.stdout.write(`A sample of ${count}. Choose it again with --sample ${count} --seed ${seed}\n`)
  const next = seededRandom(seed)
  return mutants
    .map(mutant => ({ mutant, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

async function playAll(chosen: readonly Mutant[]): Promise<number> {
  const counts = { passed: 0, failed: 0 }
  const report = (isCaught: boolean, line: string) => {
    counts[isCaught ? 'passed' : 'failed'] += 1
    process.stdout.write(`${isCaught ? 'caught' : 'FAILED'} ${line}\n`)
  }
  try {
    while (copies.length < Math.min(WORKERS, chosen.length)) {
      copies.push(copySources(root))
      // A signal that came meanwhile is handled before the next copy.
      await setImmediate()
    }
    const [first = ''] = copies
    const began = performance.now()
    const unfit = await unbrokenProblems(first, chosen)
    for (const [name, problem] of unfit) report(false, `${name}: ${problem}`)
    process.stdout.write(`the named tests, unbroken: ${secondsSince(began)}\n`)
    const left = chosen.filter(({ name }) => !unfit.has(name))
    await Promise.all(
      copies.map(async copy => {
        for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
          const start = performance.now()
          const { caught, words } = await playMutant(copy, mutant)
          report(caught, `${mutant.name} (${secondsSince(start)}): ${words}`)
        }
      }),
    )
  } finally {
    removeCopies()
  }
  return ended(counts.passed, counts.failed)
}

function removeCopies(): void {
  // What was just ended may still write into one.
  for (const copy of copies.splice(0)) rmSync(copy, { recursive: true, force: true, maxRetries: 10 })
}

function ended(passed: number, failed: number): number {
  process.stdout.write(`${passed} passed, ${failed} failed\n`)
  return failed > 0 ? 1 : 0
}

function secondsSince(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`
}
