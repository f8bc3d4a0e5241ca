import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import type { BatchOptions, JudgedBatches } from '../../../shared/domain/batches.ts'
import { must } from '../../../shared/domain/must.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

/** Batches over real ports: the embedded clouds speak HTTP, and Ceph by exec. */
let directory: string
let data: string
let demo: DemoClouds
let app: App

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-batches-'))
  data = join(directory, 'data')
  demo = await startDemoClouds({
    clock: systemClock,
    directory: join(directory, 'clouds'),
    speed: 30,
    mosk: { controllers: false },
    sunbeam: {},
  })
  app = valueIn(
    await createApp({ dataDirectory: data, demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
  await Promise.all(
    (['plain', 'mosk', 'sunbeam'] as const).map(async (name, at) => {
      const { kubeconfigPath, context, cloudsYamlPath, cloud, roleMaintenance } = must(
        demo.clusters[at],
        'it was started',
      )
      valueIn(
        await app.contract.ask('cluster.add', {
          name,
          flavour: name,
          production: false,
          kubeconfig: { paths: [kubeconfigPath], context },
          cloud: { path: cloudsYamlPath, cloud },
          roleMaintenance,
        }),
      )
    }),
  )
})

afterAll(async () => {
  await app.close()
  await demo.stop()
  await rm(directory, { recursive: true, force: true })
})

const WISH: BatchOptions = { zones: 'one-at-a-time', atOnce: {} }

async function planned(cluster: string, nodes: readonly string[], wish: BatchOptions = WISH): Promise<JudgedBatches> {
  return valueIn(await app.contract.ask('batches.plan', { cluster, nodes: [...nodes], wish }))
}

async function allNodes(cluster: string): Promise<string[]> {
  return valueIn(await app.contract.ask('node.list', { cluster })).nodes.map(({ name }) => name)
}

async function judged(cluster: string, batches: readonly (readonly string[])[], wish = WISH): Promise<JudgedBatches> {
  const asked = { cluster, batches: batches.map(nodes => ({ nodes: [...nodes] })), wish }
  return valueIn(await app.contract.ask('batches.judge', asked))
}

function rulesBroken({ batches }: JudgedBatches): readonly (readonly string[])[] {
  return batches.map(({ problems }) => problems.map(({ rule }) => rule))
}

const nodesIn = ({ batches }: JudgedBatches) => batches.map(({ nodes }) => nodes)
const count = (nodes: readonly string[], part: string) => nodes.filter(name => name.includes(part)).length

describe('batches of demo-plain', () => {
  it('hold every node once or leave it out with a reason, and keep limits, zones and disks apart', async () => {
    const all = await allNodes('plain')
    const made = await planned('plain', all)
    expect([...nodesIn(made).flat(), ...made.left.map(({ node }) => node)].sort()).toEqual(all.sort())
    // Their plans block until an operator accepts that memcached loses its cache.
    const leftFor = new Map(made.left.map(({ node, reasons = [] }) => [node, reasons.map(({ code }) => code)]))
    for (const node of ['ctl-1', 'ctl-2', 'ctl-3']) expect(leftFor.get(node)).toContain('PodWithEmptyDir')
    expect(made.batches.length).toBeGreaterThan(1)
    for (const batch of made.batches) {
      expect(batch.problems).toEqual([])
      expect(batch.capacity.kind).toBe('fits')
      expect(batch.zones.length).toBeLessThanOrEqual(1)
      expect(count(batch.nodes, 'osd-')).toBeLessThanOrEqual(1)
    }
    expect(made.unreachable).toEqual([])
  })

  it('leave out a node whose instances an affinity group keeps together, and name them', async () => {
    const made = await planned('plain', ['cmp-05', 'cmp-08'])
    expect(nodesIn(made)).toEqual([['cmp-05']])
    expect(made.left.map(({ node }) => node)).toEqual(['cmp-08'])
    expect(made.left[0]?.why).toContain('pair-01')
  })

  it('leave out a node that its plan blocks, and call it blocked where it is put', async () => {
    const made = await planned('plain', ['cmp-04'])
    expect(made.batches).toEqual([])
    expect(made.left[0]?.reasons?.map(({ code }) => code)).toContain('InstanceInError')
    const [batch] = (await judged('plain', [['cmp-04']])).batches
    expect(batch?.problems).toContainEqual(
      expect.objectContaining({ rule: 'plan-blocked', weight: 'hard', nodes: ['cmp-04'], code: 'InstanceInError' }),
    )
    const batches = [{ nodes: ['cmp-04'] }]
    const work = { scope: 'os', work: { kind: 'person' }, workMinutes: 5, pauseBetweenBatches: false } as const
    const asked = { cluster: 'plain', plan: { kind: 'batches' as const, batches, ...work } }
    const judgement = valueIn(await app.contract.ask('window.judge', asked))
    expect(judgement.blocks.map(({ node, code }) => `${node} ${code}`)).toContain('cmp-04 InstanceInError')
  })

  it('arranged otherwise are judged by the same rules, each broken one named', async () => {
    expect(rulesBroken(await judged('plain', [['cmp-01', 'cmp-05']]))).toEqual([['zone']])
    expect(rulesBroken(await judged('plain', [['osd-1', 'osd-2']]))).toEqual([['ceph-domain']])
    // Two majorities: of the services' pods, and of Ceph's monitors. What blocks the plan of each node alone follows.
    const [control = []] = rulesBroken(await judged('plain', [['ctl-1', 'ctl-2']]))
    expect(control.filter(rule => rule !== 'plan-blocked')).toEqual(['role-limit', 'quorum', 'quorum'])
    expect(control).toContain('plan-blocked')
    expect(rulesBroken(await judged('plain', [['cmp-01'], ['cmp-01', 'cmp-99']]))).toEqual([
      [],
      ['unknown-node', 'twice'],
    ])
  })

  it('of a whole zone are unknown where Nova does not report pinned instances, and of all hosts do not fit', async () => {
    const computes = (await allNodes('plain')).filter(name => name.includes('cmp-'))
    const zone = await judged('plain', [computes.slice(0, 4)])
    expect(zone.batches[0]?.capacity).toMatchObject({
      kind: 'cannot-tell',
      why: expect.stringContaining('another zone'),
    })
    const all = await judged('plain', [computes], { zones: 'spread', atOnce: {} })
    expect(rulesBroken(all)[0]).toContain('capacity')
    expect(all.batches[0]?.capacity.kind).toBe('does-not-fit')
  })

  it('count what moves as Nova lists it: running instances that nobody kept back', async () => {
    const listed = valueIn(await app.contract.ask('instance.list', { cluster: 'plain', node: 'cmp-01' })).instances
    const moving = listed.filter(({ action }) => action === 'live_migrate').length
    expect(moving).toBeGreaterThan(0)
    expect((await judged('plain', [['cmp-01']])).batches[0]?.capacity).toEqual({ kind: 'fits', moving })
  })

  it('without Placement nothing claims to fit, and the limits still hold', async () => {
    const mend = demo.openstack.faults.onRequests({
      service: 'placement',
      effect: { kind: 'status', status: 503 },
    })
    try {
      const made = await planned('plain', ['cmp-01', 'cmp-02', 'osd-1', 'osd-2'])
      expect(made.unreachable.join(' ')).toMatch(/placement|resource provider/i)
      const [first] = made.batches
      expect(first?.capacity.kind).toBe('cannot-tell')
      // Placement may answer when the window opens: their plans block now, and no node is left out for it.
      expect(made.left).toEqual([])
      expect(
        made.batches.flatMap(({ problems }) => problems.map(({ nodes, code, weight }) => [...nodes, code, weight])),
      ).toEqual([
        ['cmp-01', 'AllocationsUnread', 'soft'],
        ['cmp-02', 'AllocationsUnread', 'soft'],
      ])
      expect(made.batches.every(({ nodes }) => count(nodes, 'osd-') <= 1)).toBe(true)
    } finally {
      mend()
    }
  })
})

describe('batches of demo-mosk', () => {
  it('go control nodes first and keep what its controllers would refuse: one zone, one gateway, one host of Ceph, a role at its limit alone', async () => {
    const all = await allNodes('mosk')
    const made = await planned('mosk', all, { zones: 'spread', atOnce: {} })
    expect(nodesIn(made).flat().sort()).toEqual(all.sort())
    expect(nodesIn(made).slice(0, 3)).toEqual([['mosk-ctl-1'], ['mosk-ctl-2'], ['mosk-ctl-3']])
    for (const batch of made.batches) {
      expect(batch.problems).toEqual([])
      expect(batch.zones.length).toBeLessThanOrEqual(1)
      expect(count(batch.nodes, 'osd-')).toBeLessThanOrEqual(1)
      if (count(batch.nodes, 'ctl-') + count(batch.nodes, 'gtw-') > 0) expect(batch.nodes).toHaveLength(1)
    }
    expect(made.rules).toContain("Ceph's monitors: 2 of 3 have to stay")
    expect(made.rules).toContain('mariadb-server (database): 2 of 3 have to stay')
  })

  it('of two hosts of Ceph break its rule, also on request: they share no rack', async () => {
    expect(rulesBroken(await judged('mosk', [['mosk-osd-1', 'mosk-osd-2']]))).toEqual([['ceph-domain']])
    const asked = await judged('mosk', [['mosk-osd-1', 'mosk-osd-2']], { ...WISH, atOnce: { storage: 2 } })
    expect(asked.batches[0]?.problems.map(({ words }) => words).join(' ')).toContain('share no rack')
  })

  it('with fewer computes at once are more', async () => {
    const computes = (await allNodes('mosk')).filter(name => name.includes('cmp-'))
    const few = await planned('mosk', computes, { ...WISH, atOnce: { compute: 1 } })
    expect(nodesIn(few).every(nodes => nodes.length === 1)).toBe(true)
    expect(few.rules).toContain('compute: 1 at a time (as requested)')
  })
})

describe('batches of demo-sunbeam', () => {
  it('take its nodes one by one: each is control, compute and storage', async () => {
    const made = await planned('sunbeam', await allNodes('sunbeam'))
    expect(made.unreachable).toEqual([])
    expect([...nodesIn(made), ...made.left.map(({ node }) => [node])].sort()).toEqual([['sun-1'], ['sun-2'], ['sun-3']])
  })
})

describe('lockkeeper window batches', () => {
  it('shows what the screen shows, and ends with 3 when a node is left out', async () => {
    const typed = ['window', 'batches', 'plain', '--role', 'compute', '--at-once', 'compute=2']
    const json = await lockkeeper(data, [...typed, '-o', 'json'])
    expect(json.code, json.stderr).toBe(3)
    const computes = (await allNodes('plain')).filter(name => name.includes('cmp-'))
    const { readAt: _, ...shown } = JSON.parse(json.stdout)
    const { readAt: __, ...asked } = await planned('plain', computes, { ...WISH, atOnce: { compute: 2 } })
    expect(shown).toEqual(asked)
    const table = await lockkeeper(data, typed)
    expect(table.stdout).toContain('In no batch: 4 nodes')
    expect(table.stdout).toMatch(/cmp-04 +Instance broken-01 .* is in ERROR/)
    expect(table.stdout).toContain('compute: 2 at a time (as requested)')
  })

  it('judges the batches it is given', async () => {
    const kept = await lockkeeper(data, ['window', 'batches', 'plain', '--batch', 'cmp-01', '--batch', 'osd-1'])
    expect(kept.code, kept.stdout + kept.stderr).toBe(0)
    const broken = await lockkeeper(data, ['window', 'batches', 'plain', '--batch', 'ctl-1,ctl-2'])
    expect(broken.code).toBe(3)
    expect(broken.stdout).toContain('control nodes')
    const blocked = await lockkeeper(data, ['window', 'batches', 'plain', '--batch', 'cmp-04'])
    expect(blocked.code).toBe(3)
    expect(blocked.stdout).toContain('is in ERROR')
  })

  it('asks for nodes, a role or batches, and for one of them only', async () => {
    expect((await lockkeeper(data, ['window', 'batches', 'plain'])).code).toBe(2)
    expect((await lockkeeper(data, ['window', 'batches', 'plain', '--nodes', 'a', '--role', 'compute'])).code).toBe(2)
    const odd = await lockkeeper(data, ['window', 'batches', 'plain', '--nodes', 'a', '--at-once', 'compute'])
    expect(odd.stderr).toContain('compute=2')
  })
})
