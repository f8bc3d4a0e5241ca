import type { Events } from '../api/events.ts'
import type { Observers } from '../api/observers.ts'
import type { ApiServices } from '../api/services.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { Views } from '../clusters/view/views.ts'
import { importForeign } from '../journal/read-apart.ts'
import { openPreferences } from '../platform/settings/preferences.ts'
import { LOCKKEEPER_VERSION } from '../version.ts'
import type { AppOptions, Foundation } from './foundation.ts'
import { newId } from './new-id.ts'

/** What the handlers of the contract work with: what was opened, and what the operator set on this console. */
export function servicesOf(
  { clock, dataDirectory, journal, log, registryFolder, signer }: Foundation,
  { demo, face }: Pick<AppOptions, 'demo' | 'face'>,
  opened: Pick<ApiServices, 'agreedStarts' | 'commands' | 'controllers' | 'others' | 'plans' | 'runs' | 'secrets'> & {
    readonly clusters: Clusters
    readonly events: Events
    readonly views: Views
    readonly observers: Observers
  },
): ApiServices {
  const { events, views, observers, ...services } = opened
  return {
    ...services,
    clock,
    face,
    journal,
    log,
    newId,
    registryFolder,
    signer,
    worlds: opened.clusters,
    edits: journal.edits,
    windows: journal.windows,
    emit: events.emit,
    importForeign: wish => importForeign(journal.care, face.journalReader ?? null, clock, wish),
    installation: { version: LOCKKEEPER_VERSION, demo, dataDirectory },
    preferences: openPreferences({ directory: dataDirectory, log: log.child('settings') }),
    onReachChanged: cluster => {
      views.forget(cluster)
      observers.forget(cluster)
    },
    onInstancesTouched: views.readInstances,
  }
}
