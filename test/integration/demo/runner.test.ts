import { expect, test, vi } from 'vitest'
import { createApp } from '../../../main/app.ts'
import { startDemoRunner } from '../../../main/compose/terminal/demo-runner.ts'
import { must } from '../../../shared/domain/must.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

// The runner looks every few seconds, and a run of the demo takes 20 s.
test('a run of the demo is handed to the runner that lives in demo-plain', { timeout: 120_000 }, async () => {
  const face = { kind: 'serve', pickFiles: null, secrets: null } as const
  const app = valueIn(await createApp({ demo: true, face, logTo: () => {} }))
  const runner = valueIn(await startDemoRunner(must(app.demo, 'it is a demo'), () => {}))
  const { ask } = app.contract
  try {
    const made = valueIn(await ask('plan.make', { cluster: 'demo-plain', node: 'cmp-01', kind: 'enter', choices: {} }))
    const ended = Promise.withResolvers<void>()
    app.contract.listen('run.event', ({ body }) => {
      if (body.kind === 'run-finished') ended.resolve()
    })
    // Its pod is pending at first.
    await vi.waitFor(
      async () =>
        expect(valueIn(await ask('runner.offer', { cluster: 'demo-plain' }))).toMatchObject({
          kind: 'offered',
          namespace: 'lockkeeper',
          runner: 'lockkeeper-runner-0',
        }),
      { timeout: 30_000, interval: 250 },
    )
    valueIn(await ask('runner.submit', { planId: made.plan.id, outsideWindow: 'a test' }))
    await ended.promise
    const runs = valueIn(await ask('run.list', { cluster: 'demo-plain' }))
    expect(runs).toMatchObject([{ node: 'cmp-01', state: 'done' }])
  } finally {
    await runner.stop()
    await app.close()
  }
})
