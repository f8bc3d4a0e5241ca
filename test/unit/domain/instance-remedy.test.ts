import { expect, test } from 'vitest'
import { TASK_IS_STALE_AFTER_MS, whyUnfit } from '../../../shared/domain/instance-remedy.ts'

const NOW = Date.parse('2026-11-29T02:00:00.000Z')
const busy = (taskState: string, agoMs: number | null) => ({
  ...{ status: 'ACTIVE', vmState: 'active', taskState },
  updatedAt: agoMs === null ? null : new Date(NOW - agoMs).toISOString(),
})

test.each([
  ['rebooting', TASK_IS_STALE_AFTER_MS, undefined],
  ['rebooting', TASK_IS_STALE_AFTER_MS - 1, 'TaskMayBeAtWork'],
  ['rebooting', null, 'TaskMayBeAtWork'],
  ['migrating', 10 * TASK_IS_STALE_AFTER_MS, 'InstanceMoves'],
  ['resize_prep', 10 * TASK_IS_STALE_AFTER_MS, 'InstanceMoves'],
  ['rebuild_spawning', 10 * TASK_IS_STALE_AFTER_MS, 'InstanceMoves'],
])('a task %s that Nova changed %s ms ago', (task, agoMs, code) => {
  expect(whyUnfit('reset-state', busy(task, agoMs), NOW)?.code).toBe(code)
})
