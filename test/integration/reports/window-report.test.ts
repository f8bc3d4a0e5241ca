import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, createApp } from '../../../main/app.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { type DemoClouds, startDemoClouds } from '../../../main/wings/simulators/demo-clouds.ts'
import { must } from '../../../shared/domain/must.ts'
import { type CsvTable, Report, type ReportFormat, type ReportSubject } from '../../../shared/domain/report.ts'
import { lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'

const NODE = 'cmp-01'
const POWER: Readonly<Record<number, string>> = {
  0: 'NoState',
  1: 'Running',
  3: 'Paused',
  4: 'Shutdown',
  7: 'Suspended',
}

interface Seen {
  readonly name: string
  readonly host: string | null
  readonly power: string | undefined
  readonly projectId: string
}

/** A window with a node's whole maintenance in it; what the report says is held against what the simulators themselves know. */
describe('the report of a window', () => {
  let directory: string
  let data: string
  let demo: DemoClouds
  let app: App
  let windowId: string
  let enterId: string
  let before: ReadonlyMap<string, Seen>

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lockkeeper-report-'))
    data = join(directory, 'data')
    demo = await startDemoClouds({ clock: systemClock, directory: join(directory, 'clouds'), speed: 20 })
    app = valueIn(
      await createApp({ dataDirectory: data, demo: false, face: { kind: 'serve', pickFiles: null, secrets: null } }),
    )
    const { kubeconfigPath, context, cloudsYamlPath, cloud } = must(demo.clusters[0], 'the demo has demo-plain')
    valueIn(
      await app.contract.ask('cluster.add', {
        name: 'lab',
        flavour: 'plain',
        kubeconfig: { paths: [kubeconfigPath], context },
        cloud: { path: cloudsYamlPath, cloud },
      }),
    )
    const now = Date.now()
    const created = valueIn(
      await app.contract.ask('window.create', {
        draft: {
          cluster: 'lab',
          title: 'Kernel of cmp-01',
          ticket: 'CHG-4711',
          startsAt: new Date(now - 60_000).toISOString(),
          endsAt: new Date(now + 3_600_000).toISOString(),
          timeZone: 'Europe/Berlin',
          plan: { kind: 'open' },
          notes: 'for the customer',
        },
      }),
    )
    windowId = created.window.id
    before = seenNow()
    enterId = await run('enter')
    await app.contract.ask('window.note', { id: windowId, note: 'incident', text: 'the fan of rack 4 howls' })
  })

  afterAll(async () => {
    await app.close()
    await demo.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('is under way while the window is not closed, and says so before anything else', async () => {
    const report = await json({ kind: 'window', id: windowId })
    expect(report.completeness.kind).toBe('under-way')
    expect(report.summary.headline).toContain('not finished')
    expect(report.nodes).toMatchObject([{ node: NODE, outcome: 'in-maintenance' }])
    expect(await verdict(JSON.stringify(report))).toBe('genuine')
  })

  it('says for every instance where it was and where it is, like Nova', async () => {
    const report = await json({ kind: 'run', id: enterId })
    const now = seenNow()
    const own = [...before].filter(([, { host }]) => host === NODE)
    expect(own.length).toBeGreaterThan(3)
    expect(report.instances.map(({ id }) => id).toSorted()).toEqual(own.map(([id]) => id).toSorted())
    for (const instance of report.instances) {
      const [was, is] = [must(before.get(instance.id), 'known'), must(now.get(instance.id), 'known')]
      expect(instance).toMatchObject({
        name: was.name,
        projectId: was.projectId,
        before: { host: was.host, power: was.power },
        after: { host: is.host, power: is.power },
      })
      expect(instance.outcome === 'moved').toBe(is.host !== was.host)
    }
  })

  it('names the versions of what answered, as the test of the cluster does', async () => {
    const { versions } = await json({ kind: 'run', id: enterId })
    const tested = valueIn(await app.contract.ask('cluster.test', { name: 'lab' })).items.map(({ message }) => message)
    const kubernetes = must(
      versions.find(({ name }) => name === 'Kubernetes'),
      'it was asked',
    ).value
    expect(tested.some(message => message.includes(`Kubernetes ${kubernetes}.`))).toBe(true)
    const nova = must(
      versions.find(({ name }) => name.startsWith('Nova')),
      'it was asked',
    ).value
    expect(tested.some(message => message.includes(nova))).toBe(true)
    expect(versions.map(({ name }) => name)).toContain(`kubelet of ${NODE}`)
  })

  it('counts migrations and evictions as the clouds themselves logged them', async () => {
    const report = await json({ kind: 'run', id: enterId })
    const migrations = demo.openstack.state.migrations.filter(
      ({ source, status }) => source === NODE && (status === 'completed' || status === 'confirmed'),
    )
    expect(migrations.length).toBeGreaterThan(0)
    expect(report.summary.figures.instancesMoved).toBe(migrations.length)
    const moved = report.instances.filter(({ outcome }) => outcome === 'moved')
    expect(moved.map(({ id, after }) => `${id} ${after?.host}`).toSorted()).toEqual(
      migrations.map(({ serverId, dest }) => `${serverId} ${dest}`).toSorted(),
    )
    for (const { moveMs, attempts } of moved) {
      expect(moveMs).toBeGreaterThan(0)
      expect(attempts).toBe(1)
    }
    const evicted = demo.kubernetes.log
      .all()
      .filter(
        ({ method, status, dryRun, path }) =>
          method === 'POST' && status < 300 && !dryRun && path.includes('/eviction'),
      )
    expect(evicted.length).toBeGreaterThan(0)
    expect(report.summary.figures.podsEvicted).toBe(evicted.length)
    expect(
      report.pods.map(({ namespace, name }) => `/api/v1/namespaces/${namespace}/pods/${name}/eviction`).toSorted(),
    ).toEqual(evicted.map(({ path }) => path.split('?')[0]).toSorted())
  })

  it('is final once the node is back and the window closed, and tells the way there and back in one lane', async () => {
    await run('leave')
    valueIn(await app.contract.ask('window.close', { id: windowId, summary: 'all well' }))
    const report = await json({ kind: 'window', id: windowId })
    expect(report.completeness).toEqual({ kind: 'final' })
    expect(report.summary).toMatchObject({ outcome: 'done', figures: { nodesPlanned: 1, nodesDone: 1, incidents: 1 } })
    expect(report.summary.headline).toContain('done and verified')
    expect(report.timeline.lanes).toMatchObject([{ node: NODE, stage: 'done' }])
    expect(report.nodes[0]?.stages.map(({ stage }) => stage)).toEqual(['draining', 'work', 'returning'])
    expect(report.nodes[0]?.stages.every(({ ms }) => ms !== null)).toBe(true)
    expect(report.window).toMatchObject({ ticket: 'CHG-4711', closed: { summary: 'all well' }, overranMs: 0 })
    expect(report.incidents.map(({ words }) => words)).toContain('the fan of rack 4 howls')
    expect(report.chain.links.length).toBeGreaterThanOrEqual(report.entries.length)
    expect(report.damage).toEqual([])
  })

  it.each([
    ['json', 'genuine'],
    ['html', 'genuine'],
    ['md', 'unknown'],
    ['csv', 'unknown'],
  ] as const)('as %s it is %s to verify', async (format, expected) => {
    expect(await verdict(await make({ kind: 'window', id: windowId }, format))).toBe(expected)
    if (expected === 'genuine') {
      expect(await verdict(await make({ kind: 'window', id: windowId }, format, { redact: true }))).toBe('genuine')
    }
  })

  it('with any one letter changed it is changed, wherever that letter is', async () => {
    const text = await make({ kind: 'window', id: windowId }, 'json')
    const words = [...text.matchAll(/[A-Za-z0-9]{3,}/g)]
    for (let at = 0; at < words.length; at += Math.ceil(words.length / 60)) {
      const index = must(words[at], 'within').index
      const letter = text[index] === 'a' ? 'b' : 'a'
      const changed = `${text.slice(0, index)}${letter}${text.slice(index + 1)}`
      expect(await verdict(changed), text.slice(index - 20, index + 20)).toBe('changed')
    }
  })

  it('redacted it names no instance, no project and nothing that people wrote, and stays provable', async () => {
    const texts = await Promise.all(
      (['json', 'html', 'md'] as const).map(format => make({ kind: 'window', id: windowId }, format, { redact: true })),
    )
    const tables = await Promise.all(
      (['instances', 'nodes', 'events'] as const).map(table =>
        make({ kind: 'window', id: windowId }, 'csv', { redact: true, table }),
      ),
    )
    const own = [...before].filter(([, { host }]) => host === NODE)
    for (const text of [...texts, ...tables]) {
      for (const [id, { name, projectId }] of own) {
        expect(text).not.toContain(id)
        expect(text).not.toContain(projectId)
        expect(text).not.toMatch(new RegExp(`(?<![\\w-])${name}(?![\\w-])`))
      }
      expect(text).not.toContain('howls')
      expect(text).not.toContain('for the customer')
    }
    expect(tables[0]).toContain('instance 1')
    expect(tables[0]).toContain('project A')
  })

  it('of an interrupted run says that nobody knows how it ends', async () => {
    const plan = valueIn(
      await app.contract.ask('plan.make', { cluster: 'lab', node: 'cmp-03', kind: 'enter', choices: {} }),
    )
    const started = valueIn(await app.contract.ask('run.start', { planId: plan.plan.id, outsideWindow: 'a test' }))
    const rested = atRest(started.id)
    valueIn(await app.contract.ask('run.detach', { runId: started.id }))
    await rested
    const report = await json({ kind: 'run', id: started.id })
    expect(report.completeness.kind).toBe('interrupted')
    expect(report.summary.outcome).toBe('interrupted')
    expect(report.runs).toMatchObject([{ state: 'interrupted', outsideWindow: 'a test' }])
    expect(report.window).toBeNull()
    // A new report after the run continued: the earlier report stays true for its time.
    const resumed = atRest(started.id)
    valueIn(await app.contract.ask('run.resume', { runId: started.id }))
    await resumed
    const later = await json({ kind: 'run', id: started.id })
    expect(later.completeness.kind).toBe('final')
    expect(later.incidents.map(({ kind }) => kind)).toContain('resumed')
    expect(await verdict(JSON.stringify(report))).toBe('genuine')
    expect(await verdict(JSON.stringify(later))).toBe('genuine')
  })

  it('in a terminal is written for its owner only, never over another file, and verified by its exit code', async () => {
    const file = join(directory, 'window.html')
    const made = await lockkeeper(data, ['report', windowId.slice(0, 8), '-o', file])
    expect(made.code, made.stderr).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const again = await lockkeeper(data, ['report', windowId, '-o', file])
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('--force')
    const verified = await lockkeeper(data, ['report', 'verify', file])
    expect(verified.code, verified.stdout).toBe(0)
    await writeFile(file, (await readFile(file, 'utf8')).replace('CHG-4711', 'CHG-4712'))
    const refused = await lockkeeper(data, ['report', 'verify', file, '-o', 'json'])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({ kind: 'changed' })
    const table = await lockkeeper(data, ['report', enterId, '--format', 'csv', '-o', '-'])
    expect(table.stdout).toBe(await make({ kind: 'run', id: enterId }, 'csv'))
    expect((await lockkeeper(data, ['report', enterId, '-o', 'json'])).code).toBe(2)
  })

  async function run(kind: 'enter' | 'leave'): Promise<string> {
    const plan = valueIn(await app.contract.ask('plan.make', { cluster: 'lab', node: NODE, kind, choices: {} }))
    const started = valueIn(await app.contract.ask('run.start', { planId: plan.plan.id }))
    await atRest(started.id)
    const shown = valueIn(await app.contract.ask('run.show', { runId: started.id }))
    expect(shown.summary.state, shown.summary.summary).toBe('done')
    return started.id
  }

  function atRest(runId: string): Promise<void> {
    return new Promise(resolve => {
      const stop = app.contract.listen('run.rested', rested => {
        if (rested.runId !== runId) return
        stop()
        resolve()
      })
    })
  }

  function seenNow(): ReadonlyMap<string, Seen> {
    return new Map(
      [...demo.openstack.state.servers.values()].map(({ id, name, host, powerState, projectId }) => [
        id,
        { name, host, power: POWER[powerState], projectId },
      ]),
    )
  }

  async function make(
    subject: ReportSubject,
    format: ReportFormat,
    { redact = false, table = 'instances' }: { readonly redact?: boolean; readonly table?: CsvTable } = {},
  ): Promise<string> {
    return valueIn(await app.contract.ask('report.make', { subject, format, redact, table })).content
  }

  async function json(subject: ReportSubject): Promise<Report> {
    return Report.parse(JSON.parse(await make(subject, 'json')))
  }

  async function verdict(content: string): Promise<string> {
    return valueIn(await app.contract.ask('report.verify', { content })).kind
  }
})
