import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createApp } from '../../main/app.ts'
import type { RequestInput } from '../../shared/contract/index.ts'
import { valueIn } from '../fixtures/clusters/results.ts'

/**
 * How many HTTP requests the servers of the embedded clouds get for one plan of a node's maintenance with all its checks, and for batches of a
 * cluster. Needs no lab. `--each` prints every request with how often it came.
 */
const PLANS: readonly (readonly [RequestInput<'plan.make'>['kind'], string, string, number | null])[] = [
  ['enter', 'demo-plain', 'cmp-01', 20],
  ['enter', 'demo-plain', 'ctl-02', null],
  ['enter', 'demo-sunbeam', 'sun-1', 30],
  ['enter', 'demo-mosk', 'mosk-cmp-01', null],
]

const app = valueIn(
  await createApp({ dataDirectory: null, demo: true, face: { kind: 'serve', pickFiles: null, secrets: null } }),
)
try {
  for (const [kind, cluster, node, aim] of PLANS) {
    // Sessions are opened and versions are asked by the first one.
    await app.contract.ask('node.list', { cluster })
    const counted = await counting(async () => {
      const made = valueIn(await app.contract.ask('plan.make', { cluster, node, kind, choices: {} }))
      return `${made.checks.length} checks`
    })
    say(`plan ${kind} ${cluster} ${node}`, counted, aim)
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
}

async function counting(work: () => Promise<string>): Promise<Counted> {
  const requests: string[] = []
  const hear = (message: unknown) => {
    const { request } = message as { readonly request: { readonly method: string; readonly url: string } }
    // Watches of the live views and of the controllers of demo-mosk go on meanwhile.
    if (!/[?&]watch=/.test(request.url)) requests.push(`${request.method} ${request.url}`)
  }
  subscribe('http.server.request.start', hear)
  try {
    return { what: await work(), requests }
  } finally {
    unsubscribe('http.server.request.start', hear)
  }
}

function say(title: string, { what, requests }: Counted, aim: number | null): void {
  const aimed = aim === null ? '' : ` (aim: at most ${aim})`
  console.log(`${title}: ${what}, ${requests.length} requests, ${new Set(requests).size} different${aimed}`)
  if (!process.argv.includes('--each')) return
  const times = Map.groupBy(requests, each => each)
  for (const [request, all] of [...times].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`  ${String(all.length).padStart(3)} ${request}`)
  }
}
