import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/**
 * Runs `npm test` again and again beside processes that keep the processors busy: `npm run test:steady [-- --runs 10 --busy 4]`. A test that
 * fails once in ten such runs is broken. The last line counts the runs: `N passed, N failed`.
 */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10' }, busy: { type: 'string', default: '4' } },
})
const ROOT = resolve(import.meta.dirname, '../..')

const busy = Array.from({ length: Number(values.busy) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
let running: ChildProcess | null = null
const endBusy = () => {
  for (const child of busy) child.kill('SIGKILL')
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    endBusy()
    // Its own process group: npm and its shell do not forward signals.
    if (running?.pid !== undefined) process.kill(-running.pid, 'SIGTERM')
    process.exit(130)
  })
}

let failed = 0
const runs = Number(values.runs)
try {
  for (let run = 1; run <= runs; run += 1) {
    const start = performance.now()
    running = spawn('npm', ['test'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
    const code = await endOf(running)
    if (code !== 0) failed += 1
    const minutes = ((performance.now() - start) / 60_000).toFixed(1)
    process.stdout.write(`\nRun ${run} of ${runs} ${code === 0 ? 'passed' : 'FAILED'} in ${minutes} minutes.\n\n`)
  }
} finally {
  endBusy()
}
process.stdout.write(`${runs - failed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

function endOf(child: ChildProcess): Promise<number> {
  return new Promise(done => {
    child.once('close', code => done(code ?? 1))
  })
}
