import { describe, expect, it } from 'vitest'
import type { RequestOutput } from '../../../../shared/contract/index.ts'
import type { Edit } from '../../../../shared/domain/edit.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { InstanceSummary, NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'

describe('host mode and host attempts', () => {
  const fake = (setMode: () => ReturnType<typeof ok<RequestOutput<'node.set-mode'>>> | ReturnType<typeof failed>) =>
    createFakeContract({
      'node.list': () =>
        ok({
          nodes: [
            ...['cmp-1', 'cmp-2'].map(name => ({ name, roles: ['compute'] }) as unknown as NodeSummary),
            { name: 'ctl-1', roles: ['control'] } as unknown as NodeSummary,
          ],
          readAt: '2026-11-21T10:00:00.000Z',
          unreachable: [],
        }),
      'node.set-mode': setMode,
    })
  const changed = () => ok({ before: { mode: null, attempts: '3' }, after: { mode: 'manual', attempts: '3' } } as const)

  it('set each node that was named, and say what stood there before and after', async () => {
    const { contract, inputsOf } = fake(changed)
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('host', 'mode', 'lab', 'cmp-1', 'cmp-2', 'manual')).toBe(0)
    expect(terminal.out()).toBe('cmp-1: mode default → manual\ncmp-2: mode default → manual\n')
    expect(inputsOf('node.set-mode')).toEqual([
      { cluster: 'lab', node: 'cmp-1', mode: 'manual' },
      { cluster: 'lab', node: 'cmp-2', mode: 'manual' },
    ])
  })

  it('default takes the annotation away', async () => {
    const { contract, inputsOf } = fake(changed)
    const terminal = createFakeTerminal({ contract })
    await terminal.run('host', 'mode', 'lab', 'cmp-1', 'default')
    await terminal.run('host', 'attempts', 'lab', 'cmp-1', 'default')
    await terminal.run('host', 'attempts', 'lab', 'cmp-1', '5')
    expect(inputsOf('node.set-mode')).toEqual([
      { cluster: 'lab', node: 'cmp-1', mode: null },
      { cluster: 'lab', node: 'cmp-1', attempts: null },
      { cluster: 'lab', node: 'cmp-1', attempts: 5 },
    ])
    expect(terminal.out()).toContain('cmp-1: attempts is 3, as before')
  })

  it('one node that the cluster does not have refuses all', async () => {
    const { contract, inputsOf } = fake(changed)
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('host', 'mode', 'lab', 'cmp-1', 'cmp-9', 'skip')).toBe(1)
    expect(terminal.err()).toContain('lab has no node named cmp-9. Nothing was changed.')
    expect(inputsOf('node.set-mode')).toEqual([])
  })

  it('a node without instances has no host mode: named, it refuses all; one that was set by mistake may be taken away', async () => {
    const { contract, inputsOf } = fake(changed)
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('host', 'mode', 'lab', 'cmp-1', 'ctl-1', 'skip')).toBe(2)
    expect(await terminal.run('host', 'attempts', 'lab', 'ctl-1', '5')).toBe(2)
    expect(terminal.err()).toContain(
      'No host mode applies to ctl-1: no instances run on a node without the compute role.',
    )
    expect(inputsOf('node.set-mode')).toEqual([])
    expect(await terminal.run('host', 'mode', 'lab', 'ctl-1', 'default')).toBe(0)
  })

  it('a node that refuses is told, the others are set all the same', async () => {
    let times = 0
    const { contract } = fake(() => {
      times += 1
      return times === 1 ? failed(failure('not-permitted', 'cmp-1 may not be changed.')) : changed()
    })
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('host', 'mode', 'lab', 'cmp-1', 'cmp-2', 'manual', '-o', 'json')).toBe(1)
    expect(terminal.json()).toMatchObject([
      { node: 'cmp-1', before: null, after: null, failure: { code: 'not-permitted' } },
      { node: 'cmp-2', before: { mode: null }, after: { mode: 'manual' }, failure: null },
    ])
  })
})

