import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResolvedCloud } from '../../../main/adapters/openstack/resolved-cloud.ts'
import { findCloudsFile } from '../../../main/clusters/clouds-files.ts'
import { resolveCloud } from '../../../main/clusters/clouds-yaml.ts'
import type { FilePlaces } from '../../../main/clusters/file-places.ts'
import { failureIn, valueIn } from '../../fixtures/clusters/results.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lockkeeper-clouds-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}

function around(environment: Record<string, string> = {}): FilePlaces {
  return {
    environment,
    home: join(root, 'home'),
    currentDirectory: join(root, 'here'),
    siteDirectory: join(root, 'site'),
  }
}

/** The cloud `lab` of a clouds.yaml with these settings, indented by four. */
async function lab(settings: string, environment: Record<string, string> = {}): Promise<ResolvedCloud> {
  const path = put('etc/clouds.yaml', `clouds:\n  other: {}\n  lab:\n${settings}`)
  return valueIn(await resolveCloud({ path, cloud: 'lab' }, around(environment)))
}

async function refused(settings: string) {
  const path = put('etc/clouds.yaml', `clouds:\n  other: {}\n  lab:\n${settings}`)
  return failureIn(await resolveCloud({ path, cloud: 'lab' }, around()))
}

const PASSWORD = `    auth:
      auth_url: http://127.0.0.1:5000/v3
      username: admin
      password: oslab
      project_name: admin
      user_domain_name: Default
      project_domain_name: Default
`

describe('a cloud with a password', () => {
  test('as the lab has it', async () => {
    expect(await lab(`    region_name: RegionOne\n    identity_api_version: 3\n${PASSWORD}`)).toEqual({
      name: 'lab',
      authUrl: 'http://127.0.0.1:5000/v3',
      auth: {
        kind: 'password',
        user: { name: 'admin', domainName: 'Default' },
        password: 'oslab',
        scope: { kind: 'project', project: { name: 'admin', domainName: 'Default' } },
      },
      regionName: 'RegionOne',
      interface: 'public',
      caCertPath: null,
      insecure: false,
      clientCert: null,
      endpointOverrides: {},
    })
  })

  const auth = (options: string) => `    auth:\n      auth_url: http://k\n      password: p\n${options}`

  test.each<[string, string, Partial<Record<'user' | 'scope', unknown>>]>([
    [
      'ids',
      '      user_id: u1\n      project_id: p1\n',
      { user: { id: 'u1' }, scope: { kind: 'project', project: { id: 'p1' } } },
    ],
    [
      'tenant instead of project',
      '      username: a\n      tenant_name: t\n',
      { scope: { kind: 'project', project: { name: 't', domainId: 'default' } } },
    ],
    [
      'no domain at all: the domain default',
      '      username: a\n      project_name: p\n',
      { user: { name: 'a', domainId: 'default' } },
    ],
    [
      'domain_name for both',
      '      username: a\n      project_name: p\n      domain_name: corp\n',
      {
        user: { name: 'a', domainName: 'corp' },
        scope: { kind: 'project', project: { name: 'p', domainName: 'corp' } },
      },
    ],
    [
      'default_domain for both',
      '      username: a\n      project_name: p\n      default_domain: d1\n',
      { user: { name: 'a', domainId: 'd1' }, scope: { kind: 'project', project: { name: 'p', domainId: 'd1' } } },
    ],
    [
      'its own domain before the default',
      '      username: a\n      project_name: p\n      default_domain: d1\n      user_domain_name: u\n',
      { user: { name: 'a', domainName: 'u' } },
    ],
    [
      'a domain as scope',
      '      username: a\n      domain_id: d1\n',
      { user: { name: 'a', domainId: 'd1' }, scope: { kind: 'domain', domain: { id: 'd1' } } },
    ],
    ['the system as scope', '      username: a\n      system_scope: all\n', { scope: { kind: 'system' } }],
    ['no scope', '      username: a\n', { scope: { kind: 'unscoped' } }],
    [
      'dashes for underscores',
      '      username: a\n      project-name: p\n      project-domain-id: d\n',
      { scope: { kind: 'project', project: { name: 'p', domainId: 'd' } } },
    ],
    [
      'options beside auth',
      '      username: a\n    project_name: p\n',
      { scope: { kind: 'project', project: { name: 'p', domainId: 'default' } } },
    ],
  ])('by %s', async (_how, options, expected) => {
    expect((await lab(auth(options))).auth).toMatchObject({ kind: 'password', password: 'p', ...expected })
  })

  test('that looks like a number or a truth stays the text it is', async () => {
    for (const password of ['0123', '1e5', 'yes', 'null0', '12345678901234567890', '2020-01-01']) {
      expect((await lab(PASSWORD.replace('oslab', password))).auth).toMatchObject({ password })
    }
  })
})

