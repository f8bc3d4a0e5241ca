import { describe, expect, it, vi } from 'vitest'
import { INSTANCE_MOVED, MIGRATION_ASKS, MIGRATION_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { holding, samplePlan, sampleStep } from '../../../fixtures/cli/sample-plan.ts'
import { RUN_ID } from '../../../fixtures/cli/sample-run.ts'

const STEP = sampleStep('migrate-instances', 'Move instances off cmp-1')
const checked = () => {
  const plan = samplePlan()
  const check = { stepId: STEP.id, answer: holding('it holds'), overriddenBy: null }
  return { ...plan, plan: { ...plan.plan, steps: [STEP] }, checks: [check] }
}

/** `enter` under way, with one instance that is asked about and, beside it, those that move. */
async function enterWith(moving: readonly string[], tty = false) {
  const run = createFakeRun(checked())
  const terminal = createFakeTerminal({ tty, env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, contract: run.fake.contract })
  const code = terminal.run('enter', 'lab', 'cmp-1', '--yes')
  await terminal.printed(RUN_ID)
  await run.asked('run.show')
  run.sample.add({ kind: 'step-started', stepId: STEP.id, attempt: 1 })
  for (const id of ['stuck', ...moving]) {
    run.sample.fact(STEP.id, MIGRATION_REQUESTED, `server/${id}`, { name: `vm-${id}`, attempt: 1 })
  }
  const values = {
    name: 'vm-stuck',
    cause: 'it makes no progress',
    choices: ['wait', 'abort-and-leave'],
    since: 'then',
  }
  run.sample.fact(STEP.id, MIGRATION_ASKS, 'server/stuck', values)
  run.report()
  return { run, terminal, code }
}

describe('a run that asks about one instance', () => {
  it('ends an unattended command with 4 once nothing else moves, and says how to decide', async () => {
    const { run, terminal, code } = await enterWith(['other'])
    run.sample.fact(STEP.id, INSTANCE_MOVED, 'server/other', { name: 'vm-other', to: 'cmp-2', status: 'ACTIVE' })
    run.report()
    // Waits for a moment in which the next instance might begin.
    await vi.waitFor(
      () => {
        terminal.letTimePass()
        expect(run.fake.inputsOf('run.detach')).toHaveLength(1)
      },
      { timeout: 10_000 },
    )
    expect(await code).toBe(4)
    expect(terminal.out()).toContain(`run decide ${RUN_ID} stuck CHOICE\` (wait|abort-and-leave)`)
  })

  it('is not left while another instance moves', async () => {
    const { run, terminal, code } = await enterWith(['other'])
    await terminal.printed('vm-stuck')
    terminal.letTimePass()
    expect(run.fake.inputsOf('run.detach')).toEqual([])
    run.end('done')
    await code
  })
})
