import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { describeContexts } from '../../../../main/adapters/kubernetes/describe-contexts.ts'
import { execPluginOf } from '../../../../main/adapters/kubernetes/exec-program.ts'
import {
  defaultKubeconfigPaths,
  loadKubeconfig,
  mergedOf,
  singleContext,
  userOf,
} from '../../../../main/adapters/kubernetes/kubeconfig.ts'
import { must } from '../../../../shared/domain/must.ts'
import { failureIn, valueIn } from '../../../fixtures/clusters/results.ts'
import { newFolder } from '../../../fixtures/kubernetes/kubeconfig-files.ts'

let folder: string

beforeEach(async () => {
  folder = await newFolder()
})

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

const WORK = `
apiVersion: v1
kind: Config
current-context: work
clusters:
- name: shared
  cluster: { server: "https://first.example:6443", certificate-authority: pki/ca.crt }
users:
- name: red
  user: { token: red-token-of-first }
contexts:
- name: work
  context: { cluster: shared, user: red }
`
const HOME = `
current-context: home
clusters:
- name: shared
  cluster: { server: "https://second.example:6443", insecure-skip-tls-verify: true }
- name: own
  cluster: { server: "https://user:pa55word@home.example/path" }
users:
- name: red
  user: { token: red-token-of-second, username: discarded-too }
contexts:
- name: home
  context: { cluster: own, user: red }
`

