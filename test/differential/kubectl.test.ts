import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inOneForm, storedAnswers } from './answers.ts'
import { askOurs } from './ask-ours.ts'
import { FROM_KUBECTL } from './differences.ts'
import { KUBECONFIGS } from './kubeconfigs/all.ts'
import { startServers } from './local-servers.ts'

const { by, answers } = storedAnswers('kubectl')
const listed = new Set(Object.values(FROM_KUBECTL).flat())

let servers: Awaited<ReturnType<typeof startServers>>
beforeAll(async () => {
  servers = await startServers()
})
afterAll(() => servers.close())

test('kubectl answered every situation, and no other', () => {
  expect(by).toMatch(/^kubectl v\d/)
  expect(Object.keys(answers).sort()).toEqual(KUBECONFIGS.map(({ name }) => name).sort())
  expect(KUBECONFIGS.length).toBeGreaterThan(500)
})

test('every difference that is listed is of a situation, and under one reason', () => {
  const names = Object.values(FROM_KUBECTL).flat()
  expect(names.filter(name => answers[name] === undefined)).toEqual([])
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('every reason of a difference is documented for operators', () => {
  const reported = readFileSync(resolve(import.meta.dirname, '../../docs/real-clusters.md'), 'utf8').replace(
    /\s+/g,
    ' ',
  )
  expect(Object.keys(FROM_KUBECTL).filter(reason => !reported.includes(reason))).toEqual([])
})

describe('as kubectl: who is asked, and with what', () => {
  test.each(KUBECONFIGS.map(situation => [situation.name, situation] as const))('%s', async (name, situation) => {
    const theirs = answers[name]
    const ours = await askOurs(situation, servers)
    const expected = { outcome: theirs?.outcome, arrival: inOneForm(theirs?.arrival ?? null) }
    const found = { outcome: ours.outcome, arrival: inOneForm(ours.arrival) }
    // A host that is only there in the collector's network: that it would be asked without a proxy is what can be compared.
    const asked = ours.isDirect
      ? { ...expected, isDirect: theirs?.arrival?.proxy === null }
      : { ...found, isDirect: false }
    const wanted = { ...expected, isDirect: ours.isDirect }
    if (listed.has(name)) expect(asked, 'it is listed as a difference, but does not differ').not.toEqual(wanted)
    else expect(asked, `kubectl said ${theirs?.said}; ours ${ours.said}`).toEqual(wanted)
  })
})

describe('a fault in a file is reported as a fault of the file, not of the network', () => {
  test.each([
    ['certificate with the key of another', /is not the key of its client-certificate/],
    ['certificate with a key under a password', /Write it without a password\./],
    ['certificate without its key', /a client certificate without its key/],
    ['token with a line break at its end', /has a line break|contains a line break/],
    ['command whose token has a line break', /a token with a line break/],
    ['as a name with a line break', /has a line break|contains a line break/],
    ['UTF-16 without a mark', /UTF-16 without a byte order mark/],
    ['Latin-1 in a comment', /neither UTF-8 nor UTF-16/],
    ['authority in an invalid file', /and as base64 of PEM in certificate-authority-data\./],
    ['command that is missing', /its exec has no command/],
    ['authority with a broken key', /contains no readable certificate/],
    ['context without a cluster', /names no cluster\. Add the name of one/],
    ['address that is a template which was not filled in', /clusters\[0\]\.cluster\.server must be text .*template/],
    ['as in a pod, with another token file', /Contexts there: one without a name\./],
    ['tabs for blanks', /not valid YAML at line \d+ \(a tab in the indentation\)/],
  ] as const)('%s', async (name, words) => {
    const situation = KUBECONFIGS.find(each => each.name === name)
    expect(situation).toBeDefined()
    if (situation !== undefined) expect((await askOurs(situation, servers)).said).toMatch(words)
  })
})
