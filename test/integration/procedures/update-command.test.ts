import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type MoskCloud, startMosk } from '../../../main/wings/simulators/lcm/start-mosk.ts'
import {
  moskChart,
  NEXT_MOSK_RELEASE,
  PROJECT_NAMESPACE,
} from '../../../main/wings/simulators/scenarios/demo-mosk-definitions.ts'
import { must } from '../../../shared/domain/must.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { type CliProcess, lockkeeper, startLockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'

/** A command of this machine that starts the update of an application: its terminal is killed while it is under way. */
let directory: string
let cloud: MoskCloud
let page: App
const terminals: CliProcess[] = []
let group: number | null = null

const data = () => join(directory, 'data')
const file = (name: string) => join(directory, name)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-update-command-'))
  cloud = await startMosk({ clock: systemClock, directory: file('cloud'), speed: 30 }, { controllers: true })
  page = valueIn(
    await createApp({ dataDirectory: data(), demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
  )
  const { kubeconfigPath, context, cloudsYamlPath, cloud: name, maintenanceApi } = cloud.cluster
  valueIn(
    await page.contract.ask('cluster.add', {
      name: 'm',
      flavour: 'mosk',
      kubeconfig: { paths: [kubeconfigPath], context },
      cloud: { path: cloudsYamlPath, cloud: name },
      maintenanceApi,
    }),
  )
})

afterAll(async () => {
  for (const { child } of terminals) if (child.exitCode === null) child.kill('SIGKILL')
  try {
    if (group !== null) process.kill(-group, 'SIGKILL')
  } catch {}
  await page.close()
  await cloud.stop()
  await rm(directory, { recursive: true, force: true })
})

function terminal(...args: readonly string[]): CliProcess {
  const started = startLockkeeper(data(), args)
  terminals.push(started)
  return started
}

async function newest(): Promise<RunView | null> {
  const [run] = valueIn(await page.contract.ask('run.list', { cluster: 'm' }))
  return run === undefined ? null : foldRun(valueIn(await page.contract.ask('run.show', { runId: run.id })).events)
}
const factsOf = (view: RunView | null) => view?.steps.flatMap(({ facts }) => facts) ?? []
const stepOf = (view: RunView | null) => view?.steps.find(({ step }) => step.id === 'update-application@openstack')
const until = <T>(look: (view: RunView | null) => T | null | undefined) =>
  vi.waitFor(async () => must(look(await newest()) ?? null, terminals.at(-1)?.output().slice(-2000) ?? ''), {
    timeout: 30_000,
    interval: 100,
  })

test('a command is confirmed at a terminal alone, run once though that is killed, and followed by the update itself', async () => {
  // Counts its runs and continues until its stop file exists or the test's folder is gone.
  const command = `echo "$LOCKKEEPER_APPLICATION $LOCKKEEPER_CLUSTER" >>${file('ran')}; while [ ! -e ${file('stop')} ] && [ -e ${file('ran')} ]; do sleep 0.05; done`
  const object = {
    apiVersion: 'lcm.mirantis.com/v1alpha1',
    kind: 'HelmBundle',
    namespace: PROJECT_NAMESPACE,
    name: 'openstack',
  }
  const path = 'status.releaseStatuses.openstack.version'
  const finished = { kind: 'field' as const, object, path, equals: NEXT_MOSK_RELEASE }
  const applications = [{ application: 'openstack', start: { kind: 'command', command }, finished }]
  await writeFile(file('applications.yaml'), JSON.stringify({ applications }))
  const flags = ['--control', 'none', '--group', 'all=mosk-cmp-04:1', '--applications', file('applications.yaml')]
  const planned = await vi.waitFor(
    async () => {
      const plan = await lockkeeper(data(), ['update', 'plan', 'm', ...flags])
      expect(plan.code, plan.stdout).toBe(0)
      return plan
    },
    { timeout: 30_000, interval: 500 },
  )
  // Whole and unchanged: it is what the operator confirms.
  expect(planned.stdout).toContain(`  Update openstack: this machine runs once in `)
  expect(planned.stdout).toContain(`\n    ${command}\n`)

  // A page plans none.
  const { options } = valueIn(await page.contract.ask('update.propose', { cluster: 'm' }))
  const update = { ...options, applications: [{ application: 'openstack', start: null, finished }] }
  const commands = [{ application: 'openstack', command, directory }]
  const asked = await page.contract.ask('update.plan', { cluster: 'm', update, choices: {}, commands })
  expect(failureIn(asked).message).toContain('only a terminal')

  const first = terminal('update', 'start', 'm', '--yes', '--outside-window', 'test', ...flags)
  group = Number(await until(view => factsOf(view).find(({ fact }) => fact === 'work-command-runs')?.values.group))
  await until(() => existsSync(file('ran')) || null)
  first.child.kill('SIGKILL')
  await first.finished
  const { id } = must(await newest(), 'its run is in the journal')

  // No other update starts meanwhile, and a console that resumes this one starts nothing.
  const other = await page.contract.ask('update.plan', { cluster: 'm', update: options, choices: {} })
  const begun = await page.contract.ask('run.start', { planId: valueIn(other).plan.id, outsideWindow: 'test' })
  expect(failureIn(begun).message).toMatch(/started for the update of openstack still runs/)
  terminal('run', 'resume', id)
  await until(view => (view?.state.kind === 'running' && stepOf(view)?.state === 'applying') || null)
  await writeFile(file('stop'), '')
  await until(view => factsOf(view).find(({ fact }) => fact === 'application-update-started'))

  // That its command has ended is not the end of the update: its object tells that.
  await until(view => factsOf(view).find(({ values }) => String(values.what).includes('openstack to be updated')))
  expect(stepOf(await newest())?.state).toBe('applying')
  cloud.kubernetes.objects.change('HelmBundle', PROJECT_NAMESPACE, 'openstack', bundle => ({
    ...bundle,
    spec: { ...(bundle.spec as object), releases: [moskChart('openstack', NEXT_MOSK_RELEASE)] },
  }))
  await until(view => (stepOf(view)?.state === 'applied' || stepOf(view)?.state === 'verified' ? true : null))
  expect(readFileSync(file('ran'), 'utf8')).toBe('openstack m\n')
  expect((await terminal('run', 'abort', id, '--yes').finished).code).toBe(0)
})
