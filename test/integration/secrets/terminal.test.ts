import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CliAnswer, lockkeeper } from '../../fixtures/cli/lockkeeper-process.ts'
import { everythingWritten } from '../../fixtures/secrets/everything-written.ts'
import { type SecretClouds, startSecretClouds, type WayName } from '../../fixtures/secrets/secret-clouds.ts'

/**
 * The terminal face in separate processes against clouds with known secrets, in every way that works and that fails.
 * Nothing it prints may hold one, nor anything that it left on disk.
 */
let directory: string
let data: string
let clouds: SecretClouds
const answers = new Map<string, CliAnswer>()

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lockkeeper-secrets-'))
  data = join(directory, 'data')
  clouds = await startSecretClouds(join(directory, 'clouds'))
})

afterAll(async () => {
  await clouds.demo.stop()
  await rm(directory, { recursive: true, force: true })
})

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CliAnswer> {
  const answer = await lockkeeper(data, args, { LOCKKEEPER_LOG: 'debug', ...env })
  answers.set(`${answers.size}: ${args.join(' ')}`, answer)
  return answer
}

function add(name: WayName): Promise<CliAnswer> {
  const { kubeconfig, cloudsYaml, cloud } = clouds.ways[name]
  return run(['cluster', 'add', name, '--kubeconfig', kubeconfig, '--clouds-yaml', cloudsYaml, '--cloud', cloud])
}

function lastPrinted(): string {
  const last = [...answers.values()].at(-1)
  return `${last?.stdout}${last?.stderr}`
}

/** Everything printed and written so far, by its place. */
async function found(): Promise<readonly string[]> {
  expect(clouds.addIssuedTokens()).toBeGreaterThan(0)
  const written = await everythingWritten(data, ['tokens'])
  const printed = [...answers].map(([name, { stdout, stderr }]) => [name, stdout + stderr] as const)
  return [...written, ...printed].flatMap(([place, text]) =>
    clouds.needles.foundIn(text).map(secret => `${secret} in ${place}`),
  )
}