describe('merging, as kubectl does', () => {
  test('the first file wins per name, whole; later files add names; the first current-context wins', async () => {
    const loaded = await loadKubeconfig([await file('a', WORK), await file('b', HOME)])
    const config = must(loaded.ok ? loaded.value : null, 'the files are well')
    expect(singleContext(config, null)).toMatchObject({ ok: true, value: { name: 'work' } })
    expect([...config.entries.contexts.keys()]).toEqual(['work', 'home'])
    expect(config.config.getCluster('shared')).toMatchObject({
      server: 'https://first.example:6443',
      caFile: join(folder, 'pki', 'ca.crt'),
      skipTLSVerify: false,
    })
    expect(config.entries.users.get('red')?.file).toBe(join(folder, 'a'))
    expect(config.config.getUser('red')).toMatchObject({ token: 'red-token-of-first', username: undefined })
  })

  test.each(['cluster', 'user', 'context'])('a file with two of one name is refused, as by kubectl: %s', async kind => {
    const entry = (server: string) => ({ name: 'twice', [kind]: { server } })
    const twice = JSON.stringify({
      [`${kind}s`]: [entry('https://a'), { name: 'other', [kind]: {} }, entry('https://b')],
    })
    expect(await loadKubeconfig([await file('a', WORK), await file('twice', twice)])).toMatchObject({
      ok: false,
      failure: {
        code: 'bad-input',
        message: expect.stringMatching(
          new RegExp(`${folder}/twice has a duplicate name: two ${kind}s are called "twice"`),
        ),
      },
    })
  })

  test.each<[string, (text: string) => Buffer]>([
    ['UTF-8 with a mark', text => Buffer.from(`\ufeff${text}`, 'utf8')],
    ['UTF-16, little end first, as PowerShell writes it', text => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big end first', text => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('a file in %s is read', async (_, encoded) => {
    const path = join(folder, 'encoded')
    await writeFile(path, encoded(WORK))
    expect(singleContext(valueIn(await loadKubeconfig([path])), null)).toMatchObject({ value: { name: 'work' } })
  })

  test('relative paths belong to the folder of their file, those that KubeConfig does not know too', async () => {
    const text = `
clusters:
- { name: c, cluster: { server: "https://a", certificate-authority: pki/ca.crt } }
- { name: d, cluster: { server: "https://a", certificate-authority: /etc/ca.crt } }
users:
- { name: token, user: { tokenFile: ../token } }
- { name: pair, user: { client-certificate: pki/u.crt, client-key: ./u.key } }
- { name: below, user: { exec: { apiVersion: a/v1beta1, command: bin/login } } }
- { name: bare, user: { exec: { apiVersion: a/v1beta1, command: login } } }
`
    await mkdir(join(folder, 'sub'))
    const {
      config,
      entries: { users },
    } = valueIn(await loadKubeconfig([await file('sub/a', text)]))
    expect(config.getClusters().map(({ caFile }) => caFile)).toEqual([join(folder, 'sub/pki/ca.crt'), '/etc/ca.crt'])
    expect(users.get('token')?.tokenFile).toBe(join(folder, 'token'))
    expect(config.getUser('pair')).toMatchObject({
      certFile: join(folder, 'sub/pki/u.crt'),
      keyFile: join(folder, 'sub/u.key'),
    })
    expect(config.getUser('below')?.exec.command).toBe(join(folder, 'sub/bin/login'))
    expect(config.getUser('bare')?.exec.command).toBe('login')
  })

  test('KubeConfig is handed one credential, the one that decides for kubectl, and no field that kubectl does not know', async () => {
    const exec = '{ apiVersion: a/v1beta1, command: /bin/login }'
    const text = `
users:
- { name: token, user: { token: t, exec: ${exec}, token-file: /etc/passwd } }
- { name: basic, user: { username: ada, exec: ${exec} } }
- { name: pair, user: { client-certificate-data: eA==, client-key-data: eA==, exec: ${exec} } }
- { name: plugin, user: { exec: ${exec} } }
- { name: nobody, user: { token-file: /etc/passwd, as: "" } }
`
    const {
      config,
      entries: { users },
    } = valueIn(await loadKubeconfig([await file('a', text)]))
    const known = config
      .getUsers()
      .map(user => [
        user.name,
        users.get(user.name)?.credentials,
        Object.entries(user).flatMap(([field, value]) => (value === undefined || field === 'name' ? [] : [field])),
      ])
    expect(known).toEqual([
      ['token', 'token', ['token']],
      ['basic', 'basic', ['password', 'username']],
      ['pair', 'client certificate', ['certData', 'keyData']],
      ['plugin', 'exec', ['exec']],
      ['nobody', 'none', []],
    ])
  })

  test('an entry that KubeConfig ignores hides no other entry, and no other entry replaces it', async () => {
    const broken = `
clusters:
- { name: shared, cluster: {} }
contexts:
- { name: lost, context: {} }
- { name: work, context: { cluster: shared, user: red } }
`
    const config = valueIn(await loadKubeconfig([await file('first', broken), await file('a', WORK)]))
    expect(failureIn(singleContext(config, 'lost')).message).toContain('Context "lost" in')
    expect(valueIn(singleContext(config, 'work'))).toMatchObject({
      cluster: { file: join(folder, 'first'), settings: null },
      user: { settings: { token: 'red-token-of-first' } },
    })
  })

  test('KubeConfig has every text as its file has it', async () => {
    const any = fc.string({ unit: 'binary', minLength: 1 })
    await fc.assert(
      fc.asyncProperty(any, any, any, async (name, token, value) => {
        const user = { token, as: value }
        const plugin = { exec: { command: name, env: [{ name: 'A', value }] } }
        const top = {
          users: [
            { name, user },
            { name: `${name}.`, user: plugin },
          ],
        }
        const merged = valueIn(await mergedOf([{ file: '/f', top }]))
        expect(userOf(merged, name)?.settings).toMatchObject({ name, token, impersonateUser: value })
        expect(userOf(merged, `${name}.`)?.settings.exec.env).toEqual(plugin.exec.env)
      }),
    )
  })

  test('a missing file of a list is passed over, an empty one is fine', async () => {
    const loaded = await loadKubeconfig([join(folder, 'missing'), await file('empty', ''), await file('a', WORK)])
    expect(singleContext(valueIn(loaded), null)).toMatchObject({ ok: true, value: { name: 'work' } })
  })

  test('when no file exists, the failure names the paths', async () => {
    expect(await loadKubeconfig([join(folder, 'x'), join(folder, 'y')])).toMatchObject({
      ok: false,
      failure: { code: 'not-found', message: expect.stringContaining(`${folder}/x, ${folder}/y`) },
    })
  })

  test('a thousand contexts are as good as one', async () => {
    const entries = (line: (n: number) => string) => Array.from({ length: 1000 }, (_, n) => line(n)).join('\n')
    const path = await file(
      'large',
      `apiVersion: v1
kind: Config
clusters:
${entries(n => `- name: c${n}\n  cluster:\n    server: https://h${n}.example:6443\n    certificate-authority: ca.crt`)}
users:
${entries(n => `- name: u${n}\n  user:\n    token: t${n}`)}
contexts:
${entries(n => `- name: x${n}\n  context:\n    cluster: c${n}\n    user: u${n}\n    namespace: default`)}
`,
    )
    const config = valueIn(await loadKubeconfig([path]))
    expect(config.entries.contexts.size).toBe(1000)
    expect(valueIn(singleContext(config, 'x999')).cluster.settings?.server).toBe('https://h999.example:6443')
  })

  test('of several YAML documents the first counts, as for kubectl, and what is missed says so', async () => {
    const path = await file('several', `${WORK}---\n${WORK.replaceAll('work', 'play')}`)
    const config = valueIn(await loadKubeconfig([path]))
    expect([...config.entries.contexts.keys()]).toEqual(['work'])
    expect(valueIn(singleContext(config, null)).name).toBe('work')
    expect(failureIn(singleContext(config, 'play')).message).toContain(
      `Like kubectl, Lockkeeper reads only the first YAML document of ${path}.`,
    )
    const alone = valueIn(await loadKubeconfig([await file('one', WORK)]))
    expect(failureIn(singleContext(alone, 'play')).message).not.toContain('document')
  })

  test('KUBECONFIG is a list, else it is ~/.kube/config', () => {
    expect(defaultKubeconfigPaths({ KUBECONFIG: '/a:/b::/a' }, '/home/ada')).toEqual(['/a', '/b'])
    expect(defaultKubeconfigPaths({ KUBECONFIG: '' }, '/home/ada')).toEqual(['/home/ada/.kube/config'])
  })
})

describe('a fault of a file is reported without its contents', () => {
  test.each([
    ['a tab for indentation', 'users:\n- name: a\n  user:\n\ttoken: s3cr3t-token\n', 'line 4'],
    ['a quote that never ends', 'users:\n- name: a\n  user: { token: "s3cr3t-token }\n', 'line'],
    ['a token that breaks the mapping', 'users:\n  token: a: s3cr3t-token\n', 'line 2'],
    ['a list', '- s3cr3t-token\n', 'not a kubeconfig'],
    ['mere text', 's3cr3t-token', 'not a kubeconfig'],
  ])('%s', async (_, text, expected) => {
    const path = await file('broken', text)
    const loaded = await loadKubeconfig([path])
    expect(loaded).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', message: expect.stringContaining(expected) },
    })
    expect(JSON.stringify(loaded)).toContain(path)
    expect(JSON.stringify(loaded)).not.toContain('s3cr3t')
  })

  test('a folder instead of a file', async () => {
    expect(await loadKubeconfig([folder])).toMatchObject({
      failure: { message: expect.stringContaining('it is not a regular file') },
    })
  })
})

describe('one context, cut out', () => {
  test('a later switch of the current context does not reach it', async () => {
    const path = await file('a', WORK)
    const loaded = await loadKubeconfig([path])
    const context = singleContext(must(loaded.ok ? loaded.value : null, 'the file is well'), null)
    await writeFile(path, WORK.replace('current-context: work', 'current-context: other'))
    expect(context).toMatchObject({
      ok: true,
      value: { name: 'work', cluster: { name: 'shared' }, user: { name: 'red' } },
    })
  })

  test.each([
    ['a context that is not there offers those that are', 'nope', 'not-found', 'Contexts there: work'],
    ['a context whose cluster is not defined', 'no-cluster', 'bad-input', 'cluster "gone"'],
    ['a context whose user is not defined', 'no-user', 'bad-input', 'user "gone"'],
  ])('%s', async (_, name, code, text) => {
    const broken = `${WORK}- name: no-cluster
  context: { cluster: gone, user: red }
- name: no-user
  context: { cluster: shared, user: gone }
`
    const loaded = await loadKubeconfig([await file('a', broken)])
    expect(singleContext(must(loaded.ok ? loaded.value : null, 'the file is well'), name)).toMatchObject({
      ok: false,
      failure: { code, message: expect.stringContaining(text) },
    })
  })
})

describe('describing contexts', () => {
  const user = (name: string, fields: string) => `- { name: ${name}, user: ${fields} }`
  const SECRETS = ['s3cr3t', 'pa55word', 'S0VZ']

  test('every kind of user is named, the server is only its host, and no secret is shown', async () => {
    const kinds = [
      ['cert', '{ client-certificate-data: S0VZ, client-key-data: S0VZ }', 'client certificate'],
      ['cert-file', '{ client-certificate: a.crt, client-key: a.key }', 'client certificate'],
      ['token', '{ token: s3cr3t }', 'token'],
      ['token-file', '{ tokenFile: /run/s }', 'token'],
      ['basic', '{ username: ada, password: s3cr3t }', 'basic'],
      ['oidc', '{ auth-provider: { name: oidc, config: { id-token: s3cr3t } } }', 'oidc'],
      ['gcp', '{ auth-provider: { name: gcp, config: { access-token: s3cr3t } } }', 'other provider'],
      [
        'exec',
        '{ exec: { apiVersion: v1, command: ./login, args: [--now], env: [{ name: KEY, value: s3cr3t }] } }',
        'exec',
      ],
      ['none', '{}', 'none'],
    ] as const
    const path = await file(
      'a',
      `clusters:
- name: c
  cluster: { server: "https://user:pa55word@api.example:6443/p" }
users:
${kinds.map(([name, fields]) => user(name, fields)).join('\n')}
contexts:
${kinds.map(([name]) => `- { name: ${name}, context: { cluster: c, user: ${name} } }`).join('\n')}
`,
    )
    const described = await describeContexts([path])
    const contexts = must(described.ok ? described.value : null, 'the file is well')
    expect(contexts.map(({ name, credentials }) => [name, credentials])).toEqual(
      kinds.map(([name, , kind]) => [name, kind]),
    )
    expect(new Set(contexts.map(({ host }) => host))).toEqual(new Set(['api.example:6443']))
    expect(contexts.find(({ name }) => name === 'exec')?.execPlugin).toEqual({
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      file: path,
      user: 'exec',
      command: join(folder, 'login'),
      args: ['--now'],
      envNames: ['KEY'],
    })
    for (const secret of SECRETS) expect(JSON.stringify(contexts)).not.toContain(secret)
  })

  test('the fingerprint changes with any part of the command', async () => {
    const print = async (exec: object, name = 'u', from = '/f') =>
      execPluginOf(userOf(valueIn(await mergedOf([{ file: from, top: { users: [{ name, user: { exec } }] } }])), name))
        ?.described.fingerprint
    const base = { command: 'aws', args: ['a'], env: [{ name: 'K', value: 'v' }] }
    const fingerprints = [
      await print(base),
      await print({ ...base, command: 'aws2' }),
      await print({ ...base, args: ['a', ''] }),
      await print({ ...base, env: [{ name: 'K', value: 'w' }] }),
      await print({ ...base, env: [{ name: 'L', value: 'v' }] }),
      await print(base, 'other'),
      await print(base, 'u', '/g'),
    ]
    expect(new Set(fingerprints).size).toBe(fingerprints.length)
    // Consents of earlier versions are kept by it.
    expect(fingerprints[0]).toBe(
      createHash('sha256')
        .update(JSON.stringify(['/f', 'u', 'aws', ['a'], [['K', 'v']]]))
        .digest('hex'),
    )
  })
})
