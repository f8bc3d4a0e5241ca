import type { ReactNode } from 'react'
import type { StillHere } from '../../../shared/domain/node-verdict.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import type { RunEnding } from '../../../shared/domain/run-ending.ts'
import { historyOfView } from '../../../shared/domain/run-history.ts'
import { stayWords, urgentFirst } from '../../../shared/words/node-verdict.ts'
import { changeList, listKey, NO_INSTANCE_FILTER } from '../../stores/instance-lists.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { InstanceMark } from '../../ui/instance-mark.tsx'
import { InstanceMode } from '../../ui/instances/mode-select.tsx'
import { setMarks } from '../../ui/instances/set-marks.ts'
import { When } from '../../ui/when.tsx'

interface Props {
  readonly view: RunView
  readonly ending: RunEnding
  readonly cluster: string
}

/** Every instance that is still on the node, why, and its migration mode to set. */
export function StillThere({ view, ending, cluster }: Props): ReactNode {
  if (ending.kind !== 'NodeNotEmpty' || ending.verdict.kind !== 'NotEmpty') return null
  const { node, verdict } = ending
  if (verdict.instances.length === 0) return null
  return (
    <ul className="run-end-list plain-list" aria-label={`Still on ${node}`}>
      {urgentFirst(verdict.instances).map(instance => (
        <li key={instance.id} className="row">
          <InstanceMark kind={instance.code === 'StopsWithNode' ? 'stops' : 'moves'} />
          <a
            className="mono strong"
            href={hashOf(clusterRoute(cluster, 'instances', { node }))}
            onClick={() => openInstance(cluster, node, instance.id)}
          >
            {instance.name}
          </a>
          <span className="grow quiet">
            <Why view={view} instance={instance} />
          </span>
          {/* For an instance on another node, or one to rescue, the mode of this node says nothing. */}
          {verdict.forcedDown || instance.code === 'AwaitsConfirmation' || instance.code === 'Arriving' ? null : (
            <div className="run-end-mode">
              <InstanceMode
                cluster={cluster}
                id={instance.id}
                called={instance.name}
                onMode={actions => void setMarks(cluster, [instance.id], actions)}
              />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** What the run tried, and who left it here. */
function Why({ view, instance }: { readonly view: RunView; readonly instance: StillHere }): ReactNode {
  const { decided, code, id } = instance
  const last = [...historyOfView(view).instances.values()].find(each => each.id === id)?.attempts.at(-1)
  const tried =
    last === undefined
      ? ''
      : last.stalled || last.slope === 'not-converging'
        ? 'Its move did not get done.'
        : last.end?.kind === 'failed' || last.end?.kind === 'given-up'
          ? last.number === 1
            ? 'Its move failed.'
            : `${last.number} tries failed.`
          : ''
  if (code !== 'LeftHere' || decided === null) return `${tried} ${sentence(stayWords(instance))}`.trim()
  return (
    <>
      {tried} {decided.by === '' ? 'Left here' : `${decided.by} left it here`} at <When at={decided.at} short />
      {decided.reason === '' ? '.' : `: ${decided.reason}`}
    </>
  )
}

function sentence(words: string): string {
  return `It ${words}.`
}

/** Makes the list of instances show only this one when it opens. */
function openInstance(cluster: string, node: string, id: string): void {
  changeList(listKey(cluster, node), { filter: NO_INSTANCE_FILTER, current: id, open: id })
}
