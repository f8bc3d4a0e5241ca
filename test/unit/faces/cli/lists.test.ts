import { describe, expect, it } from 'vitest'
import { findRun, shortIds } from '../../../../main/faces/cli/find-run.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { InstanceSummary, NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { sampleSummary } from '../../../fixtures/cli/sample-run.ts'
import { playScenes } from '../../../fixtures/cli/scenes.ts'

const node = (name: string, more: Partial<NodeSummary> = {}): NodeSummary => ({
  name,
  roles: ['compute'],
  ready: 'ready',
  schedulable: true,
  state: 'active',
  roleSources: [],
  roleContradictions: [],
  stateReason: '',
  conditions: [],
  verdict: null,
  zone: 'az1',
  kubeletVersion: 'v1.32.0',
  computeService: { status: 'enabled', state: 'up', disabledReason: null },
  runId: null,
  migrationMode: null,
  ...more,
})

const instance = (name: string, more: Partial<InstanceSummary> = {}): InstanceSummary => ({
  id: `id-of-${name}`,
  name,
  projectId: null,
  host: 'cmp-1',
  zone: 'az1',
  status: 'ACTIVE',
  taskState: null,
  action: 'live_migrate',
  actionSource: 'host-mode',
  actionReason: 'moves to another host',
  warnings: [],
  ...more,
})

describe('nodes', () => {
  const listed = (unreachable: string[] = []) =>
    createFakeContract({
      'node.list': () =>
        ok({
          nodes: [
            node('cmp-10'),
            node('cmp-2', {
              schedulable: false,
              state: 'maintenance',
              stateReason: 'cordoned and empty',
              runId: 'run-7',
            }),
          ],
          readAt: '2026-11-21T10:00:00.000Z',
          unreachable,
        }),
    }).contract

  it('as JSON are an array with name, roles, ready, schedulable and state', async () => {
    const terminal = createFakeTerminal({ contract: listed() })
    await terminal.run('nodes', 'lab', '-o', 'json')
    expect(terminal.json()).toMatchObject([
      { name: 'cmp-2', roles: ['compute'], ready: 'ready', schedulable: false, state: 'maintenance' },
      { name: 'cmp-10', state: 'active' },
    ])
    expect(terminal.err()).toBe('')
  })

  it('what could not be read is on standard error, never in the list', async () => {
    const terminal = createFakeTerminal({ contract: listed(['Nova does not answer.']) })
    expect(await terminal.run('nodes', 'lab', '-o', 'json')).toBe(0)
    expect(terminal.err()).toContain('Nova does not answer.')
    expect(terminal.json()).toHaveLength(2)
  })
})

it('nodes and instances read as they should', async () => {
  const machine = node('sun-9', { ready: 'none', schedulable: null, kubeletVersion: '' })
  const unreachable = ['Nova does not answer.']
  const cordoned = node('cmp-2', { schedulable: false, state: 'maintenance', stateReason: 'cordoned', runId: 'run-7' })
  const fake = createFakeContract({
    'node.list': () => ok({ nodes: [node('cmp-10'), cordoned, node('cmp-1'), machine], readAt: '', unreachable }),
    'node.show': () =>
      ok({
        cluster: 'lab',
        node: 'cmp-1',
        readAt: '2026-11-21T10:00:00.000Z',
        labels: {},
        pods: {
          ok: true,
          value: [
            {
              namespace: 'openstack',
              name: 'nova-0',
              uid: 'u',
              phase: 'Running',
              ready: true,
              controller: null,
              fate: 'evict',
              reason: 'it leaves',
              warnings: [],
              budgets: [],
              claims: [],
              emptyDirs: [],
              createdAt: '2026-11-21T10:00:00.000Z',
            },
          ],
        },
        services: failed(failure('unreachable', 'Nova does not answer.')),
        events: { ok: true, value: [] },
      }),
    'instance.list': () =>
      ok({
        instances: [
          instance('web-2', { taskState: 'migrating', warnings: ['it is locked'] }),
          instance('db-1', { action: 'blocked', projectId: 'p-1' }),
        ],
        projects: [{ id: 'p-1', name: 'shop' }],
        readAt: '',
        unreachable: [],
      }),
  })
  const terminal = createFakeTerminal({ contract: fake.contract })
  await terminal.run('nodes', 'lab')
  await terminal.run('nodes', 'lab', '-o', 'json')
  await terminal.run('node', 'show', 'lab', 'cmp-9')
  await terminal.run('node', 'show', 'lab', 'sun-9')
  await terminal.run('node', 'show', 'lab', 'cmp-1')
  expect(fake.inputsOf('node.show')).toEqual([])
  await terminal.run('node', 'show', 'lab', 'cmp-1', '--all')
  await terminal.run('instances', 'lab', 'cmp-1')
  await terminal.run('instances', 'lab', '-v')
  expect(fake.inputsOf('instance.list')).toEqual([
    { cluster: 'lab', node: 'cmp-1' },
    { cluster: 'lab', node: null },
  ])
  await expect(terminal.session()).toMatchFileSnapshot('transcripts/nodes.txt')
})

