import { describe, expect, it } from 'vitest'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { blocking, sampleBlocker, samplePlan } from '../../../fixtures/cli/sample-plan.ts'

const BLOCKED = samplePlan({
  startable: false,
  answers: { 'node-exists': blocking(sampleBlocker('InstanceInError', 'force')) },
})

async function asked(...words: string[]) {
  const run = createFakeRun(BLOCKED)
  const terminal = createFakeTerminal({ contract: run.fake.contract })
  await terminal.run(...words)
  return { inputs: run.fake.inputsOf('plan.make') }
}

describe('choices by role', () => {
  it('those of entering are passed on as the plan has them', async () => {
    const { inputs } = await asked(
      ...['plan', 'enter', 'sun', 'sun-1', '--strategy', 'watcher', '--disable-migration=cold', '--stop-osds'],
      ...['--backup-node', 'sun-2', '--exclude-instance', 'a', '--exclude-instance', 'b', '--exclude-instance', 'a'],
      ...['--nova-for-rest', '--enable-ceph-crush-rebalancing'],
    )
    expect(inputs).toEqual([
      {
        cluster: 'sun',
        node: 'sun-1',
        kind: 'enter',
        choices: {
          strategy: 'watcher',
          disableMigration: 'cold',
          backupNode: 'sun-2',
          excludedInstances: ['a', 'b'],
          novaForRest: true,
          stopOsds: true,
          crushRebalancing: true,
        },
      },
    ])
  })

  it.each(['nova', 'watcher'])('--cold-migration is taken with strategy %s', async strategy => {
    const { inputs } = await asked('plan', 'enter', 'sun', 'sun-1', '--strategy', strategy, '--cold-migration')
    expect(inputs).toMatchObject([{ choices: { strategy, coldMigration: true } }])
  })

  it('those of leaving are passed on as the plan has them', async () => {
    const { inputs } = await asked(
      ...['plan', 'leave', 'sun', 'sun-1', '--disable-instance-workload-rebalancing', '--no-wait-for-clean'],
    )
    expect(inputs).toMatchObject([{ choices: { disableInstanceRebalancing: true, waitForClean: false } }])
  })

  it('--disable-migration alone means both, and never takes the word behind it', async () => {
    const { inputs } = await asked('plan', 'enter', '--disable-migration', 'sun', 'sun-1')
    expect(inputs).toEqual([{ cluster: 'sun', node: 'sun-1', kind: 'enter', choices: { disableMigration: 'both' } }])
  })
})

describe('--dry-run', () => {
  it.each(['enter', 'leave'])(
    'of %s shows the plan and starts nothing, though --yes is given, and ends with 0',
    async verb => {
      const run = createFakeRun()
      const terminal = createFakeTerminal({ contract: run.fake.contract })
      expect(await terminal.run(verb, 'lab', 'cmp-1', '--dry-run', '--yes')).toBe(0)
      expect(terminal.out()).toContain('Nothing has changed.')
      expect(run.fake.inputsOf('plan.make')).toMatchObject([{ kind: verb }])
      expect(run.fake.inputsOf('run.start')).toEqual([])
    },
  )

  it('needs no terminal, and ends with 3 when a check does not hold', async () => {
    const run = createFakeRun(BLOCKED)
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--dry-run')).toBe(3)
    expect(terminal.out()).toContain('It cannot start')
  })
})
