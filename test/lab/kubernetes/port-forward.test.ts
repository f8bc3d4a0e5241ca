import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExec } from '../../../main/adapters/kubernetes/exec.ts'
import type { KubernetesSession } from '../../../main/adapters/kubernetes/session.ts'
import { createPortForward } from '../../../main/wings/runner/kubernetes/port-forward.ts'
import { labSession } from '../../fixtures/kubernetes/lab-session.ts'
import { startToolbox } from '../ceph/real-ceph.ts'
import { LAB_KUBECONFIG, LAB_VIEWER_KUBECONFIG } from '../lab-places.ts'

/** Ports of pods through a real API server, which proxies to the kubelet that toolbox.mjs plays. */

const LARGE = Buffer.alloc(5 * 1024 * 1024, 'lockkeeper ')

let session: KubernetesSession
let viewer: KubernetesSession
let endToolbox: () => Promise<void>
let echo: Server
let port: number

const to = (pod = 'rook-ceph-tools-0', at = port) => ({ namespace: 'rook-ceph', pod, port: at })

beforeAll(async () => {
  session = await labSession(LAB_KUBECONFIG)
  viewer = await labSession(LAB_VIEWER_KUBECONFIG)
  endToolbox = await startToolbox(createExec(session))
  echo = createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.pipe(socket)
  })
  await new Promise<void>(resolve => echo.listen(0, '127.0.0.1', resolve))
  port = (echo.address() as AddressInfo).port
})

afterAll(async () => {
  await endToolbox()
  session.close()
  viewer.close()
  await new Promise(resolve => echo.close(resolve))
})

test('five megabytes go to a port of a pod and come back whole, in order', async () => {
  const forwarded = await createPortForward(session)(to())
  if (!forwarded.ok) throw new Error(forwarded.failure.message)
  forwarded.value.write(LARGE)
  const received: Buffer[] = []
  let bytes = 0
  for await (const part of forwarded.value) {
    received.push(part as Buffer)
    bytes += (part as Buffer).length
    if (bytes >= LARGE.length) break
  }
  expect(Buffer.concat(received).equals(LARGE)).toBe(true)
})

test('a port on which nobody listens says so', async () => {
  const forwarded = await createPortForward(session)(to('rook-ceph-tools-0', 1))
  if (!forwarded.ok) throw new Error(forwarded.failure.message)
  forwarded.value.resume()
  const why = await new Promise<string>(resolve => forwarded.value.once('error', error => resolve(error.message)))
  expect(why).toMatch(/^Port 1 of pod rook-ceph\/rook-ceph-tools-0 cannot be reached: .*ECONNREFUSED.*\.$/)
})

test('a user without rights learns which one is missing; a missing pod is not found', async () => {
  const refused = await createPortForward(viewer)(to())
  expect(refused).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
  expect(refused.ok ? '' : refused.failure.message).toContain('pods/portforward')
  expect(await createPortForward(session)(to('nobody'))).toMatchObject({ ok: false, failure: { code: 'not-found' } })
})
