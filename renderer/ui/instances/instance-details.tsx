import { Button, Callout } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { tagOf } from '../../../shared/domain/instance-tags.ts'
import { ACTION_WORDS } from '../../../shared/words/actions.ts'
import { flavorWords, marksWords, oddities, powerWords, statusWords } from '../../../shared/words/instances.ts'
import { dismissRefusals } from '../../bridge/instances.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { lastOf, useInstancesRead, useViews } from '../../stores/views.ts'
import { MarkedWord, markOfAction } from '../instance-mark.tsx'
import { Age } from '../when.tsx'
import { MoveWords, useInstanceMove } from './instance-moves.tsx'
import { projectName } from './instance-order.ts'
import { InstanceMode, useMarkState } from './mode-select.tsx'
import { setMarks } from './set-marks.ts'
import './instance-details.css'

interface Props {
  readonly cluster: string
  readonly id: string
  readonly onClose: () => void
}

/** All details of one instance, what a maintenance would do to it, why, and what you can do about that. */
export function InstanceDetails({ cluster, id, onClose }: Props): ReactNode {
  const instance = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id) ?? null)
  const isRead = useInstancesRead(cluster)
  return (
    <aside className="inst-details rigid scrolls" aria-label={`Details of ${instance?.name ?? id}`}>
      <header>
        <h2 className="mono">{instance?.name ?? id}</h2>
        <Button variant="minimal" size="small" icon={<CrossIcon />} aria-label="Close the details" onClick={onClose} />
      </header>
      {instance === null ? (
        <p>{isRead ? 'Nova no longer lists it: it was deleted.' : 'Reading the instances of this cloud…'}</p>
      ) : (
        <Facts cluster={cluster} instance={instance} />
      )}
    </aside>
  )
}

interface FactsProps extends Pick<Props, 'cluster'> {
  readonly instance: InstanceView
}

function Facts({ cluster, instance }: FactsProps): ReactNode {
  const project = useViews(store =>
    projectName(instance.projectId, lastOf(store.byCluster.get(cluster))?.projects ?? new Map()),
  )
  const { node, host, flavor } = instance
  return (
    <>
      <Fate cluster={cluster} instance={instance} />
      <dl className="facts inst-facts">
        <dt>Project</dt>
        <dd>
          {project}
          {project === instance.projectId ? null : <div className="quiet mono">{instance.projectId}</div>}
        </dd>
        <dt>Node</dt>
        <dd>
          {node === null ? (
            (host ?? 'on no node')
          ) : (
            <button
              type="button"
              className="inst-name bare mono"
              onClick={() => goTo(clusterRoute(cluster, 'topology', { node }))}
            >
              {node}
            </button>
          )}
          {host !== null && host !== node && node !== null ? <div className="quiet">host {host}</div> : null}
        </dd>
        <dt>Zone</dt>
        <dd>{instance.zone ?? 'unknown'}</dd>
        <dt>Status</dt>
        <dd>{statusWords(instance)}</dd>
        <dt>State</dt>
        <dd>
          {instance.vmState ?? 'unknown'}, {powerWords(instance.powerState)}
        </dd>
        <dt>Flavor</dt>
        <dd>
          {flavor === null ? 'unknown' : flavor.name}
          {flavor === null ? null : <div className="quiet">{flavorWords(flavor)}</div>}
        </dd>
        <dt>Id</dt>
        <dd className="mono">{instance.id}</dd>
        {instance.volumes === 0 ? null : (
          <>
            <dt>Volumes</dt>
            <dd>{instance.volumes}</dd>
          </>
        )}
        {instance.locked ? (
          <>
            <dt>Locked</dt>
            <dd>yes</dd>
          </>
        ) : null}
        <dt>Changed</dt>
        <dd>{instance.updatedAt === null ? 'unknown' : <Age at={instance.updatedAt} />}</dd>
      </dl>
    </>
  )
}

/** What happens to the instance if its node goes out, why, and the choice of its mode. */
function Fate({ cluster, instance }: FactsProps): ReactNode {
  const move = useInstanceMove(instance.id)
  const { id, name, action, actionReason, marks, remedy } = instance
  const mark = markOfAction(action)
  return (
    <section aria-label="In maintenance" className="inst-fate">
      {move === null ? null : <MoveWords name={name} move={move} />}
      <h3>If its node goes out</h3>
      <p>{mark === null ? ACTION_WORDS[action] : <MarkedWord kind={mark} word={ACTION_WORDS[action]} />}</p>
      <InstanceMode cluster={cluster} id={id} called={name} onMode={actions => void setMarks(cluster, [id], actions)} />
      {remedy === null ? null : <p>{remedy}</p>}
      <details>
        <summary>Why?</summary>
        <p>{sentence(actionReason)}</p>
        {marks.map(each => (
          <code key={each}>{tagOf(each)}</code>
        ))}
      </details>
      <Refusal cluster={cluster} instance={instance} />
      {oddities(instance).map(words => (
        <p key={words} className="caution">
          {sentence(words)}
        </p>
      ))}
    </section>
  )
}

function Refusal({ cluster, instance }: { readonly cluster: string; readonly instance: InstanceView }): ReactNode {
  const state = useMarkState(cluster, instance.id)
  if (state?.kind !== 'refused') return null
  const { wanted, failure } = state
  return (
    <Callout compact intent="danger">
      <b>Not set to {marksWords(wanted)}</b>
      <p>{failure.message}</p>
      {failure.detail === undefined ? null : (
        <details>
          <summary>Technical detail</summary>
          <code>{failure.detail}</code>
        </details>
      )}
      <Button size="small" text="Try again" onClick={() => void setMarks(cluster, [instance.id], wanted)} />{' '}
      <Button size="small" variant="minimal" text="Dismiss" onClick={() => dismissRefusals(cluster, [instance.id])} />
    </Callout>
  )
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`
}
