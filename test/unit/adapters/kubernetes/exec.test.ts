import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExec } from '../../../../main/adapters/kubernetes/exec.ts'
import { type KubernetesSession, openKubernetesSession } from '../../../../main/adapters/kubernetes/session.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { ExecInPod } from '../../../../main/ports/kubernetes.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { barePod, FAST, node } from '../../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../../fixtures/demo-kubernetes/until.ts'

let simulator: KubernetesSimulator
let directory: string
let session: KubernetesSession
let exec: ExecInPod
let ran: (readonly string[])[] = []

async function opened(user: 'admin' | 'viewer'): Promise<KubernetesSession> {
  const path = join(directory, user)
  await writeFile(path, simulator.kubeconfig(user), { mode: 0o600 })
  return openedAt(path)
}

async function openedAt(path: string): Promise<KubernetesSession> {
  const result = await openKubernetesSession({
    source: { paths: [path], context: 'demo' },
    consent: () => false,
    clock: systemClock,
    log: silentLogger,
  })
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

const run = (command: readonly string[], pod = 'tools', more: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
  exec({ namespace: 'openstack', pod, container: null, command, timeoutMs: more.timeoutMs ?? 5000 }, more.signal)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-exec-'))
  simulator = await startKubernetesSimulator({
    clock: systemClock,
    seed: [
      node('cmp-1', 'openstack-compute-node'),
      barePod('tools', { nodeName: 'cmp-1' }, { app: 'tools' }),
      barePod('homeless', { nodeSelector: { never: 'there' } }, { app: 'tools' }),
    ],
    timings: FAST,
  })
  await until(
    'the pod runs',
    () =>
      (simulator.objects.get('Pod', 'openstack', 'tools') as { status?: { phase?: string } })?.status?.phase ===
      'Running',
  )
  simulator.onExec('openstack', { app: 'tools' }, command => {
    ran.push(command)
    if (command[0] === 'echo') return { exitCode: 0, stdout: `${command.slice(1).join(' ')}\n`, stderr: '' }
    if (command[0] === 'fail') return { exitCode: 16, stdout: '{}', stderr: 'Error EBUSY: unsafe\n' }
    if (command[0] === 'flood') return { exitCode: 0, stdout: 'ä'.repeat(5 * 1024 * 1024), stderr: '' }
    return null
  })
  session = await opened('admin')
  exec = createExec(session)
})

afterAll(async () => {
  session.close()
  await simulator.stop()
  await rm(directory, { recursive: true })
})

test('a command is answered with its output; words of several parts and of many alphabets arrive whole', async () => {
  expect(await run(['echo', 'two words', '--flag=ü&x', 'ё'])).toEqual({
    ok: true,
    value: { exitCode: 0, stdout: 'two words --flag=ü&x ё\n', stderr: '' },
  })
})

test('a command that fails is an answer too, with both streams and its exit code', async () => {
  expect(await run(['fail'])).toEqual({
    ok: true,
    value: { exitCode: 16, stdout: '{}', stderr: 'Error EBUSY: unsafe\n' },
  })
})

test('a command the container does not have ends with 127', async () => {
  expect(await run(['nothing'])).toMatchObject({ ok: true, value: { exitCode: 127 } })
})

test('a pod that is not there, and one that does not run, say so and run nothing', async () => {
  ran = []
  expect(await run(['echo'], 'nobody')).toMatchObject({ ok: false, failure: { code: 'not-found' } })
  expect(await run(['echo'], 'homeless')).toMatchObject({ ok: false, failure: { code: 'bad-input' } })
  expect(ran).toEqual([])
})

test('a user who may not exec learns which permission is missing', async () => {
  const viewer = await opened('viewer')
  const answer = await createExec(viewer)({
    namespace: 'openstack',
    pod: 'tools',
    container: null,
    command: ['echo'],
    timeoutMs: 5000,
  })
  viewer.close()
  expect(answer).toMatchObject({ ok: false, failure: { code: 'not-permitted' } })
  expect(answer.ok ? '' : answer.failure.message).toContain('get pods/exec openstack/tools')
})

test('a command goes through the proxy of the kubeconfig, as every request does', async () => {
  const asked: string[] = []
  const proxy = createServer()
  proxy.on('connect', (request, client, head) => {
    asked.push(request.url ?? '')
    const { port } = new URL(`http://${request.url}`)
    const server = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.write(head)
      server.pipe(client).pipe(server)
    })
    for (const socket of [server, client]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const path = join(directory, 'behind-proxy')
  const proxied = simulator.kubeconfig().replace(/^(\s+)server: (.*)$/m, `$&\n$1proxy-url: http://127.0.0.1:${port}`)
  await writeFile(path, proxied, { mode: 0o600 })
  const behind = await openedAt(path)
  const command = { namespace: 'openstack', pod: 'tools', container: null, command: ['echo', 'hello'] }
  expect(await createExec(behind)({ ...command, timeoutMs: 5000 })).toMatchObject({
    ok: true,
    value: { stdout: 'hello\n' },
  })
  expect(asked).toEqual([new URL(simulator.url).host])
  behind.close()
  proxy.closeAllConnections()
  proxy.close()
})

test('output without end is left, not collected', async () => {
  expect(await run(['flood'])).toMatchObject({ ok: false, failure: { code: 'server-fault', retryable: false } })
})

test('a server that does not answer is left after the time of the command, and at once when the operator stops', async () => {
  const undo = simulator.faults.slow({ path: /exec/ }, 3000)
  expect(await run(['echo'], 'tools', { timeoutMs: 50 })).toMatchObject({ ok: false, failure: { code: 'timed-out' } })
  const stop = new AbortController()
  const answer = run(['echo'], 'tools', { signal: stop.signal })
  stop.abort()
  expect(await answer).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  undo()
})

test('closing the session ends what runs over it', async () => {
  const undo = simulator.faults.slow({ path: /exec/ }, 3000)
  const other = await opened('admin')
  const command = { namespace: 'openstack', pod: 'tools', container: null, command: ['echo'] }
  const answer = createExec(other)({ ...command, timeoutMs: 60_000 })
  await new Promise(resolve => setTimeout(resolve, 100))
  other.close()
  expect(await answer).toMatchObject({ ok: false })
  undo()
})

test('a command is sent once: a command with a broken connection may have run', async () => {
  const before = simulator.log.all().filter(entry => entry.path.includes('/exec')).length
  const undo = simulator.faults.drop({ path: /exec/ })
  expect(await run(['echo'])).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
  undo()
  expect(simulator.log.all().filter(entry => entry.path.includes('/exec'))).toHaveLength(before + 1)
})

test('no failure holds anything of the client certificate or its key', async () => {
  const undo = simulator.faults.answer({ path: /exec/, times: 1 }, { status: 500, message: 'no' })
  const answers = [await run(['echo']), await run(['echo'], 'nobody')]
  undo()
  simulator.faults.drop({ path: /exec/, times: 1 })
  answers.push(await run(['echo']))
  expect(answers.map(answer => answer.ok)).toEqual([false, false, false])
  expect(JSON.stringify(answers)).not.toMatch(/BEGIN|PRIVATE|MII|LS0t/)
})
