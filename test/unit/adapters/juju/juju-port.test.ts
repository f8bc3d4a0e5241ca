import { expect, test, vi } from 'vitest'
import { createJujuPort } from '../../../../main/adapters/juju/juju-port.ts'
import type { ResolvedJuju } from '../../../../main/adapters/juju/resolved-juju.ts'
import { type Clock, systemClock } from '../../../../main/platform/clock/clock.ts'
import { sentWhile } from '../../../../main/platform/clock/sent-while.ts'
import { type Logger, silentLogger } from '../../../../main/platform/log/logger.ts'
import type { JujuPort } from '../../../../main/ports/juju.ts'
import type { JujuSimulator } from '../../../../main/wings/simulators/juju/juju-simulator.ts'
import { createCertificates } from '../../../../main/wings/simulators/kubernetes/transport/certificates.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { hurriedClock } from '../../../fixtures/hurried-clock.ts'
import { sampleWorld, withController } from '../../../fixtures/juju/juju-world.ts'

const LIMIT = { timeoutMs: 5_000 }

test('the status tells every unit with the host it is on', async () => {
  await withPort({}, async port => {
    const status = await port.status()
    expect(status).toMatchObject({
      ok: true,
      value: { model: 'admin/openstack-machines', cloudType: 'manual', controllerVersion: '3.6.9' },
    })
    expect(status.ok && status.value.units.find(unit => unit.name === 'microceph/1')).toEqual({
      name: 'microceph/1',
      application: 'microceph',
      machine: '1',
      hostname: 'cp-2',
      workload: { status: 'active', message: '' },
      agent: { status: 'idle', message: '' },
      isLeader: false,
    })
  })
})

test('the unit of a lost agent says so', async () => {
  await withPort({}, async (port, controller) => {
    controller.faults.setAgentLost('cp-3', true)
    const status = await port.status()
    expect(status.ok && status.value.units.find(({ name }) => name === 'k8s/2')?.agent.status).toBe('lost')
  })
})

test('a setting of an application is its value', async () => {
  await withPort({}, async port => {
    expect(await port.applicationConfig('k8s')).toEqual(ok({ 'bootstrap-datastore': 'dqlite' }))
  })
})

test('an application that the model does not have is not found', async () => {
  await withPort({}, async port => {
    expect(await port.applicationConfig('etcd')).toMatchObject({ ok: false, failure: { code: 'not-found' } })
  })
})

test('an action runs on the unit with its parameters and tells what the charm set', async () => {
  await withPort({}, async port => {
    const outcome = await port.runAction('microceph/1', 'enter-maintenance', { 'set-noout': true }, LIMIT)
    expect(outcome).toMatchObject({
      ok: true,
      value: { status: 'completed', output: { hostname: 'cp-2', 'set-noout': true } },
    })
  })
})

test('a request that acts is withheld once the run lost its Lease; a read is sent', async () => {
  await withPort({}, async (port, controller) => {
    const action = () => port.runAction('microceph/1', 'enter-maintenance', { 'set-noout': true }, LIMIT)
    expect(await sentWhile(() => false, action)).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(controller.log().filter(({ request }) => request === 'EnqueueOperation')).toEqual([])
    expect(
      await sentWhile(
        () => false,
        () => port.status(),
      ),
    ).toMatchObject({ ok: true })
    expect(await sentWhile(() => true, action)).toMatchObject({ ok: true })
  })
})

test('an action that the charm fails is an outcome with the charm’s reason', async () => {
  await withPort({}, async (port, controller) => {
    controller.faults.failAction('enter-maintenance', { message: 'osd.1 cannot be stopped' })
    expect(await port.runAction('microceph/1', 'enter-maintenance', {}, LIMIT)).toMatchObject({
      ok: true,
      value: { status: 'failed', message: 'osd.1 cannot be stopped' },
    })
  })
})

test.each([
  ['microceph/9', 'enter-maintenance', 'not-found'],
  ['microceph/0', 'fly', 'bad-input'],
])('%s cannot run %s: %s', async (unit, action, code) => {
  await withPort({}, async port => {
    expect(await port.runAction(unit, action, {}, LIMIT)).toMatchObject({ ok: false, failure: { code } })
  })
})

