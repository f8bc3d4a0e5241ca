import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { Dice } from './dice.ts'
import { type Disk, putDiskBeforeSqlite } from './disk.ts'

/** What a run of the simulation needs of the process it runs in. */
export interface ProcessChance {
  /** From now on ids and tokens come from these dice, and `Date.now` is this time. */
  use(dice: Dice, now: () => number): void
  /** What code put off with `setImmediate`, in its order; emptied by the call. */
  takeImmediates(): readonly (() => void)[]
  /** Lets everything that is ready settle. */
  settle(): Promise<void>
  readonly disk: Disk
}

/**
 * Takes time and chance of this process away from the code under test: nothing that the seed does not decide is left. A real timer is refused,
 * because what waits for one would not replay. Only for a process that does nothing else.
 */
export function takeProcessChance(): ProcessChance {
  const realImmediate = globalThis.setImmediate
  let dice: Dice | null = null
  let now = () => 0
  let immediates: { readonly run: () => void; cleared: boolean }[] = []
  const thrown = (): Dice => {
    if (dice === null) throw new Error('No simulation runs, so there is no chance')
    return dice
  }
  const bytes = (size: number): Buffer => {
    const buffer = Buffer.alloc(size)
    for (let at = 0; at < size; at += 1) buffer[at] = thrown().below(256)
    return buffer
  }
  const uuid = (): string => {
    const hex = bytes(16).toString('hex')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
  const randomInt = (low: number, high?: number) =>
    high === undefined ? thrown().below(low) : thrown().between(low, high - 1)
  const disk = putDiskBeforeSqlite()
  Object.assign(crypto, { randomUUID: uuid, randomBytes: bytes, randomInt })
  syncBuiltinESMExports()
  Math.random = () => thrown().random()
  Date.now = () => now()
  const noTimer = () => {
    throw new Error('A real timer in the simulation: whatever waits takes the injected clock')
  }
  const timers: Record<string, unknown> = {
    setTimeout: noTimer,
    setInterval: noTimer,
    setImmediate: (run: () => void) => {
      const entry = { run, cleared: false }
      immediates.push(entry)
      return entry
    },
    clearImmediate: (entry: { cleared: boolean }) => {
      entry.cleared = true
    },
  }
  Object.assign(globalThis, timers)
  return {
    use: (next, time) => {
      dice = next
      now = time
      immediates = []
    },
    takeImmediates: () => {
      const ready = immediates.filter(entry => !entry.cleared)
      immediates = []
      return ready.map(({ run }) => run)
    },
    disk,
    settle: () => new Promise(resolve => realImmediate(resolve)),
  }
}
