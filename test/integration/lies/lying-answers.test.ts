import { describe, expect, test } from 'vitest'
import { must } from '../../../shared/domain/must.ts'
import {
  expectHonest,
  FROM_A_STEP_ON,
  SCENES,
  type SceneName,
  sceneWith,
  type Topic,
} from '../../fixtures/lies/lying-scene.ts'

/** What a step reads to say that it holds. */
const ROWS_FROM_A_STEP_ON: readonly (readonly [SceneName, 'enter' | 'leave', string, Topic])[] = [
  ['demo-plain', 'enter', 'disable-compute', 'compute services'],
  ['demo-plain', 'enter', 'disable-compute', 'Lease'],
  ['demo-plain', 'enter', 'migrate-instances', 'servers'],
  ['demo-plain', 'enter', 'migrate-instances', 'migrations'],
  ['demo-plain', 'enter', 'migrate-instances', 'Placement'],
  ['demo-plain', 'enter', 'cordon-node', 'nodes'],
  ['demo-plain', 'enter', 'drain-node', 'pods'],
  ['demo-plain', 'leave', 'uncordon-node', 'nodes'],
  ['demo-plain', 'leave', 'enable-compute', 'compute services'],
  ['demo-mosk', 'enter', 'request-node-maintenance', 'requests'],
  ['demo-mosk', 'enter', 'request-node-maintenance', 'locks'],
  ['demo-mosk', 'enter', 'request-node-maintenance', 'servers'],
  ['demo-mosk', 'leave', 'remove-node-request', 'requests'],
  ['demo-mosk', 'leave', 'remove-node-request', 'locks'],
  ['storage of demo-mosk', 'enter', 'set-noout', 'Ceph'],
  ['storage of demo-mosk', 'enter', 'stop-osds', 'Ceph'],
  ['storage of demo-mosk', 'leave', 'start-osds', 'Ceph'],
]

/** What such a step asks for has no list that could be emptied, or nothing was answered about it before. */
const NEVER_REPORTED: ReadonlySet<string> = new Set([
  'cordon-node nodes: an empty list that looks honest',
  'uncordon-node nodes: an empty list that looks honest',
  'disable-compute Lease: an empty list that looks honest',
  'request-node-maintenance servers: what was answered first',
])

describe.each(ROWS_FROM_A_STEP_ON)('%s: in %s, from the beginning of %s on, about %s', (name, kind, step, topic) => {
  test.each(FROM_A_STEP_ON.filter(lie => !NEVER_REPORTED.has(`${step} ${topic}: ${lie}`)))(
    '%s makes no false thing verified',
    async lie => {
      const scene = await sceneWith(name, topic)
      if (kind === 'leave') expect((await scene.run('enter', null)).isDone).toBe(true)
      const how = await scene.run(kind, { lie, step })
      expect(how.events.some(({ body }) => body.kind === 'step-started' && body.stepId === step)).toBe(true)
      expect(how.lies, 'the service lied').toBeGreaterThan(0)
      expectHonest(how, scene.violations)
      await scene.stop()
    },
  )
})

test.each(Object.keys(SCENES) as SceneName[])(
  'every step of %s that is verified is held against the simulators',
  async name => {
    const scene = await sceneWith(name, 'pods')
    for (const kind of ['enter', 'leave'] as const) {
      const how = await scene.run(kind, null)
      expect(how.isDone, how.words).toBe(true)
      const verified = must(how.plan, 'it has a plan').steps.filter(({ verbs }) => verbs.includes('verify'))
      expect(verified.length).toBeGreaterThan(2)
      expect(verified.filter(each => !scene.judges(each.kind)).map(each => each.kind)).toEqual([])
    }
    expect(scene.violations).toEqual([])
    await scene.stop()
  },
)