describe('what is written as null', () => {
  test.each(['null', 'Null', 'NULL', '~', ''])('as %j is not there, as for openstacksdk', async nothing => {
    const options = `      project_id: ${nothing}\n      user_id: ${nothing}\n      user_domain_id: ${nothing}\n`
    expect((await lab(PASSWORD.replace('username:', `${options.trim()}\n      username:`))).auth).toEqual(
      (await lab(PASSWORD)).auth,
    )
  })

  test('in quotes is a text', async () => {
    for (const password of ['null', '~']) {
      expect((await lab(PASSWORD.replace('oslab', `"${password}"`))).auth).toMatchObject({ password })
    }
  })
})

describe('a cloud with other credentials', () => {
  test.each<[string, string, unknown]>([
    [
      'an application credential by id',
      '    auth_type: v3applicationcredential\n    auth: {auth_url: http://k, application_credential_id: i, application_credential_secret: s}\n',
      { kind: 'application-credential', id: 'i', secret: 's' },
    ],
    [
      'an application credential by name',
      '    auth_type: v3applicationcredential\n    auth: {auth_url: http://k, application_credential_name: n, username: u, user_domain_name: D, application_credential_secret: s}\n',
      { kind: 'application-credential', name: 'n', user: { name: 'u', domainName: 'D' }, secret: 's' },
    ],
    [
      'an application credential without auth_type',
      '    auth: {auth_url: http://k, application_credential_id: i, application_credential_secret: s}\n',
      { kind: 'application-credential', id: 'i', secret: 's' },
    ],
    [
      'a token',
      '    auth_type: token\n    auth: {auth_url: http://k, token: t, project_id: p}\n',
      { kind: 'token', token: 't', scope: { kind: 'project', project: { id: 'p' } } },
    ],
    [
      'v3password',
      '    auth_type: v3password\n    auth: {auth_url: http://k, user_id: u, password: p}\n',
      { kind: 'password', user: { id: 'u' }, password: 'p', scope: { kind: 'unscoped' } },
    ],
  ])('%s', async (_what, settings, expected) => {
    expect((await lab(settings)).auth).toEqual(expected)
  })
})

describe('the way to a cloud', () => {
  test.each<[string, string, Partial<ResolvedCloud>]>([
    ['interface: internal', '    interface: internal\n', { interface: 'internal' }],
    ['endpoint_type: adminURL', '    endpoint_type: adminURL\n', { interface: 'admin' }],
    ['a list of interfaces: the first', '    interface: [internal, public]\n', { interface: 'internal' }],
    ['verify: false', '    verify: false\n', { insecure: true }],
    ['verify: no', '    verify: no\n', { insecure: true }],
    ['insecure: true', '    insecure: "True"\n', { insecure: true }],
    ['verify: true', '    verify: true\n', { insecure: false }],
    ['no region', '', { regionName: null }],
    ['the first of several regions', '    regions: [north, south]\n', { regionName: 'north' }],
    ['the region that is named', '    region_name: south\n    regions: [north, south]\n', { regionName: 'south' }],
    [
      'values of a region',
      '    region_name: b\n    regions: [{name: a}, {name: b, values: {interface: internal}}]\n',
      { regionName: 'b', interface: 'internal' },
    ],
    [
      'overrides of endpoints',
      '    compute_endpoint_override: http://n\n    block_storage_endpoint_override: http://c\n',
      { endpointOverrides: { compute: 'http://n', 'block-storage': 'http://c' } },
    ],
    ['a limit of the microversion', '    compute_default_microversion: 2.90\n', { computeMaxMicroversion: '2.90' }],
  ])('%s', async (_what, settings, expected) => {
    expect(await lab(settings + PASSWORD)).toMatchObject(expected)
  })

  test('cacert belongs to the folder of clouds.yaml, ~ to the home directory', async () => {
    const beside = put('etc/ca.pem', 'x')
    const home = put('home/ca.pem', 'x')
    expect(await lab(`    cacert: ca.pem\n${PASSWORD}`)).toMatchObject({ caCertPath: beside, insecure: false })
    expect(await lab(`    cacert: ~/ca.pem\n${PASSWORD}`)).toMatchObject({ caCertPath: home })
    expect(await lab(`    verify: ${beside}\n${PASSWORD}`)).toMatchObject({ caCertPath: beside, insecure: false })
  })

  test('a client certificate may bring its key in the same file', async () => {
    const path = put('etc/client.pem', 'x')
    expect(await lab(`    cert: client.pem\n${PASSWORD}`)).toMatchObject({
      clientCert: { certPath: path, keyPath: null },
    })
    expect(await lab(`    cert: client.pem\n    key: client.pem\n${PASSWORD}`)).toMatchObject({
      clientCert: { certPath: path, keyPath: path },
    })
  })

  test('anchors and merge keys work as in YAML 1.1', async () => {
    const path = put(
      'etc/clouds.yaml',
      `base: &base\n  region_name: R\n  interface: internal\nclouds:\n  lab:\n    <<: *base\n${PASSWORD}`,
    )
    expect(valueIn(await resolveCloud({ path, cloud: 'lab' }, around()))).toMatchObject({
      regionName: 'R',
      interface: 'internal',
    })
  })
})

