import { expect, test } from 'vitest'
import { instanceChips } from '../../../renderer/geometry/instance-chips.ts'

test('what may come is drawn also on a tile that has no room for all of its chips', () => {
  const counts = { total: 40, live_migrate: 40, migrating: 0, poweroff: 0, notify: 0, ignore: 0, blocked: 0 }
  const drawn = instanceChips(counts, 0, 110, 1, 3)
  expect(drawn.ghosts).toBe(3)
  expect(drawn.chips.length + drawn.ghosts + drawn.more).toBe(43)
})
