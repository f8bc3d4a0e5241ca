import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeContexts } from '../../../../main/adapters/kubernetes/describe-contexts.ts'
import { inspectClouds } from '../../../../main/clusters/inspect-files.ts'
import { readJobManifest } from '../../../../main/procedures/steps/rolling/job-manifest.ts'

// It is base64 too, so that every reader reads on.
const SECRET = 'pa55never0told0words'
let folder: string
let ran: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockkeeper-any-'))
  ran = join(folder, 'ran')
})
afterAll(() => rmSync(folder, { recursive: true }))

const kubeconfig = () => `apiVersion: v1
kind: Config
current-context: lab
clusters: [{name: lab, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: ${SECRET}}}]
users:
- name: admin
  user: {token: ${SECRET}, password: ${SECRET}, username: u}
- name: plugin
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: /usr/bin/touch, args: [${ran}], env: [{name: X, value: ${SECRET}}]}
contexts:
- {name: lab, context: {cluster: lab, user: admin}}
- {name: run, context: {cluster: lab, user: plugin}}
`
const clouds = () => `clouds:
  lab: &lab
    auth: {auth_url: "https://127.0.0.1:5000/v3", username: admin, password: ${SECRET}, project_name: admin}
    region_name: RegionOne
  other: {<<: *lab, interface: internal, verify: /etc/ssl/ca.pem}
`

/** Pieces that mean something to YAML, to paths, or to readers of the result. */
const PIECE = fc.oneof(
  fc.constantFrom(
    '\n',
    '  ',
    ': ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '&a ',
    '*a',
    '<<: ',
    '!!binary ',
    '|',
    '>',
    '#',
    '---\n',
    '\t',
    '\u0000',
    '\u202e',
    '__proto__: ',
    'null',
    '~',
    '.inf',
    '0x',
    '/dev/zero',
  ),
  fc.string({ maxLength: 8, unit: 'binary' }),
)
/** A good text that was cut, doubled, and had pieces put in. */
const mutated = (good: string) =>
  fc
    .array(fc.tuple(fc.nat(good.length), fc.nat(30), PIECE), { minLength: 1, maxLength: 6 })
    .map(edits => edits.reduce((text, [at, cut, piece]) => text.slice(0, at) + piece + text.slice(at + cut), good))

const SECRET_FIELDS: ReadonlySet<string> = new Set(['certificate-authority-data', 'token', 'password', 'value'])

/** Whether each secret still is all that a field for secrets has: a user whose name is a password cannot be named without it. */
function isInItsPlaces(text: string): boolean {
  const isClean = (value: unknown, key = ''): boolean => {
    if (typeof value === 'string') return !value.includes(SECRET) || (value === SECRET && SECRET_FIELDS.has(key))
    if (typeof value !== 'object' || value === null) return true
    return Object.entries(value).every(([name, inner]) => !name.includes(SECRET) && isClean(inner, name))
  }
  try {
    return isClean(parse(text))
  } catch {
    return true
  }
}

const WAYS = [
  ['a kubeconfig', kubeconfig, (path: string) => describeContexts([path])],
  [
    'a clouds.yaml',
    clouds,
    (path: string) => inspectClouds(path, { places: { environment: {}, home: '/none', currentDirectory: '/' } }),
  ],
] as const

describe.each(WAYS)('%s of any text', (_name, good, read) => {
  test('is read or fails in words, never throws, runs nothing and tells no secret', async () => {
    const path = join(folder, 'config')
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated(good()), fc.string({ maxLength: 300, unit: 'binary' })), async text => {
        writeFileSync(path, text)
        const answer = await read(path)
        if (!answer.ok) {
          expect(['bad-input', 'not-found']).toContain(answer.failure.code)
          expect(answer.failure.message).not.toBe('')
        }
        if (isInItsPlaces(text)) expect(JSON.stringify(answer)).not.toContain(SECRET)
        expect(existsSync(ran)).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})

test('a manifest of any text is a Job or is refused in words', () => {
  const good = 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {template: {spec: {containers: []}}}\n'
  fc.assert(
    fc.property(fc.oneof(mutated(good), fc.string({ maxLength: 300, unit: 'binary' })), text => {
      const read = readJobManifest(text)
      if (!read.ok) expect(read.failure.code).toBe('bad-input')
    }),
    { numRuns: 500 },
  )
})
