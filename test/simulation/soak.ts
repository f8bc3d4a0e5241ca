import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { figureLines, simulateMany } from './many-seeds.ts'

// Simulates many schedules and prints the results: `npm run soak -- --seeds 200000 [--from 1] [--workers 2]`.
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200000' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
})
const began = performance.now()
let [reported, broken] = [0, 0]
const figures = await simulateMany({
  from: Number(values.from),
  count: Number(values.seeds),
  workers: Number(values.workers),
  onReported: ({ seed, violations }, done) => {
    for (const { rule, what } of violations.slice(0, 2))
      process.stdout.write(`seed ${seed}: ${rule}: ${what.slice(0, 300)}\n`)
    if (violations.length > 0) broken += 1
    const seconds = Math.round((performance.now() - began) / 1000)
    if (seconds - reported < 30) return
    reported = seconds
    process.stdout.write(`${done} schedules after ${seconds} s, ${broken} broken\n`)
  },
})
for (const line of figureLines(figures, performance.now() - began)) process.stdout.write(`${line}\n`)
process.exitCode = figures.broken.length > 0 ? 1 : 0
