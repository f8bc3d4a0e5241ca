import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KubernetesSession } from '../../main/adapters/kubernetes/session.ts'
import { type FakeAnswer, type FakeApi, startFakeApi, status } from '../fixtures/kubernetes/fake-api.ts'
import { answersOf, askOurs } from './rockoon/ask-ours.ts'
import { rockoonAnswers } from './rockoon/collect.ts'
import { FROM_ROCKOON } from './rockoon/differences.ts'
import { SITUATIONS } from './rockoon/situations.ts'

const { by, answers } = rockoonAnswers()

/** What the API server of a situation serves. */
let served: Readonly<Record<string, FakeAnswer>> = {}
let api: FakeApi
let session: KubernetesSession
beforeAll(async () => {
  api = await startFakeApi(({ path }) => served[path] ?? status(404, 'NotFound', 'the server could not find it'))
  session = await api.session()
})
afterAll(() => api.close())

const differing = new Map(FROM_ROCKOON.map(({ reason }) => [reason, 0]))

test('Rockoon answered every situation, and no other', () => {
  expect(by).toMatch(/^Rockoon [0-9a-f]{8}, /)
  const names = SITUATIONS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(Object.keys(answers).sort()).toEqual(names.sort())
  expect(names.length).toBeGreaterThan(1_400)
})

test('Rockoon answers both ways, and by each of its conditions', () => {
  const kinds = new Set(Object.values(answers).map(({ lock, why }) => `${lock} ${why ?? ''}`.trim()))
  expect([...kinds].sort()).toEqual([
    'active',
    'active controller version',
    'active health',
    'active limits',
    'active lock release',
    'active release',
    'active services',
    'active state',
    'inactive',
  ])
})

test('every reason of a difference is documented for operators', () => {
  const reported = readFileSync(resolve(import.meta.dirname, '../../docs/real-clusters.md'), 'utf8').replace(
    /\s+/g,
    ' ',
  )
  expect(FROM_ROCKOON.filter(({ reason }) => !reported.includes(reason))).toEqual([])
})

describe('as Rockoon: what becomes of the lock', () => {
  test.each(SITUATIONS.map(situation => [situation.name, situation] as const))('%s', async (name, situation) => {
    served = answersOf(situation)
    const ours = await askOurs(situation, session)
    const theirs = answers[name]
    if (ours === theirs?.lock) return
    const reasons = FROM_ROCKOON.filter(({ names }) => names.test(name)).map(({ reason }) => reason)
    expect(reasons, `Rockoon: ${JSON.stringify(theirs)}; ours: ${ours}`).toHaveLength(1)
    for (const reason of reasons) differing.set(reason, (differing.get(reason) ?? 0) + 1)
  })

  test('no more and no fewer differ than are listed', () => {
    expect(Object.fromEntries(differing)).toEqual(
      Object.fromEntries(FROM_ROCKOON.map(each => [each.reason, each.count])),
    )
  })
})
