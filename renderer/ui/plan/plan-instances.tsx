import { Checkbox } from '@blueprintjs/core'
import { type ReactNode, useMemo } from 'react'
import type { InstanceForecast } from '../../../shared/contract/index.ts'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import {
  blockersOf,
  type InstanceEffect,
  instanceIn,
  namesOf,
  warningsOf,
} from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { spanWords } from '../../../shared/grammar/durations.ts'
import { effectWord, SOURCE_WORDS } from '../../../shared/words/actions.ts'
import { naturally } from '../../geometry/natural-order.ts'
import type { UndoEntry } from '../../stores/edits.ts'
import { actionTone } from '../action-tone.ts'
import { Said } from '../said.tsx'
import { canMark, ModeChoice, SetByYou, useMarksSetHere } from './plan-mode.tsx'
import { instancesInOrder, mentions, moves } from './plan-order.ts'
import type { ForecastState } from './use-plan.ts'

interface Props {
  readonly cluster: string
  readonly instances: readonly InstanceEffect[]
  /** Blockers about an instance are shown above, not here; a note about one is shown in its row. */
  readonly checked: CheckedPlan
  readonly forecast: ForecastState
  readonly search: string
  /** Called after a change of an instance's mark, which makes another plan necessary. */
  readonly onMarked: () => void
  /** Leaves instances out of Watcher's plan; null for other plans. */
  readonly exclusion: Exclusion | null
}

/** Which instances are left out, and the buttons to change that. */
interface Exclusion {
  readonly excluded: readonly string[]
  readonly onExclude: (excluded: readonly string[]) => void
}

const NO_OUTLOOK: ReadonlyMap<string, InstanceForecast> = new Map()

/** The instances of a plan: unusual ones with what you can do about them, the others in a line that opens. */
export function PlanInstances(props: Props): ReactNode {
  const { cluster, instances, checked, forecast, search, onMarked, exclusion } = props
  const setHere = useMarksSetHere(cluster)
  const reported = useMemo(
    () => new Set(blockersOf(checked).flatMap(({ blocker }) => instanceIn(blocker.message, instances)?.id ?? [])),
    [checked, instances],
  )
  const warned = useMemo(
    () => Map.groupBy(warningsOf(checked), ({ words }) => instanceIn(words, instances)?.id ?? null),
    [checked, instances],
  )
  const forecasts = useMemo(
    () =>
      forecast.kind === 'read'
        ? new Map(forecast.forecast.instances.map(each => [each.id, each] as const))
        : NO_OUTLOOK,
    [forecast],
  )
  const ordered = useMemo(() => instancesInOrder(instances, forecasts), [instances, forecasts])
  const names = useMemo(() => namesOf(instances), [instances])
  if (instances.length === 0) return null
  const listed = ordered.filter(({ id }) => !reported.has(id))
  const shown = listed.filter(({ name, id, status, reason }) => mentions(search, [name, id, status, reason]))
  const isException = (effect: InstanceEffect) =>
    !UNREMARKABLE.has(effect.action) ||
    effect.warnings.length > 0 ||
    warned.has(effect.id) ||
    setHere.has(effect.id) ||
    (moves(effect) && forecasts.get(effect.id)?.mayGoTo.length === 0)
  const exceptions = shown.filter(isException)
  const rest = shown.filter(effect => !isException(effect))
  const troubles = troublesOf(instances, forecast, forecasts)
  const rowOf = (effect: InstanceEffect) => (
    <InstanceRow
      key={effect.id}
      cluster={cluster}
      effect={effect}
      called={names.get(effect.id) ?? effect.name}
      state={forecast.kind}
      forecast={forecasts.get(effect.id) ?? null}
      warnings={[...effect.warnings, ...(warned.get(effect.id) ?? []).map(({ words }) => words)]}
      setHere={setHere.get(effect.id) ?? null}
      onMarked={onMarked}
      exclusion={exclusion}
    />
  )
  return (
    <>
      {troubles.map(words => (
        <p key={words} className="caution">
          {words}
        </p>
      ))}
      {exceptions.length === 0 ? null : (
        <ul className="plan-exceptions plain-list" aria-label="Instances that do not simply move">
          {exceptions.map(rowOf)}
        </ul>
      )}
      {rest.length === 0 ? null : (
        <details className="plan-section" open={search !== ''}>
          <summary>
            <h3>
              {movesInWords(rest)} <span className="quiet">{whereInWords(rest, forecasts)}</span>
            </h3>
          </summary>
          {forecast.kind === 'read' ? <p className="quiet small">{forecast.forecast.basis}</p> : null}
          <ul className="plan-instances plain-list" aria-label="Instances">
            {rest.map(rowOf)}
          </ul>
        </details>
      )}
      {shown.length === listed.length ? null : (
        <p className="quiet small">
          Showing {shown.length} of {counted(listed.length, 'instance')}.
        </p>
      )}
    </>
  )
}

/** What the operator has to know about the destinations before the start. */
function troublesOf(
  instances: readonly InstanceEffect[],
  forecast: ForecastState,
  forecasts: ReadonlyMap<string, InstanceForecast>,
): readonly string[] {
  const stranded = instances.filter(effect => moves(effect) && forecasts.get(effect.id)?.mayGoTo.length === 0).length
  return [
    ...(stranded === 0
      ? []
      : [`${counted(stranded, 'instance')} may have nowhere to go. The run asks you after all attempts failed.`]),
    ...(forecast.kind === 'failed' ? [`Destinations are unknown. ${forecast.failure.message}`] : []),
    ...(forecast.kind === 'read'
      ? forecast.forecast.unreachable.map(why => `Some destinations are unknown. ${why}`)
      : []),
  ]
}

