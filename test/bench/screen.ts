import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { HOST_MODE_ANNOTATION } from '../../shared/domain/instance-policy.ts'
import { must } from '../../shared/domain/must.ts'
import { changeAnnotation, keepChanging, startBigCloud } from './big-cloud.ts'
import { firstScriptKb } from './first-script.ts'
import { median } from './median.ts'

/**
 * The page over a synthetic cloud of 500 nodes and 10,000 instances, served by a separate process: time until it is drawn, the longest
 * task of its main thread while 50 entities change a second, the memory of both processes, and the time from a change in the API to its
 * being drawn. Needs `npm run build`. `--nodes` and `--instances` make it smaller.
 */
const NODES = Number(flag('nodes') ?? 500)
const INSTANCES = Number(flag('instances') ?? 10_000)
const A_SECOND = 50
const FLIGHTS_A_SECOND = 5
const WATCHED_MS = 8000
const SAMPLES = 20
const ROOT = join(import.meta.dirname, '../..')
const LOCKKEEPER = [
  join(ROOT, 'node_modules/.bin/node'),
  '--disable-warning=ExperimentalWarning',
  `--import=${join(ROOT, 'bin/read-tsx.ts')}`,
  join(ROOT, 'main/compose/terminal/index.ts'),
]
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-bench-'))
const data = join(directory, 'data')
const startedAt = Date.now()
const cloud = await startBigCloud({ nodes: NODES, instances: INSTANCES }, directory)
print('cloud started', `${Date.now() - startedAt} ms`, `${NODES} nodes, ${INSTANCES} instances`)
const { name, kubeconfigPath, cloudsYamlPath } = cloud.cluster
const [node = '', ...args] = LOCKKEEPER
// Does not block on the child, because this process answers for the cloud.
await ended(
  spawn(
    node,
    [
      ...args,
      'cluster',
      'add',
      name,
      '--kubeconfig',
      kubeconfigPath,
      '--clouds-yaml',
      cloudsYamlPath,
      '--cloud',
      name,
      '--data-dir',
      data,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  ),
)
const serve = spawn(node, [...args, 'serve', '--no-open', '--data-dir', data], { stdio: ['ignore', 'pipe', 'inherit'] })
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
try {
  const page = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage()
  await page.addInitScript(watchTasks)
  const address = await addressOf(serve)
  const askedAt = Date.now()
  await page.goto(address)
  // A tab that leaves before it has access gets none.
  await page
    .getByRole('link', { name: new RegExp(`^${name}\\b`) })
    .first()
    .waitFor()
  print(
    'first paint after the request for the page',
    `${Math.round(await firstPaint(page))} ms`,
    `clusters drawn: ${Date.now() - askedAt} ms`,
  )
  print(
    'scripts and styles, as built',
    `${sizeOf('.js')} and ${sizeOf('.css')}`,
    `before anything is drawn ${firstScriptKb(join(ROOT, 'out/renderer'))} kB (goal 450)`,
  )
  const base = `${new URL(page.url()).origin}/`

  await timed('topology: first tile', page, `${base}#/c/${name}/topology`, '[data-node]')
  await longest('topology', page, 'quiet')
  await timed('instances: first row after a reload', page, `${base}#/c/${name}/instances`, '[data-id]')
  await page.waitForFunction(
    all => document.body.innerText.includes(all),
    `${INSTANCES.toLocaleString('en')} instances`,
    // A cloud of any size.
    { timeout: 120_000 },
  )

  const stop = keepChanging(cloud, A_SECOND, FLIGHTS_A_SECOND)
  await sleep(3000)
  await longest('instances', page, `${A_SECOND} changes, ${FLIGHTS_A_SECOND} flights a second`)
  await page.goto(`${base}#/c/${name}/topology`)
  await page.waitForSelector('[data-node]')
  await sleep(3000)
  const flown = await page.evaluate(countFlights, WATCHED_MS)
  print(`chips that flew in ${WATCHED_MS / 1000} s`, `${flown}`)
  await longest('topology', page, `${A_SECOND} changes, ${FLIGHTS_A_SECOND} flights a second`)
  await eventToPixel(page, base)
  stop()

  print('memory of the page (JS heap)', mebibytes(await heapOf(page)))
  print('memory of main (resident)', mebibytes(residentOf(must(serve.pid, 'it was started'))))
} finally {
  await browser.close()
  serve.kill('SIGINT')
  await ended(serve)
  await cloud.stop()
  rmSync(directory, { recursive: true, force: true })
}

async function timed(what: string, page: Page, url: string, selector: string): Promise<void> {
  await page.goto('about:blank')
  const at = Date.now()
  await page.goto(url)
  // For a cloud of any size, on any machine.
  await page.waitForSelector(selector, { timeout: 180_000 })
  print(what, `${Date.now() - at} ms`)
}

async function longest(screen: string, page: Page, while_: string): Promise<void> {
  await page.evaluate(() => {
    window.longTasks.length = 0
  })
  await sleep(WATCHED_MS)
  const tasks = await page.evaluate(() => window.longTasks)
  const most = Math.max(0, ...tasks)
  print(
    `${screen}: longest task, ${while_}`,
    most === 0 ? 'under 50 ms' : `${Math.round(most)} ms`,
    `${tasks.length} over 50 ms in ${WATCHED_MS / 1000} s`,
  )
}

/** The time from writing the migration mode of one node in the API until its radio button is checked on the screen. */
async function eventToPixel(page: Page, base: string): Promise<void> {
  const host = `n-${String(NODES).padStart(3, '0')}`
  await page.goto(`${base}#/c/${name}/instances?node=${host}`)
  await page.locator('summary').first().click()
  const took: number[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const mode = sample % 2 === 0 ? 'manual' : 'skip'
    const drawn = page.evaluate(drawnAt, mode)
    await sleep(300 + sample * 17)
    const at = Date.now()
    changeAnnotation(cloud, host, HOST_MODE_ANNOTATION, mode)
    took.push((await drawn) - at)
  }
  const p95 = must(took.toSorted((a, b) => a - b)[Math.ceil(SAMPLES * 0.95) - 1], 'samples were taken')
  print('API event to pixel', `p50 ${Math.round(median(took))} ms, p95 ${Math.round(p95)} ms`, `${SAMPLES} samples`)
}

/** Runs in the page: the time at which the mode is chosen, just after a frame that shows it. */
function drawnAt(mode: string): Promise<number> {
  return new Promise(resolve => {
    const look = () => {
      const chosen = document.querySelector('.mode-choice:has(:checked) b')?.textContent
      if (chosen === mode) resolve(Date.now())
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

/** Runs in the page: how many chips start to move in this time. */
async function countFlights(forMs: number): Promise<number> {
  let count = 0
  const watcher = new MutationObserver(changes => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof Element && node.matches('.topo-flying')) count += 1
  })
  watcher.observe(document.body, { childList: true, subtree: true })
  await new Promise(resolve => setTimeout(resolve, forMs))
  watcher.disconnect()
  return count
}

function firstPaint(page: Page): Promise<number> {
  return page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN)
}

/** Bytes of the built files with these endings and names. */
function sizeOf(ending: string): string {
  const folder = join(ROOT, 'out/renderer/assets')
  const files = readdirSync(folder).filter(file => file.endsWith(ending))
  return `${Math.round(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0) / 1000)} kB`
}

/** Runs in the page before its own scripts. */
function watchTasks(): void {
  window.longTasks = []
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.longTasks.push(entry.duration)
  }).observe({ type: 'longtask', buffered: true })
}

declare global {
  interface Window {
    longTasks: number[]
  }
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024
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

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`
}

function print(what: string, figure: string, more = ''): void {
  process.stdout.write(`${what.padEnd(52)} ${figure.padStart(14)}  ${more}\n`)
}