describe('secure.yaml', () => {
  const withoutPassword = PASSWORD.replace('      password: oslab\n', '')

  test('beside clouds.yaml is merged into the cloud, deep', async () => {
    put(
      'etc/secure.yaml',
      'clouds:\n  lab:\n    auth:\n      password: hidden\n  other:\n    auth: {password: wrong}\n',
    )
    expect((await lab(withoutPassword)).auth).toMatchObject({ user: { name: 'admin' }, password: 'hidden' })
  })

  test('wins over clouds.yaml', async () => {
    put('etc/secure.yml', 'clouds: {lab: {auth: {password: hidden}}}')
    expect((await lab(PASSWORD)).auth).toMatchObject({ password: 'hidden' })
  })

  test('is where OS_CLIENT_SECURE_FILE says, before the one beside', async () => {
    put('etc/secure.yaml', 'clouds: {lab: {auth: {password: beside}}}')
    const path = put('vault/mine.yaml', 'clouds: {lab: {auth: {password: vault}}}')
    expect((await lab(withoutPassword, { OS_CLIENT_SECURE_FILE: path })).auth).toMatchObject({ password: 'vault' })
  })

  test('of another folder is not mixed into a file that was given by its path', async () => {
    put('home/.config/openstack/secure.yaml', 'clouds: {lab: {auth: {password: wrong}}}')
    expect((await lab(PASSWORD)).auth).toMatchObject({ password: 'oslab' })
  })
})

describe('profiles', () => {
  test('of clouds-public.yaml are under the cloud', async () => {
    put(
      'etc/clouds-public.yaml',
      'public-clouds:\n  corp:\n    auth: {auth_url: "http://corp/v3"}\n    interface: internal\n    regions: [one, two]\n',
    )
    const cloud = await lab(
      '    profile: corp\n    region_name: two\n    auth: {username: a, password: p, project_name: x}\n',
    )
    expect(cloud).toMatchObject({ authUrl: 'http://corp/v3', interface: 'internal', regionName: 'two' })
  })

  test('that are not defined are named, with what is', async () => {
    put('etc/clouds-public.yaml', 'public-clouds: {corp: {}, acme: {}}')
    expect(await refused('    profile: ovh\n')).toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/It has: acme, corp\. Lockkeeper does not know the profiles of openstacksdk:/),
    })
  })
})

