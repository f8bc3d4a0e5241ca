import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../main/clock/clock.ts'
import {
  type KubernetesSimulator,
  startKubernetesSimulator,
} from '../../../main/demo/kubernetes/kubernetes-simulator.ts'
import { createKubernetesPort } from '../../../main/kubernetes/kubernetes-port.ts'
import { type KubernetesSession, openKubernetesSession } from '../../../main/kubernetes/session.ts'
import { silentLogger } from '../../../main/log/logger.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { FAST, SMALL_CLOUD } from '../../fixtures/demo-kubernetes/small-cloud.ts'
import { newFolder } from '../../fixtures/kubernetes/kubeconfig-files.ts'

let simulator: KubernetesSimulator
let session: KubernetesSession
const clock = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms < 15_000 ? 0 : ms, signal),
}

beforeAll(async () => {
  simulator = await startKubernetesSimulator({ clock: systemClock, seed: SMALL_CLOUD, timings: FAST })
  const path = join(await newFolder(), 'config')
  await writeFile(path, simulator.kubeconfig())
  const source = { paths: [path], context: 'demo' }
  session = valueIn(await openKubernetesSession({ source, consent: () => false, clock, log: silentLogger }))
})
afterAll(async () => {
  session.close()
  await simulator.stop()
})

const edits = fc.record({
  way: fc.array(fc.nat(30), { minLength: 1, maxLength: 6, size: 'max' }),
  how: fc.constantFrom('drop', 'twice', 'wrap', 'replace'),
  by: fc.jsonValue({ maxDepth: 2 }),
})
/** After how many characters the answer ends; null: it is whole. */
const cuts = fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(5_000) })
type Edit = typeof edits extends fc.Arbitrary<infer T> ? T : never

/** Walks into the answer by the numbers of `way` and changes what it comes to. */
function edited(value: unknown, { way, how, by }: Edit): unknown {
  if (way.length === 0 || typeof value !== 'object' || value === null) return how === 'wrap' ? [value] : by
  const keys = Object.keys(value)
  const key = keys[(way[0] ?? 0) % Math.max(1, keys.length)]
  if (key === undefined) return by
  const inner = (value as Record<string, unknown>)[key]
  const isHere = way.length === 1 || typeof inner !== 'object' || inner === null
  if (Array.isArray(value)) {
    const at = Number(key)
    if (isHere && how === 'drop') return value.toSpliced(at, 1)
    if (isHere && how === 'twice') return value.toSpliced(at, 0, inner)
    return value.with(at, edited(inner, { way: way.slice(1), how, by }))
  }
  if (isHere && how === 'drop') return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  return { ...value, [key]: edited(inner, { way: way.slice(1), how, by }) }
}

test.each(['nodes', 'pods'] as const)(
  'of %s, an answer that somebody changed is refused, or told with every row that it holds and no other',
  async what => {
    const port = createKubernetesPort({ session, leaseNamespace: 'default', clock, log: silentLogger })
    const read = () => (what === 'nodes' ? port.listNodes() : port.listPods('openstack'))
    let told = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(edits, cuts, async (edit, cutAfter) => {
        let text = ''
        const undo = simulator.faults.lie({ path: new RegExp(`/${what}(\\?|$)`) }, ({ body }) => {
          const whole = JSON.stringify(edited(body, edit)) ?? ''
          text = cutAfter === null ? whole : whole.slice(0, cutAfter)
          return { code: 200, contentType: 'application/json', text }
        })
        const answer = await read()
        undo()
        if (!answer.ok) {
          refused += 1
          return
        }
        told += 1
        const { items } = JSON.parse(text) as {
          readonly items: readonly { readonly metadata: { readonly name: string } }[]
        }
        expect(answer.value.map(({ name }) => name)).toEqual(items.map(({ metadata }) => metadata.name))
      }),
      { numRuns: 300 },
    )
    expect(told).toBeGreaterThan(10)
    expect(refused).toBeGreaterThan(10)
  },
)
