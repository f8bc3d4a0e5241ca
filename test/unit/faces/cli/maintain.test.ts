import { describe, expect, it } from 'vitest'
import type { CliProcess } from '../../../../main/faces/cli/process-io.ts'
import { runCli } from '../../../../main/faces/cli/run-cli.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { blocking, sampleBlocker, samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { RUN_ID } from '../../../fixtures/cli/sample-run.ts'
import { transcript } from '../../../fixtures/cli/session.ts'

const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' }
const BLOCKED = samplePlan({
  startable: false,
  answers: { 'node-exists': blocking(sampleBlocker('InstanceInError', 'force')) },
})

const UNREACHABLE = failure('unreachable', 'The API server of lab does not answer. Check the VPN.', {
  detail: 'ECONNREFUSED',
  target: 'cluster/lab',
})

/** A run that finishes as soon as it has started. */
function doneAtOnce() {
  const run = createFakeRun()
  void run.asked('run.show').then(() => run.end('done'))
  return run
}

describe('enter and leave', () => {
  it('shows the plan, asks with node, cluster and counts, runs what was shown, and ends with 0 when it is verified', async () => {
    const run = doneAtOnce()
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: run.fake.contract, answers: ['y'] })
    expect(await terminal.run('enter', 'lab', 'cmp-1')).toBe(0)
    expect(run.fake.inputsOf('run.start')).toEqual([{ planId: 'plan-1' }])
    expect(terminal.closed()).toBe(1)
    expect(run.fake.listeners()).toBe(0)
  })

  it.each(['n', '', 'no', 'yess', null])(
    'the answer %j to the confirmation touches nothing and ends with 4',
    async answer => {
      const run = createFakeRun()
      const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: run.fake.contract, answers: [answer] })
      expect(await terminal.run('enter', 'lab', 'cmp-1')).toBe(4)
      expect(run.fake.inputsOf('run.start')).toEqual([])
    },
  )

  it('without a terminal and without --yes it is a usage error that says so, before anything is asked', async () => {
    const run = createFakeRun()
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('leave', 'lab', 'cmp-1')).toBe(2)
    expect(run.fake.asked).toEqual([])
  })

  it('--yes runs without a question', async () => {
    const run = doneAtOnce()
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes')).toBe(0)
    expect(terminal.out()).not.toContain('[y/N]')
  })

  it('a plan that cannot start ends with 3, names what blocks, and starts nothing, --yes or not', async () => {
    const run = createFakeRun(BLOCKED)
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes')).toBe(3)
    expect(run.fake.inputsOf('run.start')).toEqual([])
  })

  it('every choice is passed on, and what was not chosen is left to the cluster', async () => {
    const run = createFakeRun(BLOCKED)
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    await terminal.run('enter', 'lab', 'cmp-1', '--yes')
    await terminal.run(
      ...[
        'leave',
        'lab',
        'cmp-1',
        '--yes',
        '--scope',
        'drain',
        '--force',
        'a',
        '--allow-downtime',
        'b',
        '--concurrency',
        '3',
      ],
      ...['--attempts', '5', '--drain-timeout', '10m', '--delete-emptydir-data', '--reason', 'ticket 4711'],
    )
    expect(run.fake.inputsOf('plan.make')).toEqual([
      { cluster: 'lab', node: 'cmp-1', kind: 'enter', choices: {} },
      {
        cluster: 'lab',
        node: 'cmp-1',
        kind: 'leave',
        choices: {
          scope: 'drain',
          concurrency: 3,
          attempts: 5,
          drainTimeoutMs: 600_000,
          deleteEmptyDirData: true,
          reason: 'ticket 4711',
          overrides: [
            { flag: 'force', reason: 'a' },
            { flag: 'allow-downtime', reason: 'b' },
          ],
        },
      },
    ])
  })

  it.each([
    ['done', 0],
    ['failed', 1],
    ['checks-failed', 3],
    ['aborted', 4],
  ] as const)('a run that ends %s ends with %d', async (outcome, code) => {
    const run = createFakeRun()
    void run.asked('run.show').then(() => run.end(outcome))
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes')).toBe(code)
  })

  it('with -o json only one JSON object goes to standard output, everything else to standard error', async () => {
    const run = doneAtOnce()
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes', '-o', 'json')).toBe(0)
    expect(terminal.json()).toMatchObject({ id: RUN_ID, kind: 'enter', node: 'cmp-1', state: 'done', outcome: 'done' })
    expect(terminal.err()).toContain('Take cmp-1 of lab out of service')
  })

  it('with -o json a plan that cannot start is the answer', async () => {
    const run = createFakeRun(BLOCKED)
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes', '-o', 'json')).toBe(3)
    expect(terminal.json()).toMatchObject({ startable: false, plan: { node: 'cmp-1' } })
  })

  it('a node that another run holds ends with 3: nothing was touched', async () => {
    const fake = createFakeContract({
      'plan.make': () => ok(samplePlan()),
      'run.start': () => failed(failure('held', 'cmp-1 is held by otto on laptop.')),
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('enter', 'lab', 'cmp-1', '--yes')).toBe(3)
    expect(terminal.err()).toContain('cmp-1 is held by otto on laptop.')
  })

  it('Ctrl-C while the plan is made gives up and ends with 4', async () => {
    const fake = createFakeContract({ 'plan.make': () => new Promise(() => {}) })
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract })
    const running = terminal.run('enter', 'lab', 'cmp-1')
    await new Promise(resolve => setImmediate(resolve))
    terminal.press('SIGINT')
    expect(await running).toBe(4)
  })
})

