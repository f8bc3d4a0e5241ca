import { describe, expect, it } from 'vitest'
import { passwordLogin, SMALL_CLOUD, smallCloud } from './small-cloud.ts'

const TOKENS = '/identity/v3/auth/tokens'

describe('the Keystone of an embedded cloud', () => {
  it('issues a project-scoped token with a catalogue of public, internal and admin endpoints in one region', async () => {
    const { send } = await smallCloud()
    const { status, headers, json } = await send('POST', TOKENS, { body: passwordLogin('admin', 'secret-a', 'admin') })
    expect(status).toBe(201)
    expect(headers.get('x-subject-token')).toMatch(/^gAAAAA/)
    expect(json.token.project.name).toBe('admin')
    expect(json.token.roles.map((role: { name: string }) => role.name)).toContain('admin')
    const compute = json.token.catalog.find((service: { type: string }) => service.type === 'compute')
    expect(compute.endpoints.map((each: { interface: string }) => each.interface).sort()).toEqual([
      'admin',
      'internal',
      'public',
    ])
    expect(compute.endpoints[0]).toMatchObject({ region: 'RegionOne', region_id: 'RegionOne' })
  })

  it.each([
    ['a wrong password', passwordLogin('admin', 'wrong', 'admin')],
    ['an unknown user', passwordLogin('nobody', 'secret-a', 'admin')],
    ['a project that does not exist', passwordLogin('admin', 'secret-a', 'nowhere')],
    ['a project the user has no role in', passwordLogin('demo', 'secret-d', 'admin')],
  ])('answers the same 401 for %s, so that nothing can be learnt from it', async (_why, body) => {
    const { send } = await smallCloud()
    const { status, headers, json } = await send('POST', TOKENS, { body })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toMatch(/^Keystone uri=/)
    expect(json).toEqual({
      error: { code: 401, message: 'The request you have made requires authentication.', title: 'Unauthorized' },
    })
  })

  it('answers 400 for a body without auth', async () => {
    const { send } = await smallCloud()
    const { status, json } = await send('POST', TOKENS, { body: {} })
    expect(status).toBe(400)
    expect(json.error.message).toContain('Expecting to find auth in request body')
  })

  it('lets an application credential in, until it is deleted', async () => {
    const { send, adminToken, simulator } = await smallCloud()
    const user = simulator.state.users[0]
    const at = `/identity/v3/users/${user?.id}/application_credentials`
    const headers = { 'x-auth-token': adminToken }
    const made = await send('POST', at, { headers, body: { application_credential: { name: 'lockkeeper' } } })
    expect(made.status).toBe(201)
    const { id, secret } = made.json.application_credential
    const login = {
      auth: { identity: { methods: ['application_credential'], application_credential: { id, secret } } },
    }
    const issued = await send('POST', TOKENS, { body: login })
    expect(issued.status).toBe(201)
    expect(issued.json.token).toMatchObject({
      project: { name: 'admin' },
      application_credential: { restricted: true },
    })
    expect((await send('DELETE', `${at}/${id}`, { headers })).status).toBe(204)
    expect((await send('POST', TOKENS, { body: login })).status).toBe(401)
  })

  it('gives a token for a token, with the expiry of the first', async () => {
    const { send, adminToken, simulator } = await smallCloud()
    const body = {
      auth: {
        identity: { methods: ['token'], token: { id: adminToken } },
        scope: { project: { id: simulator.state.projects[0]?.id } },
      },
    }
    const { status, json } = await send('POST', TOKENS, { body })
    expect(status).toBe(201)
    expect(json.token.methods).toEqual(['token', 'password'])
    expect(Date.parse(json.token.expires_at)).toBe(
      Math.floor((simulator.state.tokens.get(adminToken)?.expiresAt ?? 0) / 1000) * 1000,
    )
  })

  it('validates tokens by GET and HEAD, and only administrators those of others', async () => {
    const { send, adminToken, login } = await smallCloud()
    const demoToken = await login('demo', 'secret-d', 'demo')
    const sendWithToken = (method: string, own: string, subject: string) =>
      send(method, TOKENS, { headers: { 'x-auth-token': own, 'x-subject-token': subject } })
    expect((await sendWithToken('GET', adminToken, demoToken)).json.token.user.name).toBe('demo')
    expect((await sendWithToken('HEAD', adminToken, demoToken)).status).toBe(200)
    expect((await sendWithToken('GET', demoToken, demoToken)).status).toBe(200)
    expect((await sendWithToken('GET', demoToken, adminToken)).status).toBe(403)
    expect((await sendWithToken('GET', adminToken, 'nonsense')).status).toBe(404)
  })

  it('rejects an expired token in every service', async () => {
    const past = { now: Date.now() }
    const { send, adminToken } = await smallCloud({
      tokenSeconds: 60,
      clock: {
        now: () => past.now,
        monotonicMs: () => past.now,
        sleep: () => Promise.resolve(),
        random: () => 0.5,
      },
    })
    const getWithToken = (path: string) => send('GET', path, { headers: { 'x-auth-token': adminToken } })
    const paths = [
      '/compute/v2.1/servers',
      '/network/v2.0/agents',
      '/placement/resource_providers',
      '/identity/v3/projects',
    ]
    for (const path of paths) expect((await getWithToken(path)).status, path).toBe(200)
    past.now += 61_000
    for (const path of paths) expect((await getWithToken(path)).status, path).toBe(401)
  })

  it('tells its versions without a token', async () => {
    const { send } = await smallCloud()
    expect((await send('GET', '/identity/')).status).toBe(300)
    expect((await send('GET', '/identity/v3')).json.version.id).toBe('v3.14')
  })

  it('writes a clouds.yaml with the admin and each other user', async () => {
    const { simulator } = await smallCloud({ seed: SMALL_CLOUD })
    const text = simulator.cloudsYaml('lab')
    expect(text).toContain(`auth_url: ${simulator.authUrl}`)
    expect(text).toMatch(/^ {2}lab:$/m)
    expect(text).toMatch(/^ {2}lab-demo:$/m)
  })
})
