import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import type { DemoCluster } from '../../main/ports/demo-clouds.ts'
import { actionOfHostMode, HOST_MODE_ANNOTATION } from '../../shared/domain/instance-policy.ts'
import { must } from '../../shared/domain/must.ts'
import { MARK_WORDS } from '../../shared/words/actions.ts'
import type { Order } from './big-cloud-process.ts'
import { firstScriptKb } from './first-script.ts'
import { median } from './median.ts'
import { noteFigure } from './note-figure.ts'
import {
  candidatesCost,
  countFlights,
  drawnAt,
  heapOf,
  processesOf,
  processTimeOf,
  watchTasks,
} from './screen-figures.ts'

/**
 * The page over a synthetic cloud: time and processor time until it is drawn, the longest task of its main thread, memory, and the time from a change in the
 * API to its being drawn, each beside its goal. The built console, the cloud and the browser are separate processes. `--sizes=100,500,1000,2000`: nodes,
 * with twenty instances each. `--short`: half the time.
 */
const SIZES = (flag('sizes') ?? '500').split(',').map(Number)
const INSTANCES_A_NODE = 20
const A_SECOND = 50
const FLIGHTS_A_SECOND = 5
const SHORT = process.argv.includes('--short')
const WATCHED_MS = SHORT ? 5000 : 8000
const SAMPLES = SHORT ? 12 : 20
const SESSION_MS = SHORT ? 15_000 : 30_000
const ROOT = join(import.meta.dirname, '../..')
const LOCKKEEPER = join(ROOT, 'bin/lockkeeper')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

interface Row {
  readonly what: string
  readonly figure: string
  readonly goal: string
}

const table = new Map<string, string[]>()
for (const nodes of SIZES) {
  process.stdout.write(`\n${nodes} nodes, ${nodes * INSTANCES_A_NODE} instances\n`)
  const rows = await measured(nodes, nodes * INSTANCES_A_NODE)
  for (const { what, figure } of rows) table.set(what, [...(table.get(what) ?? []), figure])
}
if (SIZES.length > 1) {
  process.stdout.write(`\n| nodes | ${SIZES.join(' | ')} |\n|---|${SIZES.map(() => '---|').join('')}\n`)
  for (const [what, figures] of table) process.stdout.write(`| ${what} | ${figures.join(' | ')} |\n`)
}

