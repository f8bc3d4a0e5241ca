import { setTimeout as delay } from 'node:timers/promises'
import { openJournal } from '../../../main/journal/journal.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'

/** Started by journal.test.ts: appends to its own run, printing each number once it is on disk; without a count, for ever. */
const [path = '', runId = '', count = ''] = process.argv.slice(2)
const opened = openJournal({ path, clock: systemClock })
if (!opened.ok) throw new Error(opened.failure.message)
const driver = {
  operator: 'eva',
  machine: 'laptop-1',
  pid: process.pid,
  version: '0.0.0',
  id: 'driver-1',
  bootId: 'boot-1',
  epoch: 1,
}
const plan = {
  id: 'plan',
  kind: 'enter',
  cluster: 'test',
  flavour: 'plain',
  node: 'cmp-1',
  madeAt: '2026-01-01T00:00:00.000Z',
  options: {
    ...DEFAULT_RUN_OPTIONS,
  },
  steps: [],
} as const
opened.value.createRun(runId, {
  kind: 'run-created',
  driver,
  plan: {
    ...plan,
    options: { ...plan.options, overrides: [], reason: '' },
    window: null,
    batches: [],
    steps: [],
  },
})
const last = count === '' ? Number.POSITIVE_INFINITY : Number(count)
for (let at = 0; at < last; at += 1) {
  const { seq } = opened.value.append(
    runId,
    {
      kind: 'fact',
      stepId: 'first',
      fact: 'written',
      subject: String(at),
      announces: true,
      values: {},
    },
    driver,
  )
  process.stdout.write(`${seq}\n`)
  // A process that writes without a pause blocks the others, which give up after five seconds.
  await delay(2)
}
opened.value.close()
