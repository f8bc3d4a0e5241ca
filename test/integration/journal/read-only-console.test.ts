import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { openJournal } from '../../../main/journal/journal.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'
import { placeOldJournal } from '../../fixtures/journals/old-journals.ts'

let directory: string
let data: string
let demo: DemoClouds
let app: App

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-read-only-console-'))
  data = join(directory, 'data')
  mkdirSync(data)
  demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 60 })
})
afterEach(async () => {
  await app.close()
  await demo.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('over a journal of a newer Lockkeeper the console starts, shows its history, and refuses before anything is touched', async () => {
  const path = join(data, 'journal.db')
  placeOldJournal('schema-3', path)
  valueIn(openJournal({ path, clock: systemClock })).close()
  const newer = new DatabaseSync(path)
  newer.exec('PRAGMA user_version = 99')
  newer.close()

  app = valueIn(
    await createApp({ dataDirectory: data, demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
  const { ask } = app.contract
  const { kubeconfigPath, context, cloudsYamlPath, cloud } = must(demo.clusters[0], 'the demo has demo-plain')
  valueIn(
    await ask('cluster.add', {
      name: 'demo-plain',
      flavour: 'plain',
      kubeconfig: { paths: [kubeconfigPath], context },
      cloud: { path: cloudsYamlPath, cloud },
    }),
  )
  const runs = valueIn(await ask('run.list', { cluster: null }))
  expect(runs.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['enter interrupted', 'leave done', 'enter done'])
  const left = must(runs[0], 'there are three')
  expect(valueIn(await ask('run.show', { runId: left.id })).events.length).toBeGreaterThan(20)

  const { plan } = valueIn(
    await ask('plan.make', { cluster: 'demo-plain', node: 'cmp-03', kind: 'enter', choices: {} }),
  )
  const asked = demo.openstack.log.length
  for (const refused of [
    await ask('run.start', { planId: plan.id, outsideWindow: 'a test' }),
    await ask('run.resume', { runId: left.id }),
    await ask('run.abort', { runId: left.id, reason: 'x' }),
  ]) {
    expect(failureIn(refused).message).toContain('schema 99')
    expect(failureIn(refused).message).toContain('Update Lockkeeper')
  }
  expect(demo.openstack.log.length, 'nobody was even asked').toBe(asked)
})
