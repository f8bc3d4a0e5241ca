import { PassThrough } from 'node:stream'
import { Exec, KubeConfig } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { startKubernetesSimulator } from '../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { must } from '../../../shared/domain/must.ts'
import { emptyDisk } from '../../fixtures/engine/memory-journal.ts'
import { switchStep, toyCloud, toyPlan } from '../../fixtures/engine/toy-cloud.ts'
import { toyConsole } from '../../fixtures/engine/toy-console.ts'
import { createNeedles } from '../../fixtures/secrets/needles.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

test.each(['check', 'apply', 'verify'] as const)(
  'a step whose %s crashes with a raw error of the client journals and tells nothing of what that error holds',
  async verb => {
    const simulator = await startKubernetesSimulator({ clock: systemClock, seed: [] })
    try {
      const config = new KubeConfig()
      config.loadFromString(simulator.kubeconfig('admin'))
      const needles = createNeedles()
      const key = Buffer.from(must(config.getCurrentUser()?.keyData, 'the kubeconfig holds a key'), 'base64').toString()
      needles.add('key', key)
      const crash = async () => {
        const stream = new PassThrough()
        const raw: unknown = await new Exec(config)
          .exec('default', 'nobody', 'main', ['true'], stream, stream, null, false)
          .catch((error: unknown) => error)
        // Worse than the real one: its message contains the key too.
        throw Object.assign(new Error(`exec failed: ${key}`), { cause: raw })
      }
      const steps = [switchStep('first', { [verb]: crash })]
      const disk = emptyDisk()
      const made = toyConsole({ disk, clock: createVirtualClock({ auto: true }), steps })
      const started = made.engine.start(toyPlan(steps, { things: 1 }), toyCloud())
      if (!started.ok) throw new Error(started.failure.message)
      expect(await started.value.finished).not.toEqual({ kind: 'finished', outcome: 'done' })
      expect(needles.foundIn(JSON.stringify([disk.events, made.seen]))).toEqual([])
    } finally {
      await simulator.stop()
    }
  },
)
