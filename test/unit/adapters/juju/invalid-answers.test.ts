import { expect, onTestFinished, test } from 'vitest'
import { createJujuPort } from '../../../../main/adapters/juju/juju-port.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { JujuPort } from '../../../../main/ports/juju.ts'
import type { Lie } from '../../../../main/wings/simulators/lie.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { withController } from '../../../fixtures/juju/juju-world.ts'

const SOON = { timeoutMs: 300 }

/** Each call with the requests it consists of. */
const TABLE: Readonly<
  Record<
    keyof JujuPort,
    { readonly requests: readonly string[]; readonly call: (port: JujuPort) => Promise<Result<unknown>> }
  >
> = {
  status: { requests: ['Client.FullStatus'], call: port => port.status() },
  applicationConfig: { requests: ['Application.Get'], call: port => port.applicationConfig('k8s') },
  runAction: {
    requests: ['Action.EnqueueOperation', 'Action.Actions', 'Action.ListOperations'],
    call: port => port.runAction('microceph/1', 'enter-maintenance', {}, SOON),
  },
  exec: { requests: ['Action.Run', 'Action.Actions'], call: port => port.exec('k8s/0', 'true', SOON) },
}
const LIES: readonly Lie[] = ['html', 'null', 'empty-object', 'empty-array', 'cut', 'other-key', 'other-object']

/** What is believed of a controller that tells this lie in answer to each request, one after the other. */
async function believedOf(lie: Lie): Promise<readonly string[]> {
  const believed: string[] = []
  await withController({}, async controller => {
    const { port, close } = createJujuPort({
      resolve: async () => ok({ ...controller, endpoints: [controller.address], warnings: [] }),
      clock: systemClock,
      log: silentLogger,
    })
    onTestFinished(close)
    expect(Object.keys(port).sort()).toEqual(Object.keys(TABLE).sort())
    for (const [name, { requests, call }] of Object.entries(TABLE)) {
      for (const request of requests) {
        if (lie === 'other-object' && !/Actions|Get|FullStatus/.test(request)) continue
        // The task has started, and a later request finds it: that is the truth, not the lie.
        if (request === 'Action.EnqueueOperation' && ['cut', 'other-key'].includes(lie)) continue
        const stop = controller.faults.lieAbout(request, lie)
        const answer = await call(port)
        stop()
        if (answer.ok || answer.failure.code === 'not-found') {
          believed.push(`${name}: ${lie} to ${request} gave ${JSON.stringify(answer).slice(0, 200)}`)
        }
      }
    }
  })
  return believed
}

// A controller for each lie: all of them run in parallel.
test('no question to Juju and no task of it believes an invalid answer', async () => {
  expect((await Promise.all(LIES.map(believedOf))).flat()).toEqual([])
  // Each question waits until its own limit for servers that say nothing.
}, 120_000)
