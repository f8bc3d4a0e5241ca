import { execFile, spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CoreV1Api, HttpLibrary, RequestContext, V1Node, V1Pod } from '@kubernetes/client-node'
import { sendWithRetry } from '../../main/adapters/http/retry.ts'
import { listRead } from '../../main/adapters/kubernetes/list.ts'
import { readListedNode } from '../../main/adapters/kubernetes/read-node.ts'
import { readPod } from '../../main/adapters/kubernetes/read-pod.ts'
import { NODES, PODS } from '../../main/adapters/kubernetes/resource-types.ts'
import { createKubernetesSession } from '../../main/adapters/kubernetes/session.ts'
import { createTransport } from '../../main/adapters/kubernetes/transport.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { silentLogger } from '../../main/platform/log/logger.ts'
import { cost } from './child-cost.ts'
import { startDemo } from './demo-process.ts'
import { NODE_COUNT, PAGE, POD_COUNT, serveLists } from './kubernetes-lists.ts'
import { median } from './median.ts'

/**
 * The generated API classes of @kubernetes/client-node, over an HttpLibrary on our own transport (its deadlines, limits and retries), beside our own
 * request code: processor time and memory of a list of 500 nodes and 10,000 pods, each in a separate process; with `--start` also the size of the bundled
 * terminal face and its start, as it is and with the classes loaded at the start. Figures: docs/decisions/0002.
 *
 *     node --disable-warning=ExperimentalWarning test/bench/client-node.ts [--start]
 */
/** Without the first, which compiles. */
const ROUNDS = 10
const PROCESSES = 5
const STARTS = 10

const SELF = import.meta.filename
const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The figures of one process. */
interface Found {
  readonly loadMs: number
  readonly firstMs: number
  readonly laterMs: number
  readonly peakMib: number
  readonly heapMib: number
}

async function compare(withStart: boolean): Promise<void> {
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SELF, '--serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const text of server.stdout.setEncoding('utf8')) {
    said += String(text)
    if (said.includes('\n')) break
  }
  try {
    const found: Record<'ours' | 'generated', Found[]> = { ours: [], generated: [] }
    for (let turn = 0; turn < PROCESSES; turn += 1) {
      for (const each of ['ours', 'generated'] as const) {
        const args = ['--disable-warning=ExperimentalWarning', '--expose-gc', SELF, each, said.trim()]
        found[each].push(JSON.parse((await run(process.execPath, args)).stdout) as Found)
      }
    }
    for (const each of ['ours', 'generated'] as const) {
      const of = (field: keyof Found) => median(found[each].map(one => one[field])).toFixed(0)
      console.log(
        `${each}: loading the classes ${of('loadMs')} ms, first reading ${of('firstMs')} ms, later ones ${of('laterMs')} ms of processor time; peak ${of('peakMib')} MiB, ${of('heapMib')} MiB of heap with the last answers held`,
      )
    }
  } finally {
    server.kill()
  }
  if (withStart) await compareStarts()
}

