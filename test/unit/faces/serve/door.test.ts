import { expect, test, vi } from 'vitest'
import { createTabAccess } from '../../../../main/faces/serve/door.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

function doorAt() {
  let now = 0
  const door = createTabAccess(() => now)
  return {
    door,
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('a token lets one tab in, once', () => {
  const { door } = doorAt()
  const token = door.mint()
  const key = door.enter(token)
  expect(key).not.toBeNull()
  expect(door.knows(key)).toBe(true)
  expect(door.enter(token)).toBeNull()
})

test('nothing but the newest token is changed into a key', () => {
  const { door } = doorAt()
  expect(door.enter('')).toBeNull()
  const older = door.mint()
  const newer = door.mint()
  expect(door.enter(older)).toBeNull()
  expect(door.enter(newer.slice(0, -1))).toBeNull()
  expect(door.enter(newer)).not.toBeNull()
})

test('neither a token, nor nothing, nor the key of another console is a key', () => {
  const { door } = doorAt()
  const token = door.mint()
  const other = createTabAccess(() => 0)
  const key = door.enter(token)
  for (const given of [token, '', null, other.enter(other.mint()), key?.slice(1) ?? '']) {
    expect(door.knows(given)).toBe(false)
  }
})

test('each of two tabs has its own key', () => {
  const { door } = doorAt()
  const keys = [door.enter(door.mint()), door.enter(door.mint())]
  expect(keys[0]).not.toBe(keys[1])
  expect(keys.map(key => door.knows(key))).toEqual([true, true])
})

test('a token is good for ten minutes', () => {
  const { door, pass } = doorAt()
  const inTime = door.mint()
  pass(10 * MINUTE)
  expect(door.enter(inTime)).not.toBeNull()
  const tooLate = door.mint()
  pass(10 * MINUTE + 1)
  expect(door.enter(tooLate)).toBeNull()
})

test('a key that nobody uses ends after an hour', () => {
  const { door, pass } = doorAt()
  const key = door.enter(door.mint())
  pass(HOUR - 1)
  expect(door.knows(key)).toBe(true)
  pass(HOUR)
  expect(door.knows(key)).toBe(false)
})

test('a key that is used all the time ends after a day', () => {
  const { door, pass } = doorAt()
  const key = door.enter(door.mint())
  for (let minute = 0; minute < 24 * 60 - 30; minute += 30) {
    pass(30 * MINUTE)
    expect(door.knows(key)).toBe(true)
  }
  pass(30 * MINUTE)
  expect(door.knows(key)).toBe(false)
})

test('a token and a key are compared in the same time, whatever was given', async () => {
  const compared: number[] = []
  vi.doMock('node:crypto', async original => {
    const crypto = await original<typeof import('node:crypto')>()
    const timingSafeEqual: typeof crypto.timingSafeEqual = (a, b) => {
      compared.push(a.byteLength)
      return crypto.timingSafeEqual(a, b)
    }
    return { ...crypto, timingSafeEqual }
  })
  try {
    // A copy of the module: files of rules share their modules.
    const path = '../../../../main/faces/serve/door.ts?compared'
    const { createTabAccess: createWatched }: { createTabAccess: typeof createTabAccess } = await import(path)
    const door = createWatched(() => 0)
    const token = door.mint()
    door.enter('short')
    const key = door.enter(token)
    door.knows('short')
    door.knows(key)
    expect(compared).toEqual([32, 32, 32, 32])
  } finally {
    vi.doUnmock('node:crypto')
  }
})
