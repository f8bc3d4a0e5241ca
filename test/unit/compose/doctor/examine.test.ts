import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { examine } from '../../../../main/compose/doctor/examine.ts'
import type { Examination } from '../../../../main/compose/doctor/finding.ts'
import { openJournal } from '../../../../main/journal/journal.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { openInstallation } from '../../../../main/platform/settings/head-anchor.ts'
import type { ClusterTestItem } from '../../../../shared/contract/cluster.ts'
import type { Cluster } from '../../../../shared/domain/cluster.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { CONTROLLERS_LEASE, type LeaseName, nodeLease } from '../../../../shared/domain/lease-name.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { DRIVER } from '../../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { fakeStatus } from '../../../fixtures/procedures/fake-records.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lockkeeper-doctor-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const LAB: Cluster = fakeCluster({
  name: 'lab',
  kubeconfig: { paths: ['/etc/kube/config'], context: 'admin' },
  cloud: null,
  leaseNamespace: 'locks',
})

const FINE: readonly ClusterTestItem[] = [
  { area: 'kubernetes', name: 'API server', outcome: 'ok', message: 'it answers', remedy: null },
  { area: 'permissions', name: 'get nodes', outcome: 'ok', message: 'Allowed.', remedy: null },
  { area: 'permissions', name: 'list pods', outcome: 'ok', message: 'Allowed.', remedy: null },
]

interface Case {
  readonly at?: string
  readonly clusters?: readonly Cluster[]
  readonly items?: readonly ClusterTestItem[]
  /** Somebody's application controllers run. */
  readonly controllers?: boolean
  /** Which run holds which node. */
  readonly leases?: Readonly<Record<string, string>>
  readonly cluster?: string
  readonly env?: Readonly<Record<string, string>>
}

async function examined({ at = directory, clusters = [], items = FINE, leases = {}, ...more }: Case = {}) {
  const reported: string[] = []
  const examination = await examine({
    machine: {
      platform: 'linux',
      env: { LANG: 'C.UTF-8', ...more.env },
      isProgram: () => true,
      nodeVersion: '24.1.0',
      hasPage: true,
      timeZone: 'UTC',
    },
    dataDirectory: at,
    ownUser: process.getuid?.() ?? null,
    clock: systemClock,
    liveness: {
      clock: systemClock,
      self: { id: 'doctor', machine: DRIVER.machine, bootId: DRIVER.bootId, pid: process.pid },
      pidAlive: () => false,
      heartbeats: new Map(),
    },
    clusters: ok({
      list: () => ok([...clusters]),
      test: async name => ok({ cluster: name, testedAt: '', ok: true, items: [...items], missingRbac: null }),
      inspectKubeconfig: async () => failed(failure('not-found', 'none')),
    }),
    withLeases: async (_cluster, work) => {
      const names = new Map(Object.entries(leases).map(([node, run]) => [nodeLease(node), run]))
      if (more.controllers) names.set(CONTROLLERS_LEASE, 'controllers-4711')
      const held = (name: LeaseName) =>
        fakeStatus({ runId: names.get(name) ?? null, operator: 'eva', seenRenewed: false })
      const never = async () => {
        throw new Error('an examination takes no Lease')
      }
      return ok(
        await work({
          all: async () => ok(new Map([...names.keys()].map(name => [name, { held: true, annotations: {} }]))),
          holder: async name => ok(held(name)),
          acquire: never,
          renew: never,
          confirm: never,
          release: never,
        }),
      )
    },
    cluster: more.cluster ?? null,
    onFindings: findings => reported.push(...findings.map(({ name }) => name)),
  })
  expect(reported).toEqual(examination.findings.map(({ name }) => name))
  return examination
}

/** The finding about a subject, as `outcome: message`. */
function said(examination: Examination, about: string, name?: string): readonly string[] {
  return examination.findings
    .filter(each => each.about === about && (name === undefined || each.name === name))
    .map(({ outcome, message }) => `${outcome}: ${message}`)
}

/** Every file below a folder with its content, mode and time. */
function everything(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map(name => {
      const status = statSync(join(folder, name))
      const content = status.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : ''
      return `${name} ${status.mode} ${status.mtimeMs} ${content}`
    })
}

/** A journal with one finished run and one whose process is gone. */
function journalWithRuns(close = true): void {
  const { anchor } = openInstallation(directory)
  const journal = valueIn(openJournal({ path: join(directory, 'journal.db'), clock: systemClock, anchor }))
  for (const id of ['over', 'left']) {
    journal.createRun(id, {
      kind: 'run-created',
      plan: { ...toyPlan([switchStep('first')]), cluster: 'lab' },
      driver: DRIVER,
    })
  }
  journal.append('over', { kind: 'run-finished', outcome: 'done', summary: 'done', leftBehind: [] }, DRIVER)
  if (close) journal.close()
}

