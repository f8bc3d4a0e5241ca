import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { Report } from '../../../shared/domain/report.ts'
import { type CliAnswer, type CliProcess, lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { type BootedServer, bootServers } from '../cli/boot-servers.ts'
import { guardedPods, removeGuardedPods, untilBudgetAllows } from '../cli/guarded-pods.ts'
import { evictablePods, isSchedulable, kubectl, openstack, returnNode, serversByName } from '../cli/referees.ts'
import { LAB_CLOUDS, LAB_KUBECONFIG } from '../lab-places.ts'

/**
 * A maintenance window on the real lab, from its announcement to its report, through the terminal face. Every number of the report is
 * recomputed from what Nova and Kubernetes themselves keep.
 */
const COMPUTE = 'cmp-1'
const CONTROL = 'ctl-1'
const PREFIX = `window-${process.pid}`
const OURS: readonly BootedServer[] = [
  { name: `${PREFIX}-1`, tag: null, status: 'ACTIVE' },
  { name: `${PREFIX}-2`, tag: 'live_migrate', status: 'PAUSED' },
  { name: `${PREFIX}-3`, tag: 'poweroff', status: 'ACTIVE' },
]
let directory: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-lab-window-'))
  const files = ['--kubeconfig', LAB_KUBECONFIG, '--clouds-yaml', LAB_CLOUDS, '--cloud', 'lab']
  expect(await lockkeeper(directory, ['cluster', 'add', 'lab', ...files])).toMatchObject({ code: 0 })
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function said(...args: readonly string[]): Promise<CliAnswer> {
  const answer = await lockkeeper(directory, args)
  expect(answer, answer.stdout + answer.stderr).toMatchObject({ code: 0 })
  return answer
}

async function budgetNeeds(pods: number): Promise<void> {
  const patch = JSON.stringify({ spec: { minAvailable: pods } })
  await kubectl('patch', 'pdb', 'guarded', '-n', PREFIX, '--type=merge', '-p', patch)
  await untilBudgetAllows(PREFIX, 2 - pods)
}

/** Back to a host as it was; the client's own `--wait` knows no end for an instance that is not running. */
async function moveBack(id: string, name: string): Promise<void> {
  await openstack('server', 'migrate', '--live-migration', '--host', COMPUTE, id)
  await vi.waitFor(async () => expect((await serversByName()).get(name)?.Host).toBe(COMPUTE), {
    timeout: 60_000,
    interval: 2_000,
  })
}

const Migrations = z.array(
  z.object({
    'Server UUID': z.string(),
    Status: z.string(),
    'Source Compute': z.string().nullable(),
    'Dest Compute': z.string().nullable(),
    'Created At': z.string(),
    'Updated At': z.string(),
  }),
)

/** Nova's own records of migrations from a host since a time. */
async function migrationsFrom(host: string, since: string): Promise<z.infer<typeof Migrations>> {
  const listed = await openstack('server', 'migration', 'list', '--changes-since', since, '-f', 'json')
  return Migrations.parse(JSON.parse(listed)).filter(each => each['Source Compute'] === host)
}

const Pods = z.object({
  items: z.array(z.object({ metadata: z.object({ uid: z.string(), namespace: z.string(), name: z.string() }) })),
})

/** Every existing pod, by UID; an evicted one is no longer among them. */
async function podUids(): Promise<ReadonlySet<string>> {
  const pods = Pods.parse(JSON.parse(await kubectl('get', 'pods', '-A', '-o', 'json')))
  return new Set(pods.items.map(({ metadata }) => metadata.uid))
}

async function uidsOn(node: string): Promise<ReadonlyMap<string, string>> {
  const selector = `--field-selector=spec.nodeName=${node}`
  const pods = Pods.parse(JSON.parse(await kubectl('get', 'pods', '-A', selector, '-o', 'json')))
  const leaving = await evictablePods(node)
  return new Map(
    pods.items
      .map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.uid] as const)
      .filter(([name]) => leaving.includes(name)),
  )
}

