import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createCephPort } from '../../../main/adapters/ceph/ceph-port.ts'
import { cephInToolbox } from '../../../main/adapters/ceph/toolbox.ts'
import { createExec } from '../../../main/adapters/kubernetes/exec.ts'
import { createKubernetesPort } from '../../../main/adapters/kubernetes/kubernetes-port.ts'
import type { KubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { CephPort } from '../../../main/ports/ceph.ts'
import type { ExecInPod } from '../../../main/ports/kubernetes.ts'
import { isActiveClean } from '../../../shared/domain/ceph.ts'
import { labSession } from '../../fixtures/kubernetes/lab-session.ts'
import { LAB_KUBECONFIG, LAB_VIEWER_KUBECONFIG } from '../lab-places.ts'
import { ceph as client, startCeph, startToolbox, until } from './real-ceph.ts'

/** Commands in pods through a real API server, and a real Ceph asked that way; `ceph` itself is the referee. */

let session: KubernetesSession
let exec: ExecInPod
let ceph: CephPort
let endToolbox: () => Promise<void>

const inToolbox = (command: readonly string[], timeoutMs = 20_000) =>
  exec({ namespace: 'rook-ceph', pod: 'rook-ceph-tools-0', container: null, command, timeoutMs })

beforeAll(async () => {
  startCeph()
  session = await labSession(LAB_KUBECONFIG)
  exec = createExec(session)
  endToolbox = await startToolbox(exec)
  const kubernetes = createKubernetesPort({ session, leaseNamespace: 'default', clock: systemClock, log: silentLogger })
  ceph = createCephPort(cephInToolbox({ exec, kubernetes, namespace: 'rook-ceph', selector: 'app=rook-ceph-tools' }))
  await until('Ceph is whole', async () => {
    const status = await ceph.status()
    return status.ok && isActiveClean(status.value)
  })
}, 900_000)

afterAll(async () => {
  await client('osd', 'unset-group', 'noout', 'osd-3')
  await endToolbox()
  session.close()
})

describe('a command in a pod, through the API server', () => {
  test('both streams and the exit code arrive', async () => {
    expect(await inToolbox(['sh', '-c', 'echo out; echo err >&2; exit 7'])).toEqual({
      ok: true,
      value: { exitCode: 7, stdout: 'out\n', stderr: 'err\n' },
    })
  })

  test('a megabyte arrives whole', async () => {
    const answer = await inToolbox(['sh', '-c', 'head -c 1048576 /dev/zero | tr "\\0" x'])
    expect(answer.ok && answer.value.stdout.length).toBe(1_048_576)
  })

  test('one that takes too long is left', async () => {
    const startedAt = Date.now()
    expect(await inToolbox(['sleep', '20'], 1_000)).toMatchObject({ ok: false, failure: { code: 'timed-out' } })
    expect(Date.now() - startedAt).toBeLessThan(5_000)
  })

  test('a user without rights learns which right is missing', async () => {
    const viewer = await labSession(LAB_VIEWER_KUBECONFIG)
    const pod = { namespace: 'rook-ceph', pod: 'rook-ceph-tools-0', container: null }
    const answer = await createExec(viewer)({ ...pod, command: ['true'], timeoutMs: 5_000 })
    viewer.close()
    expect(answer).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
  })
})

describe('a real Ceph, asked in its toolbox', () => {
  test('the status is what its own client says', async () => {
    const Said = z.object({ health: z.object({ status: z.string() }), pgmap: z.object({ num_pgs: z.number() }) })
    // A warning may come or go between two questions: it is judged where the client says the same before and after.
    const [said, status] = await vi.waitFor(
      async () => {
        const before = Said.parse(await client('status'))
        const reported = await ceph.status()
        expect(Said.parse(await client('status')).health).toEqual(before.health)
        return [before, reported] as const
      },
      { timeout: 60_000, interval: 500 },
    )
    expect(status).toMatchObject({
      ok: true,
      value: {
        health: said.health.status,
        monsTotal: 3,
        osds: { total: 6, up: 6, in: 6 },
        pgs: { total: said.pgmap.num_pgs },
      },
    })
  })

  test('docs/domain.md C.3: the OSDs of one host may stop, those of two may not, and groups are counted', async () => {
    expect(await ceph.okToStop([0, 1])).toMatchObject({ ok: true, value: { ok: true, pgsAtRisk: 0 } })
    const two = await ceph.okToStop([0, 1, 2, 3])
    expect(two).toMatchObject({ ok: true, value: { ok: false, osds: [0, 1, 2, 3] } })
    expect(two.ok ? two.value.pgsAtRisk : 0).toBeGreaterThan(0)
  })

  test('docs/domain.md C.3: noout is set for one host and removed again, as its own client reads back', async () => {
    const Dump = z.object({ crush_node_flags: z.record(z.string(), z.array(z.string())) })
    const flags = async () => Dump.parse(await client('osd', 'dump')).crush_node_flags['osd-3'] ?? []
    const protectedIds = async () => {
      const osds = await ceph.osds()
      return osds.ok ? osds.value.filter(osd => osd.noout).map(osd => osd.id) : null
    }
    expect(await ceph.setNoout({ kind: 'host', host: 'osd-3' }, true)).toMatchObject({ ok: true })
    expect(await flags()).toEqual(['noout'])
    expect(await protectedIds()).toEqual([4, 5])
    expect(await ceph.setNoout({ kind: 'host', host: 'osd-3' }, false)).toMatchObject({ ok: true })
    expect(await flags()).toEqual([])
    expect(await protectedIds()).toEqual([])
  })

  test('a host Ceph does not know fails in its own words', async () => {
    const answer = await ceph.setNoout({ kind: 'host', host: 'no-such-host' }, true)
    expect(answer.ok ? '' : answer.failure.message).toContain('no-such-host')
  })
})
