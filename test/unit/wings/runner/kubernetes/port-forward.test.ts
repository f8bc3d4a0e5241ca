import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type KubernetesSession, openKubernetesSession } from '../../../../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../../main/platform/log/logger.ts'
import { createPortForward } from '../../../../../main/wings/runner/kubernetes/port-forward.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import type { ReleaseName } from '../../../../../main/wings/simulators/kubernetes/store/release.ts'
import { barePod, FAST, node } from '../../../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../../../fixtures/demo-kubernetes/until.ts'

const PORT = 8080
const NOBODYS_PORT = 8081
/** More than anything on the way holds back, so that both ends have to wait for the other. */
const LARGE = Buffer.alloc(9 * 1024 * 1024, 'lockkeeper ')

let directory: string
let echo: Server
let held: Socket[] = []
const simulators: KubernetesSimulator[] = []
const sessions: KubernetesSession[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-forward-'))
  echo = createServer(socket => {
    held.push(socket)
    socket.on('error', () => socket.destroy())
    socket.pipe(socket)
  })
  await new Promise<void>(resolve => echo.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  for (const socket of held) socket.destroy()
  held = []
})

afterAll(async () => {
  for (const session of sessions) session.close()
  for (const simulator of simulators) await simulator.stop()
  await new Promise(resolve => echo.close(resolve))
  await rm(directory, { recursive: true })
})

async function cloudOf(release: ReleaseName): Promise<KubernetesSimulator> {
  const simulator = await startKubernetesSimulator({
    clock: systemClock,
    release,
    seed: [
      node('cmp-1', 'openstack-compute-node'),
      barePod('runner-0', { nodeName: 'cmp-1' }),
      barePod('homeless', { nodeSelector: { never: 'there' } }),
    ],
    timings: FAST,
  })
  simulators.push(simulator)
  await until(
    'the pod runs',
    () =>
      (simulator.objects.get('Pod', 'openstack', 'runner-0') as { status?: { phase?: string } })?.status?.phase ===
      'Running',
  )
  const { port } = echo.address() as AddressInfo
  simulator.backPort({ namespace: 'openstack', pod: 'runner-0', port: PORT, loopbackPort: port })
  return simulator
}

async function opened(kubeconfig: string): Promise<KubernetesSession> {
  const path = join(directory, `kubeconfig-${sessions.length}`)
  await writeFile(path, kubeconfig, { mode: 0o600 })
  const result = await openKubernetesSession({
    source: { paths: [path], context: 'demo' },
    consent: () => false,
    clock: systemClock,
    log: silentLogger,
  })
  if (!result.ok) throw new Error(result.failure.message)
  sessions.push(result.value)
  return result.value
}

const to = (pod: string, port = PORT) => ({ namespace: 'openstack', pod, port })

async function stream(session: KubernetesSession, pod = 'runner-0', port = PORT): Promise<Duplex> {
  const forwarded = await createPortForward(session)(to(pod, port))
  if (!forwarded.ok) throw new Error(forwarded.failure.message)
  return forwarded.value
}

/** How a stream ended: the words of what went wrong, or that it just ended. */
function endOf(given: Duplex): Promise<string> {
  given.resume()
  return new Promise(resolve => {
    given.once('error', error => resolve(error.message))
    given.once('end', () => resolve('ended'))
  })
}

test.each(['1.36', '1.20'] as const)(
  'bytes go to the port of a pod and come back whole, in order, on an API server of %s',
  async release => {
    const session = await opened((await cloudOf(release)).kubeconfig())
    const forwarded = await stream(session)
    forwarded.write(LARGE)
    const received: Buffer[] = []
    let bytes = 0
    for await (const part of forwarded) {
      received.push(part as Buffer)
      bytes += (part as Buffer).length
      if (bytes >= LARGE.length) break
    }
    expect(Buffer.concat(received).equals(LARGE)).toBe(true)
  },
)

test('a connection is ended from either side, and ends the other', async () => {
  const session = await opened((await cloudOf('1.36')).kubeconfig())
  const ours = await stream(session)
  ours.resume()
  await until('the pod has the connection', () => held.length === 1)
  ours.end()
  await until('the pod lost it', () => held[0]?.destroyed === true)

  const theirs = await stream(session)
  await until('the pod has the other', () => held.length === 2)
  const ended = endOf(theirs)
  held[1]?.destroy()
  expect(await ended).toBe('ended')
})

test('a port on which nobody listens says so, and where', async () => {
  const session = await opened((await cloudOf('1.36')).kubeconfig())
  expect(await endOf(await stream(session, 'runner-0', NOBODYS_PORT))).toMatch(
    /^Port 8081 of pod openstack\/runner-0 cannot be reached: .*connection refused\.$/,
  )
})

test('a connection that is cut on the way ends, and so does one whose session is closed', async () => {
  const simulator = await cloudOf('1.36')
  const session = await opened(simulator.kubeconfig())
  const cut = endOf(await stream(session))
  simulator.cutForwards()
  await cut
  const closed = endOf(await stream(session))
  session.close()
  await closed
  expect(await createPortForward(session)(to('runner-0'))).toMatchObject({ ok: false, failure: { code: 'aborted' } })
})

test.each([
  ['a pod that is not there', 'nobody', 'not-found'],
  ['a pod that does not run', 'homeless', 'bad-input'],
])('%s is reported as any refusal of the API server', async (_, pod, code) => {
  const session = await opened((await cloudOf('1.36')).kubeconfig())
  expect(await createPortForward(session)(to(pod))).toMatchObject({ ok: false, failure: { code } })
})

test.each([
  ['1.36', 'create', 'not-permitted'],
  ['1.36', 'get', 'not-permitted'],
  ['1.20', 'create', 'allowed'],
] as const)('on %s a user without %s on pods/portforward is: %s', async (release, verb, expected) => {
  const simulator = await cloudOf(release)
  simulator.faults.deny({ verb, resource: 'pods/portforward' })
  const session = await opened(simulator.kubeconfig())
  const forwarded = await createPortForward(session)(to('runner-0'))
  expect(forwarded.ok ? 'allowed' : forwarded.failure.code).toBe(expected)
  if (!forwarded.ok) expect(forwarded.failure.message).toContain('pods/portforward')
  if (forwarded.ok) forwarded.value.destroy()
})

test('a server that opens a socket without the protocol of kubelets is not taken for one', async () => {
  const server = createHttpServer()
  server.on('upgrade', (_, socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const session = await opened(`apiVersion: v1
kind: Config
current-context: demo
contexts: [{ name: demo, context: { cluster: demo, user: demo } }]
clusters: [{ name: demo, cluster: { server: 'http://127.0.0.1:${port}' } }]
users: [{ name: demo, user: {} }]
`)
  const forwarded = await createPortForward(session)(to('runner-0'))
  expect(forwarded.ok).toBe(false)
  await new Promise(resolve => server.close(resolve))
})
