import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCephPort } from '../../../main/adapters/ceph/ceph-port.ts'
import { cephInToolbox } from '../../../main/adapters/ceph/toolbox.ts'
import { createExec } from '../../../main/adapters/kubernetes/exec.ts'
import { createKubernetesPort } from '../../../main/adapters/kubernetes/kubernetes-port.ts'
import type { KubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { labSession } from '../../fixtures/kubernetes/lab-session.ts'
import { ceph, isClean, startCeph, startOsdKeeper, startToolbox, until } from '../ceph/real-ceph.ts'
import { isSchedulable, kubectl, returnNode } from '../cli/referees.ts'
import { LAB_KUBECONFIG } from '../lab-places.ts'
import { kubernetesDump, type LabConsole, openLabConsole } from './lab-console.ts'

/** Storage nodes of flavour `sunbeam` on the lab's real Ceph, asked in its toolbox (docs/domain.md C.1, C.3); `ceph` itself judges. */
const NODES = ['osd-1', 'osd-2', 'osd-3'] as const

let session: KubernetesSession
let desk: LabConsole
let endToolbox: () => Promise<void>

const Dump = z.object({
  flags: z.string(),
  crush_node_flags: z.record(z.string(), z.array(z.string())),
  osds: z.array(z.object({ osd: z.number(), up: z.number(), in: z.number() })),
})
const dump = async () => Dump.parse(await ceph('osd', 'dump'))
const nooutHosts = async () =>
  Object.entries((await dump()).crush_node_flags).flatMap(([host, flags]) => (flags.includes('noout') ? [host] : []))
const upOsds = async () => (await dump()).osds.flatMap(({ osd, up }) => (up === 1 ? [osd] : []))

async function done(...args: readonly string[]): Promise<string> {
  const answer = await desk.run(...args)
  const said = answer.stdout + answer.stderr
  expect(answer, said).toMatchObject({ code: 0 })
  return said
}

beforeAll(async () => {
  startCeph()
  session = await labSession(LAB_KUBECONFIG)
  endToolbox = await startToolbox(createExec(session))
  desk = await openLabConsole('--flavour', 'sunbeam', '--ceph', 'toolbox', '--ceph-services-rule', 'majority')
  await until('Ceph is whole', isClean)
}, 900_000)

afterAll(async () => {
  for (const node of NODES) {
    await returnNode(node)
    await ceph('osd', 'unset-group', 'noout', node)
  }
  await ceph('osd', 'unset', 'noout')
  await endToolbox()
  session.close()
  desk.end()
})

test('noout for all of Ceph is set and removed by exactly that flag', async () => {
  const exec = createExec(session)
  const kubernetes = createKubernetesPort({ session, leaseNamespace: 'default', clock: systemClock, log: silentLogger })
  const port = createCephPort(
    cephInToolbox({ exec, kubernetes, namespace: 'rook-ceph', selector: 'app=rook-ceph-tools' }),
  )
  const before = (await dump()).flags
  expect(before.split(',')).not.toContain('noout')
  expect(await port.setNoout({ kind: 'cluster' }, true)).toMatchObject({ ok: true })
  expect((await dump()).flags.split(',')).toContain('noout')
  expect(await nooutHosts()).toEqual([])
  expect(await port.setNoout({ kind: 'cluster' }, false)).toMatchObject({ ok: true })
  expect((await dump()).flags).toBe(before)
})

test('two nodes hold noout each for itself, whichever leaves first', { timeout: 900_000 }, async () => {
  await done('enter', 'lab', 'osd-1', '--yes')
  expect(await nooutHosts()).toEqual(['osd-1'])
  // Two of three storage nodes out at once cost more copies than Ceph can spare: that blocks, and is forced here.
  await done('enter', 'lab', 'osd-2', '--yes', '--force', 'two at once')
  expect((await nooutHosts()).sort()).toEqual(['osd-1', 'osd-2'])
  await done('leave', 'lab', 'osd-1', '--yes')
  expect(await nooutHosts()).toEqual(['osd-2'])
  await done('enter', 'lab', 'osd-1', '--yes', '--force', 'two at once')
  await done('leave', 'lab', 'osd-2', '--yes')
  expect(await nooutHosts()).toEqual(['osd-1'])
  await done('leave', 'lab', 'osd-1', '--yes')
  expect(await nooutHosts()).toEqual([])
})

describe('a node whose OSDs are stopped', () => {
  let endKeeper: () => Promise<void>
  beforeAll(async () => {
    endKeeper = await startOsdKeeper()
  })
  afterAll(async () => {
    await endKeeper()
    await until('every OSD is up', async () => (await upOsds()).length === 6)
  })

  test('a dry run touches nothing', async () => {
    const before = [await kubernetesDump(), await dump()]
    expect(await done('enter', 'lab', 'osd-1', '--stop-osds', '--dry-run')).toContain('OSDs 0, 1')
    expect([await kubernetesDump(), await dump()]).toEqual(before)
  })

  test('it goes down, in and protected by noout, and no second node may follow it', async () => {
    await done('enter', 'lab', 'osd-1', '--stop-osds', '--yes')
    expect(await upOsds()).toEqual([2, 3, 4, 5])
    expect((await dump()).osds.every(osd => osd.in === 1)).toBe(true)
    expect(await nooutHosts()).toEqual(['osd-1'])
    expect(await isSchedulable('osd-1')).toBe(false)

    const second = await desk.run('enter', 'lab', 'osd-2', '--stop-osds', '--yes')
    expect(second, second.stdout + second.stderr).toMatchObject({ code: 3 })
    expect(second.stdout + second.stderr).toMatch(/OSDs 2, 3.*(cannot|not|would)/)
    expect([await upOsds(), await nooutHosts()]).toEqual([[2, 3, 4, 5], ['osd-1']])
  })

  test('it comes back while Ceph is degraded by another disk, and waits for clean only on request', async () => {
    await kubectl('-n', 'rook-ceph', 'scale', 'deployment', 'rook-ceph-osd-4', '--replicas=0')
    await until('osd.4 is down', async () => !(await upOsds()).includes(4))
    await done('leave', 'lab', 'osd-1', '--no-wait-for-clean', '--yes')
    expect(await upOsds()).toEqual([0, 1, 2, 3, 5])
    expect(await isClean()).toBe(false)
    expect(await nooutHosts()).toEqual([])
    expect(await isSchedulable('osd-1')).toBe(true)

    await kubectl('-n', 'rook-ceph', 'scale', 'deployment', 'rook-ceph-osd-4', '--replicas=1')
    await done('leave', 'lab', 'osd-1', '--yes')
    expect(await isClean()).toBe(true)
    expect(await upOsds()).toHaveLength(6)
  })
})