describe('no secret is printed or written', () => {
  test('when everything works, with a client certificate, a token, a credential command and a secure.yaml', async () => {
    for (const name of ['certificate', 'bearer', 'command'] as const) expect((await add(name)).code).toBe(0)
    expect((await run(['cluster', 'consent', 'command', '--yes', '-v'])).code).toBe(0)
    expect((await run(['cluster', 'list', '-o', 'json'])).code).toBe(0)
    for (const name of ['certificate', 'bearer', 'command']) {
      expect(await run(['cluster', 'test', name, '-v'])).toMatchObject({ code: 0 })
      expect((await run(['nodes', name, '-o', 'json'])).code).toBe(0)
    }
    expect((await run(['instances', 'bearer', '-v'])).code).toBe(0)
    expect((await run(['plan', 'enter', 'command', 'cmp-01', '-v'])).code).toBe(0)
    expect(await run(['enter', 'certificate', 'cmp-01', '--yes', '-v'])).toMatchObject({ code: 0 })
    expect((await run(['leave', 'bearer', 'cmp-01', '--yes', '-o', 'json'])).code).toBe(0)
    const runs = await run(['runs', '-o', 'json'])
    const ids = (JSON.parse(runs.stdout) as { readonly id: string }[]).map(({ id }) => id)
    expect(ids).toHaveLength(2)
    for (const id of ids) expect((await run(['run', 'show', id, '-o', 'json', '-v'])).code).toBe(0)
    expect(await found()).toEqual([])
  })

  test.each(['wrong-password', 'refused', 'unverified', 'proxied', 'broken-clouds', 'broken-kubeconfig'] as const)(
    'when a cluster cannot be used: %s',
    async name => {
      expect((await add(name)).code).toBe(0)
      await clouds.breakFileOf(name)
      expect((await run(['cluster', 'test', name, '-v'])).code).not.toBe(0)
      await run(['cluster', 'test', name, '-v', '-o', 'json'])
      await run(['instances', name, '-v'])
      expect(await found()).toEqual([])
    },
  )

  test('when a credential command fails and prints what it knows', async () => {
    await add('failing-command')
    await run(['cluster', 'consent', 'failing-command', '--yes'])
    const { code, stdout, stderr } = await run(['nodes', 'failing-command', '-v'])
    expect(code).not.toBe(0)
    expect(stdout + stderr).toContain('exit code 3')
    expect(await found()).toEqual([])
  })

  test.each([401, 403, 500])('when Keystone answers %d and repeats the password', async status => {
    const { password, demo } = clouds
    const message = `${password} | ${encodeURIComponent(password)} | ${Buffer.from(password).toString('base64')}`
    const undo = demo.openstack.faults.onRequests({
      service: 'identity',
      method: 'POST',
      effect: { kind: 'status', status, json: { error: { code: status, title: message, message } } },
    })
    expect((await run(['cluster', 'test', 'certificate', '-v'])).code).not.toBe(0)
    await run(['cluster', 'test', 'command', '-o', 'json'])
    undo()
    if (status === 500) expect(lastPrinted(), 'the rest of Keystone’s words is printed').toContain('[redacted]')
    expect(await found()).toEqual([])
  })

  test.each([401, 403, 409, 500])('when the API server answers %d and repeats the token', async status => {
    const { bearer, demo } = clouds
    const message = `Bearer ${bearer}; bare ${bearer}; ${Buffer.from(bearer).toString('base64')}`
    const undo = demo.kubernetes.faults.answer({ path: /nodes|leases|selfsubject|version/ }, { status, message })
    for (const args of [
      ['cluster', 'test', 'bearer', '-v'],
      ['nodes', 'command', '-v'],
      ['plan', 'enter', 'bearer', 'cmp-02', '-o', 'json'],
    ]) {
      expect((await run(args)).code).not.toBe(0)
    }
    undo()
    if (status === 403) expect(lastPrinted(), 'the rest of the server’s words is printed').toContain('[redacted]')
    expect(await found()).toEqual([])
  })

  test.each([
    ['before the application is open', '1'],
    ['while it works', '2'],
  ])('when it crashes %s with an error that holds the key', async (_, at) => {
    const key = Buffer.from(
      /client-key-data: (\S+)/.exec(clouds.demo.kubernetes.kubeconfig())?.[1] ?? '',
      'base64',
    ).toString()
    const keyFile = join(directory, 'key.pem')
    await writeFile(keyFile, key)
    const preload = join(import.meta.dirname, '../../fixtures/secrets/crash-with-key.mjs')
    const crashed = await run(['nodes', 'certificate'], {
      NODE_OPTIONS: `--import=${preload}`,
      CRASH_AT: at,
      CRASH_KEY: keyFile,
    })
    expect(crashed.code).toBe(1)
    expect(crashed.stderr).toContain('the agent broke')
    const logs = [...(await everythingWritten(join(data, 'logs'))).values()].join('')
    if (at === '2') expect(logs).toContain('the agent broke')
    expect(await found()).toEqual([])
  })
})

test('the search itself works: it finds a kept token, which is on disk by design', async () => {
  clouds.addIssuedTokens()
  const kept = await everythingWritten(join(data, 'tokens'))
  expect(kept.size).toBeGreaterThan(0)
  for (const text of kept.values()) expect(clouds.needles.foundIn(text)).toEqual(['keystone-token'])
})

test('kept tokens, journal and logs are readable by their owner alone', async () => {
  const modeOf = async (path: string) => (await stat(join(data, path))).mode & 0o777
  for (const folder of ['.', 'tokens', 'logs']) expect(await modeOf(folder), folder).toBe(0o700)
  const files = [...(await everythingWritten(data)).keys()]
  expect(files.some(file => file.startsWith('journal.db'))).toBe(true)
  for (const file of files) expect(await modeOf(file), file).toBe(0o600)
})
