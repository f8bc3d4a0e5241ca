import { expect, test } from 'vitest'
import { flightsBy } from '../../../renderer/stores/flights.ts'
import type { ViewChange } from '../../../shared/domain/cluster-view.ts'
import { instanceView } from '../../fixtures/renderer/views.ts'

const now = (id: string, node: string | null): ViewChange => ({
  kind: 'instance',
  value: instanceView(id, { host: node, node }),
})

test.each<[string, string | null, readonly ViewChange[], readonly string[]]>([
  ['seen on another node, it flew there', 'cmp-01', [now('1', 'cmp-02')], ['cmp-01 to cmp-02']],
  ['changed otherwise, it stays', 'cmp-01', [now('1', 'cmp-01')], []],
  ['seen for the first time, it came from nowhere', 'cmp-01', [now('new', 'cmp-02')], []],
  ['on no node any more, it went nowhere', 'cmp-01', [now('1', null)], []],
  ['from no node, it came from nowhere', null, [now('1', 'cmp-02')], []],
  ['twice in one frame: to where it is now', 'cmp-01', [now('1', 'cmp-02'), now('1', 'cmp-03')], ['cmp-01 to cmp-03']],
  ['there and back in one frame: nowhere', 'cmp-01', [now('1', 'cmp-02'), now('1', 'cmp-01')], []],
  ['moved and deleted in one frame: nowhere', 'cmp-01', [now('1', 'cmp-02'), { kind: 'instance-gone', id: '1' }], []],
])('%s', (_rule, was, changes, flights) => {
  const before = new Map([['1', instanceView('1', { host: was, node: was })]])
  expect(flightsBy(before, changes).map(({ from, to }) => `${from} to ${to}`)).toEqual(flights)
})