describe('an examination', () => {
  test('of a directory that nothing was kept in yet finds it works', async () => {
    const examination = await examined({ at: join(directory, 'not', 'there') })
    expect(examination.verdict).toBe('works')
    expect(said(examination, 'journal', 'file')[0]).toMatch(/^fine: There is no journal yet/)
    expect(readdirSync(directory)).toEqual([])
  })

  test('names runs without a driver, with what to do', async () => {
    journalWithRuns()
    const examination = await examined({ clusters: [LAB] })
    expect(examination.verdict).toBe('works')
    expect(said(examination, 'journal', 'run left')[0]).toMatch(/attention:/)
    expect(examination.findings.find(({ name }) => name === 'run left')).toMatchObject({
      code: 'RunUndriven',
      values: { cluster: 'lab' },
      next: expect.stringContaining('run resume left'),
      nextCode: 'RunUndrivenNext',
      nextValues: { run: 'left' },
    })
    expect(said(examination, 'journal', 'whole')[0]).toMatch(/^fine: The chain is valid/)
  })

  test('tells a Lease left behind from one that is not ours to judge', async () => {
    journalWithRuns()
    const leases = { 'cmp-1': 'over', 'cmp-2': 'left', 'cmp-3': 'of-another-console' }
    const examination = await examined({ clusters: [LAB], leases })
    expect(said(examination, 'cloud lab', 'Lease lockkeeper-node-cmp-1')[0]).toMatch(/attention:/)
    expect(said(examination, 'cloud lab', 'Lease lockkeeper-node-cmp-2')[0]).toMatch(/attention:/)
    expect(said(examination, 'cloud lab', 'Lease lockkeeper-node-cmp-3')[0]).toMatch(/^cannot-tell: /)
    expect(examination.verdict).toBe('cannot-tell')
  })

  test('takes no application controllers for a run', async () => {
    journalWithRuns()
    const examination = await examined({ clusters: [LAB], controllers: true })
    expect(said(examination, 'cloud lab', 'Lease lockkeeper-controllers')[0]).toMatch(
      /^fine: .*application controllers of eva/,
    )
  })

  test('takes no run for over that it cannot read, or that is of the same cluster under another name', async () => {
    const { anchor } = openInstallation(directory)
    const path = join(directory, 'journal.db')
    journalWithRuns()
    const journal = valueIn(openJournal({ path, clock: systemClock, anchor }))
    const plan = { ...toyPlan([switchStep('first')]), cluster: 'lab-2' }
    journal.createRun('other-name', { kind: 'run-created', plan, driver: DRIVER })
    journal.close()
    const database = new DatabaseSync(path)
    database.exec("DROP TRIGGER events_are_never_changed; UPDATE events SET body = '{' WHERE run_id = 'left'")
    database.close()
    const leases = { 'cmp-1': 'left', 'cmp-2': 'other-name' }
    const examination = await examined({ clusters: [LAB], cluster: 'lab', leases })
    expect(said(examination, 'cloud lab', 'Lease lockkeeper-node-cmp-1')[0]).toMatch(/^cannot-tell: /)
    expect(said(examination, 'cloud lab', 'Lease lockkeeper-node-cmp-2')[0]).toMatch(/attention:/)
    expect(said(examination, 'journal', 'run other-name')).toEqual([])
  })

  test.each([
    ['closed well', true],
    ['open elsewhere', false],
  ])('writes nothing beside a journal that is %s', async (_, close) => {
    journalWithRuns(close)
    // What others share while they have it open is theirs: only its content may change.
    const files = () => everything(directory).filter(line => !line.includes('-shm'))
    const before = files()
    await examined({ clusters: [LAB] })
    expect(files()).toEqual(before)
  })

  test('reads the log that a dead process left, and makes nothing beside it', async () => {
    journalWithRuns(false)
    const left = join(directory, 'left')
    mkdirSync(left)
    for (const name of readdirSync(directory).filter(each => each !== 'left' && !each.endsWith('-shm'))) {
      cpSync(join(directory, name), join(left, name), { preserveTimestamps: true })
    }
    const before = everything(left)
    const examination = await examined({ at: left, clusters: [LAB] })
    expect(said(examination, 'journal', 'run left')).toHaveLength(1)
    expect(everything(left)).toEqual(before)
  })

  test.each<[string, (path: string) => void, RegExp]>([
    [
      'is no journal',
      path => writeFileSync(path, 'not a database at all, but a note of somebody'),
      /^broken: .*nor a database/,
    ],
    [
      'was emptied',
      path => {
        journalWithRuns()
        writeFileSync(path, '')
      },
      /^broken: .*emptied or removed/,
    ],
    [
      'has a damaged page',
      path => {
        journalWithRuns()
        const bytes = readFileSync(path)
        bytes.fill(0x5a, 4_096, bytes.length)
        writeFileSync(path, bytes)
      },
      /^broken: /,
    ],
  ])('continues where the journal %s', async (_, spoil, words) => {
    const path = join(directory, 'journal.db')
    spoil(path)
    const before = everything(directory)
    const examination = await examined({ clusters: [LAB] })
    expect(said(examination, 'journal').some(line => words.test(line))).toBe(true)
    expect(examination.verdict).toBe('broken')
    expect(said(examination, 'cloud lab', 'API server')).toEqual(['fine: it answers'])
    expect(everything(directory)).toEqual(before)
  })

  test('continues where the data directory cannot be used', async () => {
    writeFileSync(join(directory, 'a-file'), '')
    const examination = await examined({ at: join(directory, 'a-file'), clusters: [LAB] })
    expect(said(examination, 'data directory', 'place')[0]).toMatch(/^broken: .*it is a file/)
    expect(said(examination, 'journal', 'file')[0]).toMatch(/^cannot-tell: /)
    expect(said(examination, 'cloud lab', 'rights')).toHaveLength(1)
  })

  test('names files that others may read', async () => {
    writeFileSync(join(directory, 'clusters.json'), '{}', { mode: 0o644 })
    const examination = await examined()
    expect(said(examination, 'data directory', 'files')).toEqual(['attention: Other users may read clusters.json.'])
  })

  test.each([
    { folder: 0o755, file: 0o644, reports: /attention: Other users may read secrets\/openstack\/lab\./ },
    { folder: 0o755, file: 0o600, reports: /also in its folders\./ },
    { folder: 0o700, file: 0o644, reports: /also in its folders\./ },
  ])('looks into folders: a file of mode $file in one of mode $folder', async ({ folder, file, reports }) => {
    mkdirSync(join(directory, 'secrets/openstack'), { recursive: true, mode: folder })
    writeFileSync(join(directory, 'secrets/openstack/lab'), 'x', { mode: file })
    const { findings } = await examined()
    const found = findings.find(({ about, name }) => about === 'data directory' && name === 'files')
    expect(`${found?.outcome}: ${found?.message}`).toMatch(reports)
    expect(found?.next ?? '').toBe(found?.outcome === 'fine' ? '' : `\`chmod -R go= ${join(directory, 'secrets')}\``)
  })

  test('prints granted rights in one line, and each missing one separately', async () => {
    const all = await examined({ clusters: [LAB] })
    expect(said(all, 'cloud lab', 'rights')).toEqual([
      'fine: The credentials have all 2 rights in Kubernetes that a maintenance needs.',
    ])
    const refused = {
      area: 'permissions',
      name: 'create pods/eviction',
      outcome: 'missing',
      message: 'may not',
      remedy: 'grant',
    } as const
    const some = await examined({ clusters: [LAB], items: [...FINE, refused] })
    expect(said(some, 'cloud lab', 'create pods/eviction')).toEqual(['broken: may not'])
    expect(said(some, 'cloud lab', 'rights')[0]).toMatch(/attention: The credentials have 2 of 3 rights\./)
  })

  test('what a test could not ask is not fine, but that there is no cloud is the operator’s word', async () => {
    const skipped = {
      area: 'clock',
      name: 'clock of the API server',
      outcome: 'skipped',
      message: 'not asked',
      remedy: null,
    } as const
    const none = { area: 'openstack', name: 'cloud', outcome: 'skipped', message: 'no cloud', remedy: null } as const
    expect((await examined({ clusters: [LAB], items: [...FINE, none] })).verdict).toBe('works')
    const examination = await examined({ clusters: [LAB], items: [...FINE, skipped] })
    expect(said(examination, 'cloud lab', 'clock of the API server')).toEqual(['cannot-tell: not asked'])
    expect(examination.verdict).toBe('cannot-tell')
  })

  test('asks only the cluster that is named, and says when it is not registered', async () => {
    const both = [LAB, { ...LAB, name: 'edge' }]
    const one = await examined({ clusters: both, cluster: 'edge' })
    expect(said(one, 'cloud lab')).toEqual([])
    expect(said(one, 'cloud edge', 'API server')).toHaveLength(1)
    expect(said(await examined({ clusters: both, cluster: 'nowhere' }), 'clusters')[0]).toMatch(
      /broken: Cloud nowhere does not exist\./,
    )
  })

  test('an unknown time zone and a missing browser are named', async () => {
    const examination = await examined({ env: { TZ: 'Mars/Olympus' } })
    expect(said(examination, 'this machine', 'time zone')[0]).toMatch(/^attention: TZ is "Mars\/Olympus"/)
  })
})
