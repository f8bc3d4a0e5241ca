import { describe, expect, it } from 'vitest'
import type { CommandState } from '../../../../main/ports/commands.ts'
import { planUpdate } from '../../../../main/procedures/plans/rolling/plan-update.ts'
import { applicationOfStep, commandOfStep } from '../../../../main/procedures/steps/rolling/commands-of-steps.ts'
import { updateApplication } from '../../../../main/procedures/steps/rolling/update-application.ts'
import type { ApplicationUpdate } from '../../../../shared/domain/application-update.ts'
import type { ApplicationCommand } from '../../../../shared/domain/command-work.ts'
import { must } from '../../../../shared/domain/must.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { questionsOf } from '../../../../shared/domain/unattended.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { fakeContext, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'
import { fakeCommands } from '../../../fixtures/procedures/own-commands.ts'
import { updateRequest } from '../../../fixtures/procedures/update-plan.ts'

const OBJECT = { apiVersion: 'lcm.mirantis.com/v1alpha1', kind: 'HelmBundle', namespace: 'default', name: 'ceph' }
const UPDATE: ApplicationUpdate = {
  application: 'ceph',
  start: null,
  finished: { kind: 'field', object: OBJECT, path: 'status.version', equals: '2' },
}
const WORK = { kind: 'command', command: './update-ceph.sh 19', directory: '/srv' } as const
const INPUT = { update: UPDATE, work: WORK, seal: 'sealed' }

const RUNS: CommandState = { kind: 'runs', group: 4711, isKept: true }
const DONE: CommandState = { kind: 'ended', code: 0, signal: null, othersRun: null }
const FAILED: CommandState = { kind: 'ended', code: 3, signal: null, othersRun: null }
const NOTHING: CommandState = { kind: 'nothing-kept' }

/** A cluster whose application is updated some looks after its command ended. */
function setUp(statuses: readonly CommandState[], looksUntilUpdated = 3) {
  const world = fakeWorld()
  const commands = fakeCommands(statuses)
  let looks = 0
  Object.assign(world.port, { commands: commands.port })
  Object.assign(world.port.kubernetes, {
    namedObject: async () => {
      looks += 1
      const content = { status: { version: looks > looksUntilUpdated ? '2' : '1' } }
      return ok({ uid: 'uid-1', resourceVersion: String(looks), content, group: 'g', resource: 'helmbundles' })
    },
  })
  const facts: RunFact[] = []
  const context = () => fakeContext(world, { facts })
  return {
    world,
    commands,
    facts,
    context,
    apply: () => updateApplication.apply?.(INPUT, context()),
    looks: () => looks,
  }
}

const fact = (name: string, values: RunFact['values'] = {}): RunFact => ({
  at: '2026-01-01T00:00:00Z',
  fact: name,
  subject: 'cluster',
  announces: name.endsWith('requested'),
  values: { name: 'run-1-application-ceph-1', application: 'ceph', ...values },
})
const ASKED = fact('work-command-requested', { attempt: 1, machine: 'laptop' })
const RUNNING = fact('work-command-runs', { group: 4711 })

describe('a command that starts the update of an application', () => {
  it('is run once with its seal, and the end of the update is what the object says, not that of the command', async () => {
    const { apply, commands, facts, looks } = setUp([RUNS, DONE])
    expect(await apply()).toMatchObject({
      kind: 'applied',
      note: 'ceph is updated: status.version of HelmBundle default/ceph is "2".',
    })
    expect(commands.started).toEqual([
      {
        name: 'run-1-application-ceph-1',
        runId: 'run-1',
        cluster: 'test',
        node: '',
        application: 'ceph',
        command: './update-ceph.sh 19',
        directory: '/srv',
        seal: 'sealed',
      },
    ])
    expect(looks()).toBeGreaterThan(3)
    expect(facts.map(each => each.fact).filter(name => name !== 'waits-for')).toEqual([
      'work-command-requested',
      'work-command-runs',
      'application-update-started',
    ])
    expect((await apply())?.kind).toBe('applied')
    expect(commands.started).toHaveLength(1)
  })

  it.each([
    ['before its start', [], DONE, 1, 'applied'],
    ['after that was journaled, before it was started', [ASKED], NOTHING, 0, 'question'],
    ['after it was started', [ASKED], DONE, 0, 'applied'],
    ['while it was under way', [ASKED, RUNNING], DONE, 0, 'applied'],
    ['with its keeper', [ASKED, RUNNING], { kind: 'end-unseen', why: because('CommandGroupGone') }, 0, 'question'],
    ['after it failed', [ASKED, RUNNING], FAILED, 0, 'question'],
    [
      'after it ended, while the application was updated',
      [ASKED, RUNNING, fact('application-update-started')],
      DONE,
      0,
      'applied',
    ],
    [
      'after somebody said to run it again',
      [ASKED, fact('work-command-failed'), fact('try-again')],
      DONE,
      1,
      'applied',
    ],
  ] as const)(
    'a driver that comes back, when the one before was killed %s',
    async (_when, history, status, starts, kind) => {
      const { apply, commands, facts } = setUp([status])
      facts.push(...history)
      expect((await apply())?.kind).toBe(kind)
      await apply()
      expect(commands.started).toHaveLength(starts)
    },
  )

  it('that failed is a question about that application, and cannot be skipped while its child processes run', async () => {
    const { apply, commands, context, facts } = setUp([FAILED])
    expect(await apply()).toMatchObject({
      kind: 'question',
      code: 'CommandFailedAtWork',
      values: { kind: 'application', name: 'ceph', code: 3, signal: null },
      question: expect.stringMatching(/command of the update of ceph ended with exit code 3.*as if ceph were updated/),
      choices: ['retry', 'skip', 'abort'],
    })
    expect(await updateApplication.mayBePassed?.(INPUT, context())).toBe(true)
    facts.splice(0, facts.length, ASKED)
    commands.stand({ ...FAILED, othersRun: 4711 })
    expect(await updateApplication.mayBePassed?.(INPUT, context())).toBe(false)
  })

  it('is not run where it was not confirmed by this installation', async () => {
    const { apply, commands, facts } = setUp([DONE])
    commands.refuse(because('CommandNotConfirmedHere'))
    expect(await apply()).toMatchObject({
      kind: 'question',
      code: 'CommandRefused',
      question: expect.stringContaining('Skip continues without the update of ceph.'),
    })
    expect(facts).toEqual([])
  })

  it('needs the right to read what shows the end before it is run', async () => {
    const { world, context, commands } = setUp([DONE])
    world.denied = verb => verb === 'get'
    expect(await updateApplication.check?.(INPUT, context())).toMatchObject({ kind: 'blocked' })
    expect(commands.started).toEqual([])
  })
})

describe('in the plan of an update a command', () => {
  const planned = (commands: readonly ApplicationCommand[], applications = [UPDATE]) =>
    planUpdate({ ...updateRequest({ applications }), commands })
  const COMMAND = { application: 'ceph', command: WORK.command, directory: WORK.directory }

  it('is shown unchanged, in the step of its application, and nowhere in the options that a window keeps', () => {
    const plan = valueIn(planned([COMMAND]))
    const step = must(
      plan.steps.find(({ id }) => id === 'update-application@ceph'),
      'it is planned',
    )
    expect(step.title).toBe('Update ceph: this machine runs `./update-ceph.sh 19`')
    expect([commandOfStep(step), applicationOfStep(step)]).toEqual([WORK, 'ceph'])
    expect(plan.kind === 'update' && JSON.stringify(plan.update)).not.toContain(WORK.command)
    const [question] = questionsOf([step])
    expect(question).toMatchObject({ kind: 'update-application', question: { choices: ['abort'], unattended: null } })
  })

  it.each([
    ['of no application of it', [{ ...COMMAND, application: 'stacklight' }], [UPDATE]],
    ['beside a patch', [COMMAND], [{ ...UPDATE, start: { kind: 'patch' as const, object: OBJECT, patch: '{"a":1}' } }]],
    ['given twice', [COMMAND, COMMAND], [UPDATE]],
  ])('%s is refused', (_which, commands, applications) => {
    expect(planned(commands, applications)).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', reason: 'CommandOfNoApplication' },
    })
  })
})
