import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { parse } from 'yaml'
import { systemClock } from '../../../../../main/platform/clock/clock.ts'
import type { JujuSimulator } from '../../../../../main/wings/simulators/juju/juju-simulator.ts'
import { withController } from '../../../../fixtures/juju/juju-world.ts'

/** A connection as a client makes it, below any library. */
async function connect(
  controller: JujuSimulator,
  path: string,
  ca = controller.caCertificate,
  servername = 'juju-apiserver',
) {
  const options = { ca, servername }
  const socket = new WebSocket(`wss://${controller.address}${path}`, options)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  let last = 0
  const send = (type: string, request: string, params: object = {}) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      last += 1
      const id = last
      const onMessage = (raw: Buffer) => {
        const answer = JSON.parse(raw.toString())
        if (answer['request-id'] !== id) return
        socket.off('message', onMessage)
        resolve(answer)
      }
      socket.on('message', onMessage)
      socket.once('close', () => reject(new Error('closed')))
      socket.send(JSON.stringify({ 'request-id': id, type, request, version: 1, params }))
    })
  const login = () =>
    send('Admin', 'Login', { 'auth-tag': `user-${controller.user}`, credentials: controller.password, nonce: '' })
  return { send, login, close: () => socket.close() }
}

test('the login tells version, facades and who one is', async () => {
  await withController({}, async controller => {
    const { login, close } = await connect(controller, '/api')
    expect(await login()).toMatchObject({
      'request-id': 1,
      response: {
        'server-version': '3.6.9',
        'user-info': { identity: 'user-admin' },
        facades: expect.arrayContaining([{ name: 'ModelManager', versions: [9, 10] }]),
      },
    })
    close()
  })
})

test('nothing is answered before the login', async () => {
  await withController({}, async controller => {
    const { send, close } = await connect(controller, `/model/${controller.modelUuid}/api`)
    expect(await send('Client', 'FullStatus')).toMatchObject({
      error: 'not logged in',
      'error-code': 'unauthorized access',
    })
    close()
  })
})

test('a wrong password and an unknown model are refused as Juju refuses them', async () => {
  await withController({}, async controller => {
    const api = await connect(controller, '/api')
    expect(await api.send('Admin', 'Login', { 'auth-tag': 'user-admin', credentials: 'x' })).toMatchObject({
      error: 'invalid entity name or password',
      'error-code': 'unauthorized access',
    })
    const model = await connect(controller, '/model/nowhere/api')
    expect(await model.login()).toMatchObject({ error: 'unknown model: "nowhere"', 'error-code': 'model not found' })
    api.close()
    model.close()
  })
})

test('a model has no facades of the controller', async () => {
  await withController({}, async controller => {
    const { send, login, close } = await connect(controller, `/model/${controller.modelUuid}/api`)
    await login()
    expect(await send('ModelManager', 'ListModelSummaries')).toMatchObject({ 'error-code': 'not implemented' })
    close()
  })
})

test('its certificate is for the name juju-apiserver, from its separate authority', async () => {
  await withController({}, async controller => {
    await withController({}, async other => {
      await expect(connect(controller, '/api', other.caCertificate)).rejects.toThrow(/certificate/)
      await expect(connect(controller, '/api', undefined, 'example.org')).rejects.toThrow(/altnames/)
    })
  })
})

test('a task waits for a lost agent and runs when it is back', async () => {
  await withController({}, async controller => {
    controller.faults.setAgentLost('cp-1', true)
    const { send, login, close } = await connect(controller, `/model/${controller.modelUuid}/api`)
    await login()
    await send('Action', 'Run', { commands: 'true', units: ['k8s/0'], timeout: 1 })
    expect(controller.tasks().map(({ status }) => status)).toEqual(['pending'])
    controller.faults.setAgentLost('cp-1', false)
    await expect.poll(() => controller.tasks().map(({ status }) => status)).toEqual(['completed'])
    close()
  })
})

test('tasks of one machine run one after the other, of several side by side', async () => {
  await withController({}, async controller => {
    controller.faults.setAgentLost('cp-1', true)
    const { send, login, close } = await connect(controller, `/model/${controller.modelUuid}/api`)
    await login()
    for (const units of [['k8s/0'], ['microceph/0'], ['k8s/1']])
      await send('Action', 'Run', { commands: 'true', units })
    await expect.poll(() => controller.tasks().map(({ status }) => status)).toEqual(['pending', 'pending', 'completed'])
    close()
  })
})

test('its log has every request and no password', async () => {
  await withController({}, async controller => {
    const { send, login, close } = await connect(controller, '/api')
    await login()
    await send('Pinger', 'Ping')
    expect(controller.log().map(({ connection, request }) => `${connection} ${request}`)).toEqual([
      'controller Admin.Login',
      'controller Pinger.Ping',
    ])
    expect(JSON.stringify(controller.log())).not.toContain(controller.password)
    close()
  })
})

test('an unreachable controller cuts open connections and new ones', async () => {
  await withController({}, async controller => {
    const { send, login } = await connect(controller, '/api')
    await login()
    controller.faults.setReachable(false)
    await expect(send('Pinger', 'Ping')).rejects.toThrow('closed')
    await expect(connect(controller, '/api')).rejects.toThrow()
    controller.faults.setReachable(true)
    const again = await connect(controller, '/api')
    again.close()
  })
})

test('slow answers come late, but come', async () => {
  await withController({}, async controller => {
    controller.faults.setLatencyMs(50)
    const { login, close } = await connect(controller, '/api')
    const asked = systemClock.now()
    expect(await login()).toHaveProperty('response')
    expect(systemClock.now() - asked).toBeGreaterThanOrEqual(49)
    close()
  })
})

test('the files of the Juju client are written for this user only', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'lockkeeper-juju-'))
  try {
    await withController({}, async controller => {
      controller.writeClientFiles(directory)
      const accounts = parse(readFileSync(join(directory, 'accounts.yaml'), 'utf8'))
      expect(accounts.controllers['sunbeam-controller']).toMatchObject({ user: 'admin', password: controller.password })
      const models = parse(readFileSync(join(directory, 'models.yaml'), 'utf8'))
      expect(models.controllers['sunbeam-controller'].models).toEqual({
        'admin/openstack-machines': { uuid: controller.modelUuid, type: 'iaas' },
      })
      expect(statSync(join(directory, 'accounts.yaml')).mode & 0o777).toBe(0o600)
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
