import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { parse } from 'yaml'
import type { DemoCluster } from '../../main/ports/demo-clouds.ts'
import { must } from '../../shared/domain/must.ts'

declare global {
  interface Window {
    longTasks: number[]
  }
}

/** Runs in the page before its own scripts. */
export function watchTasks(): void {
  window.longTasks = []
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.longTasks.push(entry.duration)
  }).observe({ type: 'longtask', buffered: true })
}

/** Runs in the page: the time at which the mode is chosen, just after a frame that shows it. */
export function drawnAt(mode: string): Promise<number> {
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
export async function countFlights(forMs: number): Promise<number> {
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

export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

/** Processor time of the page's process in milliseconds. */
export async function processTimeOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  return Math.round(1000 * must(metrics.find(({ name }) => name === 'ProcessTime')?.value, 'the browser counts it'))
}

/** By the kernel's count: processor time in steps of 10 ms, memory now and at its peak. */
export function processesOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mebibytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024)
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
    residentMiB: mebibytes('VmRSS'),
    peakMiB: mebibytes('VmHWM'),
  }
}

/** Processor time that the cloud needs to answer with all hosts that have room. */
export async function candidatesCost(cloud: ChildProcess, cluster: DemoCluster): Promise<string> {
  const { clouds } = parse(readFileSync(cluster.cloudsYamlPath, 'utf8'))
  const { auth_url, username, password, project_name } = clouds[cluster.cloud].auth
  const login = await fetch(`${auth_url.replace(/\/v3\/?$/, '')}/v3/auth/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: username, domain: { name: 'Default' }, password } },
        },
        scope: { project: { name: project_name, domain: { id: 'default' } } },
      },
    }),
  })
  const token = must(login.headers.get('x-subject-token'), 'the user can log in')
  const pid = must(cloud.pid, 'it runs')
  const before = processesOf(pid).cpuMs
  const answer = await fetch(`${new URL(auth_url).origin}/placement/allocation_candidates?resources=VCPU:1`, {
    headers: { 'x-auth-token': token, 'openstack-api-version': 'placement 1.29' },
  })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.text()
  return `${processesOf(pid).cpuMs - before} ms`
}
