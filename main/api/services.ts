import type { ConsoleDescription } from '../../shared/contract/index.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { SignalSecrets } from '../clusters/signal-secrets.ts'
import type { EditJournal } from '../journal/edits.ts'
import type { ImportedJournal } from '../journal/import-journal.ts'
import type { Journal } from '../journal/journal.ts'
import type { Carer } from '../journal/retention-records.ts'
import type { WindowJournal } from '../journal/windows.ts'
import type { ControllersHost } from '../lcm/controllers/controllers-host.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { MaintenanceQueues } from '../platform/settings/maintenance-queues.ts'
import type { PreferencesStore } from '../platform/settings/preferences.ts'
import type { Signer } from '../platform/settings/signature.ts'
import type { CommandPort } from '../ports/commands.ts'
import type { OtherDrivers } from '../ports/other-drivers.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ShownPlans } from '../runs/shown-plans.ts'
import type { AgreedStarts } from '../windows/agreed-starts.ts'
import type { Face } from './face.ts'
import type { Emit } from './serve.ts'

/** Everything that the router's handlers need; main/app.ts builds it. */
export interface ApiServices {
  /** The key of this installation, to sign what it says; null: it has none, and the log says why. */
  readonly signer: Signer | null
  readonly face: Face
  readonly installation: Pick<ConsoleDescription, 'version' | 'demo' | 'dataDirectory'>
  /** Where the registry of clusters lies, and copies of dropped files beside it: a demo's are thrown away with it. */
  readonly registryFolder: string
  readonly preferences: PreferencesStore
  readonly queues: MaintenanceQueues
  readonly emit: Emit
  readonly edits: EditJournal
  readonly windows: WindowJournal
  /** The journal itself: what reports are made from, and its care. */
  readonly journal: Pick<Journal, 'path' | 'report' | 'row' | 'rows' | 'care' | 'stretches'>
  /** Takes over what is over in a journal of somebody else. */
  readonly importForeign: (wish: { readonly file: string; readonly by: Carer }) => Promise<Result<ImportedJournal>>
  /** To be told when a cluster is reached another way, its nodes have other roles, or it is gone: a kept view of it is no longer true. */
  readonly onReachChanged: (cluster: string) => void
  /** To be told which instances were just changed by hand, so that a kept view reads them again. */
  readonly onInstancesTouched: (cluster: string, ids: readonly string[]) => void
  readonly clusters: Omit<Clusters, 'open' | 'closeAll'>
  /** Where secrets of signals are kept. */
  readonly secrets: SignalSecrets
  /** Commands of the operator's own on this machine. */
  readonly commands: CommandPort
  readonly runs: RunService
  /** Windows that start by themselves. */
  readonly agreedStarts: Pick<AgreedStarts, 'shown' | 'agree' | 'takeBack' | 'attend'>
  /** Who drives runs besides this console. */
  readonly others: OtherDrivers
  /** Plans that were shown and may be confirmed. */
  readonly plans: ShownPlans
  /** Our own application controllers, one set a cluster. */
  readonly controllers: ControllersHost
  /** Opens the world of a cluster; nothing in one follows a later context switch. */
  readonly worlds: Pick<Clusters, 'open'>
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}
