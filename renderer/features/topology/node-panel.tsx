import { Button, NonIdealState, Tab, Tabs } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useRef } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { EventOfNode, ServiceOfNode } from '../../../shared/domain/node-detail.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { followNode } from '../../bridge/nodes.ts'
import { PANEL_TABS, type PanelTab, useTopology } from '../../stores/topology.ts'
import { InstanceTable } from '../../ui/instances/instance-table.tsx'
import { Age } from '../../ui/when.tsx'
import { DetailSection } from './detail-section.tsx'
import { Lamp } from './lamp.tsx'
import { NodeHistory } from './node-history.tsx'
import { NodeOverview } from './node-overview.tsx'
import { NodePods } from './node-pods.tsx'
import { useNode } from './node-selectors.ts'
import { TakeButton } from './take-button.tsx'
import { StateBadge } from './tile-parts.tsx'

interface Props {
  readonly cluster: string
  readonly name: string
  readonly onClose: () => void
}

const TAB_WORDS: Readonly<Record<PanelTab, string>> = {
  overview: 'Overview',
  instances: 'Instances',
  pods: 'Pods',
  services: 'Services',
  osds: 'OSDs',
  events: 'Events',
  history: 'History',
}

/** All details of one node, beside the map. Escape closes it; the map stays usable. */
export function NodePanel({ cluster, name, onClose }: Props): ReactNode {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => followNode(cluster, name), [cluster, name])
  return (
    <aside
      ref={panel}
      className="topo-panel column"
      aria-label={`Node ${name}`}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <Head cluster={cluster} name={name} onClose={onClose} />
      <Pages cluster={cluster} name={name} />
    </aside>
  )
}

/** The name has its own line: no button may cut it. */
function Head({ cluster, name, onClose }: Props): ReactNode {
  const node = useNode(cluster, name)
  return (
    <header className={`topo-panel-head column${node === null ? '' : ` topo-state-${node.state}`}`}>
      <div className="row">
        {node === null ? null : <Lamp ready={node.ready} />}
        <h2 className="mono">{name}</h2>
        <Button
          size="small"
          variant="minimal"
          icon={<CrossIcon />}
          aria-label="Close the node panel"
          onClick={onClose}
        />
      </div>
      {node === null ? null : <Takes cluster={cluster} node={node} />}
    </header>
  )
}