/** Runs in a separate process: both lists, read into the objects of the rules. */
async function readAll(kind: 'ours' | 'generated', at: number): Promise<void> {
  const connection = {
    server: new URL(`http://127.0.0.1:${at}`),
    ca: null,
    serverName: null,
    verify: true,
    proxy: null,
    warnings: [],
  }
  const transport = createTransport(connection, systemClock)
  const before = processorMs()
  const read = kind === 'ours' ? byOurs() : await byGenerated()
  const loadMs = processorMs() - before
  const spent: number[] = []
  let held: unknown = null
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = processorMs()
    const { nodes, pods, answers } = await read()
    spent.push(processorMs() - began)
    if (nodes !== NODE_COUNT || pods !== POD_COUNT) throw new Error(`${nodes} nodes and ${pods} pods were read`)
    held = answers
  }
  const peakMib = process.resourceUsage().maxRSS / 1024
  globalThis.gc?.()
  const heapMib = process.memoryUsage().heapUsed / 1024 / 1024
  if (held === null) throw new Error('nothing is held')
  const [firstMs = 0, ...later] = spent
  const found: Found = { loadMs, firstMs, laterMs: median(later), peakMib, heapMib }
  console.log(JSON.stringify(found))
  transport.close()

  function byOurs() {
    const credentials = {
      proof: async () => ({ ok: true, value: { headers: {}, certificate: null } }) as const,
      renew: () => false,
    }
    const session = createKubernetesSession({
      connection,
      credentials,
      transport,
      clock: systemClock,
      log: silentLogger,
    })
    return async () => {
      const nodes = await listRead(session, NODES, readListedNode)
      const pods = await listRead(session, PODS, readPod)
      if (!nodes.ok || !pods.ok) throw new Error('not read')
      return { nodes: nodes.value.length, pods: pods.value.length, answers: [nodes.value, pods.value] }
    }
  }

  async function byGenerated() {
    const package_ = await import('@kubernetes/client-node')
    const { createConfiguration, ResponseContext, ServerConfiguration, wrapHttpLibrary } = package_
    const httpApi: HttpLibrary = wrapHttpLibrary({
      send: async (request: RequestContext) => {
        const { pathname, search } = new URL(request.getUrl())
        const outcome = await sendWithRetry(
          () =>
            transport.send(
              {
                method: request.getHttpMethod(),
                path: pathname + search,
                headers: request.getHeaders(),
                body: null,
                timeoutMs: 60_000,
                largestBytes: 128 * 1024 * 1024,
              },
              { headers: {}, certificate: null },
            ),
          { isRead: true, clock: systemClock, askedMs: () => null },
        )
        if (outcome.kind !== 'answer') throw new Error(outcome.kind)
        const { body } = outcome
        return new ResponseContext(
          outcome.status,
          { ...outcome.headers },
          {
            text: async () => body,
            binary: async () => Buffer.from(body),
            stream: () => null,
          },
        )
      },
    })
    const api: CoreV1Api = new package_.CoreV1Api(
      createConfiguration({ baseServer: new ServerConfiguration(connection.server.origin, {}), httpApi }),
    )
    return async () => {
      const nodes = await pages<V1Node>(next => api.listNode({ limit: PAGE, ...next }))
      const pods = await pages<V1Pod>(next => api.listPodForAllNamespaces({ limit: PAGE, ...next }))
      const answers = [nodes.map(nodeOf), pods.map(podOf)]
      return { nodes: nodes.length, pods: pods.length, answers }
    }
  }
}

async function pages<T>(
  ask: (next: { _continue?: string }) => Promise<{ items: T[]; metadata?: { _continue?: string } }>,
): Promise<T[]> {
  const all: T[] = []
  let next: string | undefined
  do {
    const page = await ask(next === undefined ? {} : { _continue: next })
    all.push(...page.items)
    next = page.metadata?._continue
  } while (next !== undefined && next !== '')
  return all
}

/** The fields that our readers use, without validation. */
function nodeOf({ metadata, spec, status }: V1Node) {
  const ready = status?.conditions?.find(each => each.type === 'Ready')
  return {
    name: metadata?.name,
    uid: metadata?.uid,
    resourceVersion: metadata?.resourceVersion,
    labels: metadata?.labels,
    annotations: metadata?.annotations,
    unschedulable: spec?.unschedulable === true,
    taints: spec?.taints?.map(({ key, value, effect }) => ({ key, value, effect })),
    readiness: ready?.status,
    readinessSince: ready?.lastTransitionTime?.toISOString(),
    bootId: status?.nodeInfo?.bootID,
    kubeletVersion: status?.nodeInfo?.kubeletVersion,
    osImage: status?.nodeInfo?.osImage,
    internalIp: status?.addresses?.find(each => each.type === 'InternalIP')?.address,
    createdAt: metadata?.creationTimestamp?.toISOString(),
  }
}