describe('plan', () => {
  it('says what its checks watch before they answer, and nothing of other nodes', async () => {
    const fake = createFakeContract({
      'plan.make': () => {
        for (const node of ['cmp-1', 'cmp-2']) {
          fake.emit('plan.watches', { cluster: 'lab', node, words: `The Lease of ${node} is watched.` })
        }
        return ok(samplePlan())
      },
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('plan', 'enter', 'lab', 'cmp-1')).toBe(0)
    expect(terminal.err()).toContain('The Lease of cmp-1 is watched.')
    expect(terminal.err()).not.toContain('cmp-2')
  })

  it('ends with 0 when it could start and 3 when not, and never starts anything', async () => {
    for (const [checked, code] of [
      [samplePlan(), 0],
      [BLOCKED, 3],
    ] as const) {
      const run = createFakeRun(checked)
      const terminal = createFakeTerminal({ contract: run.fake.contract })
      expect(await terminal.run('plan', 'enter', 'lab', 'cmp-1')).toBe(code)
      const asked = ['cluster.exec-plugin', 'cluster.connect', 'plan.make', 'journal.status']
      expect(run.fake.asked.map(({ name }) => name)).toEqual(asked)
    }
  })

  it('as JSON it is the checked plan', async () => {
    const run = createFakeRun()
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    await terminal.run('plan', 'leave', 'lab', 'cmp-1', '-o', 'json')
    expect(terminal.json()).toEqual(samplePlan())
    expect(run.fake.inputsOf('plan.make')[0]?.kind).toBe('leave')
  })

  it('a failure has its detail on -v only, and is JSON for scripts', async () => {
    const fake = createFakeContract({ 'plan.make': () => failed(UNREACHABLE) })
    const short = createFakeTerminal({ contract: fake.contract })
    expect(await short.run('plan', 'enter', 'lab', 'cmp-1')).toBe(1)
    expect(short.err()).not.toContain('ECONNREFUSED')
    const script = createFakeTerminal({ contract: fake.contract })
    await script.run('plan', 'enter', 'lab', 'cmp-1', '-o', 'json')
    expect(script.json()).toEqual({ failure: UNREACHABLE })
  })
})

describe('entering reads as it should', () => {
  const ends = async (outcome: 'done' | 'failed' | 'checks-failed' | 'aborted') => {
    const run = createFakeRun()
    void run.asked('run.show').then(() => run.end(outcome))
    const terminal = createFakeTerminal({ contract: run.fake.contract })
    await terminal.run('enter', 'lab', 'cmp-1', '--yes')
    return terminal.session()
  }
  const answered = async (answer: string) => {
    const { fake } = doneAtOnce()
    const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: fake.contract, answers: [answer] })
    await terminal.run('enter', 'lab', 'cmp-1')
    return terminal.session()
  }

  it('to each of its ends', async () => {
    const blocked = createFakeTerminal({ contract: createFakeRun(BLOCKED).fake.contract })
    await blocked.run('enter', 'lab', 'cmp-1', '--yes')
    const parts = {
      'At a terminal, with a yes': await answered('y'),
      'At a terminal, with a no': await answered('n'),
      'Without a terminal, to its end': await ends('done'),
      Failed: await ends('failed'),
      'Its checks failed': await ends('checks-failed'),
      Aborted: await ends('aborted'),
      Blocked: blocked.session(),
    }
    await expect(transcript(parts)).toMatchFileSnapshot('transcripts/enter.txt')
  })

  it('where it fails', async () => {
    const held = failure('held', 'cmp-1 is held by otto on laptop.')
    const fake = createFakeContract({
      'plan.make': ({ node }) => (node === 'cmp-1' ? ok(samplePlan()) : failed(UNREACHABLE)),
      'run.start': () => failed(held),
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    await terminal.run('enter', 'lab', 'cmp-1', '--yes')
    await terminal.run('plan', 'enter', 'lab', 'cmp-2')
    await terminal.run('plan', 'enter', 'lab', 'cmp-2', '-v')
    await terminal.run('plan', 'enter', 'lab', 'cmp-2', '-o', 'json')
    const { contract } = createFakeContract({ 'plan.make': () => new Promise(() => {}) })
    const leaving = createFakeTerminal({ tty: true, env: PLAIN, contract })
    const running = leaving.run('enter', 'lab', 'cmp-1')
    await new Promise(resolve => setImmediate(resolve))
    leaving.press('SIGINT')
    await running
    const sessions = [terminal.session(), leaving.session()]
    await expect(sessions.join('\n')).toMatchFileSnapshot('transcripts/failures.txt')
  })
})

describe('an internal bug', () => {
  it('is reported without stack or message, and the application is closed', async () => {
    const fake = createFakeContract({
      'plan.make': () => {
        throw new Error('-----BEGIN PRIVATE KEY----- secret')
      },
    })
    const terminal = createFakeTerminal({ contract: fake.contract })
    expect(await terminal.run('plan', 'enter', 'lab', 'cmp-1', '-v')).toBe(1)
    expect(terminal.err()).toContain('Lockkeeper stopped because of a bug')
    expect(terminal.err()).toMatch(/detail: Error at maintain\.test\.ts:\d+/)
    expect(terminal.all()).not.toContain('secret')
    expect(terminal.all()).not.toContain('    at ')
    expect(terminal.closed()).toBe(1)
  })

  it('while closing is reported the same way, and does not hide how the command ended', async () => {
    const fake = createFakeContract({ 'run.list': () => ok([]) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    const io: CliProcess = {
      ...terminal.io,
      openApp: async options => {
        const opened = await terminal.io.openApp(options)
        return opened.ok ? ok({ ...opened.value, close: () => Promise.reject(new Error('secret')) }) : opened
      },
    }
    expect(await runCli(['runs'], terminal.terminal, io)).toBe(0)
    expect(terminal.err()).toContain('Lockkeeper stopped because of a bug')
    expect(terminal.all()).not.toContain('secret')
  })
})
