import { expect, test } from 'vitest'
import { createStopSwitch } from '../../../../main/runs/engine/stop-switch.ts'
import { because } from '../../../../shared/words/reasons.ts'

test('a pause requested while the Lease is away still counts when the Lease is back', () => {
  const stop = createStopSwitch()
  stop.stop({ kind: 'lease-away' })
  stop.stop({ kind: 'pause' })
  stop.leaseIsBack()
  expect(stop.reason()).toEqual({ kind: 'pause' })
  expect(stop.signal.aborted).toBe(true)
  stop.unpause()
  expect([stop.reason(), stop.signal.aborted]).toEqual([null, false])
})

test('nothing continues after an abort, nor after a loss of the Lease', () => {
  for (const final of [
    { kind: 'abort', by: 'eva', reason: '' },
    { kind: 'lease-lost', why: because('LeaseTakenByOther', { held: 'Ana holds it.' }) },
  ] as const) {
    const stop = createStopSwitch()
    stop.stop({ kind: 'pause' })
    stop.stop(final)
    stop.stop({ kind: 'pause' })
    stop.unpause()
    stop.leaseIsBack()
    expect([stop.reason(), stop.signal.aborted]).toEqual([final, true])
  }
})