test('a command tells its exit code and both streams, also when it fails', async () => {
  const world = sampleWorld({ onExec: () => ({ exitCode: 3, stdout: 'out', stderr: 'err' }) })
  await withPort({ world }, async port => {
    expect(await port.exec('k8s/0', 'snap services k8s.k8s-dqlite', LIMIT)).toEqual(
      ok({ exitCode: 3, stdout: 'out', stderr: 'err' }),
    )
  })
})

test('one connection serves all calls, and the model is requested once', async () => {
  await withPort({}, async (port, controller) => {
    await Promise.all([port.status(), port.applicationConfig('k8s')])
    await port.status()
    expect(controller.log().filter(({ request }) => request === 'Admin.Login')).toHaveLength(2)
  })
})

test('a connection that broke while nobody used it is made again', async () => {
  await withPort({}, async (port, controller) => {
    await port.status()
    controller.faults.setReachable(false)
    controller.faults.clear()
    expect((await port.status()).ok).toBe(true)
  })
})

test('a question whose connection breaks is asked again', async () => {
  await withPort({}, async (port, controller) => {
    controller.faults.breakAt({ request: 'Client.FullStatus', when: 'before' })
    expect((await port.status()).ok).toBe(true)
  })
})

test.each(['before', 'after'] as const)(
  'an action whose connection breaks %s Juju accepts it is never requested twice',
  async when => {
    const played = async (port: JujuPort, controller: JujuSimulator) => {
      controller.faults.breakAt({ request: 'Action.EnqueueOperation', when })
      const outcome = await port.runAction('microceph/0', 'enter-maintenance', {}, { timeoutMs: 40_000 })
      expect(controller.log().filter(({ request }) => request === 'Action.EnqueueOperation')).toHaveLength(1)
      expect(outcome.ok).toBe(when === 'after')
      if (!outcome.ok) expect(outcome.failure.message).toContain('and Juju did not start it')
    }
    await withPort({}, played, hurriedClock(4))
  },
  15_000,
)

test('an earlier run of the same action is not taken for one whose connection broke', async () => {
  await withPort({}, async (port, controller) => {
    await port.runAction('microceph/0', 'enter-maintenance', { 'set-noout': true }, LIMIT)
    controller.faults.breakAt({ request: 'Action.EnqueueOperation', when: 'after' })
    expect(await port.runAction('microceph/0', 'enter-maintenance', { 'set-noout': false }, LIMIT)).toMatchObject({
      ok: true,
      value: { output: { 'set-noout': false } },
    })
  })
})

test('an action whose connection broke is also found behind many earlier ones', async () => {
  await withPort({}, async (port, controller) => {
    await Promise.all(Array.from({ length: 55 }, () => port.runAction('microceph/0', 'enter-maintenance', {}, LIMIT)))
    controller.faults.breakAt({ request: 'Action.EnqueueOperation', when: 'after' })
    expect(await port.runAction('microceph/0', 'enter-maintenance', {}, LIMIT)).toMatchObject({
      ok: true,
      value: { id: controller.tasks().at(-1)?.id },
    })
  })
})

test('a controller that goes in the middle of an action reports its outcome once it is back', async () => {
  let begun = (): void => {}
  const running = new Promise<void>(resolve => {
    begun = resolve
  })
  let finish = (): void => {}
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  const world = sampleWorld({
    actions: {
      'enter-maintenance': async () => {
        begun()
        await finished
        return { status: 'completed', output: { done: true } }
      },
    },
  })
  const played = async (port: JujuPort, controller: JujuSimulator) => {
    const outcome = port.runAction('microceph/0', 'enter-maintenance', {}, { timeoutMs: 80_000 })
    await running
    controller.faults.setReachable(false)
    finish()
    await systemClock.sleep(250)
    controller.faults.clear()
    expect(await outcome).toMatchObject({ ok: true, value: { status: 'completed', output: { done: true } } })
    expect(controller.tasks()).toHaveLength(1)
  }
  await withPort({ world }, played, hurriedClock(4))
}, 25_000)

