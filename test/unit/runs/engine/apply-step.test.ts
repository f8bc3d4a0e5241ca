import { expect, test } from 'vitest'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { verifyOnce } from '../../../../main/runs/engine/apply-step.ts'
import { createSleepWatch } from '../../../../main/runs/engine/sleep-watch.ts'
import { planStep, type StepContext } from '../../../../main/runs/engine/step.ts'
import { switchStep, type ToyCloud } from '../../../fixtures/engine/toy-cloud.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

test.each(['holds', 'fails', 'throws'] as const)(
  'a reading during which the machine slept does not count, whatever it answered: %s',
  async outcome => {
    const clock = createVirtualClock()
    const sleep = createSleepWatch(clock, () => {})
    const step = switchStep('first', {
      verify: async () => {
        // Between two reads of one look.
        clock.jump(60_000)
        sleep.look()
        if (outcome === 'throws') throw new Error('a connection broke')
        return outcome === 'holds'
          ? { kind: 'holds', reason: 'It passed.', evidence: [] }
          : { kind: 'fails', reason: 'It was not.', remedy: '', evidence: [], mayStillHold: true }
      },
    })
    const ends = { stop: new AbortController().signal, sleep }
    // The step does not use it.
    const contextWith = () => ({}) as StepContext<ToyCloud>
    expect(await verifyOnce(planStep(step, {}), step, contextWith, ends, silentLogger)).toEqual({ kind: 'slept' })
  },
)
