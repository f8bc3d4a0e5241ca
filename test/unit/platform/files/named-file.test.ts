import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionSettings } from '../../../../main/adapters/kubernetes/connection.ts'
import { loadKubeconfig } from '../../../../main/adapters/kubernetes/kubeconfig.ts'
import { openTransport } from '../../../../main/adapters/openstack/transport.ts'
import { inspectClouds } from '../../../../main/clusters/inspect-files.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { kindAt, LARGEST_FILE, readNamedFile } from '../../../../main/platform/files/named-file.ts'
import { readYamlText } from '../../../../main/platform/files/yaml-text.ts'

let folder: string
const at = (name: string) => join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-named-'))
  writeFileSync(at('small'), 'clouds: {}\n', { mode: 0o640 })
  writeFileSync(at('exact'), 'x'.repeat(LARGEST_FILE))
  writeFileSync(at('large'), 'x'.repeat(LARGEST_FILE + 1))
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  for (const name of ['small', 'pipe', 'folder', 'large', 'none']) symlinkSync(at(name), at(`to-${name}`))
  symlinkSync(at('circle'), at('circle'))
  symlinkSync('/dev/zero', at('to-zero'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const REFUSED = [
  ['a pipe that nobody writes to', 'pipe', 'it is not a regular file'],
  ['a link to a pipe', 'to-pipe', 'it is not a regular file'],
  ['a device without end', '/dev/zero', 'it is not a regular file'],
  ['a link to a device', 'to-zero', 'it is not a regular file'],
  ['a terminal', '/dev/tty', 'it is not a regular file'],
  ['a folder', 'folder', 'it is not a regular file'],
  ['a link to a folder', 'to-folder', 'it is not a regular file'],
  ['more than 1 MB', 'large', 'it is larger than 1000000 bytes'],
  ['a link to more than 1 MB', 'to-large', 'it is larger than 1000000 bytes'],
  ['a link to itself', 'circle', 'its links form a circle'],
] as const
const pathOf = (name: string) => (name.startsWith('/') ? name : at(name))

describe('a file that somebody else named', () => {
  test('is read when it is a regular one, or a link to one', async () => {
    for (const name of ['small', 'to-small']) {
      expect(await readNamedFile(at(name))).toMatchObject({ kind: 'read', content: Buffer.from('clouds: {}\n') })
    }
    expect(await readNamedFile(at('exact'))).toMatchObject({ kind: 'read' })
  })

  test('is absent when nothing is there, also behind a link or a file', async () => {
    for (const name of ['none', 'to-none', 'small/below']) {
      expect(await readNamedFile(at(name)), name).toEqual({ kind: 'absent' })
    }
  })

  test.each(REFUSED)('is refused at once: %s', async (_words, name, why) => {
    const began = performance.now()
    expect(await readNamedFile(pathOf(name))).toMatchObject({ kind: 'refused', fault: { message: why } })
    expect(performance.now() - began).toBeLessThan(4000)
  })

  test('a file of /proc that says it is empty is limited by its contents', async () => {
    expect(await readNamedFile('/proc/self/status', 100)).toMatchObject({ kind: 'refused' })
    expect(await readNamedFile('/proc/self/status')).toMatchObject({ kind: 'read' })
  })

  test('many at once all get their turn', async () => {
    const read = await Promise.all(Array.from({ length: 100 }, () => readNamedFile(at('small'))))
    expect(new Set(read.map(({ kind }) => kind))).toEqual(new Set(['read']))
    expect(await kindAt(at('pipe'))).toBe('other')
  })
})

describe('every way that leads to a named file takes this one:', () => {
  const places = { environment: {}, home: '/none', currentDirectory: '/' }
  const ways: readonly (readonly [string, (path: string) => Promise<{ readonly ok: boolean }>])[] = [
    ['a clouds.yaml', path => inspectClouds(path, { places })],
    ['a kubeconfig', path => loadKubeconfig([path])],
    [
      'a certificate in a kubeconfig',
      path =>
        connectionSettings(
          {
            name: 'c',
            user: null,
            cluster: {
              name: 'c',
              file: '/x',
              fault: null,
              settings: { name: 'c', server: 'https://127.0.0.1:1', caFile: path, skipTLSVerify: false },
            },
          },
          {},
        ),
    ],
    [
      'a certificate in a clouds.yaml',
      path => openTransport({ name: 'c', caCertPath: path, insecure: false, clientCert: null }, systemClock, {}),
    ],
    [
      'a secure.yaml',
      path =>
        inspectClouds(at('small'), {
          places: { ...places, environment: { OS_CLIENT_SECURE_FILE: path } },
        }).then(answer => ({ ok: answer.ok && answer.value.clouds.length > 0 })),
    ],
  ]
  test.each(ways)('%s', async (_words, read) => {
    for (const [, name] of REFUSED) expect((await read(pathOf(name))).ok, name).toBe(false)
  })
})

const UNBOUNDED_AFTER_MS = 120_000

describe('YAML of others is read in bounded time, whatever it says:', () => {
  const list = (n: number, line: (n: number) => string) => Array.from({ length: n }, (_, at) => line(at)).join('\n')
  test.each([
    ['a billion laughs', `a0: &a0 [x]\n${list(20, n => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`)}]`)}`],
    [
      'a billion laughs of merges',
      `a0: &a0 {k: v}\n${list(20, n => `a${n + 1}: &a${n + 1}\n  <<: [${Array(9).fill(`*a${n}`)}]`)}`,
    ],
    ['an alias of itself', 'a: &a [*a]'],
    ['half a million brackets', '['.repeat(500_000)],
    ['deep mappings', '{a: '.repeat(200_000)],
    ['three hundred levels', `${'['.repeat(300)}${']'.repeat(300)}`],
    ['deep lists', '- '.repeat(400_000)],
    ['eighty thousand keys', list(80_000, n => `k${n}: v`)],
    ['forty thousand anchors', list(40_000, n => `- &a${n} x\n- *a${n}`)],
    ['a hundred thousand tags', '- !a x\n'.repeat(100_000)],
    ['a quarter of a million documents', '---\n'.repeat(250_000)],
    ['texts side by side', '"a" '.repeat(250_000)],
    ['as many faults as may be read', '}'.repeat(230_000)],
    ['as many open brackets as may be read', '['.repeat(230_000)],
    ['as many aliases as may be read, in a text as long', `- &a x\n${'- *a\n'.repeat(400)}${'- x\n'.repeat(55_000)}`],
  ])(
    '%s',
    (_words, text) => {
      expect(readYamlText(text)).toMatchObject({ ok: false })
      expect(readYamlText(text, { textOnly: true, mayRepeatKeys: true })).toMatchObject({ ok: false })
    },
    // What has no bound is not done in hours; a machine that is busy takes some seconds for what has one.
    UNBOUNDED_AFTER_MS,
  )

  test('a repeated key is refused at its line, or the last one counts where that is the rule', () => {
    expect(readYamlText('a: 1\nb:\n  c: 1\n  c: 2\n')).toMatchObject({ ok: false, line: 4, code: 'DUPLICATE_KEY' })
    expect(readYamlText('a: 1\na: 2\n', { mayRepeatKeys: true })).toMatchObject({ ok: true, value: { a: 2 } })
  })

  test('of several documents the first is read only by readers that allow it', () => {
    const text = 'a: 1\n---\na: 2\n'
    expect(readYamlText(text)).toMatchObject({ ok: false, code: 'MULTIPLE_DOCS', line: null })
    expect(readYamlText(text, { mayBeFirst: true })).toEqual({ ok: true, value: { a: 1 }, isFirst: true })
    expect(readYamlText('---\na: 1\n', { mayBeFirst: true })).toEqual({ ok: true, value: { a: 1 }, isFirst: false })
    expect(readYamlText('a: b: c\n---\na: 2\n', { mayBeFirst: true })).toMatchObject({ ok: false, line: 1 })
  })

  test('bytes that are not text are refused at their line, and never passed on as replacement characters', () => {
    const text = new TextDecoder().decode(Buffer.from('a: 1\n# für\npassword: gehäuse\n', 'latin1'))
    expect(readYamlText(text, { textOnly: true })).toMatchObject({
      ok: false,
      fault: { code: 'YamlNotText', values: { line: 2 } },
      code: 'NOT_TEXT',
    })
  })

  test('a value that stands for another one is not taken for what it stands for', () => {
    expect(readYamlText('password: !vault abc\n', { textOnly: true })).toMatchObject({ ok: false, code: 'TAG' })
    expect(readYamlText('password: !!str 012\n', { textOnly: true })).toMatchObject({ value: { password: '012' } })
  })

  test('as for Go, yes is true, merge keys are merged and times are texts', () => {
    const text = 'a: &a {truth: yes, time: 12:30:45, day: 2026-01-01}\nb: {<<: *a, truth: 0123}\n'
    const a = { truth: true, time: '12:30:45', day: '2026-01-01' }
    expect(readYamlText(text, { asGo: true })).toMatchObject({ ok: true, value: { a, b: { ...a, truth: 83 } } })
  })

  test('a key named like a part of every object stays a key', () => {
    const read = readYamlText('__proto__: {polluted: yes}\nconstructor: x\n')
    expect(read.ok && Object.hasOwn(Object(read.value), '__proto__')).toBe(true)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