describe('instance mode', () => {
  const ID = 'e6ae0a09-7f31-43f7-a723-5977f8f2a564'
  const instance = (id: string, name: string, projectId: string) => ({ id, name, projectId }) as InstanceSummary
  const fake = (unreachable: string[] = []) =>
    createFakeContract({
      'instance.list': () =>
        ok({
          instances: [instance('i-1', 'web', 'p-1'), instance('i-2', 'web', 'p-2'), instance('i-3', 'db', 'p-1')],
          projects: [{ id: 'p-1', name: 'shop' }],
          readAt: '2026-11-21T10:00:00.000Z',
          unreachable,
        }),
      'instance.mark': ({ marks }) =>
        ok({
          results: marks.map(({ id, actions }) => ({
            id,
            name: `name of ${id}`,
            before: ['poweroff' as const],
            after: actions,
            failure: null,
          })),
        }),
    })

  it.each([
    ['live', ['live_migrate'], 'poweroff → live'],
    ['notify', ['notify'], 'poweroff → notify'],
    ['default', [], 'poweroff → default'],
    ['poweroff', ['poweroff'], 'is poweroff, as before'],
  ])('%s marks with %j and says what stood there before', async (word, actions, words) => {
    const { contract, inputsOf } = fake()
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('instance', 'mode', 'lab', 'db', 'i-2', 'i-3', word)).toBe(0)
    expect(inputsOf('instance.mark')).toEqual([
      {
        cluster: 'lab',
        marks: [
          { id: 'i-3', actions },
          { id: 'i-2', actions },
        ],
      },
    ])
    expect(terminal.out()).toContain(`db (project shop): mode ${words}`)
    expect(terminal.out()).toContain(`web (project p-2): mode ${words}`)
  })

  it('where a cell is silent no name is taken for the only one; an id is', async () => {
    const { contract, inputsOf } = fake(['Cell 2 does not answer.'])
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('instance', 'mode', 'lab', 'db', 'live')).toBe(2)
    expect(terminal.err()).toContain('Whether db is one instance of lab cannot be told: Cell 2 does not answer.')
    expect(inputsOf('instance.mark')).toEqual([])
    expect(await terminal.run('instance', 'mode', 'lab', ID, 'live')).toBe(0)
    expect(inputsOf('instance.mark')).toEqual([{ cluster: 'lab', marks: [{ id: ID, actions: ['live_migrate'] }] }])
  })
})

describe('edits', () => {
  const edit = (more: Partial<Edit>): Edit => ({
    seq: 1,
    at: '2026-11-21T10:00:00.000Z',
    operator: 'olga',
    machine: 'bastion',
    cluster: 'lab',
    node: 'cmp-1',
    kind: 'instance-mark',
    target: 'server/i-1 (web-1)',
    before: 'poweroff',
    after: 'notify',
    refused: null,
    ...more,
  })

  it('tell what was changed by hand, before and after, by whom, and what was refused', async () => {
    const { contract, inputsOf } = createFakeContract({
      'edit.list': () => ok([edit({}), edit({ target: 'node/cmp-1', refused: 'cmp-1 may not be changed.' })]),
    })
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('edits', 'lab', 'cmp-1', '--limit', '5')).toBe(0)
    expect(inputsOf('edit.list')).toEqual([{ cluster: 'lab', node: 'cmp-1', limit: 5 }])
    expect(terminal.out()).toMatch(/^2026-11-21 10:00:00 +olga on bastion +instance web-1 +poweroff +notify$/m)
    expect(terminal.out()).toMatch(/node\/cmp-1 +poweroff +refused: cmp-1 may not be changed\.$/m)
    const verbose = createFakeTerminal({ contract })
    await verbose.run('edits', 'lab', '-v')
    expect(verbose.out()).toContain('server/i-1 (web-1)')
  })
})

describe('plan enter --forecast', () => {
  it('asks where instances may go, by their names, and how long it may take', async () => {
    const { contract } = createFakeContract({
      'plan.make': () => ok(samplePlan()),
      'plan.forecast': ({ planId }) =>
        ok({
          planId,
          readAt: '2026-11-21T10:00:00.000Z',
          instances: [
            { id: 'id-web', mayGoTo: ['cmp-2', 'cmp-3'], note: null, expectedMs: { low: 5000, high: 65_000 } },
          ],
          evacuationMs: null,
          basis: 'Nothing was measured here yet.',
          unreachable: [],
        }),
    })
    const terminal = createFakeTerminal({ contract })
    expect(await terminal.run('plan', 'enter', 'lab', 'cmp-1', '--forecast')).toBe(0)
    expect(terminal.out()).toMatch(/^ {2}web-1 +cmp-2, cmp-3 +5 s to 1 min 5 s +-$/m)
    expect(terminal.out()).toContain('All of them: not known. Nothing was measured here yet.')
  })
})