/** The usual fate of an instance, without a separate line. */
const UNREMARKABLE: ReadonlySet<InstanceEffect['action']> = new Set(['live_migrate', 'cold_migrate', 'ignore'])

/** `5 move live, 1 stays`. */
function movesInWords(effects: readonly InstanceEffect[]): string {
  const count = (action: InstanceEffect['action']) => effects.filter(effect => effect.action === action).length
  const [live, cold, stay] = [count('live_migrate'), count('cold_migrate'), count('ignore')]
  return [
    ...(live === 0 ? [] : [`${live} ${live === 1 ? 'moves' : 'move'} live`]),
    ...(cold === 0 ? [] : [`${cold} ${cold === 1 ? 'moves' : 'move'} with downtime`]),
    ...(stay === 0 ? [] : [`${stay} ${stay === 1 ? 'stays' : 'stay'}`]),
  ].join(', ')
}

/** The destinations of all moving instances; empty while unknown. */
function whereInWords(effects: readonly InstanceEffect[], forecasts: ReadonlyMap<string, InstanceForecast>): string {
  const hosts = new Set(effects.filter(moves).flatMap(({ id }) => forecasts.get(id)?.mayGoTo ?? []))
  return hosts.size === 0 ? '' : `may go to ${someHosts([...hosts].sort(naturally))}`
}

interface RowProps {
  readonly cluster: string
  readonly effect: InstanceEffect
  readonly called: string
  readonly state: ForecastState['kind']
  readonly forecast: InstanceForecast | null
  readonly warnings: readonly string[]
  /** The edit that set the mode from this page; null if there is none. */
  readonly setHere: UndoEntry | null
  readonly onMarked: () => void
  readonly exclusion: Exclusion | null
}

function InstanceRow(props: RowProps): ReactNode {
  const { cluster, effect, called, state, forecast, warnings, setHere, onMarked, exclusion } = props
  const { id, name, status, action, source, reason } = effect
  const nowhere = moves(effect) && forecast !== null && forecast.mayGoTo.length === 0
  return (
    <li
      className={`plan-instance${action === 'blocked' || nowhere ? ' plan-instance-bad' : ''}`}
      style={actionTone(action)}
    >
      <div className="grow breaks">
        <p>
          <b className="mono" title={id}>
            {called}
          </b>{' '}
          <span className="strong toned">{effectWord(effect)}</span>{' '}
          <span className="quiet small">
            by {SOURCE_WORDS[source]}, {status}
          </span>
        </p>
        <p className="quiet small">
          <Said text={reason} />
        </p>
        {state === 'not-asked' ? null : <Destinations moves={moves(effect)} state={state} forecast={forecast} />}
        {warnings.map(warning => (
          <p key={warning} className="caution small">
            <Said text={warning} />
          </p>
        ))}
        <LeaveOut effect={effect} called={called} exclusion={exclusion} />
      </div>
      {canMark(effect) ? <ModeChoice cluster={cluster} id={id} name={name} onMarked={onMarked} /> : null}
      {setHere === null ? null : <SetByYou cluster={cluster} name={name} entry={setHere} onMarked={onMarked} />}
    </li>
  )
}

interface ForecastProps {
  readonly moves: boolean
  readonly state: ForecastState['kind']
  readonly forecast: InstanceForecast | null
}

/** Where an instance may go and how long that may take, as far as known. */
function Destinations({ moves, state, forecast }: ForecastProps): ReactNode {
  if (!moves && forecast?.mayGoTo.length !== 0) return null
  if (forecast === null) {
    return <p className="quiet small">Destinations: {state === 'reading' ? 'reading' : 'unknown'}</p>
  }
  return (
    <p className="quiet small">
      {forecast.mayGoTo.length === 0 ? (
        <b className="bad">It has nowhere to go. </b>
      ) : (
        <span title={forecast.mayGoTo.join(', ')}>May go to {someHosts(forecast.mayGoTo)}. </span>
      )}
      {forecast.expectedMs === null ? null : (
        <span title="Usual time: median to 90th percentile">
          Takes {spanWords(forecast.expectedMs.low, forecast.expectedMs.high)}.{' '}
        </span>
      )}
      {forecast.note}
    </p>
  )
}

/** Leaves one instance out of Watcher's plan, or puts it back. */
function LeaveOut({
  effect: { id, source },
  called,
  exclusion,
}: {
  readonly effect: InstanceEffect
  readonly called: string
  readonly exclusion: Exclusion | null
}): ReactNode {
  if (exclusion === null) return null
  const { excluded, onExclude } = exclusion
  const isOut = excluded.includes(id)
  // An instance that Watcher does not plan cannot be left out.
  if (!isOut && source !== 'watcher') return null
  return (
    <Checkbox
      className="plan-leave-out"
      checked={isOut}
      aria-label={`Leave ${called} out of Watcher's plan`}
      label="Leave it out"
      onChange={({ currentTarget }) =>
        onExclude(currentTarget.checked ? [...excluded, id] : excluded.filter(other => other !== id))
      }
    />
  )
}

function someHosts(hosts: readonly string[]): string {
  return hosts.length <= 4 ? hosts.join(', ') : `${hosts.slice(0, 3).join(', ')} and ${hosts.length - 3} more`
}
