import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { runOf, startMoskConsole } from '../../fixtures/procedures/mosk-console.ts'

/** A node goes through the node maintenance API while its console is killed: what was asked is read from the API server's log. */
describe('a node of demo-mosk through the node maintenance API', () => {
  let desk: Awaited<ReturnType<typeof startMoskConsole>>
  beforeAll(async () => {
    desk = await startMoskConsole()
  })
  // Where it could not be started there is nothing to close.
  afterAll(() => desk?.close())

  it('killed with SIGKILL as soon as it said what it does, and resumed, asks for nothing twice', async () => {
    const node = 'mosk-cmp-08'
    const madeBefore = desk.requestsMade()
    for (const [way, marks, state] of [
      ['enter', [/maintenance requested/, /its lock is active/, /Cordon mosk-cmp-08/], 'inactive'],
      ['leave', [/maintenance request removed/, /its lock is/], 'active'],
    ] as const) {
      let driven = desk.start(way, 'm', node, '--yes')
      let runId: string | null = null
      for (const mark of marks) {
        const log = () => driven.output().split(/^(?:Run|Resumed) .*$/m)[1] ?? driven.output()
        await vi.waitFor(() => expect(driven.child.exitCode !== null || mark.test(log())).toBe(true), {
          timeout: 30_000,
          interval: 2,
        })
        runId ??= runOf(driven.output())
        if (driven.child.exitCode !== null) break
        driven.child.kill('SIGKILL')
        await driven.finished
        driven = desk.start('run', 'resume', runId)
      }
      const over = await driven.finished
      const said = over.stdout + over.stderr
      // What was killed after its last write has nothing left to be resumed.
      expect(over.code === 0 || said.includes('is over'), said).toBe(true)
      expect(await desk.locksOf(node)).toEqual([`openstack ${state}`])
      expect(valueIn(await desk.byHand.kubernetes.getNode(node)).unschedulable).toBe(way === 'enter')
    }
    expect(desk.requestsMade() - madeBefore).toBe(1)
    expect(desk.asked('DELETE', new RegExp(`/nodemaintenancerequests/${node}(\\?|$)`))).toBe(1)
  })
})
