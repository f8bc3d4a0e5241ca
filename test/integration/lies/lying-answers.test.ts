import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Lie as KubernetesLie } from '../../../main/demo/kubernetes/faults.ts'
import { type Lie, lieAbout } from '../../../main/demo/lie.ts'
import { demoMosk } from '../../../main/demo/scenarios/demo-mosk.ts'
import { demoPlain, type Scenario } from '../../../main/demo/scenarios/demo-plain.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import { must } from '../../../shared/domain/must.ts'
import type { RunOptions } from '../../../shared/domain/plan.ts'
import {
  sayAnotherKind,
  sayAnotherObject,
  sayEmptyList,
  sayHalf,
  sayLoginPage,
} from '../../fixtures/demo-kubernetes/lies.ts'
import { startScenario } from '../../simulation/cloud.ts'
import type { GoodAnswer, MessageFault } from '../../simulation/faults.ts'
import { type HowItWent, startOneConsole } from '../../simulation/one-run.ts'
import { clusterOf } from '../../simulation/simulate.ts'

/**
 * Something between the console and the demo's clouds lies with a good status, in virtual time. Whatever is claimed is held against what the
 * simulators themselves hold, at the instant of the claim.
 */

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-lies-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

/** What is said instead of the truth: by the API server, and by everybody else. */
const LIES = {
  'a login page': { kubernetes: sayLoginPage, others: 'html' },
  'JSON cut in its middle': { kubernetes: sayHalf, others: 'cut' },
  'an empty list that looks honest': { kubernetes: sayEmptyList, others: 'empty-list' },
  'other objects': { kubernetes: sayAnotherObject, others: 'other-object' },
  'another kind': { kubernetes: sayAnotherKind, others: 'other-key' },
  'what was answered first': { kubernetes: () => null, others: 'stale' },
} as const satisfies Readonly<Record<string, { readonly kubernetes: KubernetesLie; readonly others: Lie }>>
type LieName = keyof typeof LIES

/** Before a run, nothing was heard that what was answered first could be held against. */
const FROM_THE_PLAN_ON = (Object.keys(LIES) as LieName[]).filter(lie => lie !== 'what was answered first')
/** Cut JSON, other objects and other kinds are refused where login pages are. */
const FROM_A_STEP_ON: readonly LieName[] = [
  'a login page',
  'an empty list that looks honest',
  'what was answered first',
]

/** What is lied about. */
const TOPICS = {
  pods: /^kubernetes GET \/api\/v1\/(namespaces\/[^/]+\/)?pods/,
  nodes: /^kubernetes GET \/api\/v1\/nodes/,
  locks: /^kubernetes GET \S*\/nodeworkloadlocks/,
  requests: /^kubernetes GET \S*\/nodemaintenancerequests/,
  Lease: /^kubernetes GET \S*\/leases/,
  servers: /^openstack GET \/compute\/v2.1\/servers/,
  'compute services': /^openstack GET \S*\/os-services/,
  migrations: /^openstack GET \S*migrations/,
  Placement: /^openstack GET \/placement/,
  Ceph: /^pod ceph /,
} as const
type Topic = keyof typeof TOPICS

interface Scene {
  readonly scenario: Scenario
  readonly node: string
  readonly cluster: Cluster
  /** Who answers maintenance requests; absent: nobody. */
  readonly answering?: Cluster
  readonly options: Partial<RunOptions>
}

const plain = clusterOf('plain')
const mosk = clusterOf('mosk')
const inCluster = { openstack: 'cluster', ceph: 'none', tungstenfabric: 'none', stacklight: 'none' } as const
const SCENES = {
  'demo-plain': { scenario: demoPlain(), node: 'cmp-01', cluster: plain, options: {} },
  'demo-mosk': {
    scenario: demoMosk({ tungstenFabric: false }),
    node: 'mosk-cmp-05',
    cluster: { ...mosk, maintenanceApi: { ...mosk.maintenanceApi, controllers: inCluster } },
    answering: mosk,
    options: {},
  },
  'storage of demo-mosk': {
    scenario: demoMosk({ tungstenFabric: false }),
    node: 'mosk-osd-1',
    cluster: { ...plain, roleMaintenance: { ...plain.roleMaintenance, ceph: 'toolbox' } },
    options: { stopOsds: true },
  },
} as const satisfies Readonly<Record<string, Scene>>
type SceneName = keyof typeof SCENES

