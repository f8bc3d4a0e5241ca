import { expect, test } from 'vitest'
import { easiestNode, guideOf, hasTried } from '../../../renderer/ui/guide/guide.ts'
import { nodeView } from '../../fixtures/renderer/views.ts'
import { runOf } from '../../fixtures/renderer/windows.ts'

const OURS = { machine: 'here', cluster: 'lab', node: 'cmp-01', endedAt: null } as const
const OUT = runOf({ ...OURS, id: 'out', kind: 'enter', state: 'running' })
const EMPTY = runOf({ ...OURS, id: 'out', kind: 'enter', state: 'done', endedAt: '2026-11-20T03:00:00.000Z' })
const COMING = runOf({ ...OURS, id: 'back', kind: 'leave', state: 'running' })
const BACK = runOf({ ...OURS, id: 'back', kind: 'leave', state: 'done', endedAt: '2026-11-20T03:01:00.000Z' })
const ELSEWHERE = runOf({ ...OURS, id: 'other', kind: 'leave', node: 'cmp-02', state: 'done', endedAt: EMPTY.endedAt })

test.each([
  ['nothing done: open the map', [], [], 'open'],
  ['the map was opened: drag', [], ['open'], 'drag'],
  ['a plan was read: start it', [], ['open', 'plan'], 'start'],
  ['a started run has been dragged and read, however it began', [OUT], [], 'back'],
  ['an empty node comes back next', [EMPTY], [], 'back'],
  ['one on its way back is not back', [COMING, EMPTY], [], 'back'],
  ['another node that is back does not count', [ELSEWHERE, EMPTY], [], 'back'],
  ['back: its report', [BACK, EMPTY], [], 'report'],
  ['the report was opened: done', [BACK, EMPTY], ['report'], null],
  ['a report that was opened before the node is back is not the last step', [EMPTY], ['report'], 'back'],
  ['a run that was stopped begins the step again', [{ ...OUT, state: 'aborted' as const }], ['plan'], 'start'],
  ["the demo's own history counts for nothing", [{ ...EMPTY, machine: 'demo' }], [], 'open'],
] as const)('%s', (_rule, runs, seen, now) => {
  expect(guideOf(runs, 'here', new Set(seen)).now).toBe(now)
})

test('who has started a run here has tried it', () => {
  expect([hasTried([EMPTY], 'here'), hasTried([EMPTY], 'there')]).toEqual([true, false])
})

test('it points at the first node in service that ends empty without help', () => {
  const counts = { total: 1, live_migrate: 1, migrating: 0, poweroff: 0, notify: 0, ignore: 0, blocked: 0 }
  const nodes = [
    nodeView('cmp-10', { instances: counts }),
    nodeView('cmp-02', { instances: counts }),
    nodeView('cmp-01', { instances: { ...counts, blocked: 1 } }),
    nodeView('cmp-01b', { instances: { ...counts, poweroff: 1 } }),
    nodeView('cmp-00', { instances: counts, state: 'maintenance' }),
    nodeView('osd-1', { instances: null }),
  ]
  expect(easiestNode(nodes)).toBe('cmp-02')
  expect(easiestNode(nodes.filter(({ name }) => name !== 'cmp-02' && name !== 'cmp-10'))).toBe('cmp-01b')
  expect(easiestNode([])).toBeNull()
})
