import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GOAL_ROWS, type GoalRow } from './all-rows.ts'

/**
 * Every figure of the table of issue 35 beside its goal, in at most five minutes on two quiet cores. The rows of the page and of
 * `nodes` run the built program against a cloud in a separate process; the others count requests or processor time within one process from sources. A figure that
 * was not measured says so: `drain` and Nova's own log need the lab.
 */
const ROOT = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-all-'))
const noted = join(directory, 'figures')
writeFileSync(noted, '')
const began = Date.now()

try {
  // Counts of requests of an idle cloud: it hardly uses the processor, and takes two minutes.
  const watching = run('watching.ts', '8', '30')
  await run('screen.ts', '--short', '--sizes=500,2000')
  await watching
  await run('cli-nodes.ts', '--demo')
  await run('moves.ts', '8', '1', '1')
  await run('moves.ts', '12', '5', '3')
  await run('requests.ts')
  await run('batches.ts')
  await run('report.ts')
  write()
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function run(file: string, ...args: readonly string[]): Promise<void> {
  return new Promise(resolve => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, file), ...args],
      {
        cwd: ROOT,
        stdio: 'inherit',
        env: { ...process.env, LOCKKEEPER_BENCH_FIGURES: noted },
      },
    )
    child.on('exit', code => {
      if (code !== 0) process.stdout.write(`${file} ended with ${code}: its rows are not measured\n`)
      resolve()
    })
  })
}

function write(): void {
  const figures = new Map<string, number[]>()
  for (const line of readFileSync(noted, 'utf8').trim().split('\n')) {
    if (line === '') continue
    const { row, figure } = JSON.parse(line) as { readonly row: string; readonly figure: number }
    figures.set(row, [...(figures.get(row) ?? []), figure])
  }
  for (const [name, what] of [
    ['growth of main', 'topology: first tile, processor time of main'],
    ['growth of the page', 'topology: first tile, processor time of the page'],
  ] as const) {
    const [small, large] = [500, 2000].map(nodes => figures.get(`${nodes}: ${what}, 0`)?.[0])
    if (small !== undefined && large !== undefined) figures.set(name, [large / Math.max(small, 10)])
  }
  if (existsSync(join(ROOT, 'node_modules'))) figures.set('installed', [installedMb()])
  process.stdout.write(
    `\nMeasured in ${Math.round((Date.now() - began) / 1000)} s\n\n| what | figure | goal | |\n|---|---|---|---|\n`,
  )
  for (const row of GOAL_ROWS) process.stdout.write(`| ${row.what} | ${judged(row, figures)} |\n`)
}

function judged(
  { figures: names, goal, unit, least }: GoalRow,
  figures: ReadonlyMap<string, readonly number[]>,
): string {
  const all = names.flatMap(name => figures.get(name) ?? [])
  const aim = `${least ? 'at least ' : ''}${goal} ${unit}`.trim()
  if (names.some(name => !figures.has(name))) return `not measured | ${aim} | MISSED`
  const worst = least ? Math.min(...all) : Math.max(...all)
  const met = least ? worst >= goal : worst <= goal
  return `${Number(worst.toFixed(worst < 10 ? 2 : 0))} ${unit} | ${aim} | ${met ? 'MET' : 'MISSED'}`
}

function installedMb(): number {
  // npm does not install what our tools keep there.
  return Number(
    execFileSync('du', ['-sm', '--exclude=.cache', join(ROOT, 'node_modules')], { encoding: 'utf8' }).split('\t')[0],
  )
}
