import { type ReactNode, useMemo } from 'react'
import type { InstanceOutlook } from '../../../shared/contract/index.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { ACTION_WORDS, SOURCE_WORDS } from '../../words/actions.ts'
import { counted } from '../../words/numbers.ts'
import { spanWords } from '../../words/time.ts'
import { ModeChoice } from './mode-choice.tsx'
import { instancesInOrder, mentions } from './plan-order.ts'
import type { OutlookState } from './use-plan.ts'

interface Props {
  readonly cluster: string
  readonly instances: readonly InstanceEffect[]
  readonly outlook: OutlookState
  readonly search: string
  /** Told when an instance's mark was changed here: the plan is another one then. */
  readonly onMarked: () => void
}

const NO_OUTLOOK: ReadonlyMap<string, InstanceOutlook> = new Map()

/** Each instance of the node: what will happen to it, why, where it may go and how long that may take. */
export function PlanInstances({ cluster, instances, outlook, search, onMarked }: Props): ReactNode {
  const outlooks = useMemo(
    () =>
      outlook.kind === 'read' ? new Map(outlook.outlook.instances.map(each => [each.id, each] as const)) : NO_OUTLOOK,
    [outlook],
  )
  const ordered = useMemo(() => instancesInOrder(instances, outlooks), [instances, outlooks])
  if (instances.length === 0) return null
  const shown = ordered.filter(({ name, id, status, reason }) => mentions(search, [name, id, status, reason]))
  const stranded = instances.filter(
    ({ id, action }) => action === 'live_migrate' && outlooks.get(id)?.mayGoTo.length === 0,
  ).length
  const troubles = [
    ...(stranded === 0
      ? []
      : [
          `${counted(stranded, 'instance')} may have nowhere to go: the run would ask what to do after all attempts failed.`,
        ]),
    ...(outlook.kind === 'failed' ? [`Destinations are not known. ${outlook.failure.message}`] : []),
    ...(outlook.kind === 'read'
      ? outlook.outlook.unreachable.map(why => `Destinations are not all known. ${why}`)
      : []),
  ]
  return (
    <details className="plan-section" open>
      <summary>
        <h3>
          Instances
          <span className="quiet">
            {shown.length === instances.length
              ? counted(instances.length, 'instance')
              : `${shown.length} of ${instances.length}`}
          </span>
        </h3>
      </summary>
      {outlook.kind === 'read' ? <p className="quiet">{outlook.outlook.basis}</p> : null}
      {troubles.map(words => (
        <p key={words} className="plan-warning">
          {words}
        </p>
      ))}
      <table className="plan-table plan-instances">
        <thead>
          <tr>
            <th scope="col">Instance</th>
            <th scope="col">Status</th>
            <th scope="col">What happens</th>
            <th scope="col">May go to</th>
            <th scope="col">Takes</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(effect => (
            <InstanceRow
              key={effect.id}
              cluster={cluster}
              effect={effect}
              outlook={outlooks.get(effect.id) ?? null}
              isReading={outlook.kind === 'reading'}
              onMarked={onMarked}
            />
          ))}
        </tbody>
      </table>
    </details>
  )
}

interface RowProps {
  readonly cluster: string
  readonly effect: InstanceEffect
  readonly outlook: InstanceOutlook | null
  readonly isReading: boolean
  readonly onMarked: () => void
}

function InstanceRow({ cluster, effect, outlook, isReading, onMarked }: RowProps): ReactNode {
  const { id, name, status, action, source, reason, warnings } = effect
  const canMark = action === 'notify' || (action === 'blocked' && source !== 'state')
  const nowhere = action === 'live_migrate' && outlook !== null && outlook.mayGoTo.length === 0
  return (
    <tr className={action === 'blocked' || nowhere ? 'plan-row-bad' : ''}>
      <td>
        <b title={id}>{name}</b>
      </td>
      <td>{status}</td>
      <td>
        <span className={`plan-action plan-action-${action}`}>{ACTION_WORDS[action]}</span>{' '}
        <span className="quiet">by {SOURCE_WORDS[source]}</span>
        <div className="quiet">{reason}</div>
        {warnings.map(warning => (
          <div key={warning} className="plan-warning">
            {warning}
          </div>
        ))}
        {canMark ? <ModeChoice cluster={cluster} id={id} name={name} onMarked={onMarked} /> : null}
      </td>
      <td>
        {action !== 'live_migrate' ? (
          <span className="quiet">stays</span>
        ) : outlook === null ? (
          <span className="quiet">{isReading ? 'asking' : 'not known'}</span>
        ) : (
          <>
            {outlook.mayGoTo.length === 0 ? (
              <b className="plan-bad">nowhere</b>
            ) : (
              <span title={outlook.mayGoTo.join(', ')}>{someHosts(outlook.mayGoTo)}</span>
            )}
            {outlook.note === null ? null : <div className="quiet">{outlook.note}</div>}
          </>
        )}
      </td>
      <td className="plan-nowrap">
        {outlook?.expectedMs == null ? (
          <span className="quiet" title={action === 'live_migrate' ? 'Nothing was measured here yet.' : undefined}>
            {action === 'live_migrate' ? '?' : ''}
          </span>
        ) : (
          <span title="Usual time, and what nine in ten stay below">{spanWords(outlook.expectedMs)}</span>
        )}
      </td>
    </tr>
  )
}

function someHosts(hosts: readonly string[]): string {
  return hosts.length <= 4 ? hosts.join(', ') : `${hosts.slice(0, 3).join(', ')} and ${hosts.length - 3} more`
}
