import fc from 'fast-check'
import { expect, it } from 'vitest'
import { renderLive } from '../../../main/faces/cli/render/render-live.ts'
import { must } from '../../../shared/domain/must.ts'
import type { ReportInstance } from '../../../shared/domain/report.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { talliesOf } from '../../../shared/domain/run-progress.ts'
import type { Effect } from '../../../shared/domain/step-answers.ts'
import { terminalLook } from '../../fixtures/cli/looks.ts'
import { holding } from '../../fixtures/cli/sample-plan.ts'
import { createSampleRun } from '../../fixtures/cli/sample-run.ts'
import { reportOf } from '../../fixtures/reports/reported-run.ts'
import { tries } from '../../fixtures/tries.ts'

const STEP = 'migrate-instances'
const IDS = ['a', 'b', 'c', 'd'] as const

const action = fc.constantFrom('live_migrate', 'cold_migrate', 'evacuate', 'stop', 'notify', 'ignore', 'blocked')
const reported = fc.record({
  id: fc.constantFrom(...IDS),
  fact: fc.constantFrom<readonly [string, Record<string, string | number | boolean>]>(
    ['migration-requested', { attempt: 1, source: 'cmp-1' }],
    ['migration-requested', { attempt: 2, source: 'cmp-1', how: 'cold' }],
    ['migration-requested', { attempt: 1, source: 'cmp-1', again: true }],
    ['migration-progress', { memoryTotal: 4, memoryRemaining: 2 }],
    ['migration-failed', { why: 'no room' }],
    ['attempts-exhausted', { why: 'no room' }],
    ['instance-moved', { from: 'cmp-1', to: 'cmp-2' }],
    ['instance-settled', { why: 'it is gone', became: 'deleted' }],
    ['instance-settled', { why: 'it stays' }],
    ['instance-decided', { choice: 'skip', by: 'olga', reason: 'asked' }],
    ['instance-decided', { choice: 'abort-and-leave', by: 'olga', reason: '' }],
    ['instance-decided', { choice: 'wait', by: 'olga', reason: '' }],
    ['stop-requested', { attempt: 1 }],
    ['instance-stopped', { host: 'cmp-1', status: 'SHUTOFF', powerState: 4 }],
    ['instance-started', { host: 'cmp-1', status: 'ACTIVE', powerState: 1 }],
  ),
})

/** The number before words in a line; 0: the line does not have them. */
const numberBefore = (line: string, words: string) => Number(new RegExp(`(\\d+) ${words}`).exec(line)?.[1] ?? 0)

it('screen, terminal and report count the same instances as moved, stopped, settled and still here, whatever a journal tells', () => {
  fc.assert(
    fc.property(fc.tuple(...IDS.map(() => action)), fc.array(reported, { maxLength: 25 }), (actions, facts) => {
      const sample = createSampleRun()
      const effects = IDS.map((id, index): Effect => {
        const does = must(actions[index], 'each has an action')
        const common = { id, name: `vm-${id}`, status: 'ACTIVE', source: 'tag', reason: '' } as const
        return { kind: 'instance', ...common, action: does, warnings: [] }
      })
      sample.created()
      sample.add({ kind: 'step-checked', stepId: STEP, answer: holding('', effects) })
      sample.started(STEP)
      for (const { id, fact } of facts) sample.fact(STEP, fact[0], `server/${id}`, { name: `vm-${id}`, ...fact[1] })
      const view = foldRun(sample.events)
      const moves = talliesOf(view).moves ?? { moved: 0, stopped: 0, settled: 0, left: 0 }
      const report = reportOf(sample.events)
      const count = (...of: readonly ReportInstance['outcome'][]) =>
        report.instances.filter(({ outcome }) => of.includes(outcome)).length
      expect(moves).toMatchObject({
        ...{ moved: count('moved'), stopped: count('stopped'), settled: count('settled'), left: count('left-here') },
      })
      expect(report.summary.figures).toMatchObject({ instancesMoved: moves.moved, instancesStopped: moves.stopped })
      expect(report.nodes.reduce((sum, { instancesMoved }) => sum + instancesMoved, 0)).toBe(moves.moved)
      const lines = renderLive(view, Date.parse(view.lastEventAt), terminalLook(200), 40)
      const line = lines.find(text => text.includes('Live-migrate'))
      if (!facts.some(({ fact }) => fact[0] !== 'instance-decided' && fact[0] !== 'instance-started')) return
      expect({
        moved: numberBefore(line ?? '', 'of \\d+ moved'),
        left: numberBefore(line ?? '', 'still here'),
        settled: numberBefore(line ?? '', 'needs? no move'),
      }).toEqual({ moved: moves.moved, left: moves.left, settled: moves.settled })
    }),
    { numRuns: tries(150, 3000) },
  )
})
