import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { NodeSummary } from '../../../shared/domain/node-summary.ts'
import type { NodeVerdict } from '../../../shared/domain/node-verdict.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { connectTarget } from '../../fixtures/connect-target.ts'

let directory: string
let demo: DemoClouds
let app: App

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-one-row-'))
  const folder = join(directory, 'clouds')
  demo = await startDemoClouds({ clock: systemClock, directory: folder, speed: 20, edge: true, mosk: {}, sunbeam: {} })
  const face = { kind: 'terminal', pickFiles: null, secrets: null } as const
  app = valueIn(await createApp({ dataDirectory: join(directory, 'data'), demo: false, face }))
  for (const { name, flavour, kubeconfigPath, context, cloudsYamlPath, cloud, roleMaintenance } of demo.clusters) {
    const kubeconfig = { paths: [kubeconfigPath], context }
    const of = { path: cloudsYamlPath, cloud }
    valueIn(await app.contract.ask('cluster.add', { name, flavour, kubeconfig, cloud: of, roleMaintenance }))
  }
})
afterAll(async () => {
  await app.close()
  await demo.stop()
  await rm(directory, { recursive: true, force: true })
})

/** What both show of a node: the map has its time and its API beside it. */
const shown = (row: NodeSummary) => {
  const { verdict, ...rest } = NodeSummary.strip().parse(row)
  return { ...rest, verdict: verdict === null ? null : seen(verdict) }
}

function seen(verdict: NodeVerdict): unknown {
  const { at: _at, looked: _looked, ...rest } = verdict
  return rest
}

async function rowsOf(cluster: string): Promise<ReturnType<typeof shown>[]> {
  return valueIn(await app.contract.ask('node.list', { cluster })).nodes.map(shown)
}

async function mapOf(cluster: string): Promise<ReturnType<typeof shown>[]> {
  const { view } = valueIn(await app.contract.ask('view.open', { cluster }))
  return view.nodes.map(shown)
}

test.each(['demo-plain', 'demo-edge', 'demo-mosk', 'demo-sunbeam'])(
  'the map and `nodes` show the same row of every node of %s, in service and out of it, empty or not',
  async cluster => {
    const cloud = demo.clusters.find(({ name }) => name === cluster)
    if (cloud === undefined) throw new Error(`there is no ${cluster}`)
    const byHand = await connectTarget({
      kubeconfig: cloud.kubeconfigPath,
      context: cloud.context,
      viewerKubeconfig: null,
      cloudsYaml: cloud.cloudsYamlPath,
      cloud: cloud.cloud,
      userCloud: cloud.cloud,
    })
    try {
      const same = () =>
        vi.waitFor(async () => expect(await mapOf(cluster)).toEqual(await rowsOf(cluster)), { timeout: 30_000 })
      await same()
      // Somebody takes nodes out by hand: one that holds nothing but pods, and two with instances.
      const computes = valueIn(await byHand.openstack.computeServices()).slice(0, 2)
      for (const { id } of computes) valueIn(await byHand.openstack.disableComputeService(id, 'by hand'))
      const names = (await rowsOf(cluster)).map(({ name }) => name)
      for (const name of [...computes.slice(0, 1).map(({ host }) => host), names[0] ?? ''])
        valueIn(await byHand.kubernetes.setUnschedulable(name, true))
      await vi.waitFor(
        async () => expect((await mapOf(cluster)).filter(({ verdict }) => verdict !== null)).not.toEqual([]),
        {
          timeout: 30_000,
        },
      )
      await same()
    } finally {
      await byHand.close()
    }
  },
)
