import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Counts, countsOf, slowestOf } from './counts.ts'
import { LEVELS, leftOut, type Stage } from './levels.ts'

/**
 * Runs one level of tests: `node test/levels/run.ts quick [STAGE ...]`. Two stages run at a time, because most of them wait for sockets and
 * processes. The output of a stage is kept in a file and printed when the stage fails. The last line is `N passed, N failed, N skipped`.
 */
const ROOT = resolve(import.meta.dirname, '../..')
const REPORTS = join(ROOT, 'node_modules/.cache/lockkeeper-levels')
const AT_ONCE = 2

interface Ended {
  readonly stage: Stage
  readonly code: number
  readonly counts: Counts
  readonly seconds: number
  /** User and system time of the command and of all that it waited for. */
  readonly processorSeconds: number
}

const running = new Map<Stage, ChildProcess>()

const [name, ...only] = process.argv.slice(2)
const level = name === 'quick' || name === 'all' ? LEVELS[name] : null
if (level === null) {
  process.stderr.write(`The levels are ${Object.keys(LEVELS).join(' and ')}. Run one: node test/levels/run.ts quick\n`)
  process.exit(2)
}
const unknown = only.filter(wanted => level.stages.every(stage => stage.name !== wanted))
if (unknown.length > 0) {
  process.stderr.write(
    `No stage is called ${unknown.join(', ')}. The stages are ${level.stages.map(stage => stage.name).join(', ')}\n`,
  )
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running.values()) endGroup(child)
    process.exit(130)
  })
}
mkdirSync(REPORTS, { recursive: true })
const began = performance.now()
const ended = await runStages(only.length === 0 ? level.stages : withNeeds(level.stages, only))
summarize(
  ended,
  leftOut(
    level,
    ended.map(({ stage }) => stage.name),
  ),
)

/** The stages with these names, and those that they need. */
function withNeeds(stages: readonly Stage[], names: readonly string[]): readonly Stage[] {
  const needed = stages.filter(stage => names.includes(stage.name)).flatMap(stage => stage.needs ?? [])
  const all = new Set([...names, ...needed])
  return all.size === new Set(names).size ? stages.filter(stage => all.has(stage.name)) : withNeeds(stages, [...all])
}

/** Starts each stage as soon as a place is free and what it needs has passed. */
async function runStages(stages: readonly Stage[]): Promise<readonly Ended[]> {
  const done: Ended[] = []
  const open = [...stages]
  const isDone = (needed: string) => done.some(({ stage }) => stage.name === needed)
  const under = new Map<Stage, Promise<Ended>>()
  while (open.length > 0 || under.size > 0) {
    const next = under.size < AT_ONCE ? open.find(({ needs = [] }) => needs.every(isDone)) : undefined
    if (next !== undefined) {
      open.splice(open.indexOf(next), 1)
      const broken = done.filter(({ stage, code }) => code !== 0 && next.needs?.includes(stage.name))
      under.set(next, broken.length > 0 ? Promise.resolve(notStarted(next)) : runStage(next))
      continue
    }
    const one = await Promise.race(under.values())
    under.delete(one.stage)
    done.push(one)
    printEnd(one)
  }
  return done
}

function notStarted(stage: Stage): Ended {
  return { stage, code: 1, counts: countsOf('one-check', '', 1), seconds: 0, processorSeconds: 0 }
}

function runStage(stage: Stage): Promise<Ended> {
  const start = performance.now()
  const report = join(REPORTS, `${stage.name}.json`)
  rmSync(report, { force: true })
  const output = createWriteStream(logOf(stage))
  // Bash writes to descriptor 3 how much processor time the command and its children used.
  const words = [
    '-c',
    '"$@"; code=$?; times >&3; exit $code',
    'stage',
    ...stage.command,
    ...reporterFlags(stage, report),
  ]
  const child = spawn('bash', words, {
    cwd: ROOT,
    env: { ...process.env, ...stage.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // Its own process group, so that all of it can be ended.
    detached: true,
  })
  running.set(stage, child)
  child.stdout?.pipe(output, { end: false })
  child.stderr?.pipe(output, { end: false })
  let times = ''
  child.stdio[3]?.on('data', piece => {
    times += String(piece)
  })
  return new Promise(done => {
    child.once('close', exitCode => {
      running.delete(stage)
      output.end()
      const code = exitCode ?? 1
      const seconds = (performance.now() - start) / 1000
      done({
        stage,
        code,
        counts: countsOf(stage.counting, report, code),
        seconds,
        processorSeconds: sumOfTimes(times),
      })
    })
  })
}

function reporterFlags({ counting }: Stage, report: string): readonly string[] {
  if (counting === 'vitest') return ['--reporter=default', '--reporter=json', `--outputFile=${report}`]
  return counting === 'playwright' ? ['--reporter=list,json,./test/e2e/ways-reporter.ts'] : []
}

/** Ends a stage and all that it started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM')
}

/** The second line of bash's `times`: user and system time of its children, such as `1m2.345s 0m6.789s`. */
function sumOfTimes(printed: string): number {
  const [, children = ''] = printed.split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0)
}

function logOf(stage: Stage): string {
  return join(REPORTS, `${stage.name}.log`)
}

function printEnd({ stage, code, counts, seconds, processorSeconds }: Ended): void {
  const figures = `${seconds.toFixed(0)} s, ${processorSeconds.toFixed(0)} s of processor time`
  if (seconds === 0) {
    process.stdout.write(`FAILED ${stage.name}: not started, because a stage that it needs failed\n`)
    return
  }
  const line = `${stage.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped (${figures})\n`
  if (code !== 0 || counts.failed > 0) process.stdout.write(`${readFileSync(logOf(stage), 'utf8')}\nFAILED ${line}`)
  else process.stdout.write(`passed ${line}`)
}

function summarize(all: readonly Ended[], notRun: readonly string[]): void {
  const sum = (of: (one: Ended) => number) => all.reduce((total, one) => total + of(one), 0)
  const write = (line: string) => process.stdout.write(`${line}\n`)
  if (level?.listsSlowest === true) {
    write('\nThe slowest tests, in seconds:')
    for (const { seconds, name: title } of slowestOf(all.flatMap(({ counts }) => counts.slowest))) {
      write(`  ${seconds.toFixed(1).padStart(6)}  ${title}`)
    }
  }
  write('\nNot run:')
  for (const left of notRun) write(`  ${left}`)
  const minutes = (performance.now() - began) / 60_000
  write(`\n${minutes.toFixed(1)} minutes, ${sum(one => one.processorSeconds).toFixed(0)} s of processor time`)
  const failed = sum(one => one.counts.failed)
  write(`${sum(one => one.counts.passed)} passed, ${failed} failed, ${sum(one => one.counts.skipped)} skipped`)
  process.exitCode = failed === 0 ? 0 : 1
}
