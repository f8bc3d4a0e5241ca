import { Checkbox, HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useMemo, useState } from 'react'
import type { InstanceForecast } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { MAINTENANCE_ACTIONS, type MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import { type InstanceEffect, namesOf } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { spanWords } from '../../../shared/grammar/durations.ts'
import { ACTION_WORDS, MARK_WORDS, SOURCE_WORDS } from '../../../shared/words/actions.ts'
import { markInstances } from '../../bridge/instances.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { actionTone } from '../action-tone.ts'
import { instancesInOrder, mentions, moves } from './plan-order.ts'
import type { ForecastState } from './use-plan.ts'

interface Props {
  readonly cluster: string
  readonly instances: readonly InstanceEffect[]
  readonly forecast: ForecastState
  readonly search: string
  /** Told when an instance's mark was changed here: the plan is another one then. */
  readonly onMarked: () => void
  /** Leaves instances out of Watcher's plan; null where it is not Watcher's plan. */
  readonly exclusion: Exclusion | null
}

/** Which instances are left out, and how to choose otherwise. */
interface Exclusion {
  readonly excluded: readonly string[]
  readonly onExclude: (excluded: readonly string[]) => void
}

const NO_OUTLOOK: ReadonlyMap<string, InstanceForecast> = new Map()

/** The instances of a plan: those that do not simply move or stay stand out with what can be done about them, the others are a line that opens. */
export function PlanInstances({ cluster, instances, forecast, search, onMarked, exclusion }: Props): ReactNode {
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
  const shown = ordered.filter(({ name, id, status, reason }) => mentions(search, [name, id, status, reason]))
  const isException = (effect: InstanceEffect) =>
    !UNREMARKABLE.has(effect.action) ||
    effect.warnings.length > 0 ||
    (moves(effect) && forecasts.get(effect.id)?.mayGoTo.length === 0)
  const exceptions = shown.filter(isException)
  const rest = shown.filter(effect => !isException(effect))
  const stranded = instances.filter(effect => moves(effect) && forecasts.get(effect.id)?.mayGoTo.length === 0).length
  const troubles = [
    ...(stranded === 0
      ? []
      : [
          `${counted(stranded, 'instance')} may have nowhere to go: the run would ask what to do after all attempts failed.`,
        ]),
    ...(forecast.kind === 'failed' ? [`Destinations are not known. ${forecast.failure.message}`] : []),
    ...(forecast.kind === 'read'
      ? forecast.forecast.unreachable.map(why => `Destinations are not all known. ${why}`)
      : []),
  ]
  const rowOf = (effect: InstanceEffect) => (
    <InstanceRow
      key={effect.id}
      cluster={cluster}
      effect={effect}
      called={names.get(effect.id) ?? effect.name}
      state={forecast.kind}
      forecast={forecasts.get(effect.id) ?? null}
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
      {shown.length === instances.length ? null : (
        <p className="quiet small">
          {shown.length} of {counted(instances.length, 'instance')} are shown.
        </p>
      )}
    </>
  )
}

/** What happens to most instances, and needs no word of its own. */
const UNREMARKABLE: ReadonlySet<InstanceEffect['action']> = new Set(['live_migrate', 'cold_migrate', 'ignore'])

/** `5 move live, 1 stays`. */
function movesInWords(effects: readonly InstanceEffect[]): string {
  const count = (action: InstanceEffect['action']) => effects.filter(effect => effect.action === action).length
  const [live, cold, stay] = [count('live_migrate'), count('cold_migrate'), count('ignore')]
  return [
    ...(live === 0 ? [] : [`${live} ${live === 1 ? 'moves' : 'move'} live`]),
    ...(cold === 0 ? [] : [`${cold} ${cold === 1 ? 'moves' : 'move'} stopped`]),
    ...(stay === 0 ? [] : [`${stay} ${stay === 1 ? 'stays' : 'stay'}`]),
  ].join(', ')
}

/** Where those that move may go, all of them together; empty while nobody knows. */
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
  readonly onMarked: () => void
  readonly exclusion: Exclusion | null
}

