import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { createApp } from '../../main/app.ts'
import type { RequestInput } from '../../shared/contract/index.ts'
import { valueIn } from '../fixtures/clusters/results.ts'
import { noteFigure } from './note-figure.ts'

/**
 * How many HTTP requests one plan of a node's maintenance with all its checks sends to the embedded clouds, and batches of a cluster; what the live
 * views ask meanwhile is counted apart. Needs no lab. `--each` prints every request with how often it was sent.
 */
const PLANS: readonly (readonly [RequestInput<'plan.make'>['kind'], string, string, number | null])[] = [
  ['enter', 'demo-plain', 'cmp-01', 18],
  ['enter', 'demo-plain', 'ctl-2', null],
  ['enter', 'demo-sunbeam', 'sun-1', 28],
  ['enter', 'demo-mosk', 'mosk-cmp-01', 30],
]

const app = valueIn(
  await createApp({ dataDirectory: null, demo: true, face: { kind: 'serve', pickFiles: null, secrets: null } }),
)
try {
  for (const [kind, cluster, node, aim] of PLANS) {
    await app.contract.ask('node.list', { cluster })
    // The first plan reads the versions of services and creates Watcher's template; the second one cancels its recommendation.
    for (const time of ['first', 'second']) {
      const counted = await counting(async () => {
        const made = valueIn(await app.contract.ask('plan.make', { cluster, node, kind, choices: {} }))
        return `${made.checks.length} checks`
      })
      if (aim !== null) noteFigure(`plan-${node}`, counted.requests.length)
      say(`${time} plan ${kind} ${cluster} ${node}`, counted, aim)
    }
  }
  const { nodes } = valueIn(await app.contract.ask('node.list', { cluster: 'demo-plain' }))
  const wish = { zones: 'one-at-a-time', atOnce: {} } as const
  const counted = await counting(async () => {
    const names = nodes.map(({ name }) => name)
    const planned = valueIn(await app.contract.ask('batches.plan', { cluster: 'demo-plain', nodes: names, wish }))
    return `${names.length} nodes in ${planned.batches.length} batches`
  })
  say('batches demo-plain', counted, null)
} finally {
  await app.close()
}

interface Counted {
  readonly what: string
  readonly requests: readonly string[]
  /** Requests sent at the same time that belong to something else. */
  readonly others: readonly string[]
}

async function counting(work: () => Promise<string>): Promise<Counted> {
  const [requests, others]: [string[], string[]] = [[], []]
  const mine = new AsyncLocalStorage<true>()
  const receive = (message: unknown) => {
    const { request } = message as { readonly request: ClientRequest }
    // Watches of the live views and of the controllers of demo-mosk continue.
    if (/[?&]watch=/.test(request.path)) return
    ;(mine.getStore() === true ? requests : others).push(`${request.method} ${request.path}`)
  }
  subscribe('http.client.request.start', receive)
  try {
    return { what: await mine.run(true, work), requests, others }
  } finally {
    unsubscribe('http.client.request.start', receive)
  }
}

function say(title: string, { what, requests, others }: Counted, aim: number | null): void {
  const aimed = aim === null ? '' : ` (aim: at most ${aim})`
  const beside = `beside ${others.length} of the live views and controllers`
  console.log(`${title}: ${what}, ${requests.length} requests, ${new Set(requests).size} different${aimed}, ${beside}`)
  if (!process.argv.includes('--each')) return
  for (const [of, sent] of [
    ['  ', requests],
    ['  beside ', others],
  ] as const) {
    const times = Map.groupBy(sent, each => each)
    for (const [request, all] of [...times].sort((a, b) => b[1].length - a[1].length)) {
      console.log(`${of}${String(all.length).padStart(3)} ${request}`)
    }
  }
}
