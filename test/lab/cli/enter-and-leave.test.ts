import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { must } from '../../../shared/domain/must.ts'
import { lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { LAB_CLOUDS, LAB_KUBECONFIG } from '../lab-places.ts'
import { type BootedServer, bootServers } from './boot-servers.ts'
import { guardedPods, removeGuardedPods, untilBudgetAllows } from './guarded-pods.ts'
import {
  computeService,
  evictablePods,
  isSchedulable,
  kubectl,
  type ListedServer,
  leaseHolder,
  openstack,
  returnNode,
  serversByName,
} from './referees.ts'

/**
 * The whole job on the real lab, through the terminal face as an operator runs it. `openstack` and `kubectl` check
 * the results, never our own code.
 */
const COMPUTE = 'cmp-1'
const PREFIX = `enter-leave-${process.pid}`
const CONTROL_FLAGS = ['--delete-emptydir-data', '--allow-downtime', 'the test of a control node', '--yes'] as const
const OURS: readonly BootedServer[] = [
  { name: `${PREFIX}-1`, tag: null, status: 'ACTIVE' },
  { name: `${PREFIX}-2`, tag: null, status: 'ACTIVE' },
  { name: `${PREFIX}-3`, tag: 'live_migrate', status: 'ACTIVE' },
  { name: `${PREFIX}-4`, tag: 'poweroff', status: 'ACTIVE' },
  { name: `${PREFIX}-5`, tag: null, status: 'PAUSED' },
  { name: `${PREFIX}-6`, tag: 'live_migrate', status: 'PAUSED' },
  { name: `${PREFIX}-7`, tag: null, status: 'SHUTOFF' },
]
let dataDirectory: string
let otherConsole: string

beforeAll(async () => {
  dataDirectory = await consoleOfItsOwn()
  otherConsole = await consoleOfItsOwn()
})

afterAll(() => {
  for (const directory of [dataDirectory, otherConsole]) rmSync(directory, { recursive: true, force: true })
})

async function consoleOfItsOwn(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-lab-cli-'))
  const files = ['--kubeconfig', LAB_KUBECONFIG, '--clouds-yaml', LAB_CLOUDS, '--cloud', 'lab']
  expect(await lockkeeper(directory, ['cluster', 'add', 'lab', ...files])).toMatchObject({ code: 0 })
  return directory
}

/** The newest run that this console keeps. */
async function newestRun(): Promise<{ readonly id: string; readonly state: string }> {
  const { stdout } = await lockkeeper(dataDirectory, ['runs', 'lab', '-o', 'json'])
  return must(z.array(z.object({ id: z.string(), state: z.string() })).parse(JSON.parse(stdout))[0], 'there is a run')
}

/** The control node, other than the one with the lab's naked pod, on which most of the control plane's pods are. */
async function busiestControlNode(): Promise<string> {
  const [first, third] = await Promise.all([evictablePods('ctl-1'), evictablePods('ctl-3')])
  return first.length >= third.length ? 'ctl-1' : 'ctl-3'
}

/** Where the pods of a control node go. */
function spareOf(node: string): string {
  return node === 'ctl-1' ? 'ctl-3' : 'ctl-1'
}

function serversOf(host: string, servers: ReadonlyMap<string, ListedServer>): readonly ListedServer[] {
  return [...servers.values()].filter(({ Host }) => Host === host)
}

describe('a compute node with instances of every kind', () => {
  test('is emptied, kept out of service under the run’s id, and comes back', { timeout: 280_000 }, async () => {
    const seeded = serversOf(COMPUTE, await serversByName())
    try {
      await bootServers(COMPUTE, OURS)
      await guardedPods(PREFIX, COMPUTE, 'cmp-2')
      const before = await serversByName()
      expect(serversOf(COMPUTE, before).length).toBeGreaterThanOrEqual(7)
      expect(await evictablePods(COMPUTE)).not.toEqual([])

      const entered = await lockkeeper(dataDirectory, ['enter', 'lab', COMPUTE, '--yes', '--concurrency', '2'])
      expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 0 })

      const during = await serversByName()
      const stays = (name: string) => OURS.some(server => server.name === name && server.tag === 'poweroff')
      for (const { name, status } of OURS) {
        const { Host, Status } = must(during.get(name), 'every instance of the test is still there')
        expect({ name, Status }).toEqual({ name, Status: status })
        expect({ name, here: Host === COMPUTE }).toEqual({ name, here: status === 'SHUTOFF' || stays(name) })
      }
      for (const [name, { Status }] of before) {
        expect({ name, Status: during.get(name)?.Status }).toEqual({ name, Status })
      }
      const { id } = await newestRun()
      expect(await computeService(COMPUTE)).toMatchObject({
        Status: 'disabled',
        State: 'up',
        'Disabled Reason': expect.stringContaining(id),
      })
      expect(await isSchedulable(COMPUTE)).toBe(false)
      expect(await evictablePods(COMPUTE)).toEqual([])
      expect(await leaseHolder(COMPUTE)).toBe('')

      const left = await lockkeeper(dataDirectory, ['leave', 'lab', COMPUTE, '--yes'])
      expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
      expect(await computeService(COMPUTE)).toMatchObject({ Status: 'enabled', State: 'up', 'Disabled Reason': null })
      expect(await isSchedulable(COMPUTE)).toBe(true)
    } finally {
      await openstack('compute', 'service', 'set', '--enable', COMPUTE, 'nova-compute')
      await returnNode(COMPUTE)
      await removeGuardedPods(PREFIX)
      const now = await serversByName()
      const ids = OURS.flatMap(({ name }) => now.get(name)?.ID ?? [])
      if (ids.length > 0) await openstack('server', 'delete', '--wait', ...ids)
      for (const { ID, Name } of seeded) {
        if (now.get(Name)?.Host === COMPUTE) continue
        await openstack('server', 'migrate', '--live-migration', '--host', COMPUTE, '--wait', ID)
      }
    }
  })
})

