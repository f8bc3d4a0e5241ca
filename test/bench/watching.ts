import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../main/app.ts'
import { systemClock } from '../../main/platform/clock/clock.ts'
import { type DemoCloud, startDemoCloud } from '../../main/wings/simulators/demo-cloud.ts'
import { demoPlain } from '../../main/wings/simulators/scenarios/demo-plain.ts'
import { valueIn } from '../fixtures/clusters/results.ts'
import { noteFigure } from './note-figure.ts'

/**
 * Requests a minute to idle clouds that one console watches, by the clouds' own records. All are open, as on the start page; the first one is shown.
 * `node test/bench/watching.ts [CLOUDS] [SECONDS]`.
 */
const CLOUDS = Number(process.argv[2] ?? 1)
const SECONDS = Number(process.argv[3] ?? 60)
/** After this time nothing is read for the first time. */
const SETTLES_MS = 70_000

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-watching-'))
const clouds: DemoCloud[] = []
for (let at = 0; at < CLOUDS; at += 1) {
  const options = { clock: systemClock, directory: join(directory, `cloud-${at}`), speed: 1, production: false }
  clouds.push(await startDemoCloud(demoPlain(), options))
}
const app = valueIn(
  await createApp({
    dataDirectory: join(directory, 'data'),
    demo: false,
    face: { kind: 'serve', pickFiles: null, secrets: null },
  }),
)
for (const [at, { cluster }] of clouds.entries()) {
  const name = `cloud-${at}`
  const kubeconfig = { paths: [cluster.kubeconfigPath], context: cluster.context }
  const cloud = { path: cluster.cloudsYamlPath, cloud: cluster.cloud }
  valueIn(await app.contract.ask('cluster.add', { name, flavour: 'plain', kubeconfig, cloud }))
}
for (let at = 0; at < CLOUDS; at += 1) valueIn(await app.contract.ask('view.open', { cluster: `cloud-${at}` }))
// As a page does that shows the first one.
const saying = setInterval(() => void app.contract.ask('view.shown', { clusters: ['cloud-0'] }), 20_000)
await sleep(SETTLES_MS)
const before = clouds.map(({ openstack }) => openstack.log.length)
for (const { kubernetes } of clouds) kubernetes.log.clear()
await sleep(SECONDS * 1000)
clearInterval(saying)

const counts = clouds.map(({ kubernetes, openstack }, at) => [
  ...kubernetes.log.all().map(({ method, path }) => `${method} ${path}`),
  ...openstack.log.slice(before[at]).map(({ method, path }) => `${method} ${path}`),
])
const aMinute = (count: number) => Math.round((count * 60) / SECONDS)
const all = counts.reduce((sum, requests) => sum + requests.length, 0)
noteFigure('watching-shown', aMinute(counts[0]?.length ?? 0))
noteFigure('clouds-not-watched', counts.filter(requests => requests.length === 0).length)
console.log(
  `${CLOUDS} clouds: ${aMinute(all)} requests a minute in all, ${aMinute(counts[0]?.length ?? 0)} to the one shown`,
)
const kinds = Map.groupBy(counts[0] ?? [], request => request.replace(/(changes-since|resourceVersion)=[^&]*/, '$1=…'))
for (const [request, sent] of [...kinds].sort((a, b) => b[1].length - a[1].length))
  console.log(`${String(sent.length).padStart(4)} ${request}`)
await app.close()
await Promise.all(clouds.map(cloud => cloud.stop()))
rmSync(directory, { recursive: true, force: true })
