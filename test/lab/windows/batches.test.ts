import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { LAB_CLOUDS, LAB_CONTEXT, LAB_KUBECONFIG } from '../lab-places.ts'

let directory: string
let app: App

/** Batches of the lab, whose Nova and Placement are real. Only reads. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-lab-batches-'))
  app = valueIn(
    await createApp({ dataDirectory: directory, demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
  valueIn(
    await app.contract.ask('cluster.add', {
      name: 'lab',
      flavour: 'plain',
      production: false,
      kubeconfig: { paths: [LAB_KUBECONFIG], context: LAB_CONTEXT },
      cloud: { path: LAB_CLOUDS, cloud: 'lab' },
    }),
  )
}, 60_000)

afterAll(async () => {
  await app.close()
  await rm(directory, { recursive: true, force: true })
})

describe('batches of the lab', () => {
  it('hold every node once or say why not, and count what moves as Nova lists it', async () => {
    const { nodes } = valueIn(await app.contract.ask('node.list', { cluster: 'lab' }))
    const names = nodes.map(({ name }) => name)
    const wish = { zones: 'one-at-a-time' as const, atOnce: {} }
    const made = valueIn(await app.contract.ask('batches.plan', { cluster: 'lab', nodes: names, wish }))
    expect(made.unreachable).toEqual([])
    expect([...made.batches.flatMap(batch => batch.nodes), ...made.left.map(({ node }) => node)].sort()).toEqual(
      names.sort(),
    )
    expect(made.batches.flatMap(({ problems }) => problems)).toEqual([])
    for (const { name } of nodes.filter(({ roles }) => roles.includes('compute'))) {
      const { instances } = valueIn(await app.contract.ask('instance.list', { cluster: 'lab', node: name }))
      const judged = valueIn(
        await app.contract.ask('batches.judge', { cluster: 'lab', batches: [{ nodes: [name] }], wish }),
      )
      expect(judged.batches[0]?.capacity.moving).toBe(
        instances.filter(({ action }) => action === 'live_migrate').length,
      )
    }
  }, 120_000)
})