function Takes({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  const { name, state, runId } = node
  const take = { cluster, nodes: () => [name], runId }
  return (
    <div className="row wrap">
      {state === 'active' ? <span className="good">{STATE_WORDS.active}</span> : <StateBadge node={node} />}
      <span className="space" />
      {state === 'maintenance' || state === 'decommissioned' ? null : (
        <TakeButton {...take} target="entering" text="Take out…" label={`Take out ${name}…`} />
      )}
      {state === 'maintenance' || state === 'partial' ? (
        <TakeButton {...take} target="leaving" text="Bring back…" label={`Bring back ${name}…`} />
      ) : null}
    </div>
  )
}

function Pages({ cluster, name }: { readonly cluster: string; readonly name: string }): ReactNode {
  const tab = useTopology(store => store.panelTab)
  const isThere = useNode(cluster, name) !== null
  if (!isThere) {
    return (
      <NonIdealState
        className="topo-panel-gone"
        title={`${name} is not in the cloud`}
        description="It was removed or renamed, or the nodes are not read yet. Its runs stay in the history."
      />
    )
  }
  return (
    <Tabs
      id="node-panel"
      className="topo-panel-tabs column"
      animate={false}
      renderActiveTabPanelOnly
      selectedTabId={tab}
      onChange={next => useTopology.setState({ panelTab: PANEL_TABS.find(known => known === next) ?? 'overview' })}
    >
      {PANEL_TABS.map(page => (
        <Tab
          key={page}
          id={page}
          title={TAB_WORDS[page]}
          panelClassName="topo-panel-page"
          panel={pageOf(page, cluster, name)}
        />
      ))}
    </Tabs>
  )
}

function pageOf(page: PanelTab, cluster: string, name: string) {
  switch (page) {
    case 'overview':
      return <NodeOverview cluster={cluster} name={name} />
    case 'instances':
      return <InstanceTable cluster={cluster} node={name} />
    case 'pods':
      return <NodePods />
    case 'services':
      return <NodeServices />
    case 'osds':
      return <NodeOsds cluster={cluster} name={name} />
    case 'events':
      return <NodeEvents />
    case 'history':
      return <NodeHistory cluster={cluster} name={name} />
  }
}

interface NodeOsdsProps {
  readonly cluster: string
  readonly name: string
}

/** The OSDs of a node; says plainly if they are unknown. */
function NodeOsds({ cluster, name }: NodeOsdsProps): ReactNode {
  const node = useNode(cluster, name)
  if (node === null) return null
  if (node.osds !== null) return <p>{node.osds === 1 ? '1 OSD is on it.' : `${node.osds} OSDs are on it.`}</p>
  return (
    <p>
      Ceph does not answer, so the OSDs of this node are unknown. Lockkeeper needs a toolbox pod and the right to run
      commands in it (cloud settings)
      {node.roles.includes('storage')
        ? '. Its labels say that it has some: check `ceph osd tree` before you take it out of service.'
        : '. Its labels do not say that it has any.'}
    </p>
  )
}

/** What Kubernetes noted about a node, newest first. */
function NodeEvents(): ReactNode {
  return (
    <DetailSection
      what="The events of the node"
      read={detail => detail.events}
      draw={events =>
        events.length === 0 ? (
          <p>Kubernetes has no events about it. It forgets them after about an hour.</p>
        ) : (
          <ul className="topo-events">
            {events.map(event => (
              <Event key={`${event.at} ${event.reason} ${event.source} ${event.message}`} event={event} />
            ))}
          </ul>
        )
      }
    />
  )
}

function Event({ event }: { readonly event: EventOfNode }): ReactNode {
  return (
    <li className="topo-event">
      <span className="quiet topo-event-age">
        <Age at={event.at} />
      </span>
      <div>
        <b className={event.type === 'Normal' ? '' : 'caution'}>{event.reason}</b>
        {event.count > 1 ? <span className="quiet"> {event.count} times</span> : null}
        <div>{event.message}</div>
        <div className="quiet">{event.source}</div>
      </div>
    </li>
  )
}

/** Nova's services and Neutron's agents on a node's host. */
function NodeServices(): ReactNode {
  return (
    <DetailSection
      what="The services of the node"
      read={detail => detail.services}
      draw={services =>
        services.length === 0 ? (
          <p>Neither Nova nor Neutron has a service on this node.</p>
        ) : (
          <table className="table small">
            <thead>
              <tr>
                <th scope="col">Service</th>
                <th scope="col">Host</th>
                <th scope="col">Enabled</th>
                <th scope="col">Up</th>
                <th scope="col">Last seen</th>
              </tr>
            </thead>
            <tbody>
              {services.map(service => (
                <Row key={`${service.binary} ${service.host}`} service={service} />
              ))}
            </tbody>
          </table>
        )
      }
    />
  )
}

function Row({ service }: { readonly service: ServiceOfNode }): ReactNode {
  return (
    <tr>
      <td>
        {service.binary}
        {service.disabledReason === null ? null : <div className="quiet">{service.disabledReason}</div>}
      </td>
      <td className="mono">{service.host}</td>
      <td className={service.enabled ? '' : 'caution'}>{service.enabled ? 'enabled' : 'disabled'}</td>
      <td className={service.up ? '' : 'bad'}>{service.up ? 'up' : 'down'}</td>
      <td>{service.lastSeenAt === null ? 'unknown' : <Age at={service.lastSeenAt} />}</td>
    </tr>
  )
}
