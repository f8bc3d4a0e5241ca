import { describe, expect, test } from 'vitest'
import { cephByJuju, createMicroCeph } from '../../../../main/adapters/ceph/microceph.ts'
import type { JujuPort } from '../../../../main/ports/juju.ts'
import type { CommandOutput } from '../../../../main/ports/kubernetes.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { JujuActionOutcome, JujuUnit } from '../../../../shared/domain/juju.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'

const unit = (number: number, more: Partial<JujuUnit> = {}): JujuUnit => ({
  name: `microceph/${number}`,
  application: 'microceph',
  machine: String(number),
  hostname: `node-${number}`,
  workload: { status: 'active', message: '' },
  agent: { status: 'idle', message: '' },
  isLeader: number === 0,
  ...more,
})

const GOOD: JujuActionOutcome = {
  id: '18',
  status: 'completed',
  message: '',
  output: {
    actions: { 'step-1': { id: 'set-noout-ops', description: 'Run `ceph osd set noout`.', error: '' } },
    errors: '',
    status: 'success',
  },
}

function fakeJuju(more: {
  readonly units?: readonly JujuUnit[]
  readonly outcome?: JujuActionOutcome
  readonly exec?: (unit: string, command: string) => Result<CommandOutput>
}) {
  const asked: string[] = []
  const juju: JujuPort = {
    status: async () =>
      ok({
        model: 'admin/machines',
        cloudType: 'manual',
        controllerVersion: '3.6.0',
        units: more.units ?? [unit(0), unit(1), unit(2), unit(0, { name: 'k8s/0', application: 'k8s' })],
      }),
    applicationConfig: async () => ok({}),
    runAction: async (name, action, parameters) => {
      asked.push(`${name} ${action} ${JSON.stringify(parameters)}`)
      return ok(more.outcome ?? GOOD)
    },
    exec: async (name, command) => {
      asked.push(`${name}: ${command}`)
      return more.exec?.(name, command) ?? ok({ exitCode: 0, stdout: '{}', stderr: '' })
    },
  }
  return { juju, asked }
}

const ENTER = { setNoout: true, stopOsds: false, checkOnly: false, dryRun: false, ignoreCheck: false, force: false }

describe("MicroCeph's actions (docs/domain.md C.2)", () => {
  test('run on the unit whose machine is the node, and send every option, because the charm has other defaults', async () => {
    const { juju, asked } = fakeJuju({})
    const answer = await createMicroCeph(juju).enterMaintenance('node-1.cloud.example', { ...ENTER, setNoout: false })
    expect(asked).toEqual([
      'microceph/1 enter-maintenance {"set-noout":false,"stop-osds":false,"check-only":false,"dry-run":false,"ignore-check":false,"force":false}',
    ])
    expect(answer).toMatchObject({ ok: true, value: { succeeded: true, steps: [{ id: 'set-noout-ops', error: '' }] } })
  })

  test('tell which operation went wrong, also when Juju calls the action completed', async () => {
    const output = {
      actions: {
        'step-10': { id: 'stop-osd-ops', description: 'Stop.', error: 'no' },
        'step-2': { id: 'check-osd-ok-to-stop-ops', description: 'Check osds.[3].', error: 'cannot be safely stopped' },
      },
      errors: 'maintenance operations failed',
      status: 'failure',
    }
    const { juju } = fakeJuju({ outcome: { ...GOOD, output } })
    const answer = await createMicroCeph(juju).enterMaintenance('node-1', ENTER)
    expect(answer.ok && answer.value.steps.map(step => step.id)).toEqual(['check-osd-ok-to-stop-ops', 'stop-osd-ops'])
    expect(answer).toMatchObject({
      value: { succeeded: false, message: 'Check osds.[3]: cannot be safely stopped; Stop: no' },
    })
  })

  test('that fail without results say what Juju says; results as keys with dots are read alike', async () => {
    const broken = fakeJuju({ outcome: { id: '1', status: 'failed', message: 'exit code 1', output: {} } })
    expect(
      await createMicroCeph(broken.juju).exitMaintenance('node-0', {
        checkOnly: false,
        dryRun: false,
        ignoreCheck: false,
      }),
    ).toMatchObject({ ok: true, value: { succeeded: false, message: 'exit code 1' } })
    const dotted = fakeJuju({
      outcome: {
        ...GOOD,
        output: { 'actions.step-1.id': 'unset-noout-ops', 'actions.step-1.error': '', status: 'success' },
      },
    })
    expect(await createMicroCeph(dotted.juju).enterMaintenance('node-0', ENTER)).toMatchObject({
      value: { succeeded: true, steps: [{ id: 'unset-noout-ops' }] },
    })
  })

  test.each<[string, Partial<JujuActionOutcome>]>([
    ['in an answer of another form', { output: { password: 'hunter-two', key: 'x' } }],
    [
      'in an operation',
      { output: { ...GOOD.output, actions: { a: { id: 'a', error: 'password=hunter-two' } }, errors: 'x' } },
    ],
    ['in what the charm says as a whole', { output: { ...GOOD.output, errors: 'token: hunter-two' } }],
    ['in what Juju says', { status: 'failed', message: 'secret=hunter-two', output: {} }],
  ])('hand on no secret that a charm repeats %s', async (_, outcome) => {
    const { juju } = fakeJuju({ outcome: { ...GOOD, ...outcome } })
    const reported = JSON.stringify(await createMicroCeph(juju).enterMaintenance('node-1', ENTER))
    expect(reported).toContain('[redacted')
    expect(reported).not.toContain('hunter-two')
  })

  test('need a unit on the node', async () => {
    const { juju, asked } = fakeJuju({})
    expect(await createMicroCeph(juju).enterMaintenance('node-7', ENTER)).toMatchObject({
      ok: false,
      failure: { code: 'not-found', target: 'node/node-7' },
    })
    expect(asked).toEqual([])
  })
})