describe('what cannot be used is named by file, cloud and key', () => {
  test.each([
    ['an unknown cloud', 'clouds: {east: {}, west: {}}', /no cloud named lab\. Clouds there: east, west\./],
    ['no cloud at all', 'x: y', /no cloud named lab\. It has no clouds\./],
    ['a list instead of a cloud', 'clouds: {lab: [1]}', /Cloud lab in .* is not a mapping/],
    ['a text', 'nothing', /not a mapping with a key `clouds`/],
    [
      'broken YAML',
      'clouds:\n  lab:\n    auth: [oslab\n    x: y\n',
      /not YAML in line 4, column 5 \(the indentation is wrong\)/,
    ],
    ['a profile that is nowhere', 'clouds: {lab: {profile: corp}}', /and no clouds-public\.yaml is beside it\. /],
  ])('%s', async (_what, content, message) => {
    const path = put('etc/clouds.yaml', content)
    const failure = failureIn(await resolveCloud({ path, cloud: 'lab' }, around()))
    expect(failure.message).toMatch(message)
    expect(failure.message).toContain(path)
    expect(failure.message).not.toContain('oslab')
  })

  test.each([
    [
      'auth_url',
      '    auth: {username: a, password: oslab}\n',
      /has no auth_url in .*clouds\.yaml\. Add it there or to a secure\.yaml/,
    ],
    ['password', '    auth: {auth_url: http://k, username: a}\n', /has no password/],
    [
      'an auth_url that is a template',
      '    auth: {auth_url: {{ url }}, username: a, password: oslab}\n',
      /: auth_url is a list or a mapping instead of text.*Write the value there, in quotes\.$/,
    ],
    [
      'an auth_url that is a placeholder',
      '    auth: {auth_url: <url>, username: a, password: oslab}\n',
      /: auth_url must be an address that begins with http/,
    ],
    ['username', '    auth: {auth_url: http://k, password: oslab}\n', /has no username or user_id/],
    [
      'secret',
      '    auth_type: v3applicationcredential\n    auth: {auth_url: http://k, application_credential_id: i}\n',
      /has no application_credential_secret/,
    ],
    [
      'credential id',
      '    auth_type: v3applicationcredential\n    auth: {auth_url: http://k, application_credential_secret: oslab}\n',
      /has no application_credential_id/,
    ],
    ['token', '    auth_type: token\n    auth: {auth_url: http://k}\n', /has no token/],
    ['auth_type', '    auth_type: v3totp\n    auth: {auth_url: http://k}\n', /auth_type v3totp.*Known are: password/],
    ['interface', `    interface: private\n${PASSWORD}`, /interface must be public, internal or admin/],
    ['verify', `    verify: maybe\n${PASSWORD}`, /verify must be true or false/],
    ['insecure', `    insecure: maybe\n${PASSWORD}`, /insecure must be true or false/],
    ['cacert', `    cacert: /absent/ca.pem\n${PASSWORD}`, /cacert names \/absent\/ca\.pem, which does not exist/],
    [
      'key',
      `    cert: /dev/null\n    key: |\n      -----BEGIN KEY-----\n      oslab\n${PASSWORD}`,
      /key must be the path of a file, not its contents/,
    ],
  ])('%s', async (_key, settings, message) => {
    const failure = await refused(settings)
    expect(failure).toMatchObject({ code: 'bad-input', target: join(root, 'etc/clouds.yaml') })
    expect(failure.message).toMatch(message)
    expect(JSON.stringify(failure)).not.toContain('oslab')
  })

  test('a missing file', async () => {
    expect(failureIn(await resolveCloud({ path: join(root, 'no.yaml'), cloud: 'lab' }, around()))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('no.yaml: it does not exist'),
    })
  })

  test('a broken secure.yaml', async () => {
    const path = put('etc/secure.yaml', 'clouds: [oslab')
    const failure = await refused(PASSWORD)
    expect(failure.message).toContain(path)
    expect(JSON.stringify(failure)).not.toContain('oslab')
  })

  test('hostile aliases', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`),
    ]
    const path = put('etc/clouds.yaml', `${bomb.join('\n')}\nclouds: {lab: {}}\n`)
    expect(failureIn(await resolveCloud({ path, cloud: 'lab' }, around())).message).toMatch(/anchors and aliases/)
  })
})

describe('the search for clouds.yaml follows openstacksdk', () => {
  test('in OS_CLIENT_CONFIG_FILE, here, in ~/.config/openstack', async () => {
    const named = put('named.yaml', '')
    const here = put('here/clouds.yaml', '')
    const user = put('home/.config/openstack/clouds.yml', '')
    expect(await findCloudsFile(around({ OS_CLIENT_CONFIG_FILE: named }))).toEqual({ ok: true, value: named })
    expect(await findCloudsFile(around())).toEqual({ ok: true, value: here })
    rmSync(here)
    expect(await findCloudsFile(around())).toEqual({ ok: true, value: user })
    expect(await findCloudsFile(around({ OS_CLIENT_CONFIG_FILE: '/absent' }))).toEqual({ ok: true, value: user })
  })

  test('in XDG_CONFIG_HOME', async () => {
    const path = put('xdg/openstack/clouds.yaml', '')
    expect(await findCloudsFile(around({ XDG_CONFIG_HOME: join(root, 'xdg') }))).toEqual({ ok: true, value: path })
  })

  test('and every place is named when there is none', async () => {
    const failure = failureIn(await findCloudsFile(around({ OS_CLIENT_CONFIG_FILE: '/absent' })))
    expect(failure.code).toBe('not-found')
    for (const place of ['/absent', join(root, 'here/clouds.yaml'), join(root, 'home/.config/openstack/clouds.yaml')]) {
      expect(failure.message).toContain(place)
    }
  })
})
