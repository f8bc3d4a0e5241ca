import { type ReactNode, useMemo } from 'react'
import { onlyStopsWithNode } from '../../../shared/domain/node-verdict.ts'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { nodesOf } from '../../../shared/domain/run-advance.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import type { RunEnding } from '../../../shared/domain/run-ending.ts'
import { NODE_VERDICT } from '../../../shared/domain/run-facts.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { NODE_STATE_WORDS } from '../../../shared/words/runs.ts'
import { areInstancesRead, lastOf, useViews } from '../../stores/views.ts'
import { MarkedWord, type MarkKind } from '../../ui/instance-mark.tsx'
import { happenedWords, markOf, triesWords } from '../../ui/runs/instance-words.ts'
import { followsMoves, type RunInstance } from '../../ui/runs/run-instances.ts'
import { useInstances } from './run-progress-card.tsx'

interface Props {
  readonly view: RunView
  readonly condition: RunCondition
  readonly leftAt: string | null
}

/** What happened to each instance of the node, or to each node. */
export function WhatHappened({ view, condition, leftAt }: Props): ReactNode {
  const instances = useInstances(view, condition, leftAt)
  if (!isNodeRun(view.plan.kind)) return <Nodes view={view} />
  if (instances.length === 0) return null
  return (
    <section className="panel-card" aria-label="What happened to each instance">
      <h2>What happened to each instance</h2>
      {followsMoves(view) ? null : <p className="quiet">The OpenStack controller moved them.</p>}
      <table className="table run-happened">
        <thead>
          <tr>
            <th scope="col">Instance</th>
            <th scope="col">What happened</th>
            <th scope="col">Now on</th>
            <th scope="col" className="right">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {instances.map(instance => (
            <tr key={instance.id}>
              <th scope="row" className="mono">
                {instance.name}
              </th>
              <td>
                <Happened instance={instance} />
              </td>
              <td>
                <NowOn view={view} instance={instance} />
              </td>
              <td className="right quiet number">{triesWords(instance)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Happened({ instance }: { readonly instance: RunInstance }): ReactNode {
  const kind: MarkKind | null =
    instance.state === 'waits' || instance.state === 'moving'
      ? null
      : MOVED.has(instance.state)
        ? 'moves'
        : markOf(instance)
  const word = happenedWords(instance)
  return kind === null || kind === 'moving' ? (
    <span className="quiet">{word}</span>
  ) : (
    <MarkedWord kind={kind} word={word} />
  )
}

const MOVED: ReadonlySet<RunInstance['state']> = new Set(['moved', 'gone'])

/** Where the instance is now, else where the run saw it arrive. */
function NowOn({ view, instance }: { readonly view: RunView; readonly instance: RunInstance }): ReactNode {
  const live = useViews(({ byCluster }) => lastOf(byCluster.get(view.plan.cluster)))
  const seen = live?.instances.get(instance.id)
  const on = seen?.node ?? instance.to
  if (live !== null && areInstancesRead(live) && seen === undefined && instance.to === null)
    return <span className="quiet">gone</span>
  return on === null ? <span className="quiet">–</span> : <span className="mono">{on}</span>
}

function Nodes({ view }: { readonly view: RunView }): ReactNode {
  const nodes = useMemo(() => nodesOf(view), [view])
  return (
    <section className="panel-card" aria-label="What happened to each node">
      <h2>What happened to each node</h2>
      <ul className="run-nodes plain-list">
        {nodes.map(({ node, state }) => (
          <li key={node} className={`run-node-row run-mark-${state}`}>
            <span className="mono strong cut grow">{node}</span>
            <span>{NODE_STATE_WORDS[state]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const BY_ROLE: Readonly<Record<string, string>> = {
  compute: 'Nova',
  general: 'Kubernetes',
  storage: 'Ceph',
  control: 'Kubernetes',
  gateway: 'Kubernetes',
}

/** What Lockkeeper found in the cloud after the work, and who said it. */
export function WhatWasVerified({ view, ending }: { readonly view: RunView; readonly ending: RunEnding }): ReactNode {
  const found = view.steps
    .filter(({ verify, facts }) => verify !== null && !facts.some(({ fact }) => fact === NODE_VERDICT))
    .map(({ step, verify }) => ({
      id: step.id,
      isOk: verify?.kind === 'holds',
      words: verify?.reason ?? '',
      by: BY_ROLE[step.role] ?? '',
    }))
  const left =
    ending.kind === 'NodeNotEmpty' && ending.verdict.kind === 'NotEmpty' && ending.verdict.instances.length > 0
      ? [
          {
            id: 'verdict',
            isOk: onlyStopsWithNode(ending.verdict),
            words: onlyStopsWithNode(ending.verdict)
              ? `Only what stops with ${ending.node} is left`
              : `${counted(ending.verdict.instances.length, 'instance')} on ${ending.node}`,
            by: 'Nova',
          },
        ]
      : []
  const lines = [...left, ...found]
  if (lines.length === 0) return null
  return (
    <section className="panel-card" aria-label="What was verified at the end">
      <h2>What {lines.every(({ isOk }) => isOk) ? 'was verified' : 'Lockkeeper found'} at the end</h2>
      <ul className="run-found plain-list">
        {lines.map(({ id, isOk, words, by }) => (
          <li key={id} className={isOk ? 'run-mark-done' : 'run-mark-failed'}>
            <span>{words}</span>
            <span className="small quiet">{by}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