describe('ceph by Juju', () => {
  test('asks a unit whose agent answers, and the same again while it does', async () => {
    const { juju, asked } = fakeJuju({ units: [unit(0, { agent: { status: 'lost', message: '' } }), unit(1), unit(2)] })
    const run = cephByJuju(juju)
    await run(['osd', 'tree'])
    await run(['status'])
    expect(asked).toEqual([
      'microceph/1: microceph.ceph osd tree --format json',
      'microceph/1: microceph.ceph status --format json',
    ])
  })

  test('continues with the next unit when one does not answer a question, but sends no change twice after a silence', async () => {
    const silent = { exec: (name: string) => (name === 'microceph/2' ? OK : failed(failure('timed-out', 'no answer'))) }
    const OK = ok({ exitCode: 0, stdout: '{}', stderr: '' })
    const reads = fakeJuju(silent)
    expect(await cephByJuju(reads.juju)(['status'])).toMatchObject({ ok: true })
    expect(reads.asked).toHaveLength(3)
    const writes = fakeJuju(silent)
    expect(await cephByJuju(writes.juju)(['osd', 'set', 'noout'])).toMatchObject({ failure: { code: 'timed-out' } })
    expect(writes.asked).toHaveLength(1)
  })

  test('hands on the exit code and both streams, and quotes what a shell would take apart', async () => {
    const { juju, asked } = fakeJuju({ exec: () => ok({ exitCode: 16, stdout: 'out', stderr: 'Error EBUSY' }) })
    expect(await cephByJuju(juju)(['osd', 'set-group', 'noout', "a'; rm"])).toEqual({
      ok: true,
      value: { exitCode: 16, stdout: 'out', stderr: 'Error EBUSY' },
    })
    expect(asked[0]).toBe("microceph/0: microceph.ceph osd set-group noout 'a'\\''; rm' --format json")
  })

  test('says which units there are when none answers', async () => {
    const { juju } = fakeJuju({ units: [unit(0, { agent: { status: 'lost', message: '' } })] })
    expect(await cephByJuju(juju)(['status'])).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    expect(await cephByJuju(fakeJuju({ units: [] }).juju)(['status'])).toMatchObject({ failure: { code: 'not-found' } })
  })
})