test('a controller that stays away says that the action may still run', async () => {
  const world = sampleWorld({ actions: { 'enter-maintenance': () => new Promise(() => {}) } })
  const played = async (port: JujuPort, controller: JujuSimulator) => {
    const outcome = port.runAction('microceph/0', 'enter-maintenance', {}, { timeoutMs: 2_000 })
    while (controller.tasks().length === 0) await systemClock.sleep(10)
    controller.faults.setReachable(false)
    expect(await outcome).toMatchObject({
      ok: false,
      failure: { code: 'unreachable', message: expect.stringContaining('It may still run') },
    })
  }
  await withPort({ world }, played, hurriedClock(4))
})

test('a task that a lost agent never began is cancelled, so that it does not start when the agent is back', async () => {
  await withPort({}, async (port, controller) => {
    controller.faults.setAgentLost('cp-1', true)
    const outcome = await port.runAction('microceph/0', 'enter-maintenance', {}, { timeoutMs: 500 })
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'timed-out', message: expect.stringContaining('was cancelled in Juju') },
    })
    controller.faults.setAgentLost('cp-1', false)
    await systemClock.sleep(50)
    expect(controller.tasks().map(({ status }) => status)).toEqual(['cancelled'])
  })
})

test('a run that stops does not wait for the action', async () => {
  const world = sampleWorld({ actions: { 'enter-maintenance': () => new Promise(() => {}) } })
  await withPort({ world }, async (port, controller) => {
    const stop = new AbortController()
    const outcome = port.runAction('microceph/0', 'enter-maintenance', {}, { timeoutMs: 60_000, signal: stop.signal })
    while (!controller.tasks().some(({ status }) => status === 'running')) await systemClock.sleep(10)
    stop.abort()
    expect(await outcome).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  })
})

test('the second endpoint is used when nobody answers at the first', async () => {
  await withController({}, async controller => {
    const { port, close } = portOf({ ...accountOf(controller), endpoints: ['127.0.0.1:1', controller.address] })
    expect((await port.status()).ok).toBe(true)
    close()
  })
})

test('a model that moved to another controller is followed there', async () => {
  await withController({}, async old => {
    const { modelUuid, password } = old
    await withController({ modelUuid, password, version: '3.6.10' }, async moved => {
      old.faults.setMovedTo(moved)
      const { port, close } = portOf(accountOf(old))
      expect(await port.status()).toMatchObject({ ok: true, value: { controllerVersion: '3.6.10' } })
      close()
    })
  })
})

test('controllers that redirect to each other are given up', async () => {
  await withController({}, async controller => {
    controller.faults.setMovedTo(controller)
    const { port, close } = portOf(accountOf(controller))
    expect(await port.status()).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('redirects in a circle') },
    })
    close()
  })
})

test('a user who must log in by a browser gets the advice to use a password', async () => {
  await withPort({}, async (port, controller) => {
    controller.faults.setBrowserLogin(true)
    expect(await port.status()).toMatchObject({
      ok: false,
      failure: {
        code: 'unauthenticated',
        message: expect.stringContaining('Juju controller sunbeam-controller requires admin to log in with a browser'),
      },
    })
  })
})

test('a controller of another major version sees a client of its version', async () => {
  await withPort({ version: '4.0.3' }, async port => {
    expect(await port.status()).toMatchObject({ ok: true, value: { controllerVersion: '4.0.3' } })
  })
})

test('a wrong password is reported with controller and user, never shown, and not repeated', async () => {
  await withController({}, async controller => {
    const { port, close } = portOf({ ...accountOf(controller), password: 'not-the-password' })
    const first = await port.status()
    expect(first).toMatchObject({ ok: false, failure: { code: 'unauthenticated' } })
    expect(JSON.stringify(first)).not.toContain('not-the-password')
    await port.status()
    expect(controller.log().filter(({ request }) => request === 'Admin.Login')).toHaveLength(1)
    close()
  })
})

test.each([
  [{ model: 'admin/nowhere' }, 'not-found', 'admin/openstack-machines'],
  [
    { caCertificate: createCertificates('other').authority },
    'unreachable',
    "or correct the authority in the cloud's settings",
  ],
  [{ endpoints: ['127.0.0.1:1'] }, 'unreachable', 'refuses connections'],
  [{ endpoints: ['not an address'] }, 'unreachable', 'is not an address'],
])('a connection with %o is refused: %s', async (wrong, code, words) => {
  await withController({}, async controller => {
    const { port, close } = portOf({ ...accountOf(controller), ...wrong })
    expect(await port.status()).toMatchObject({ ok: false, failure: { code, message: expect.stringContaining(words) } })
    close()
  })
})

