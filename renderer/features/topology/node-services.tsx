import type { ReactNode } from 'react'
import type { ServiceOfNode } from '../../../shared/domain/node-detail.ts'
import { Age } from '../../ui/when.tsx'
import { DetailSection } from './detail-section.tsx'

/** Nova's services and Neutron's agents on a node's host. */
export function NodeServices(): ReactNode {
  return (
    <DetailSection
      what="The services of the node"
      read={detail => detail.services}
      draw={services =>
        services.length === 0 ? (
          <p>Neither Nova nor Neutron has a service on this host.</p>
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
      <td>{service.lastSeenAt === null ? 'not known' : <Age at={service.lastSeenAt} />}</td>
    </tr>
  )
}
