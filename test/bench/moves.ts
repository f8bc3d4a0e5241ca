import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../main/app.ts'
import { must } from '../../shared/domain/must.ts'
import { valueIn } from '../fixtures/clusters/results.ts'
import { startBigCloud } from './big-cloud.ts'
import { noteFigure } from './note-figure.ts'

/**
 * `enter` of a node with instances on an embedded cloud whose migrations take a given time: what Nova was asked per instance, the time between the end
 * of a move and the request for the next, and the whole run over Nova's own time. `node test/bench/moves.ts [INSTANCES] [SECONDS] [CONCURRENCY]`.
 */
const INSTANCES = Number(process.argv[2] ?? 12)
const SECONDS = Number(process.argv[3] ?? 1)
const CONCURRENCY = Number(process.argv[4] ?? 1)
const HOSTS = 5
const CONTROLLERS = 3
const HOST = 'n-004'

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-moves-'))
const cloud = await startBigCloud({ nodes: HOSTS + CONTROLLERS, instances: HOSTS * INSTANCES }, directory)
const { openstack } = cloud
const moving = [...openstack.state.servers.values()].filter(({ host }) => host === HOST)
// The embedded Nova needs 0.9 s before it copies.
for (const { id } of moving) openstack.faults.servers[id] = { delay: Math.max(0.05, SECONDS - 0.9) }
const arrivedMs = new Map<string, number>()
const looking = setInterval(() => {
  for (const server of moving) {
    if (server.host !== HOST && !arrivedMs.has(server.id)) arrivedMs.set(server.id, Date.now())
  }
}, 5)

const face = { kind: 'serve', pickFiles: null, secrets: null } as const
const app = valueIn(await createApp({ dataDirectory: join(directory, 'data'), demo: false, face }))
const { name, kubeconfigPath, context, cloudsYamlPath } = cloud.cluster
valueIn(
  await app.contract.ask('cluster.add', {
    name,
    flavour: 'plain',
    kubeconfig: { paths: [kubeconfigPath], context },
    cloud: { path: cloudsYamlPath, cloud: name },
  }),
)
const choices = { concurrency: CONCURRENCY }
const { plan } = valueIn(await app.contract.ask('plan.make', { cluster: name, node: HOST, kind: 'enter', choices }))
const from = openstack.log.length
const beganMs = Date.now()
const { id } = valueIn(await app.contract.ask('run.start', { planId: plan.id }))
for (;;) {
  const { summary } = valueIn(await app.contract.ask('run.show', { runId: id }))
  if (summary.condition.kind === 'over') break
  await new Promise(resolve => setTimeout(resolve, 20))
}
const wallMs = Date.now() - beganMs
clearInterval(looking)

const asked = openstack.log.slice(from).map(({ at, method, path, action }) => ({
  atMs: Date.parse(at),
  what: `${method} ${path.replace(/\?.*/, '').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')}${action === null ? '' : ` ${action}`}`,
  id: /servers\/([0-9a-f-]{36})/.exec(path)?.[1] ?? null,
}))
const requested = asked.filter(({ what }) => what.endsWith('os-migrateLive'))
const own = requested.map(({ atMs, id: server }) => must(arrivedMs.get(server ?? ''), 'it arrived') - atMs)
const freeAt = Array.from({ length: CONCURRENCY }, () => 0)
for (const ms of own) {
  freeAt.sort((a, b) => a - b)
  freeAt[0] = (freeAt[0] ?? 0) + ms
}
const novaMs = Math.max(...freeAt)
const ends = [...arrivedMs.values()].sort((a, b) => a - b)
const gaps = requested.slice(CONCURRENCY).map(({ atMs }, at) => atMs - must(ends[at], 'an earlier one ended'))
const movingMs = must(ends.at(-1), 'some moved') - must(requested[0], 'some were requested').atMs
const listed = (path: string) => asked.filter(({ what }) => what === `GET ${path}`).length / (wallMs / 1000)
const row = `moves-${SECONDS}s`
noteFigure(`${row}-moving`, movingMs / novaMs)
noteFigure(`${row}-over`, (wallMs - novaMs) / 1000)
noteFigure(`${row}-ratio`, wallMs / novaMs)
noteFigure(`${row}-lists`, listed('/compute/v2.1/servers/detail'))
noteFigure(`${row}-migrations`, listed('/compute/v2.1/os-migrations'))
const ofInstances = asked.filter(({ id: server }) => server !== null).length
noteFigure(`${row}-requests`, ofInstances / requested.length)
console.log(
  [
    `${requested.length} instances of ${SECONDS} s, ${CONCURRENCY} at once`,
    `enter ${wallMs} ms, Nova's own ${novaMs} ms: ${wallMs - novaMs} ms more, ${(wallMs / novaMs).toFixed(3)}`,
    `moving ${(movingMs / novaMs).toFixed(3)}`,
    `between two moves ${gaps.map(ms => Math.round(ms)).join(' ')} ms`,
    `${(ofInstances / requested.length).toFixed(1)} requests an instance, ${asked.length} in all`,
  ].join('; '),
)
for (const [what, all] of [...Map.groupBy(asked, each => each.what)].sort((a, b) => b[1].length - a[1].length))
  console.log(`${String(all.length).padStart(4)} ${what}`)
const { events } = valueIn(await app.contract.ask('run.show', { runId: id }))
if (process.argv.includes('--steps')) for (const { at, body } of events) console.log(at, body.kind)
await app.close()
await cloud.stop()
rmSync(directory, { recursive: true, force: true })
