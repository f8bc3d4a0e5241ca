import { readFileSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import type { ExecPluginDescription } from '../../../../main/adapters/kubernetes/exec-program.ts'
import {
  type FakeAnswer,
  type FakeApi,
  type FakeRequest,
  LOOPBACK_CERTIFICATE,
  status,
} from '../../../fixtures/kubernetes/fake-api.ts'
import { newFolder, writeKubeconfig } from '../../../fixtures/kubernetes/kubeconfig-files.ts'
import { api, closeAll, getNodes, open, session } from '../../../fixtures/kubernetes/opened-sessions.ts'

afterEach(closeAll)

const CERTIFICATE_DATA = readFileSync(LOOPBACK_CERTIFICATE).toString('base64')

/** Credentials go over TLS alone. */
const tlsApi = (answer: (request: FakeRequest) => FakeAnswer) => api(answer, { isTls: true })
const at = ({ url }: FakeApi) => ({ server: url, cluster: { 'certificate-authority': LOOPBACK_CERTIFICATE } })

describe('credentials', () => {
  test('a token', async () => {
    const server = await tlsApi(() => ({}))
    const used = await session(await writeKubeconfig({ ...at(server), user: { token: 'abc' } }))
    expect((await used.request(getNodes)).ok).toBe(true)
    expect(server.requests[0]?.headers.authorization).toBe('Bearer abc')
  })

  test.each<[what: string, user: Readonly<Record<string, unknown>>]>([
    ['a token', { token: 'abc' }],
    ['user and password', { username: 'ada', password: 'p' }],
    ['a token of who acts as another', { token: 'abc', as: 'viewer' }],
  ])('%s goes over no connection without encryption, as with kubectl', async (_, user) => {
    const server = await api(() => ({}))
    const used = await session(await writeKubeconfig({ server: server.url, user }))
    expect((await used.request(getNodes)).ok).toBe(true)
    expect(Object.keys(server.requests[0]?.headers ?? {})).not.toContain('authorization')
  })

  test('who the kubeconfig says to act as goes over plain http too: a proxy with more rights may be there', async () => {
    const server = await api(() => ({}))
    const user = { token: 'abc', as: 'viewer', 'as-groups': ['a', 'b'], 'as-user-extra': { scopes: ['s'] } }
    await (await session(await writeKubeconfig({ server: server.url, user }))).request(getNodes)
    expect(server.requests[0]?.headers).toMatchObject({
      'impersonate-user': 'viewer',
      'impersonate-group': 'a, b',
      'impersonate-extra-scopes': 's',
    })
  })

  test('half of a surrogate pair in the name of an impersonation is replaced, as Go does', async () => {
    const server = await api(() => ({}))
    const user = { token: 'abc', as: 'viewer', 'as-user-extra': { 'a\ud800': ['s'] } }
    await (await session(await writeKubeconfig({ server: server.url, user }))).request(getNodes)
    expect(server.requests[0]?.headers).toMatchObject({ 'impersonate-extra-a%ef%bf%bd': 's' })
  })

  test.each<[where: string, user: Readonly<Record<string, unknown>>]>([
    ['in the kubeconfig', { token: 'abc\n  def' }],
    ['at its end', { token: 'abc\n' }],
    ['in its file', { tokenFile: 'token' }],
  ])('a token with a line break %s is named, and nothing is asked', async (_, user) => {
    const server = await tlsApi(() => ({}))
    const path = await writeKubeconfig({ ...at(server), user })
    await writeFile(join(dirname(path), 'token'), 'abc\ndef\n')
    const answer = await (await session(path)).request(getNodes)
    expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input', retryable: false } })
    expect(answer.ok ? '' : answer.failure.message).toMatch(/contains a line break/)
    expect(server.requests).toEqual([])
  })

  test('user and password', async () => {
    const server = await tlsApi(() => ({}))
    const used = await session(await writeKubeconfig({ ...at(server), user: { username: 'ada', password: 'p' } }))
    await used.request(getNodes)
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada:p').toString('base64')}`)
  })

  test('a token file beside the kubeconfig, read again once when the server refuses the token', async () => {
    const server = await tlsApi(({ headers }) =>
      headers.authorization === 'Bearer new' ? {} : status(401, 'Unauthorized', 'Unauthorized'),
    )
    const path = await writeKubeconfig({ ...at(server), user: { tokenFile: 'token' } })
    await writeFile(join(dirname(path), 'token'), 'old\n')
    const used = await session(path)
    expect(await used.request(getNodes)).toMatchObject({ ok: false, failure: { code: 'unauthenticated' } })
    expect(server.requests).toHaveLength(2)
    await writeFile(join(dirname(path), 'token'), 'new\n')
    expect((await used.request(getNodes)).ok).toBe(true)
  })

  test.each([
    ['client-key', Buffer.from('-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n').toString('base64')],
    ['client-key', '-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n'],
    ['tokenFile', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJldmEifQ.c2lnbmF0dXJl'],
    ['tokenFile', '07401b.f395accd246ae52d'],
    ['tokenFile', 'sha256~W3Jv0q4uM9T8kYbSxJqW1v2lq0c5fXzQy7p_h3nRtAo'],
  ])('%s with contents where a path belongs: the contents are not repeated', async (field, contents) => {
    const server = await tlsApi(() => ({}))
    const certificate = field === 'client-key' ? { 'client-certificate-data': CERTIFICATE_DATA } : {}
    const user = { [field]: contents, ...certificate }
    const opened = await open(await writeKubeconfig({ ...at(server), user }))
    const answer = opened.ok ? await opened.value.request(getNodes) : opened
    expect(answer).toMatchObject({ failure: { code: 'bad-input', reason: 'NamedFileIsContents', values: { field } } })
    expect(JSON.stringify(answer)).not.toContain(contents.trim().slice(0, 20))
  })

  test('who the kubeconfig says to act as goes along: leaving it out would mean more rights', async () => {
    const server = await tlsApi(() => ({}))
    const user = { token: 't', as: 'viewer', 'as-groups': ['a', 'b'], 'as-uid': 'u' }
    await (await session(await writeKubeconfig({ ...at(server), user }))).request(getNodes)
    expect(server.requests[0]?.headers).toMatchObject({
      'impersonate-user': 'viewer',
      'impersonate-group': 'a, b',
      'impersonate-uid': 'u',
    })
  })

  test('an auth-provider that kubectl dropped is refused and not run', async () => {
    const provider = { 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/false' } } }
    expect(await open(await writeKubeconfig({ server: 'https://127.0.0.1:1', user: provider }))).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', message: expect.stringContaining('exec plugin') },
    })
  })

  test('oidc: the id token is sent while it is fresh', async () => {
    const server = await tlsApi(() => ({}))
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = `${part({ alg: 'none' })}.${part({ exp: 4_000_000_000 })}.x`
    const provider = {
      'auth-provider': {
        name: 'oidc',
        config: { 'id-token': token, 'client-id': 'c', 'idp-issuer-url': 'https://127.0.0.1:9' },
      },
    }
    const used = await session(await writeKubeconfig({ ...at(server), user: provider }))
    expect((await used.request(getNodes)).ok).toBe(true)
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`)
  })

  test('oidc: a token that is over and cannot be renewed says to sign in again, and nothing secret', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = `${part({ alg: 'none' })}.${part({ exp: 1 })}.sig`
    const config = {
      'id-token': token,
      'client-id': 'c',
      'refresh-token': 'refr3sh',
      'idp-issuer-url': 'http://127.0.0.1:9',
    }
    const used = await session(
      await writeKubeconfig({ server: 'https://127.0.0.1:9', user: { 'auth-provider': { name: 'oidc', config } } }),
    )
    const answer = await used.request(getNodes)
    expect(answer).toMatchObject({ ok: false, failure: { code: 'unauthenticated' } })
    expect(JSON.stringify(answer)).not.toContain('refr3sh')
    expect(JSON.stringify(answer)).not.toContain(token)
  })
})

describe('exec plugins', () => {
  async function plugin(
    script: string,
    more: object = {},
  ): Promise<{ readonly exec: object; readonly folder: string }> {
    const folder = await newFolder()
    const path = join(folder, 'login')
    await writeFile(path, `#!${process.execPath}\n${script}\n`)
    await chmod(path, 0o755)
    return {
      folder,
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        interactiveMode: 'IfAvailable',
        command: './login',
        ...more,
      },
    }
  }
  const answering = (apiVersion: string) => `
    require('fs').appendFileSync(__dirname + '/runs', JSON.stringify({
      info: JSON.parse(process.env.KUBERNETES_EXEC_INFO), extra: process.env.EXTRA, args: process.argv.slice(2) }) + '\\n')
    const count = require('fs').readFileSync(__dirname + '/runs', 'utf8').split('\\n').length - 1
    process.stdout.write(JSON.stringify({ kind: 'ExecCredential', apiVersion: '${apiVersion}', status: { token: 'run-' + count } }))`
  const runs = async (folder: string) =>
    (await readFile(join(folder, 'runs'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as unknown)

  test('a command from a file is not run before it was agreed to, and the refusal names it', async () => {
    const { exec, folder } = await plugin(answering('client.authentication.k8s.io/v1'), { args: ['--cluster', 'x'] })
    const path = await writeKubeconfig({ server: 'https://127.0.0.1:9', user: { exec }, folder })
    const seen: ExecPluginDescription[] = []
    const opened = await open(path, {
      consent: described => {
        seen.push(described)
        return false
      },
    })
    expect(opened).toMatchObject({
      ok: false,
      failure: { code: 'not-consented', message: expect.stringContaining(`${folder}/login --cluster x`) },
    })
    expect(seen).toMatchObject([{ command: join(folder, 'login'), args: ['--cluster', 'x'], file: path }])
    expect(await runs(folder)).toEqual([])
  })

  test('no command is run for a connection without encryption, because its credentials would not be sent', async () => {
    const server = await api(() => ({}))
    const { exec, folder } = await plugin(answering('client.authentication.k8s.io/v1'))
    const used = await session(await writeKubeconfig({ server: server.url, user: { exec }, folder }), {
      consent: () => true,
    })
    await used.request(getNodes)
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
    expect(await runs(folder)).toEqual([])
  })

  test.each(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'])(
    'with consent it is run once, with its environment and the description of the cluster: %s',
    async apiVersion => {
      const server = await tlsApi(() => ({}))
      const more = {
        apiVersion,
        args: ['a b'],
        env: [{ name: 'EXTRA', value: 'yes' }],
        interactiveMode: 'IfAvailable',
        provideClusterInfo: true,
      }
      const { exec, folder } = await plugin(answering(apiVersion), more)
      const used = await session(await writeKubeconfig({ ...at(server), user: { exec }, folder }), {
        consent: () => true,
      })
      await Promise.all([used.request(getNodes), used.request(getNodes)])
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer run-1', 'Bearer run-1'])
      expect(await runs(folder)).toEqual([
        {
          args: ['a b'],
          extra: 'yes',
          info: {
            kind: 'ExecCredential',
            apiVersion,
            spec: {
              interactive: false,
              cluster: { server: `${server.url}/`, 'certificate-authority-data': CERTIFICATE_DATA },
            },
          },
        },
      ])
    },
  )

  test('it is run again when the server refuses its token, once', async () => {
    const server = await tlsApi(({ headers }) =>
      headers.authorization === 'Bearer run-2' ? {} : status(401, 'Unauthorized', 'Unauthorized'),
    )
    const { exec, folder } = await plugin(answering('client.authentication.k8s.io/v1'))
    const used = await session(await writeKubeconfig({ ...at(server), user: { exec }, folder }), {
      consent: () => true,
    })
    expect((await used.request(getNodes)).ok).toBe(true)
    expect(await runs(folder)).toHaveLength(2)
  })

  test.each([
    ['ends with an exit code', 'console.error("token=s3cr3t"); process.exit(3)', {}, 'unauthenticated', 'exit code 3'],
    ['answers something else', 'console.log("s3cr3t")', {}, 'unauthenticated', 'not JSON'],
    [
      'is not there',
      '',
      { command: '/nowhere/login', installHint: 'Get it at example.' },
      'bad-input',
      'Get it at example.',
    ],
    [
      'speaks a version of the past',
      '',
      { apiVersion: 'client.authentication.k8s.io/v1alpha1' },
      'bad-input',
      'v1alpha1',
    ],
    ['insists on a terminal', '', { interactiveMode: 'Always' }, 'bad-input', 'terminal'],
  ])('a plugin that %s is reported in words, without its output', async (_, script, more, code, text) => {
    const { exec, folder } = await plugin(script, more)
    const used = await session(await writeKubeconfig({ server: 'https://127.0.0.1:9', user: { exec }, folder }), {
      consent: () => true,
    })
    const answer = await used.request(getNodes)
    expect(answer).toMatchObject({ ok: false, failure: { code, message: expect.stringContaining(text) } })
    expect(inspect(answer, { depth: null })).not.toContain('s3cr3t')
  })
})
