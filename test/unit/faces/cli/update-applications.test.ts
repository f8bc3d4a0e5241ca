import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { renderApplications } from '../../../../main/faces/cli/render/render-plan.ts'
import { planUpdate } from '../../../../main/procedures/plans/rolling/plan-update.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { createFakeTerminal } from '../../../fixtures/cli/fake-terminal.ts'
import { pipeLook } from '../../../fixtures/cli/looks.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { plannedUpdate, UPDATE_OPTIONS, updateRequest } from '../../../fixtures/procedures/update-plan.ts'

const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-update-applications-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Plans with these flags; returns the request for the plan. */
async function planned(...flags: string[]) {
  const fake = createFakeContract({
    'update.propose': () => ok({ options: UPDATE_OPTIONS, left: [], batches: [] }),
    'update.plan': () =>
      ok({ plan: plannedUpdate(), checkedAt: '2026-01-01T00:00:00.000Z', checks: [], startable: true }),
  })
  const terminal = createFakeTerminal({ contract: fake.contract })
  await terminal.run('update', 'plan', 'east', ...flags)
  return { asked: fake.inputsOf('update.plan')[0] }
}

describe('what starts the update of an application', () => {
  it('--applications FILE says what starts the update of each application, and what shows its end', async () => {
    const file = join(directory, 'applications.yaml')
    const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ops', name: 'stacklight' }
    writeFileSync(
      file,
      [
        'applications:',
        '  - application: stacklight',
        '    start:',
        '      kind: patch',
        '      object: &it { apiVersion: v1, kind: ConfigMap, namespace: ops, name: stacklight }',
        '      patch: { data: { release: "2" } }',
        '    finished: { kind: field, object: *it, path: data.done, equals: "2" }',
        '  - { application: ceph, start: null, finished: { kind: lock } }',
      ].join('\n'),
    )
    expect((await planned('--applications', file)).asked?.update.applications).toEqual([
      {
        application: 'stacklight',
        start: { kind: 'patch', object, patch: '{"data":{"release":"2"}}' },
        finished: { kind: 'field', object, path: 'data.done', equals: '2' },
      },
      { application: 'ceph', start: null, finished: { kind: 'lock' } },
    ])
  })

  it('a command of this machine is requested beside the options of the update, with the folder of the call', async () => {
    const file = join(directory, 'commands.yaml')
    writeFileSync(
      file,
      'applications: [{ application: ceph, start: { kind: command, command: ./update.sh 19 }, finished: { kind: lock } }]',
    )
    const { asked } = await planned('--applications', file)
    expect(asked?.update.applications).toEqual([{ application: 'ceph', start: null, finished: { kind: 'lock' } }])
    expect(asked?.commands).toEqual([{ application: 'ceph', command: './update.sh 19', directory: expect.any(String) }])
  })

  it('a plan of many nodes is shown folded, and what starts each application is shown all the same', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'ops', name: 'a' }
    const command = `./update.sh ${'--very-long-flag '.repeat(12)}19`
    const finished = { kind: 'lock' } as const
    const plan = valueIn(
      planUpdate({
        ...updateRequest({
          applications: [
            { application: 'openstack', start: { kind: 'patch', object, patch: '{"data":{"r":"2"}}' }, finished },
            { application: 'ceph', start: null, finished },
          ],
        }),
        commands: [{ application: 'ceph', command, directory: '/srv' }],
      }),
    )
    const effects = [{ kind: 'change' as const, target: 'ConfigMap ops/a data.r', from: '"1"', to: '"2"' }]
    const answer = { kind: 'ready' as const, reason: '', evidence: [], warnings: [], effects }
    const checks = [{ stepId: 'update-application@openstack', answer, overriddenBy: null }]
    const lines = renderApplications({ plan, checkedAt: '', checks, startable: true }, pipeLook)
    expect(lines).toEqual([
      '',
      'Applications',
      '  Update openstack',
      `    ConfigMap ops/a data.r: "1" ${pipeLook.symbols.arrow} "2"`,
      '  Update ceph: this machine runs once in /srv:',
      `    ${command}`,
    ])
  })

  it.each([
    ['no such file', null],
    ['no YAML', 'applications: ['],
    ['no finish', 'applications: [{ application: a, start: null }]'],
    [
      'one application twice',
      'applications: [{ application: a, start: null, finished: &f { kind: lock } }, { application: a, start: null, finished: *f }]',
    ],
  ])('--applications with %s asks for nothing', async (_, text) => {
    const file = join(directory, 'wrong.yaml')
    if (text !== null) writeFileSync(file, text)
    expect((await planned('--applications', text === null ? join(directory, 'none.yaml') : file)).asked).toBeUndefined()
  })
})