describe('a control node guarded by budgets', () => {
  test('is emptied of its pods while every budget holds, and comes back', async () => {
    const node = await busiestControlNode()
    const namespace = `${PREFIX}-budget`
    try {
      await guardedPods(namespace, node, spareOf(node))
      const before = await evictablePods(node)
      expect(before.filter(pod => pod.startsWith(`${namespace}/`))).toHaveLength(2)

      const entered = await lockkeeper(dataDirectory, ['enter', 'lab', node, ...CONTROL_FLAGS])
      expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 0 })
      expect(await isSchedulable(node)).toBe(false)
      expect(await evictablePods(node)).toEqual([])
      await kubectl('rollout', 'status', 'deployment/guarded', '-n', namespace, '--timeout=150s')

      const left = await lockkeeper(dataDirectory, ['leave', 'lab', node, '--yes'])
      expect(left, left.stdout + left.stderr).toMatchObject({ code: 0 })
      expect(await isSchedulable(node)).toBe(true)
      expect(await leaseHolder(node)).toBe('')
    } finally {
      await returnNode(node)
      await removeGuardedPods(namespace)
    }
  })

  test('it waits while a budget allows nothing, and reports that; meanwhile no other console gets the node', async () => {
    const node = await busiestControlNode()
    const namespace = `${PREFIX}-blocks`
    let running: ReturnType<typeof startLockkeeper> | null = null
    try {
      await guardedPods(namespace, node, spareOf(node))
      const demand = (minAvailable: number) =>
        kubectl(
          'patch',
          'pdb',
          'guarded',
          '-n',
          namespace,
          '--type=merge',
          '-p',
          JSON.stringify({ spec: { minAvailable } }),
        )
      await demand(2)
      await untilBudgetAllows(namespace, 0)

      const entering = startLockkeeper(dataDirectory, ['enter', 'lab', node, ...CONTROL_FLAGS])
      running = entering
      await vi.waitFor(() => expect(entering.output()).toMatch(/waits\. The disruption budget guarded needs 2/), {
        timeout: 180_000,
        interval: 100,
      })
      expect((await evictablePods(node)).filter(pod => pod.startsWith(`${namespace}/`))).toHaveLength(2)

      const { id } = await newestRun()
      expect(await leaseHolder(node)).toContain(id)
      const second = await lockkeeper(otherConsole, ['enter', 'lab', node, ...CONTROL_FLAGS])
      expect(second).toMatchObject({ code: 3 })
      expect(second.stdout + second.stderr).toContain(`works on ${node} since`)
      expect(second.stdout + second.stderr).toContain(id)

      await demand(1)
      const entered = await entering.finished
      expect(entered, entered.stdout + entered.stderr).toMatchObject({ code: 0 })
      expect(await evictablePods(node)).toEqual([])
      expect(await leaseHolder(node)).toBe('')
    } finally {
      running?.child.kill('SIGKILL')
      await returnNode(node)
      await removeGuardedPods(namespace)
    }
  })
})

test('a plan for a node that the cluster does not have is refused before anything is touched', async () => {
  const planned = await lockkeeper(dataDirectory, ['plan', 'enter', 'lab', 'no-such-node'])
  expect(planned).toMatchObject({ code: 3 })
  expect(planned.stdout + planned.stderr).toContain('The cloud has no node named no-such-node.')
})
