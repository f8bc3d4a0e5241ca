import { mkdtempSync, rmSync } from 'node:fs'
import { kindOf } from './kind-of.ts'
import { takeProcessChance } from './process-chance.ts'

// A worker: simulates the seeds FROM to TO, of the kind that flags choose, in this process and writes one line of JSON a schedule.
const chance = takeProcessChance()
const { simulate } = await import('./simulate.ts')
const [from = 1, to = from] = process.argv.slice(2, 4).map(Number)
// Stacks of errors that nobody reads cost a fifth of the time.
Error.stackTraceLimit = 0
const folder = mkdtempSync('/dev/shm/lockkeeper-simulation-')
try {
  for (let seed = from; seed <= to; seed += 1) {
    const before = process.cpuUsage()
    const { hash, violations, kinds, outcomes, messages, turns, virtualMs } = await simulate(seed, {
      chance,
      folder,
      ...kindOf(process.argv),
    })
    const used = process.cpuUsage(before)
    const cpuMs = (used.user + used.system) / 1000
    const ways = outcomes.map(({ how, why }) => (how === 'over' ? why : how))
    process.stdout.write(
      `${JSON.stringify({ seed, hash, violations, kinds, ways, messages, turns, virtualMs, cpuMs })}\n`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
