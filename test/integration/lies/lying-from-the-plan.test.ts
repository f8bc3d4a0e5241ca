import { describe, expect, test } from 'vitest'
import {
  expectHonest,
  FROM_THE_PLAN_ON,
  type SceneName,
  sceneWith,
  type Topic,
} from '../../fixtures/lies/lying-scene.ts'

/** Topics that a run reads anyway, from before its plan on. */
const ROWS_FROM_THE_PLAN_ON: readonly (readonly [SceneName, 'enter' | 'leave', Topic])[] = [
  ...(['pods', 'nodes', 'servers', 'compute services', 'migrations', 'Placement'] as const).map(
    topic => ['demo-plain', 'enter', topic] as const,
  ),
  ...(['pods', 'nodes', 'locks', 'requests', 'servers', 'compute services', 'Placement'] as const).map(
    topic => ['demo-mosk', 'enter', topic] as const,
  ),
  ['storage of demo-mosk', 'enter', 'Ceph'],
  ['demo-plain', 'leave', 'nodes'],
  ['demo-plain', 'leave', 'Lease'],
  ['demo-plain', 'leave', 'compute services'],
  ['demo-mosk', 'leave', 'locks'],
  ['demo-mosk', 'leave', 'requests'],
  ['demo-mosk', 'leave', 'compute services'],
  ['storage of demo-mosk', 'leave', 'Ceph'],
]

describe('from the plan on', () => {
  test.each(ROWS_FROM_THE_PLAN_ON)('%s: a lie in %s about %s leads to no false claim', async (name, kind, topic) => {
    const scene = await sceneWith(name, topic)
    if (kind === 'leave') expect((await scene.run('enter', null)).isDone).toBe(true)
    let received = 0
    for (const lie of FROM_THE_PLAN_ON) {
      const how = await scene.run(kind, { lie, step: null })
      received += how.lies
      expectHonest(how, scene.violations)
      if (!how.events.some(({ body }) => body.kind === 'step-started')) continue
      if (kind === 'leave' && !how.isDone) {
        const again = await scene.run('leave', null)
        expect(again.isDone, `again after ${lie}: ${again.words}`).toBe(true)
      }
      const back = await scene.run(kind === 'enter' ? 'leave' : 'enter', null)
      expect(back.isDone, `after ${lie}: ${back.words}`).toBe(true)
    }
    expect(received).toBeGreaterThan(0)
    // A service that answers truly again is believed again.
    const after = await scene.run(kind, null)
    expect(after.isDone, after.words).toBe(true)
    await scene.stop()
  })
})