function InstanceRow({ cluster, effect, called, state, forecast, onMarked, exclusion }: RowProps): ReactNode {
  const { id, name, status, action, source, reason, warnings } = effect
  // A mark of its owner decides nothing where its state, Watcher or the operator's choice does.
  const canMark = action === 'notify' || (action === 'blocked' && (source === 'tag' || source === 'host-mode'))
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
          <span className="strong toned">{whatHappens(effect)}</span>{' '}
          <span className="quiet small">
            by {SOURCE_WORDS[source]}, {status}
          </span>
        </p>
        <p className="quiet small">{reason}</p>
        {state === 'not-asked' ? null : <Destinations moves={moves(effect)} state={state} forecast={forecast} />}
        {warnings.map(warning => (
          <p key={warning} className="caution small">
            {warning}
          </p>
        ))}
        <LeaveOut effect={effect} called={called} exclusion={exclusion} />
      </div>
      {canMark ? <ModeChoice cluster={cluster} id={id} name={name} onMarked={onMarked} /> : null}
    </li>
  )
}

interface ForecastProps {
  readonly moves: boolean
  readonly state: ForecastState['kind']
  readonly forecast: InstanceForecast | null
}

/** Where an instance may go and how long that may take, as far as that is known. */
function Destinations({ moves, state, forecast }: ForecastProps): ReactNode {
  if (!moves && forecast?.mayGoTo.length !== 0) return null
  if (forecast === null) {
    return <p className="quiet small">Destinations: {state === 'reading' ? 'asking' : 'not known'}</p>
  }
  return (
    <p className="quiet small">
      {forecast.mayGoTo.length === 0 ? (
        <b className="bad">It may go nowhere. </b>
      ) : (
        <span title={forecast.mayGoTo.join(', ')}>May go to {someHosts(forecast.mayGoTo)}. </span>
      )}
      {forecast.expectedMs === null ? null : (
        <span title="Usual time, and what nine in ten stay below">
          Takes {spanWords(forecast.expectedMs.low, forecast.expectedMs.high)}.{' '}
        </span>
      )}
      {forecast.note}
    </p>
  )
}

/** What is left where it is because the operator says so is not at rest. */
function whatHappens({ action, source }: InstanceEffect): string {
  return action === 'ignore' && source === 'operator' ? 'stays' : ACTION_WORDS[action]
}

/** Takes one instance out of Watcher's plan, or puts it in again. */
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
  // What Watcher does not plan cannot be left out of its plan.
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

interface ModeChoiceProps {
  readonly cluster: string
  readonly id: string
  readonly name: string
  readonly onMarked: () => void
}

type Asked =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Changes an instance's mark right where it stands in the way; what the cloud says then is read by making the plan anew. */
function ModeChoice({ cluster, id, name, onMarked }: ModeChoiceProps): ReactNode {
  const marks = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id)?.marks ?? null)
  const [asked, setAsked] = useState<Asked>({ kind: 'idle' })
  const current = marks === null || marks.length !== 1 ? '' : (marks[0] ?? '')
  const mark = async (value: string) => {
    const action: MaintenanceAction | undefined = MAINTENANCE_ACTIONS.find(each => each === value)
    setAsked({ kind: 'asked' })
    const { refused } = await markInstances(cluster, [{ id, actions: action === undefined ? [] : [action] }])
    const failure = refused[0]?.failure
    setAsked(failure === undefined ? { kind: 'idle' } : { kind: 'refused', failure })
    if (failure === undefined) onMarked()
  }
  return (
    <div className="plan-mode row">
      <HTMLSelect
        minimal
        aria-label={`Migration mode of ${name}`}
        disabled={asked.kind === 'asked'}
        value={current}
        onChange={({ currentTarget }) => void mark(currentTarget.value)}
      >
        <option value="">Mode of the host</option>
        {MAINTENANCE_ACTIONS.map(action => (
          <option key={action} value={action}>
            {MARK_WORDS[action]}
          </option>
        ))}
      </HTMLSelect>
      {asked.kind === 'asked' ? <span className="quiet">requested</span> : null}
      {asked.kind === 'refused' ? <span className="bad">{asked.failure.message}</span> : null}
    </div>
  )
}
