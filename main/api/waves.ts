import { createWaveJudge } from '../windows/wave-judge.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Requests about waves: which nodes may be worked on side by side. */
export function wavesHandlers(
  services: Pick<ApiServices, 'worlds' | 'clock'>,
): Pick<Handlers, 'waves.plan' | 'waves.judge'> {
  const { plan, judge } = createWaveJudge(services)
  return {
    'waves.plan': ({ cluster, nodes, wish }) => plan(cluster, nodes, wish),
    'waves.judge': ({ cluster, waves, wish }) => judge(cluster, waves, wish),
  }
}
