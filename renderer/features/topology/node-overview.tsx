import { Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { nodeBadge } from '../../../shared/words/actions.ts'
import { foreignMaintenanceWords } from '../../../shared/words/foreign-maintenances.ts'
import { taintsText } from '../../../shared/words/node-taints.ts'
import { LOCK_WORDS, READY_WORDS, ROLE_WORDS, SCHEDULING_WORDS } from '../../../shared/words/nodes.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { useNodeDetail } from '../../stores/node-detail.ts'
import { HostModeEditor } from '../../ui/instances/host-mode-editor.tsx'
import { Said } from '../../ui/said.tsx'
import { Age, When } from '../../ui/when.tsx'
import { useHolderWords } from './holder.tsx'
import { NodeConditions } from './node-conditions.tsx'
import { NodeMaintenance } from './node-maintenance.tsx'
import { NodeMoving } from './node-moving.tsx'
import { useNode } from './node-selectors.ts'
import { InstanceNumbers, Load } from './tile-parts.tsx'

interface Props {
  readonly cluster: string
  readonly name: string
}

/** The essential facts of a node. */
export function NodeOverview({ cluster, name }: Props): ReactNode {
  const node = useNode(cluster, name)
  if (node === null) return null
  return (
    <>
      <Notes node={node} />
      {node.runId === null ? null : <NodeMoving runId={node.runId} node={name} />}
      <NodeConditions node={node} />
      <NodeMaintenance cluster={cluster} node={name} place="above" />
      <dl className="facts">
        <Held cluster={cluster} node={node} />
        <Readiness node={node} />
        <Compute node={node} />
        <dt>Roles</dt>
        <dd>
          {node.roles.length === 0 ? 'none' : null}
          {node.roles.map(role => (
            <div key={role}>
              {ROLE_WORDS[role]}
              <span className="quiet"> by {sourcesOf(node, role)}</span>
            </div>
          ))}
        </dd>
        <dt>Zone</dt>
        <dd>
          {node.zone ?? 'none'}
          {node.rack === null ? '' : `, rack ${node.rack}`}
        </dd>
        <Locks locks={node.locks} />
        <Use node={node} />
        <dt>Address</dt>
        <dd className="mono">{node.internalIp ?? 'unknown'}</dd>
        <dt>Kubelet version</dt>
        <dd className="mono">{node.kubeletVersion}</dd>
        <dt>System</dt>
        <dd>{node.osImage === '' ? 'unknown' : node.osImage}</dd>
        <dt>Joined</dt>
        <dd>{node.createdAt === '' ? 'unknown' : <When at={node.createdAt} />}</dd>
      </dl>
      {node.roles.includes('compute') ? (
        <section className="topo-panel-section" aria-label="Mode of the node">
          <h3>Mode of the node</h3>
          <HostModeEditor cluster={cluster} node={name} />
        </section>
      ) : null}
      <NodeMaintenance cluster={cluster} node={name} place="below" />
      <NodeLabels name={name} />
    </>
  )
}

interface FactsProps {
  readonly node: NodeView
}

/** What an operator has to know before the facts: state, contradictions, other maintenance, taints. */
function Notes({ node }: FactsProps): ReactNode {
  return (
    <>
      {node.state === 'active' ? null : (
        <Callout compact intent={node.state === 'partial' ? 'warning' : 'none'} className="topo-why">
          <b>{nodeBadge(node)}.</b> {node.stateReason}
        </Callout>
      )}
      {node.roleContradictions.length === 0 ? null : (
        <Callout compact intent="warning" className="topo-why">
          <b>Its roles contradict each other.</b> {node.roleContradictions.join(' ')} Maintenance is blocked until this
          is resolved, or overridden.
        </Callout>
      )}
      <OthersAndRecords node={node} />
      {taintsText(node.taints) === '' ? null : (
        <Callout compact className="topo-why">
          {taintsText(node.taints)} Lockkeeper does not change taints of others.
        </Callout>
      )}
    </>
  )
}

/** Whether the node answers, and whether it takes new pods. */
function Readiness({ node }: FactsProps): ReactNode {
  return (
    <>
      <dt>Kubelet</dt>
      <dd>
        {READY_WORDS[node.ready]}
        {node.readinessSince === null ? null : (
          <span className="quiet">
            {' '}
            since <When at={node.readinessSince} /> (<Age at={node.readinessSince} />)
          </span>
        )}
        {node.ready === 'ready' || node.readinessText === '' ? null : <div className="quiet">{node.readinessText}</div>}
      </dd>
      <dt>Scheduling</dt>
      <dd>
        {SCHEDULING_WORDS[`${node.schedulable}`]}
        {node.schedulable === true && taintsText(node.taints) !== '' ? ' that tolerate its taints' : ''}
      </dd>
    </>
  )
}

/** What the node carries. */
function Use({ node }: FactsProps): ReactNode {
  return (
    <>
      <dt>Instances</dt>
      <dd className="topo-fact-instances">
        <InstanceNumbers counts={node.instances} />
      </dd>
      <dt>Load</dt>
      <dd className="topo-fact-capacity">
        {node.load === null ? (
          <span title="Placement does not answer, or does not know this host.">unknown</span>
        ) : (
          <Load load={node.load} numbers />
        )}
      </dd>
      <dt>Pods</dt>
      <dd className="topo-fact-pods">{node.pods ?? 'unknown'}</dd>
      <dt>Agents</dt>
      <dd className="topo-fact-agents">
        {node.agents === null ? 'unknown' : `${node.agents.alive} of ${node.agents.total} up`}
      </dd>
    </>
  )
}

/** Other maintenance of the node, and the meaning of its several records in Nova and Neutron. */
function OthersAndRecords({ node: { maintainedBy = [], records = [] } }: { readonly node: NodeView }): ReactNode {
  return (
    <>
      {maintainedBy.map(each => (
        <Callout key={`${each.code}/${each.object}`} compact intent="warning" className="topo-why">
          {foreignMaintenanceWords(each)}
        </Callout>
      ))}
      {records.map(({ code, message }) => (
        <Callout key={code} compact intent="warning" className="topo-why topo-records">
          <Said text={message} />
        </Callout>
      ))}
    </>
  )
}

/** The sources of a node's role. */
function sourcesOf({ roleSources }: NodeView, role: NodeView['roles'][number]): string {
  return roleSources
    .filter(reporter => reporter.role === role)
    .map(reporter => reporter.by)
    .join(', ')
}

function Held({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  const words = useHolderWords(cluster, node)
  if (words === null) return null
  return (
    <>
      <dt>Held</dt>
      <dd>{words.long}</dd>
    </>
  )
}

function Compute({ node }: { readonly node: NodeView }): ReactNode {
  const { computeService, roles } = node
  if (computeService === null && !roles.includes('compute')) return null
  return (
    <>
      <dt>Compute service</dt>
      <dd className="topo-fact-services">
        {computeService === null ? 'unknown' : `${computeService.status}, ${computeService.state}`}
        {computeService?.disabledReason ? <div className="quiet">{computeService.disabledReason}</div> : null}
      </dd>
    </>
  )
}

function Locks({ locks }: { readonly locks: NodeView['locks'] }): ReactNode {
  if (locks === null) return null
  return (
    <>
      <dt>Workload locks</dt>
      <dd className="topo-fact-locks">
        {locks.length === 0
          ? 'none'
          : locks.map(lock => (
              <div key={lock.controller}>
                {lock.controller}: {LOCK_WORDS[lock.state]}
                {lock.message === '' ? '' : ` (${lock.message})`}
              </div>
            ))}
      </dd>
    </>
  )
}

/** The labels of a node, folded: they decide its roles and zone. */
function NodeLabels({ name }: { readonly name: string }): ReactNode {
  const labels = useNodeDetail(store => (store.detail?.node === name ? store.detail.labels : null))
  if (labels === null) return null
  const all = Object.entries(labels).sort(([a], [b]) => naturally(a, b))
  return (
    <details className="topo-panel-section topo-labels">
      <summary>
        <b>Labels</b> <span className="quiet">{all.length}</span>
      </summary>
      <ul className="mono">
        {all.map(([key, value]) => (
          <li key={key}>{value === '' ? key : `${key}=${value}`}</li>
        ))}
      </ul>
    </details>
  )
}
