import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storedAnswers } from './answers.ts'
import { askOurCloud, usedBySdk } from './ask-our-clouds.ts'
import { CLOUDS } from './clouds/all.ts'
import { FROM_OPENSTACKSDK } from './differences.ts'
import { localKeystone } from './local-keystone.ts'
import { startServers } from './local-servers.ts'

const { by, answers } = storedAnswers('openstacksdk')
const listed = new Set(Object.values(FROM_OPENSTACKSDK).flat())
const keystone = localKeystone()

let servers: Awaited<ReturnType<typeof startServers>>
beforeAll(async () => {
  servers = await startServers(keystone.answer)
})
afterAll(() => servers.close())

test('openstacksdk answered every situation, and no other', () => {
  expect(by).toMatch(/^openstacksdk \d/)
  expect(Object.keys(answers).sort()).toEqual(CLOUDS.map(({ name }) => name).sort())
  expect(CLOUDS.length).toBeGreaterThan(300)
})

test('every difference that is listed is of a situation, and under one reason', () => {
  const names = Object.values(FROM_OPENSTACKSDK).flat()
  expect(names.filter(name => answers[name] === undefined)).toEqual([])
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('every reason of a difference is documented for operators', () => {
  const reported = readFileSync(resolve(import.meta.dirname, '../../docs/real-clusters.md'), 'utf8').replace(
    /\s+/g,
    ' ',
  )
  expect(Object.keys(FROM_OPENSTACKSDK).filter(reason => !reported.includes(reason))).toEqual([])
})

describe('as openstacksdk: who logs in, and which addresses are used', () => {
  test.each(CLOUDS.map(situation => [situation.name, situation] as const))('%s', async (name, situation) => {
    const answer = answers[name]
    const theirs = answer === undefined ? null : usedBySdk(answer)
    const ours = await askOurCloud(situation, servers, keystone)
    // A host that is only there in the collector's network: that it would be asked without a proxy is what can be compared.
    const found = ours.isDirect ? (theirs?.proxy === null ? theirs : 'without a proxy') : ours.used
    if (listed.has(name)) expect(found, 'it is listed as a difference, but does not differ').not.toEqual(theirs)
    else expect(found, `openstacksdk said ${answer?.said}; ours ${ours.said}`).toEqual(theirs)
  })
})
