import type { ReactNode } from 'react'
import { countsOf, type InstanceEffect, type PlanEffects } from '../../../shared/domain/plan-effects.ts'
import { spanWords } from '../../../shared/grammar/durations.ts'
import type { ForecastState } from './use-plan.ts'

type Tone = 'moving' | 'stops' | 'waits' | 'failed' | 'rest'

/** The fate of an instance, in its colour on the map. */
const TONES: Readonly<Record<InstanceEffect['action'], Tone>> = {
  live_migrate: 'moving',
  cold_migrate: 'moving',
  evacuate: 'moving',
  stop: 'stops',
  poweroff: 'stops',
  notify: 'waits',
  blocked: 'failed',
  ignore: 'rest',
}
const ORDER: readonly Tone[] = ['moving', 'stops', 'waits', 'failed', 'rest']

interface Props {
  readonly effects: PlanEffects
  readonly forecast: ForecastState
}

/** A plan in five seconds: four figures, and the fate of its instances as one bar. */
export function PlanFigures({ effects, forecast }: Props): ReactNode {
  const counts = countsOf(effects)
  const stops = counts.stopped + counts.goingDown
  const pods = counts.evicted + counts.deleted
  const fates = ORDER.map(tone => ({
    tone,
    count: effects.instances.filter(({ action }) => TONES[action] === tone).length,
  })).filter(({ count }) => count > 0)
  return (
    <div className="plan-summary">
      <dl className="plan-figures">
        <Figure value={counts.moving} words={counts.moving === 1 ? 'moves' : 'move'} />
        {stops === 0 ? null : <Figure value={stops} words={stops === 1 ? 'stops' : 'stop'} tone="stops" />}
        {counts.waiting === 0 ? null : (
          <Figure
            value={counts.waiting}
            words={counts.waiting === 1 ? 'waits for its owner' : 'wait for their owners'}
            tone="waits"
          />
        )}
        {counts.blocked === 0 ? null : <Figure value={counts.blocked} words="blocked" tone="failed" />}
        {counts.staying === 0 ? null : (
          <Figure
            value={counts.staying}
            words={counts.staying === 1 ? 'stays as it is' : 'stay as they are'}
            tone="rest"
          />
        )}
        <Figure value={pods} words={pods === 1 ? 'pod leaves' : 'pods leave'} />
        <Duration moving={counts.moving} forecast={forecast} />
      </dl>
      {fates.length === 0 ? null : (
        <div className="plan-fate" aria-hidden="true">
          {fates.map(({ tone, count }) => (
            <span key={tone} data-tone={tone} style={{ flexGrow: count }} />
          ))}
        </div>
      )}
    </div>
  )
}

function Figure({
  value,
  words,
  tone,
}: {
  readonly value: number | string
  readonly words: string
  readonly tone?: Tone
}): ReactNode {
  return (
    <div data-tone={tone}>
      <dt>{words}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** How long the moves take, if measured. */
function Duration({ moving, forecast }: { readonly moving: number; readonly forecast: ForecastState }): ReactNode {
  if (moving === 0 || forecast.kind === 'not-asked') return null
  if (forecast.kind === 'reading') return <Figure value="…" words="reading the time" />
  const span = forecast.kind === 'read' ? forecast.forecast.evacuationMs : null
  return span === null ? (
    <Figure value="?" words="time unknown" />
  ) : (
    <Figure value={spanWords(span.low, span.high)} words="for the moves" />
  )
}
