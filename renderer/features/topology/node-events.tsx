import type { ReactNode } from 'react'
import type { EventOfNode } from '../../../shared/domain/node-detail.ts'
import { Age } from '../../ui/when.tsx'
import { DetailSection } from './detail-section.tsx'

/** What Kubernetes noted about a node, newest first. */
export function NodeEvents(): ReactNode {
  return (
    <DetailSection
      what="The events of the node"
      read={detail => detail.events}
      draw={events =>
        events.length === 0 ? (
          <p>Kubernetes keeps no events about it. It forgets them after an hour or so.</p>
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
