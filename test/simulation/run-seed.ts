import { mkdtempSync, rmSync } from 'node:fs'
import { kindOf } from './kind-of.ts'
import { takeProcessChance } from './process-chance.ts'

// Replays seeds and says what happened: `node test/simulation/run-seed.ts 17 [to 30] [--trace] [--calm] [--mosk | --update | --batches | --sunbeam | --rescue | --hand-over | --campaign] [--restless] [--namesake] [--fenced]`.
const chance = takeProcessChance()
const { simulate } = await import('./simulate.ts')
const [from = 1, to = from] = process.argv
  .slice(2)
  .filter(word => /^\d+$/.test(word))
  .map(Number)
const keepTrace = process.argv.includes('--trace')
const calm = process.argv.includes('--calm')
const folder = mkdtempSync('/dev/shm/lockkeeper-simulation-')
// Stacks of errors that nobody reads cost a fifth of the time.
if (!keepTrace) Error.stackTraceLimit = 0
const began = process.cpuUsage()
const count = { messages: 0, turns: 0, broken: 0 }
const ways = new Map<string, number>()
for (let seed = from; seed <= to; seed += 1) {
  const result = await simulate(seed, { chance, folder, keepTrace, calm, ...kindOf(process.argv) })
  count.messages += result.messages
  count.turns += result.turns
  for (const { how, why } of result.outcomes) {
    const way = `${how}: ${how === 'over' ? why : ''}`
    ways.set(way, (ways.get(way) ?? 0) + 1)
  }
  for (const line of result.trace) process.stdout.write(`${line}\n`)
  if (result.violations.length > 0 || to === from) {
    count.broken += result.violations.length > 0 ? 1 : 0
    const { hash, violations, outcomes, turns, messages, virtualMs } = result
    const went = outcomes.map(({ how, why }) => `${how}: ${why.slice(0, 60)}`).join('; ')
    process.stdout.write(
      `seed ${seed}: ${hash.slice(0, 16)} ${turns} turns ${messages} messages ${virtualMs / 1000} s; ${went}\n`,
    )
    for (const { rule, atMs, what } of violations.slice(0, 5)) {
      process.stdout.write(`  BROKEN ${rule} at ${new Date(atMs).toISOString().slice(11)}: ${what.slice(0, 300)}\n`)
    }
  }
}
const used = process.cpuUsage(began)
const ms = (used.user + used.system) / 1000
const seeds = to - from + 1
process.stdout.write(
  `${seeds} schedules, ${count.broken} broken, ${(ms / seeds).toFixed(1)} ms of processor, ${Math.round(count.messages / seeds)} messages, ${Math.round(count.turns / seeds)} turns each ${JSON.stringify(Object.fromEntries(ways))}\n`,
)
rmSync(folder, { recursive: true, force: true })