async function measured(nodes: number, instances: number): Promise<readonly Row[]> {
  const rows: Row[] = []
  const print = (what: string, figure: string, goal = '') => {
    rows.push({ what, figure, goal })
    for (const [at, number] of [...figure.matchAll(/[\d.]+/g)].entries())
      noteFigure(`${nodes}: ${what}, ${at}`, Number(number[0]))
    process.stdout.write(`${what.padEnd(66)} ${figure.padStart(16)}  ${goal}\n`)
  }
  const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-'))
  const data = join(directory, 'data')
  const cloud = fork(join(import.meta.dirname, 'big-cloud-process.ts'), [`${nodes}`, `${instances}`, directory], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const order = (what: Order) => cloud.send(what)
  const [cluster] = (await once(cloud, 'message')) as [DemoCluster]
  const serve = spawn(LOCKKEEPER, ['serve', '--no-open', '--data-dir', data], { stdio: ['ignore', 'pipe', 'inherit'] })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const main = must(serve.pid, 'it was started')
    const page = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage()
    await page.addInitScript(watchTasks)
    const frames: number[] = []
    let instancesAt: number | null = null
    page.on('websocket', socket =>
      socket.on('framereceived', ({ payload }) => {
        frames.push(payload.length)
        if (/"name":"instances","state":\{"kind":"live"/.test(String(payload))) instancesAt ??= Date.now()
      }),
    )
    const address = await addressOf(serve)
    if (!readFileSync(`/proc/${main}/cmdline`, 'utf8').includes('lockkeeper.mjs'))
      throw new Error('The console runs from its sources: npm run build:cli')
    await page.goto(address)
    // A tab that leaves before it has access gets none.
    await page.locator('main h1').first().waitFor()
    const base = `${new URL(page.url()).origin}/`
    // The cloud is added after the start page, which would open it.
    await page.goto('about:blank')
    await added(cluster, data)
    print('embedded Placement: allocation candidates, processor time', await candidatesCost(cloud, cluster), '50 ms')

    const before = processesOf(main)
    const [openedAt, pageBefore] = [Date.now(), await processTimeOf(page)]
    frames.length = 0
    await page.goto(`${base}#/c/${cluster.name}/topology`)
    // For a cloud of any size, on any machine.
    await page.waitForSelector('[data-node]', { timeout: 180_000 })
    const tile = Date.now() - openedAt
    print('topology: first tile, wall time', `${tile} ms`, goalAt(nodes, 1000, 2500))
    print('topology: first tile, processor time of main', `${processesOf(main).cpuMs - before.cpuMs} ms`, 'linear')
    print(
      'topology: first tile, processor time of the page',
      `${(await processTimeOf(page)) - pageBefore} ms`,
      'linear',
    )
    await sleep(Math.max(0, SESSION_MS - (Date.now() - openedAt)))
    print('all instances are known, wall time', instancesAt === null ? 'not yet' : `${instancesAt - openedAt} ms`)
    const tasks = await page.evaluate(() => window.longTasks)
    print('longest task of the page while it opens', taskText(tasks), '50 ms')
    print(
      `main, the first ${SESSION_MS / 1000} s, processor time`,
      `${processesOf(main).cpuMs - before.cpuMs} ms`,
      'linear',
    )
    print(
      `page, the first ${SESSION_MS / 1000} s, processor time`,
      `${(await processTimeOf(page)) - pageBefore} ms`,
      'linear',
    )
    print('largest message to the page, all messages', `${kilobytes(Math.max(...frames))}, ${kilobytes(sum(frames))}`)
    print('main resident: now, peak', residentOf(main), nodes > 500 ? '350 MiB' : '200 MiB')
    const idle = processesOf(main).cpuMs
    await longest('topology, quiet', page, print)
    print(`main, quiet for ${WATCHED_MS / 1000} s, processor time`, `${processesOf(main).cpuMs - idle} ms`)

    const again = Date.now()
    await page.goto('about:blank')
    await page.goto(`${base}#/c/${cluster.name}/instances`)
    // For a cloud of any size, on any machine.
    await page.waitForSelector('[data-id]', { timeout: 180_000 })
    print('instances: first row after a reload, wall time', `${Date.now() - again} ms`, goalAt(nodes, 1000, 2500))

    order({ do: 'change', perSecond: A_SECOND, flights: FLIGHTS_A_SECOND })
    await sleep(3000)
    await longest(`instances, ${A_SECOND} changes and ${FLIGHTS_A_SECOND} flights a second`, page, print)
    await page.goto(`${base}#/c/${cluster.name}/topology`)
    await page.waitForSelector('[data-node]')
    await sleep(3000)
    print(`chips that flew in ${WATCHED_MS / 1000} s`, `${await page.evaluate(countFlights, WATCHED_MS)}`)
    await longest(`topology, ${A_SECOND} changes and ${FLIGHTS_A_SECOND} flights a second`, page, print)
    const host = `n-${String(nodes).padStart(3, '0')}`
    await page.goto(`${base}#/c/${cluster.name}/instances?node=${host}`)
    const write = (mode: string) => order({ do: 'annotate', node: host, key: HOST_MODE_ANNOTATION, value: mode })
    print('API event to pixel, p50 and p95', await eventToPixel(page, write), 'p95 300 ms')
    order({ do: 'rest' })
    print('smallest time between two pages of the whole list', await pagesApart(cloud, order, instancesAt), '10 s')
    print('page, JS heap after collection', mebibytes(await heapOf(page)))
    print('main resident at the end: now, peak', residentOf(main), nodes > 500 ? '350 MiB' : '200 MiB')
    print('scripts and styles, as built', builtSize())
    print('script before anything is drawn', `${firstScriptKb(join(ROOT, 'out/renderer'))} kB`, '450 kB')
    return rows
  } finally {
    await browser.close()
    serve.kill('SIGINT')
    order({ do: 'end' })
    await Promise.all([ended(serve), ended(cloud)])
    rmSync(directory, { recursive: true, force: true })
  }
}

async function added(cluster: DemoCluster, data: string): Promise<void> {
  const { name, kubeconfigPath, cloudsYamlPath } = cluster
  const files = ['--kubeconfig', kubeconfigPath, '--clouds-yaml', cloudsYamlPath, '--cloud', name]
  await ended(
    spawn(LOCKKEEPER, ['cluster', 'add', name, ...files, '--data-dir', data], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
}

async function longest(what: string, page: Page, print: (what: string, figure: string, goal: string) => void) {
  await page.evaluate(() => {
    window.longTasks.length = 0
  })
  await sleep(WATCHED_MS)
  print(`longest task of the page: ${what}`, taskText(await page.evaluate(() => window.longTasks)), '50 ms')
}

function taskText(tasks: readonly number[]): string {
  return tasks.length === 0 ? 'under 50 ms' : `${Math.round(Math.max(...tasks))} ms, ${tasks.length} over 50`
}

/** The time from writing the migration mode of one node in the API until its radio button is checked on the screen. */
async function eventToPixel(page: Page, write: (mode: string) => void): Promise<string> {
  await page.locator('summary').first().click()
  const took: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const mode = sample % 2 === 0 ? 'manual' : 'skip'
    const drawn = page.evaluate(drawnAt, MARK_WORDS[actionOfHostMode(mode)])
    await sleep(300 + sample * 17)
    const at = Date.now()
    write(mode)
    took.push((await drawn) - at)
  }
  const p95 = must(took.toSorted((a, b) => a - b)[Math.ceil(SAMPLES * 0.95) - 1], 'samples were taken')
  return `${Math.round(median(took))}, ${Math.round(p95)} ms`
}

/** Once all instances are known. */
async function pagesApart(cloud: ChildProcess, order: (what: Order) => void, since: number | null): Promise<string> {
  const answer = once(cloud, 'message')
  order({ do: 'pages' })
  const [times] = (await answer) as [readonly number[]]
  const later = times.filter(at => since !== null && at > since)
  const apart = later.slice(1).map((at, index) => at - must(later[index], 'it is an earlier one'))
  return apart.length === 0 ? 'unknown' : `${(Math.min(...apart) / 1000).toFixed(1)} s`
}

/** Between the two goals in proportion to the nodes; no stricter for smaller clouds. */
function goalAt(nodes: number, at500: number, at2000: number): string {
  return `${Math.round(at500 + (Math.max(0, nodes - 500) / 1500) * (at2000 - at500))} ms`
}

/** All built scripts and styles. */
function builtSize(): string {
  const folder = join(ROOT, 'out/renderer/assets')
  const files = readdirSync(folder).filter(file => /\.(js|css)$/.test(file))
  return kilobytes(sum(files.map(file => statSync(join(folder, file)).size)))
}

function residentOf(pid: number): string {
  const { residentMiB, peakMiB } = processesOf(pid)
  return `${residentMiB}, ${peakMiB} MiB`
}

async function addressOf(child: ChildProcess): Promise<string> {
  let text = ''
  const output = must(child.stdout, 'its output is read')
  for await (const chunk of output) {
    text += String(chunk)
    const address = /http:\S+/.exec(text)?.[0]
    if (address !== undefined) return address
  }
  throw new Error(`The console did not start: ${text}`)
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve()
  return new Promise(resolve => child.once('exit', () => resolve()))
}

function flag(wanted: string): string | null {
  return process.argv.find(argument => argument.startsWith(`--${wanted}=`))?.split('=')[1] ?? null
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}