test('a model is also found by its short name and by its UUID', async () => {
  await withController({}, async controller => {
    for (const model of ['openstack-machines', controller.modelUuid]) {
      const { port, close } = portOf({ ...accountOf(controller), model })
      expect(await port.status()).toMatchObject({ ok: true, value: { model: 'admin/openstack-machines' } })
      close()
    }
  })
})

test('a controller that answers nothing is given up', async () => {
  await withController({}, async controller => {
    controller.faults.setLatencyMs(3_600_000)
    const { port, close } = portOf(accountOf(controller), {
      ...systemClock,
      sleep: (ms, signal) => systemClock.sleep(ms / 100, signal),
    })
    expect(await port.status()).toMatchObject({ ok: false, failure: { code: 'unreachable' } })
    close()
  })
})

test('neither the log nor the terminal contains the password, however the login goes', async () => {
  const reported: unknown[] = []
  const note = (...what: readonly unknown[]) => {
    reported.push(what)
  }
  const log: Logger = { error: note, warn: note, info: note, debug: note, child: () => log }
  const spies = (['log', 'error', 'debug', 'warn'] as const).map(name =>
    vi.spyOn(console, name).mockImplementation(note),
  )
  await withController({}, async controller => {
    const account = accountOf(controller)
    for (const wrong of [{}, { password: 'not-the-password' }, { endpoints: ['127.0.0.1:1'] }]) {
      const { port, close } = createJujuPort({
        resolve: async () =>
          ok({ ...account, ...wrong, warnings: [because('PasswordFileOpenToOthers', { path: '/p' })] }),
        clock: systemClock,
        log,
      })
      await port.status()
      close()
    }
    expect(JSON.stringify(reported)).toContain('and other users may read it')
    expect(JSON.stringify(reported)).not.toContain(account.password)
    expect(JSON.stringify(reported)).not.toContain('not-the-password')
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })
  vi.restoreAllMocks()
})

test('neither an invalid answer nor a task contains the password of the login', async () => {
  const password = 'not-for-anybody'
  const world = sampleWorld({
    actions: { fail: () => ({ status: 'failed', message: `as ${password}`, output: {} }) },
  })
  const model = { ...world.model, name: `of-${password}` }
  await withController({ world: { ...world, model }, password }, async controller => {
    const { port, close } = portOf({ ...accountOf(controller), model: controller.modelUuid })
    const reported: unknown[] = [await port.runAction('microceph/1', 'fail', {}, { timeoutMs: 3000 })]
    controller.faults.lieAbout('Client.FullStatus', 'other-key')
    reported.push(await port.status())
    expect(reported).toMatchObject([{ value: { message: 'as [redacted]' } }, { failure: { code: 'unreadable' } }])
    expect(JSON.stringify(reported)).not.toContain(password)
    close()
  })
})

test('nothing is asked after the session is closed', async () => {
  await withController({}, async controller => {
    const { port, close } = portOf(accountOf(controller))
    await port.status()
    close()
    const asked = controller.log().length
    expect(await port.status()).toMatchObject({ ok: false, failure: { code: 'aborted' } })
    expect(controller.log()).toHaveLength(asked)
  })
})

function accountOf(controller: JujuSimulator): ResolvedJuju {
  const { name, address, caCertificate, user, password, model } = controller
  return { name, endpoints: [address], caCertificate, user, password, model, warnings: [] }
}

function portOf(juju: ResolvedJuju, clock: Clock = systemClock): ReturnType<typeof createJujuPort> {
  return createJujuPort({ resolve: async () => ok(juju), clock, log: silentLogger })
}

async function withPort(
  options: Parameters<typeof withController>[0],
  work: (port: JujuPort, controller: JujuSimulator) => Promise<void>,
  clock?: Clock,
): Promise<void> {
  await withController(options, async controller => {
    const { port, close } = portOf(accountOf(controller), clock)
    try {
      await work(port, controller)
    } finally {
      close()
    }
  })
}