/** Newest first, as they are answered. */
const RUNS = [
  sampleSummary('interrupted', { id: 'aaaaaaaa22', createdAt: '2026-11-21T10:00:00.000Z' }),
  sampleSummary('done', {
    ...{ id: 'aaaaaaaa11', createdAt: '2026-11-20T10:00:00.000Z', endedAt: '2026-11-20T10:02:03.000Z' },
  }),
  sampleSummary('failed', { id: 'bbbbbbbbcc', createdAt: '2026-11-19T10:00:00.000Z' }),
] as const
const runs = () => createFakeContract({ 'run.list': () => ok([...RUNS]), 'run.abort': () => ok(RUNS[2]) })

playScenes('runs', 'transcripts/runs.txt', runs, {
  'are listed newest first, by beginnings of ids that are enough to name them': 'runs',
  'as JSON have whole ids, newest first': {
    says: 'runs lab -o json',
    // Each code has its text beside it.
    json: [{ ...RUNS[0], condition: { ...RUNS[0].condition, why: null } }, RUNS[1], RUNS[2]],
    asks: [['run.list', { cluster: 'lab' }]],
  },
  'are not aborted after a no': { says: 'run abort bbb', answers: ['n'], exit: 4 },
  'are not aborted without a terminal': { says: 'run abort bbb', exit: 2 },
  'are aborted with --yes, for a reason': {
    says: 'run abort bbb --yes --reason "wrong node"',
    asks: [['run.abort', { runId: 'bbbbbbbbcc', reason: 'wrong node' }]],
  },
  'are not paused where they have no driver': { says: 'run pause aaaaaaaa22', exit: 1 },
  'are not named by a beginning that several have': { says: 'run pause aaaa', exit: 2 },
  'are not named by a beginning that none has': { says: 'run pause zz', exit: 1 },
})

describe('a run', () => {
  const two = ['ab', 'abc'].map(id => sampleSummary('done', { id }))

  it.each([
    [RUNS, 'b', 'bbbbbbbbcc'],
    [RUNS, 'aaaaaaaa22', 'aaaaaaaa22'],
    [two, 'ab', 'ab'],
  ])('of %# that is named %s is %s', async (known, named, id) => {
    const { contract } = createFakeContract({ 'run.list': () => ok([...known]) })
    expect(await findRun({ contract, parts: createFakeTerminal().terminal.parts }, named)).toMatchObject(ok({ id }))
  })

  it('has a shortened id that no other has', () => {
    const short = shortIds(['0123456789', '01234567zz', 'abc'])
    expect([...short.values()]).toEqual(['012345678', '01234567z', 'abc'])
  })
})

describe('a command that cannot be carried out', () => {
  it.each([
    ['not-found', 1],
    ['bad-input', 2],
    ['checks-failed', 3],
    ['held', 3],
    ['aborted', 4],
    ['unreachable', 1],
    ['internal', 1],
  ] as const)('ends, when it is %s, with %d', async (code, exit) => {
    const fake = createFakeContract({ 'node.list': () => failed(failure(code, 'No.')) })
    expect(await createFakeTerminal({ contract: fake.contract }).run('nodes', 'lab')).toBe(exit)
  })

  it('the application that cannot be opened is named, and nothing is requested', async () => {
    const terminal = createFakeTerminal()
    const io = {
      ...terminal.io,
      openApp: async () => failed(failure('damaged', 'The journal in /data cannot be read.')),
    }
    const { runCli } = await import('../../../../main/faces/cli/run-cli.ts')
    expect(await runCli(['runs'], terminal.terminal, io)).toBe(1)
    expect(terminal.err()).toContain('The journal in /data cannot be read.')
  })

  it('--data-dir is made absolute and --demo is passed on', async () => {
    const fake = createFakeContract({ 'run.list': () => ok([]) })
    const terminal = createFakeTerminal({ contract: fake.contract })
    await terminal.run('runs', '--data-dir', 'here', '--demo')
    await terminal.run('runs')
    expect(terminal.opened).toEqual([
      { dataDirectory: '/home/operator/here', demo: true },
      { dataDirectory: null, demo: false },
    ])
  })
})
