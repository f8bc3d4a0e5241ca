import { expect, test } from 'vitest'
import { ok } from '../../../../shared/domain/result.ts'
import type { UpdateOptions } from '../../../../shared/domain/update.ts'
import { createFakeRun } from '../../../fixtures/cli/fake-run.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'

const STAYS = { node: 'cmp-3', why: 'no node has room for web-3' }
const PLAIN = { LANG: 'C.UTF-8', NO_COLOR: '1' }

/** Several nodes go out; `left`: those that have to stay. */
function console(nodes: readonly string[], left: readonly (typeof STAYS)[] = []) {
  const options: UpdateOptions = {
    ...{ scope: 'os', release: null, reason: '', controlNodes: [], zoneAtATime: false, work: { kind: 'person' } },
    groups: nodes.length === 0 ? [] : [{ name: 'out', index: 1, nodes: [...nodes], concurrentUpdates: nodes.length }],
    ...{ pauseBetweenNodes: false, pauseBetweenPhases: false, staysOut: true },
  }
  const run = createFakeRun(samplePlan(), [], [], {
    'update.propose': () => ok({ options, left: [...left], batches: [] }),
    'update.plan': () => ok(samplePlan()),
  })
  void run.asked('run.show').then(() => run.end('done'))
  return { run, options }
}

test('several nodes make the plan that the page makes, and start after one question', async () => {
  const { run, options } = console(['cmp-1', 'cmp-2'])
  const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: run.fake.contract, answers: ['y'] })
  expect(await terminal.run('enter', 'lab', 'cmp-1', 'cmp-2', 'cmp-1', '--concurrency', '4')).toBe(0)
  expect(run.fake.inputsOf('update.propose')).toEqual([{ cluster: 'lab', nodes: ['cmp-1', 'cmp-2'], staysOut: true }])
  expect(run.fake.inputsOf('update.plan')).toEqual([{ cluster: 'lab', update: options, choices: { concurrency: 4 } }])
  expect(run.fake.inputsOf('run.start')).toEqual([{ planId: 'plan-1' }])
})

test('a refused question touches nothing', async () => {
  const { run } = console(['cmp-1', 'cmp-2'])
  const terminal = createFakeTerminal({ tty: true, env: PLAIN, contract: run.fake.contract, answers: ['n'] })
  expect(await terminal.run('enter', 'lab', 'cmp-1', 'cmp-2')).toBe(4)
  expect(run.fake.inputsOf('run.start')).toEqual([])
})

test('--yes starts nothing if one of the nodes has to stay, and names it', async () => {
  const { run } = console(['cmp-1', 'cmp-2'], [STAYS])
  const terminal = createFakeTerminal({ contract: run.fake.contract })
  expect(await terminal.run('enter', 'lab', 'cmp-1', 'cmp-2', 'cmp-3', '--yes')).toBe(3)
  expect(terminal.err()).toContain('cmp-3 cannot go out with the others: no node has room for web-3')
  expect(run.fake.inputsOf('run.start')).toEqual([])
})

test.each([
  { left: [], nodes: ['cmp-1', 'cmp-2'], code: 0 },
  { left: [STAYS], nodes: ['cmp-1', 'cmp-2'], code: 3 },
  { left: [STAYS], nodes: [], code: 3 },
])('--dry-run starts nothing and ends with $code ($left.length stay of those named)', async ({ left, nodes, code }) => {
  const { run } = console(nodes, left)
  const terminal = createFakeTerminal({ contract: run.fake.contract })
  expect(await terminal.run('enter', 'lab', 'cmp-1', 'cmp-2', 'cmp-3', '--dry-run')).toBe(code)
  expect(run.fake.inputsOf('run.start')).toEqual([])
})

test('one node that is named twice is one node', async () => {
  const { run } = console([])
  const terminal = createFakeTerminal({ contract: run.fake.contract })
  expect(await terminal.run('enter', 'lab', 'cmp-1', 'cmp-1', '--yes')).toBe(0)
  expect(run.fake.inputsOf('plan.make')).toMatchObject([{ node: 'cmp-1', kind: 'enter' }])
})

test('without a terminal and without --yes nothing is asked of the cloud', async () => {
  const { run } = console(['cmp-1', 'cmp-2'])
  const terminal = createFakeTerminal({ contract: run.fake.contract })
  expect(await terminal.run('enter', 'lab', 'cmp-1', 'cmp-2')).toBe(2)
  expect(run.fake.asked).toEqual([])
})