test('a window of two batches, from its announcement to a report whose numbers Nova and Kubernetes confirm', {
  timeout: 420_000,
}, async () => {
  const seeded = [...(await serversByName()).values()].filter(({ Host }) => Host === COMPUTE)
  let started: CliProcess | null = null
  try {
    await bootServers(COMPUTE, OURS)
    await guardedPods(PREFIX, CONTROL, 'ctl-3')
    const before = await serversByName()
    const pods = new Map([...(await uidsOn(COMPUTE)), ...(await uidsOn(CONTROL))])
    const kubelet = await kubectl('get', 'node', COMPUTE, '-o', 'jsonpath={.status.nodeInfo.kubeletVersion}')

    const refused = await lockkeeper(directory, ['window', 'close', 'nosuch', '--summary', 'x'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nosuch') })

    const start = new Date(Date.now() - 60_000).toISOString().slice(0, 16).replace('T', ' ')
    const end = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
    const announced = ['--title', 'Lab window', '--ticket', 'CHG-1', '--start', start, '--end', end, '--zone', 'UTC']
    const batches = ['--batch', COMPUTE, '--batch', CONTROL, '--work', `kubelet=${kubelet}`]
    const created = await said('window', 'create', 'lab', ...announced, ...batches, '-o', 'json')
    const { window } = z.object({ window: z.object({ id: z.string() }) }).parse(JSON.parse(created.stdout))

    const since = new Date(Date.now() - 2_000).toISOString()
    // The budget lets nobody go until the run has said that it waits for it: the plan, printed before, foretells the same refusal.
    await budgetNeeds(2)
    const flags = ['--yes', '--delete-emptydir-data', '--allow-downtime', 'the test of a window']
    const starting = startLockkeeper(directory, ['window', 'start', window.id, ...flags])
    started = starting
    await vi.waitFor(() => expect(starting.output()).toContain('waits. The disruption budget guarded needs 2'), {
      timeout: 180_000,
      interval: 1_000,
    })
    await budgetNeeds(1)
    const ended = await starting.finished
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
    await said('window', 'close', window.id, '--summary', 'All done.')
    for (const node of [COMPUTE, CONTROL])
      expect({ node, back: await isSchedulable(node) }).toEqual({ node, back: true })

    const file = join(directory, 'report.json')
    await said('report', window.id, '--format', 'json', '-o', file)
    const report = Report.parse(JSON.parse(readFileSync(file, 'utf8')))
    expect(report.completeness).toEqual({ kind: 'final' })
    expect(report.summary).toMatchObject({ outcome: 'done', figures: { nodesPlanned: 2, nodesDone: 2 } })
    expect(report.damage).toEqual([])

    // Nova's records.
    const migrations = await migrationsFrom(COMPUTE, since)
    const arrived = migrations.filter(({ Status }) => Status === 'completed')
    const moved = report.instances.filter(({ outcome }) => outcome === 'moved')
    expect(moved.map(({ id }) => id).sort()).toEqual(arrived.map(each => each['Server UUID']).sort())
    expect(report.summary.figures.instancesMoved).toBe(arrived.length)
    const askedAtMs = Date.now()
    const after = await serversByName()
    // How long one question takes on this machine: we ask for a move before Nova notes it, and look for the arrival afterwards.
    const askMs = Date.now() - askedAtMs
    for (const instance of report.instances) {
      const now = must(after.get(instance.name), 'every instance is still there')
      const was = must(before.get(instance.name), 'every instance was there before')
      expect({ name: instance.name, ...instance.before }).toMatchObject({ host: was.Host, status: was.Status })
      if (instance.outcome !== 'moved') continue
      expect({ name: instance.name, ...instance.after }).toMatchObject({ host: now.Host, status: now.Status })
      const record = must(
        arrived.find(each => each['Server UUID'] === instance.id),
        'it has a record',
      )
      const tookMs = Date.parse(`${record['Updated At']}Z`) - Date.parse(`${record['Created At']}Z`)
      // Nova keeps whole seconds, and we look for an arrival every other second.
      const moreMs = (instance.moveMs ?? Number.NaN) - tookMs
      expect(moreMs).toBeGreaterThan(-4_000)
      expect(moreMs).toBeLessThan(6_000 + askMs)
    }
    const attempts = new Map(moved.map(({ id, attempts: count }) => [id, count]))
    for (const { id } of moved) {
      expect({ id, attempts: attempts.get(id) }).toEqual({
        id,
        attempts: migrations.filter(each => each['Server UUID'] === id).length,
      })
    }

    // Kubernetes' records: a pod that left has its UID no longer.
    const still = await podUids()
    const gone = [...pods].filter(([, uid]) => !still.has(uid)).map(([name]) => name)
    const left = report.pods.filter(({ outcome }) => outcome === 'left')
    const reported = new Set(left.map(({ namespace, name }) => `${namespace}/${name}`))
    expect(gone.filter(name => !reported.has(name))).toEqual([])
    expect(gone.length).toBeGreaterThanOrEqual(2)
    const guarded = left.filter(({ namespace }) => namespace === PREFIX)
    expect(guarded).toHaveLength(2)
    expect(guarded.flatMap(({ refusals }) => refusals.map(({ words }) => words))).toContainEqual(
      expect.stringContaining('guarded'),
    )

    await said('report', 'verify', file)
    const forged = join(directory, 'forged.json')
    writeFileSync(forged, readFileSync(file, 'utf8').replace('"nodesDone": 2', '"nodesDone": 1'))
    expect(await lockkeeper(directory, ['report', 'verify', forged])).toMatchObject({ code: 1 })
  } finally {
    started?.child.kill('SIGKILL')
    for (const node of [COMPUTE, CONTROL]) await returnNode(node)
    await openstack('compute', 'service', 'set', '--enable', COMPUTE, 'nova-compute')
    await removeGuardedPods(PREFIX)
    const now = await serversByName()
    const ids = OURS.flatMap(({ name }) => now.get(name)?.ID ?? [])
    if (ids.length > 0) await openstack('server', 'delete', '--wait', ...ids)
    for (const { ID, Name } of seeded) {
      if (now.get(Name)?.Host === COMPUTE) continue
      await moveBack(ID, Name)
    }
  }
})
