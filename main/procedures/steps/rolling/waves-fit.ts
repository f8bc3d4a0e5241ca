import type { Blocker } from '../../../../shared/domain/plan.ts'
import { judgeWaves } from '../../../../shared/domain/wave-judge.ts'
import type { JudgedWave, WaveProblem } from '../../../../shared/domain/waves.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { BY_FORCE, cannotAsk, count, evidence, readyUnless, some } from '../../answers.ts'
import { readWaveGround } from '../../plans/rolling/wave-ground.ts'

/** What is asked of instances: the other rules of waves are checks of their own when a run starts. */
const OF_INSTANCES: ReadonlySet<WaveProblem['rule']> = new Set(['anti-affinity', 'capacity'])

/**
 * The instances of each wave find a place in the rest of the cloud, wave after wave, by the judgement that was shown when the waves were made: so
 * that a start never goes by other rules than the plan. Where OpenStack's own controller moves the instances it only warns, for that waits by itself.
 */
export const wavesFit: Step<MaintenanceWorld> = {
  kind: 'waves-fit',
  role: 'compute',
  risk: 'none',
  why: 'What one node leaves free may be needed by the next one, and nodes that are out together may not hold each other’s instances.',
  title: () => 'The instances of each wave find a place',
  verifyEarly: false,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const read = await readWaveGround(ctx.world, null, { racks: false, signal: ctx.signal })
    if (!read.ok) return cannotAsk('The nodes of the waves', read.failure)
    const waves = wavesOf(input)
    const verdicts = judgeWaves(read.value.ground, { zones: 'spread', atOnce: {} }, waves).map(({ wave }) => wave)
    const broken = verdicts.flatMap(wave =>
      wave.problems.filter(({ rule }) => OF_INSTANCES.has(rule)).map(({ words }) => `${some(wave.nodes)}: ${words}`),
    )
    const warns = input.warns === true
    // An instance may move more than once: to a host that is in a later wave.
    const moves = verdicts.reduce((sum, { capacity }) => sum + capacity.moving, 0)
    return readyUnless(
      warns ? [] : broken.map(doesNotFit),
      `${count(moves, 'move')} in ${count(verdicts.length, 'wave')}${verdicts.some(isOpen) ? '' : ', and a place for each'}.`,
      {
        warnings: [...verdicts.flatMap(untold), ...(warns ? broken : [])],
        evidence: [
          evidence('waves', ctx.at(), { waves: verdicts.map(({ nodes, capacity }) => ({ nodes, ...capacity })) }),
        ],
      },
    )
  },
}

function doesNotFit(message: string): Blocker {
  return {
    code: 'wave-does-not-fit',
    message,
    remedy: 'Make the wave smaller, make room on other hosts, or leave the node out.',
    override: BY_FORCE,
  }
}

function isOpen({ capacity }: JudgedWave): boolean {
  return capacity.kind !== 'fits'
}

function untold({ nodes, capacity }: JudgedWave): readonly string[] {
  return capacity.kind === 'cannot-tell'
    ? [`${some(nodes)}: nobody can tell whether ${count(capacity.moving, 'instance')} fit: ${capacity.why}`]
    : []
}

function wavesOf({ waves }: StepInput): readonly { readonly nodes: string[] }[] {
  const names = (wave: unknown) => (Array.isArray(wave) ? wave.filter(name => typeof name === 'string') : [])
  return Array.isArray(waves) ? waves.map(wave => ({ nodes: names(wave) })) : []
}
