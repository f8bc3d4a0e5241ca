import type { ReactNode } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { AlertmanagerSettings } from './alertmanager-settings.tsx'
import { GateSettings } from './gate-settings.tsx'
import { WebhookSettings } from './webhook-settings.tsx'

/** The settings of a cluster about what other systems receive and are asked. */
export function SignalSettings({ cluster }: { readonly cluster: Cluster }): ReactNode {
  return (
    <>
      <WebhookSettings cluster={cluster} />
      <AlertmanagerSettings key={`alerts ${JSON.stringify(cluster.signals?.alertmanager)}`} cluster={cluster} />
      <GateSettings key={`gates ${JSON.stringify(cluster.signals?.health)}`} cluster={cluster} />
    </>
  )
}
