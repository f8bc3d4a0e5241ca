import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sentencesOf } from './sentences.ts'

const HOUSE = resolve(import.meta.dirname, '../../..')

/** Rooms whose answers are codes with values: shared/words makes their texts. */
const ROOMS = ['main/procedures', 'shared/domain']

/** By file, how many texts for people it still makes: this list gets shorter, and nothing is added to it. */
const STILL: Readonly<Record<string, number>> = {}

test('procedures and rules give codes with values, and make no text for people, but for what is counted here', () => {
  const found = Object.fromEntries(
    ROOMS.flatMap(room => globSync(`${room}/**/*.ts`, { cwd: HOUSE }))
      .toSorted()
      .flatMap(file => {
        const { length } = sentencesOf(file, readFileSync(join(HOUSE, file), 'utf8'))
        return length === 0 ? [] : [[file, length] as const]
      }),
  )
  expect(found).toEqual(STILL)
})

test.each([
  ['const text = `${node} could not be read: ${cause}`', true],
  ["const left = { why: 'the answer was not heard' }", true],
  ["title('Drain it.')", true],
  ["evidence('control nodes', at, {})", false],
  ["found('ControlQuorumStays', quorum)", false],
  ["throw new Error('Broken invariant: every step has a node')", false],
  ["must(node, 'compute steps are planned only where there is a cloud')", false],
] as const)('of %s it is said: %s', (code, is) => {
  expect(sentencesOf('main/a.ts', code).length > 0).toBe(is)
})
