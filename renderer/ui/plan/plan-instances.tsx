import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { InstanceForecast } from '../../../shared/contract/index.ts'
import type { MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import type { LikelyPlaces } from '../../../shared/domain/likely-places.ts'
import { type CheckedPlan, isNodePlan, takesOut } from '../../../shared/domain/plan.ts'
import { type InstanceEffect, instanceOf, namesOf, openBlockers } from '../../../shared/domain/plan-effects.ts'
import { asSentence, upperFirst } from '../../../shared/grammar/counts.ts'
import { rangeWords } from '../../../shared/grammar/durations.ts'
import { effectWord } from '../../../shared/words/actions.ts'
import { sizeWords } from '../../../shared/words/instances.ts'
import { markInstances } from '../../bridge/instances.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { MarkedWord } from '../instance-mark.tsx'
import { InstanceMode, useMarkState } from '../instances/mode-select.tsx'
import { Said } from '../said.tsx'
import { FateBar, markOfEffect } from './plan-fates.tsx'
import { inFirstOrder, instancesInOrder, mentions, moves } from './plan-order.ts'
import { PlanSearch } from './plan-search.tsx'
import type { ForecastState } from './use-plan.ts'
import { type Exclusion, WatcherSelect } from './watcher-select.tsx'
import './plan-instances.css'

interface Props {
  readonly cluster: string
  readonly instances: readonly InstanceEffect[]
  readonly checked: CheckedPlan
  readonly forecast: ForecastState
  /** Where they probably go; null if nobody forecasts it. */
  readonly places: LikelyPlaces | null
  /** Called after a change of an instance's mode, which makes another plan necessary. */
  readonly onMarked: () => void
  /** Asks for the reason why an instance that blocks may stay; absent if the plan is only read. */
  readonly onLeave?: (id: string) => void
  /** Leaves instances out of Watcher's plan; null for other plans. */
  readonly exclusion: Exclusion | null
  /** A search from outside; absent if the table has its own. */
  readonly search?: string
}

/** A longer table can be searched. */
const SEARCHED_FROM = 12

const NO_FORECASTS: ReadonlyMap<string, InstanceForecast> = new Map()

/** Every instance of a plan: what happens, where it goes, how long it takes, and its mode to change in the row. */
export function PlanInstances(props: Props): ReactNode {
  const { cluster, instances, checked, forecast, places, onMarked, onLeave, exclusion, search } = props
  const [typed, setTyped] = useState('')
  const forecasts = useMemo(() => forecastsIn(forecast), [forecast])
  const ordered = useSteadyOrder(instances, forecasts)
  const names = useMemo(() => namesOf(instances), [instances])
  const leavable = useMemo(() => leavableIn(checked, instances), [checked, instances])
  if (instances.length === 0) return <p className="quiet">No instances on it.</p>
  const shown = ordered.filter(({ name, id, status }) => mentions(search ?? typed, [name, id, status]))
  const isForecast = forecast.kind !== 'not-asked' && instances.some(moves)
  const isTimed = [...forecasts.values()].some(({ expectedMs }) => expectedMs !== null)
  const { plan } = checked
  const isMarked = plan.options.scope === 'os' && (!isNodePlan(plan) || takesOut(plan.kind))
  return (
    <>
      <FateBar instances={instances}>
        {search === undefined && instances.length >= SEARCHED_FROM ? (
          <PlanSearch
            placeholder="Find an instance"
            label="Find an instance in this plan"
            value={typed}
            onChange={setTyped}
          />
        ) : forecast.kind === 'read' && forecast.forecast.evacuationMs !== null ? (
          <span className="quiet small" title={forecast.forecast.basis}>
            times measured on this cloud
          </span>
        ) : null}
      </FateBar>
      <Troubles forecast={forecast} />
      <table className="plan-table" data-forecast={isForecast} data-marked={isMarked} aria-label="Instances">
        <thead>
          <tr>
            <th scope="col">Instance</th>
            <th scope="col">What happens</th>
            {isForecast ? <th scope="col">Goes to</th> : null}
            {isTimed ? (
              <th scope="col" data-time>
                Time
              </th>
            ) : null}
            {isMarked ? <th scope="col">How</th> : null}
          </tr>
        </thead>
        <tbody>
          {shown.map(effect => (
            <InstanceRow
              key={effect.id}
              cluster={cluster}
              effect={effect}
              called={names.get(effect.id) ?? effect.name}
              isForecast={isForecast}
              isTimed={isTimed}
              isReading={forecast.kind === 'reading'}
              forecast={forecasts.get(effect.id) ?? null}
              likely={places?.hostOf.get(effect.id) ?? null}
              how={
                !isMarked ? null : exclusion !== null &&
                  (effect.source === 'watcher' || exclusion.excluded.includes(effect.id)) ? (
                  <WatcherSelect id={effect.id} called={names.get(effect.id) ?? effect.name} exclusion={exclusion} />
                ) : (
                  <PlannedMode
                    cluster={cluster}
                    effect={effect}
                    called={names.get(effect.id) ?? effect.name}
                    onMarked={onMarked}
                    onLeave={leavable.has(effect.id) ? onLeave : undefined}
                  />
                )
              }
            />
          ))}
        </tbody>
      </table>
      {shown.length === 0 ? <p className="quiet">No instance matches.</p> : null}
    </>
  )
}

/** The instances that block, and that the operator may accept to leave on the node. */
function leavableIn(checked: CheckedPlan, instances: readonly InstanceEffect[]): ReadonlySet<string> {
  return new Set(
    openBlockers(checked).flatMap(({ blocker }) =>
      blocker.override.kind === 'flag' && blocker.override.flag === 'force'
        ? (instanceOf(blocker, instances)?.id ?? [])
        : [],
    ),
  )
}

interface PlannedModeProps extends Pick<Props, 'cluster' | 'onMarked'> {
  readonly effect: InstanceEffect
  readonly called: string
  readonly onLeave: Props['onLeave']
}

/** The mode of an instance, and why its last change was refused; a new plan then reads what the cloud says. */
function PlannedMode({ cluster, effect, called, onMarked, onLeave }: PlannedModeProps): ReactNode {
  const { id } = effect
  const asked = useMarkState(cluster, id)
  const mark = async (actions: readonly MaintenanceAction[]) => {
    const { refused } = await markInstances(cluster, [{ id, actions }])
    if (refused.length === 0) onMarked()
  }
  return (
    <>
      <InstanceMode
        cluster={cluster}
        id={id}
        called={called}
        effect={effect}
        onMode={actions => void mark(actions)}
        onLeave={onLeave === undefined ? undefined : () => onLeave(id)}
      />
      {asked?.kind === 'refused' ? (
        <p className="bad small" role="alert">
          {asked.failure.message}
        </p>
      ) : null}
    </>
  )
}

/** The forecast of each instance, by its id. */
export function forecastsIn(forecast: ForecastState): ReadonlyMap<string, InstanceForecast> {
  return forecast.kind === 'read'
    ? new Map(forecast.forecast.instances.map(each => [each.id, each] as const))
    : NO_FORECASTS
}

/** The rows keep the order of the first plan: after a change of mode nothing jumps under the pointer. */
function useSteadyOrder(
  instances: readonly InstanceEffect[],
  forecasts: ReadonlyMap<string, InstanceForecast>,
): readonly InstanceEffect[] {
  const first = useRef<readonly string[]>([])
  return useMemo(() => {
    const ordered = inFirstOrder(instancesInOrder(instances, forecasts), first.current)
    first.current = ordered.map(({ id }) => id)
    return ordered
  }, [instances, forecasts])
}

/** What Lockkeeper could not read about the destinations. */
function Troubles({ forecast }: { readonly forecast: ForecastState }): ReactNode {
  const words =
    forecast.kind === 'failed'
      ? [`Destinations are unknown. ${forecast.failure.message}`]
      : forecast.kind === 'read'
        ? forecast.forecast.unreachable.map(why => `Some destinations are unknown. ${why}`)
        : []
  return words.map(each => (
    <p key={each} className="caution small">
      {each}
    </p>
  ))
}

interface RowProps {
  readonly cluster: string
  readonly effect: InstanceEffect
  readonly called: string
  readonly isForecast: boolean
  readonly isTimed: boolean
  readonly isReading: boolean
  readonly forecast: InstanceForecast | null
  readonly likely: string | null
  readonly how: ReactNode
}

function InstanceRow(props: RowProps): ReactNode {
  const { cluster, effect, called, isForecast, isTimed, isReading, forecast, likely, how } = props
  const { id, status, action, reason, warnings } = effect
  const nowhere = moves(effect) && forecast !== null && forecast.mayGoTo.length === 0
  const kind = nowhere ? 'blocked' : markOfEffect(effect)
  const word = nowhere ? 'Nowhere to go' : effectWord(effect)
  const notes = [...warnings, ...(nowhere && forecast.note !== null ? [forecast.note] : [])]
  return (
    <>
      <tr data-bad={kind === 'blocked'} data-noted={notes.length > 0}>
        <th scope="row">
          <span className="mono" title={`${called} (${id})`}>
            {called}
          </span>
          <InstanceSize cluster={cluster} id={id} />
        </th>
        <td title={`${status}. ${reason}`}>{kind === null ? word : <MarkedWord kind={kind} word={word} />}</td>
        {isForecast ? (
          <td>
            {nowhere ? (
              <None />
            ) : moves(effect) ? (
              <Destination isReading={isReading} forecast={forecast} likely={likely} />
            ) : action === 'notify' || action === 'blocked' ? (
              <None />
            ) : (
              <span className="quiet">stays here</span>
            )}
          </td>
        ) : null}
        {isTimed ? (
          <td>
            {forecast?.expectedMs == null ? <None /> : rangeWords(forecast.expectedMs.low, forecast.expectedMs.high)}
          </td>
        ) : null}
        {how === null ? null : <td>{how}</td>}
      </tr>
      {notes.length === 0 ? null : (
        <tr className="plan-row-notes" data-bad={kind === 'blocked'}>
          <td colSpan={2 + Number(isForecast) + Number(isTimed) + Number(how !== null)} className="caution small">
            {notes.map(words => (
              <p key={words}>
                <Said text={upperFirst(asSentence(words))} />
              </p>
            ))}
          </td>
        </tr>
      )}
    </>
  )
}

function None(): ReactNode {
  return (
    <span className="quiet" aria-hidden="true">
      –
    </span>
  )
}

/** The likely node, and how many others Nova may choose instead. */
function Destination({ isReading, forecast, likely }: Pick<RowProps, 'isReading' | 'forecast' | 'likely'>): ReactNode {
  if (forecast === null) return <span className="quiet">{isReading ? '…' : 'Nova chooses'}</span>
  const others = forecast.mayGoTo.filter(host => host !== likely)
  return (
    <span title={`Nova chooses one of ${forecast.mayGoTo.join(', ')}`}>
      {likely === null ? null : <b className="mono">{likely}</b>}
      {others.length === 0 ? null : (
        <span className="plan-more">
          {likely === null
            ? `one of ${others.length} nodes`
            : `or ${others.length} other${others.length === 1 ? '' : 's'}`}
        </span>
      )}
    </span>
  )
}

/** `8 vCPU · 16 GiB`, if Nova shows its flavor. */
function InstanceSize({ cluster, id }: { readonly cluster: string; readonly id: string }): ReactNode {
  const flavor = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id)?.flavor ?? null)
  return flavor === null ? null : <span className="plan-more">{sizeWords(flavor)}</span>
}