function podOf({ metadata, spec, status }: V1Pod) {
  return {
    namespace: metadata?.namespace,
    name: metadata?.name,
    uid: metadata?.uid,
    resourceVersion: metadata?.resourceVersion,
    nodeName: spec?.nodeName,
    phase: status?.phase,
    deletionAt: metadata?.deletionTimestamp?.toISOString(),
    finalizers: metadata?.finalizers,
    labels: metadata?.labels,
    nodeSelector: spec?.nodeSelector,
    controller: metadata?.ownerReferences?.find(each => each.controller === true),
    mirror: metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined,
    emptyDirs: spec?.volumes?.filter(each => each.emptyDir !== undefined).map(({ name }) => name),
    claims: spec?.volumes?.flatMap(each => each.persistentVolumeClaim?.claimName ?? []),
    ready: status?.conditions?.some(each => each.type === 'Ready' && each.status === 'True'),
    createdAt: metadata?.creationTimestamp?.toISOString(),
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The bundled terminal face as it is, and with the classes loaded where it starts. */
async function compareStarts(): Promise<void> {
  const { build } = await import('vite')
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-client-node-'))
  const demo = await startDemo()
  try {
    const entry = join(folder, 'with-classes.ts')
    const classes = 'CoreV1Api, PolicyV1Api, CoordinationV1Api, CustomObjectsApi'
    const library = JSON.stringify(import.meta.resolve('@kubernetes/client-node').replace('file://', ''))
    const source = JSON.stringify(join(ROOT, 'main/compose/terminal/index.ts'))
    writeFileSync(
      entry,
      `import { ${classes} } from ${library}\nglobalThis.kept = [${classes}]\nawait import(${source})\n`,
    )
    for (const [name, input] of [
      ['as it is', join(ROOT, 'main/compose/terminal/index.ts')],
      ['with the classes', entry],
    ] as const) {
      const outDir = join(folder, name.replaceAll(' ', '-'))
      const rolldownOptions = { input: { lockkeeper: input, jujulib: join(ROOT, 'main/adapters/juju/jujulib.ts') } }
      await build({
        configFile: join(ROOT, 'cli.config.ts'),
        logLevel: 'error',
        build: { outDir, emptyOutDir: true, rollupOptions: rolldownOptions },
      })
      const bytes = globSync('*.mjs', { cwd: outDir }).reduce((sum, file) => sum + statSync(join(outDir, file)).size, 0)
      const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, `cache-${name}`), HOME: folder }
      const data = ['--data-dir', join(folder, `data-${name}`)]
      const face = (...args: readonly string[]) =>
        run(process.execPath, ['--max-semi-space-size=16', join(outDir, 'lockkeeper.mjs'), ...data, ...args], { env })
      const times = async (...args: readonly string[]) => {
        await face(...args)
        const all: number[] = []
        for (let turn = 0; turn < STARTS; turn += 1) all.push((await cost(() => face(...args))).processorMs)
        return `${args[0]} ${median(all).toFixed(0)} ms`
      }
      const { kubeconfig, clouds, cloud } = demo
      await face('cluster', 'add', 'lab', '--kubeconfig', kubeconfig, '--clouds-yaml', clouds, '--cloud', cloud)
      const starts = [await times('--version'), await times('nodes', 'lab')].join(', ')
      console.log(
        `bundle ${name}: ${(bytes / 1024 / 1024).toFixed(2)} MiB; processor time, medians of ${STARTS}: ${starts}`,
      )
    }
  } finally {
    demo.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const [, , role, port] = process.argv
if (role === '--serve') serveLists()
else if (role === 'ours' || role === 'generated') await readAll(role, Number(port))
else if (process.argv.includes('--only-start')) await compareStarts()
else await compare(process.argv.includes('--start'))