/** A cloud of the demo and a console before it, with somebody on the wire who can be told to lie. */
async function sceneWith(name: SceneName, topic: Topic) {
  const scene: Scene = SCENES[name]
  const first = new Map<string, GoodAnswer>()
  let lie: LieName | null = null
  let begins: { readonly step: string; readonly lie: LieName } = { step: '', lie: 'a login page' }
  let lies = 0
  const tell = (message: string, truth: GoodAnswer): GoodAnswer | null => {
    const told = first.get(message) ?? truth
    first.set(message, told)
    if (lie === null) return null
    const said = lie === 'what was answered first' ? told : lieOf(lie, message, truth)
    if (said === null || said.text === truth.text) return null
    lies += 1
    return said
  }
  const meet = (_: number, message: string): MessageFault | null =>
    TOPICS[topic].test(message) ? { kind: 'told', tell: truth => tell(message, truth) } : null
  files += 1
  const one = startOneConsole({
    ...scene,
    startMs: START_MS,
    cloudOn: machine => startScenario(scene.scenario, machine),
    journalPath: join(folder, `${files}.db`),
    meet,
    onAppended: ({ body }) => {
      if (body.kind === 'step-started' && body.stepId === begins.step) lie = begins.lie
    },
  })
  // Whoever answers requests makes its locks first.
  await one.timeline.runUntil(() => false, { untilMs: START_MS + seconds(20), turns: 100_000 })
  return {
    ...one,
    run: async (kind: 'enter' | 'leave', told: { readonly lie: LieName; readonly step: string | null } | null) => {
      lie = told?.step === null ? told.lie : null
      begins = { step: told?.step ?? '', lie: told?.lie ?? 'a login page' }
      lies = 0
      const how = await one.run({ kind, node: scene.node, options: scene.options, answers: 'abort' })
      lie = null
      return { ...how, lies, isDone: how.summary?.outcome === 'done' }
    },
  }
}

function lieOf(name: LieName, message: string, { headers, text }: GoodAnswer): GoodAnswer | null {
  const { kubernetes, others } = LIES[name]
  const [api, method = '', path = ''] = message.split(' ')
  const type = (told: string) => ({ ...headers, 'content-type': told })
  if (api !== 'kubernetes') {
    const isPage = others === 'html'
    return { headers: type(isPage ? 'text/html' : 'application/json'), text: lieAbout(others, JSON.parse(text)) }
  }
  const told = kubernetes({ method, path, code: 200, body: JSON.parse(text) })
  return told === null ? null : { headers: type(told.contentType), text: told.text }
}

/** Done is only what is so; everything else says why it is not, and is over in bounded time. */
function expectHonest(how: HowItWent, violations: readonly unknown[]): void {
  expect(violations).toEqual([])
  expect(how.words, 'it ends, or asks, or says what it waits for').toMatch(/\w+ \w+/)
}

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
  test.each(ROWS_FROM_THE_PLAN_ON)(
    '%s: who is lied to in %s about %s claims nothing that is not so',
    async (name, kind, topic) => {
      const scene = await sceneWith(name, topic)
      if (kind === 'leave') expect((await scene.run('enter', null)).isDone).toBe(true)
      let heard = 0
      for (const lie of FROM_THE_PLAN_ON) {
        const how = await scene.run(kind, { lie, step: null })
        heard += how.lies
        expectHonest(how, scene.violations)
        if (!how.events.some(({ body }) => body.kind === 'step-started')) continue
        const back = await scene.run(kind === 'enter' ? 'leave' : 'enter', null)
        expect(back.isDone, `after ${lie}: ${back.words}`).toBe(true)
      }
      expect(heard).toBeGreaterThan(0)
      // Who tells the truth again is believed again.
      const after = await scene.run(kind, null)
      expect(after.isDone, after.words).toBe(true)
      await scene.stop()
    },
  )
})

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
const NEVER_TOLD: ReadonlySet<string> = new Set([
  'cordon-node nodes: an empty list that looks honest',
  'uncordon-node nodes: an empty list that looks honest',
  'disable-compute Lease: an empty list that looks honest',
  'request-node-maintenance servers: what was answered first',
])

describe.each(ROWS_FROM_A_STEP_ON)('%s: in %s, from the beginning of %s on, about %s', (name, kind, step, topic) => {
  test.each(FROM_A_STEP_ON.filter(lie => !NEVER_TOLD.has(`${step} ${topic}: ${lie}`)))(
    '%s makes nothing verified that is not so',
    async lie => {
      const scene = await sceneWith(name, topic)
      if (kind === 'leave') expect((await scene.run('enter', null)).isDone).toBe(true)
      const how = await scene.run(kind, { lie, step })
      expect(how.events.some(({ body }) => body.kind === 'step-started' && body.stepId === step)).toBe(true)
      expect(how.lies, 'the lie was told').toBeGreaterThan(0)
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
