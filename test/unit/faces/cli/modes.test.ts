import type { Edit } from '../../../../shared/domain/edit.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { InstanceSummary, NodeSummary } from '../../../../shared/domain/node-summary.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract, type FakeAnswers } from '../../../fixtures/cli/fake-contract.ts'
import { samplePlan } from '../../../fixtures/cli/sample-plan.ts'
import { playScenes, type Scene } from '../../../fixtures/cli/scenes.ts'

const AT = '2026-11-21T10:00:00.000Z'
const node = (name: string, role: string) => ({ name, roles: [role] }) as unknown as NodeSummary
const instance = (id: string, name: string, projectId: string) => ({ id, name, projectId }) as InstanceSummary
const instances = (unreachable: string[]) => () =>
  ok({
    instances: [instance('i-1', 'web', 'p-1'), instance('i-2', 'web', 'p-2'), instance('i-3', 'db', 'p-1')],
    ...{ projects: [{ id: 'p-1', name: 'shop' }], readAt: AT, unreachable },
  })
const edit = (more: Partial<Edit>): Edit => ({
  ...{ seq: 1, at: AT, operator: 'olga', machine: 'bastion', cluster: 'lab', node: 'cmp-1', kind: 'instance-mark' },
  ...{ target: 'server/i-1 (web-1)', before: 'poweroff', after: 'notify', refused: null },
  ...more,
})

const console =
  (more: FakeAnswers = {}) =>
  () =>
    createFakeContract({
      'node.list': () =>
        ok({
          nodes: [node('cmp-1', 'compute'), node('cmp-2', 'compute'), node('ctl-1', 'control')],
          ...{ readAt: AT, unreachable: [] },
        }),
      'node.set-mode': () => ok({ before: { mode: null, attempts: '3' }, after: { mode: 'manual', attempts: '3' } }),
      'instance.list': instances([]),
      'instance.mark': ({ marks }) =>
        ok({
          results: marks.map(({ id, actions }) => ({
            ...{ id, name: `name of ${id}`, before: ['poweroff' as const], after: actions, failure: null },
          })),
        }),
      'edit.list': () => ok([edit({}), edit({ target: 'node/cmp-1', refused: 'cmp-1 may not be changed.' })]),
      'plan.make': () => ok(samplePlan()),
      'plan.forecast': ({ planId }) =>
        ok({
          ...{ planId, readAt: AT, evacuationMs: null, basis: 'Nothing was measured here yet.', unreachable: [] },
          instances: [
            { id: 'id-web', mayGoTo: ['cmp-2', 'cmp-3'], note: null, expectedMs: { low: 5000, high: 65_000 } },
          ],
        }),
      ...more,
    })
const set = (of: string, what: object) => ['node.set-mode', { cluster: 'lab', node: of, ...what }] as const
const may = { before: { mode: null, attempts: null }, after: { mode: 'manual', attempts: null } } as const
const oneRefuses = console({
  'node.set-mode': ({ node: of }) =>
    of === 'cmp-1' ? failed(failure('not-permitted', 'cmp-1 may not be changed.')) : ok(may),
})

playScenes('the mode of a host', 'transcripts/host-modes.txt', console(), {
  'is set of each node that is named': {
    says: 'host mode lab cmp-1 cmp-2 manual',
    asks: [set('cmp-1', { mode: 'manual' }), set('cmp-2', { mode: 'manual' })],
  },
  'is taken away by default': { says: 'host mode lab cmp-1 default', asks: [set('cmp-1', { mode: null })] },
  'has attempts, which default takes away': {
    says: 'host attempts lab cmp-1 default',
    asks: [set('cmp-1', { attempts: null })],
  },
  'has attempts': { says: 'host attempts lab cmp-1 5', asks: [set('cmp-1', { attempts: 5 })] },
  'is set for no node where one is not in the cloud': { says: 'host mode lab cmp-1 cmp-9 skip', exit: 1 },
  'is set for no node where one has no instances': { says: 'host mode lab cmp-1 ctl-1 skip', exit: 2 },
  'has no attempts where there are no instances': { says: 'host attempts lab ctl-1 5', exit: 2 },
  'that was set by mistake may be taken away': {
    says: 'host mode lab ctl-1 default',
    asks: [set('ctl-1', { mode: null })],
  },
  'is set of the others where one refuses': {
    says: 'host mode lab cmp-1 cmp-2 manual',
    fake: oneRefuses,
    exit: 1,
    asks: [set('cmp-1', { mode: 'manual' }), set('cmp-2', { mode: 'manual' })],
  },
  'as JSON is what each node answered': {
    says: 'host mode lab cmp-1 cmp-2 manual -o json',
    fake: oneRefuses,
    exit: 1,
    json: [
      {
        ...{ node: 'cmp-1', before: null, after: null },
        failure: failure('not-permitted', 'cmp-1 may not be changed.'),
      },
      { node: 'cmp-2', ...may, failure: null },
    ],
    asks: [set('cmp-1', { mode: 'manual' }), set('cmp-2', { mode: 'manual' })],
  },
})

const ID = 'e6ae0a09-7f31-43f7-a723-5977f8f2a564'
/** Named by its name, by an id, and once more by its id. */
const marked = (word: string, actions: readonly string[]): Scene => ({
  says: `instance mode lab db i-2 i-3 ${word}`,
  asks: [['instance.mark', { cluster: 'lab', marks: ['i-3', 'i-2'].map(id => ({ id, actions })) }]],
})
const oneCell = console({ 'instance.list': instances(['Cell 2 does not answer.']) })

playScenes('the mode of an instance', 'transcripts/instance-modes.txt', console(), {
  'is live': marked('live', ['live_migrate']),
  'is notify': marked('notify', ['notify']),
  'is taken away by default': marked('default', []),
  'is what it was': marked('poweroff', ['poweroff']),
  'is not set by a name where a cell is silent': { says: 'instance mode lab db live', fake: oneCell, exit: 2 },
  'is set by an id where a cell is silent': {
    says: `instance mode lab ${ID} live`,
    fake: oneCell,
    asks: [['instance.mark', { cluster: 'lab', marks: [{ id: ID, actions: ['live_migrate'] }] }]],
  },
  'is among the edits: by whom, before and after, and the refusals': {
    says: 'edits lab cmp-1 --limit 5',
    asks: [['edit.list', { cluster: 'lab', node: 'cmp-1', limit: 5 }]],
  },
  'is among the edits by id with -v': 'edits lab -v',
  'and where it may go is forecast with a plan': 'plan enter lab cmp-1 --forecast',
})
