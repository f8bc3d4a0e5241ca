import { expect, test } from 'vitest'
import {
  type AllClouds,
  homeFacts,
  homeTitle,
  isPartlyOld,
  outBadge,
} from '../../../renderer/features/clusters/home-claims.ts'
import type { LiveState } from '../../../renderer/stores/views.ts'
import type { SourceName, SourceState } from '../../../shared/domain/cluster-view.ts'
import type { NodeVerdict } from '../../../shared/domain/node-verdict.ts'
import { nodeView } from '../../fixtures/renderer/views.ts'

const AT = '2026-11-21T02:00:00.000Z'
const ALL: AllClouds = { clouds: 2, nodes: 5, inService: 5, out: 0, waiting: 0, silent: 0, partly: 0 }
const READ = { needs: 0, isSettled: true, isRead: true, unread: 0, isJournalWhole: true, isGuided: false }

test('nothing needs you once everything is read', () => {
  expect(homeTitle(ALL, READ)).toBe('Nothing needs you')
})

test.each([
  ['a cloud still connects', { waiting: 1 }, {}, '1 of 2 clouds is still connecting'],
  ['a cloud is silent', { silent: 2 }, {}, '2 of 2 clouds do not answer'],
  ['a cloud answers in part', { partly: 1 }, {}, '1 of 2 clouds answers only in part'],
  ['runs or windows are unread', {}, { isRead: false }, 'Reading what needs you…'],
  ['a runner did not answer', {}, { unread: 1 }, 'Not all campaigns could be read'],
  ['the journal is damaged', {}, { isJournalWhole: false }, 'The journal is only partly readable'],
  ['the page has just opened', {}, { isSettled: false }, 'Connecting to 2 clouds…'],
  ['something needs you', { waiting: 1, silent: 1 }, { needs: 1 }, '1 thing needs you'],
])('home does not say that nothing needs you while %s', (_why, seen, known, title) => {
  expect(homeTitle({ ...ALL, ...seen }, { ...READ, ...known })).toBe(title)
})

test('Home says all in service only when all nodes are read and current', () => {
  expect(homeFacts(ALL, 0, 0)).toBe('2 clouds, 5 nodes, all in service')
  for (const unproved of [{ waiting: 1 }, { silent: 1 }, { partly: 1 }, { nodes: 0, inService: 0 }, { inService: 4 }]) {
    expect(homeFacts({ ...ALL, ...unproved }, 0, 0)).not.toContain('all in service')
  }
})

function picture(name: SourceName, state: SourceState): LiveState {
  return {
    kind: 'open',
    live: {
      seq: 1,
      warnings: [],
      sources: new Map([[name, { name, state, everyMs: null }]]),
      nodes: new Map(),
      instances: new Map(),
      projects: new Map(),
      maintenance: null,
    },
  }
}

test('a cloud whose instances are out of date answers in part', () => {
  const offline = { kind: 'offline', since: AT, why: 'Nova answers with a page.' } as const
  expect(isPartlyOld(picture('instances', offline))).toBe(true)
  expect(isPartlyOld(picture('instances', { kind: 'live', lastAnswerAt: AT }))).toBe(false)
  expect(isPartlyOld(picture('network-agents', offline))).toBe(false)
})

test('a node is safe to power off only by a proof that is not out of date', () => {
  const verdict: NodeVerdict = { kind: 'Empty', at: AT, looked: [], off: [], declined: [] }
  const node = nodeView('cmp-01', { state: 'maintenance', verdict })
  expect(outBadge(node, false).words).toBe('Empty, safe to power off')
  expect(outBadge(node, true)).toEqual({ tone: 'waits', words: 'Empty when last seen' })
  const stops = { id: '1', name: 'cache-01', code: 'StopsWithNode' as const, status: 'ACTIVE', decided: null }
  const agreed: NodeVerdict = {
    kind: 'NotEmpty',
    at: AT,
    looked: [],
    instances: [stops],
    pods: [],
    unread: [],
    declined: [],
  }
  expect(outBadge({ ...node, verdict: agreed }, false).words).toBe('Empty but for cache-01, safe to power off')
  expect(outBadge({ ...node, verdict: agreed }, true)).toEqual({
    tone: 'waits',
    words: 'Empty but for cache-01, when last seen',
  })
  expect(outBadge({ ...node, verdict: null }, false).words).toBe('Cannot tell whether it is empty')
})
