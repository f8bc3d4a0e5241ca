import type { ConsoleDescription, Emit } from '../../shared/contract/index.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { Clusters } from '../clusters/clusters.ts'
import type { SignalSecrets } from '../clusters/signal-secrets.ts'
import type { JournalOperator } from '../journal/care-records.ts'
import type { EditJournal } from '../journal/edit-journal.ts'
import type { ImportedJournal } from '../journal/import-journal.ts'
import type { Journal } from '../journal/journal.ts'
import type { WindowJournal } from '../journal/window-journal.ts'
import type { ControllersHost } from '../lcm/controllers/controllers-host.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { PreferencesStore } from '../platform/settings/preferences.ts'
import type { Signer } from '../platform/settings/signature.ts'
import type { CommandPort } from '../ports/commands.ts'
import type { OtherDrivers } from '../ports/other-drivers.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ShownPlans } from '../runs/shown-plans.ts'
import type { AgreedStarts } from '../windows/agreed-starts.ts'
import type { Face } from './face.ts'

/** Everything that the handlers need; main/app.ts builds it. */
export interface ApiServices {
  /** This installation's key for signatures; null if there is none, and the log says why. */
  readonly signer: Signer | null
  readonly face: Face
  readonly installation: Pick<ConsoleDescription, 'version' | 'demo' | 'dataDirectory'>
  /** The folder of the cluster registry and of copies of dropped files; a demo's is deleted with it. */
  readonly registryFolder: string
  readonly preferences: PreferencesStore
  readonly emit: Emit
  readonly edits: EditJournal
  readonly windows: WindowJournal
  /** The journal: the source of reports, and its maintenance. */
  readonly journal: Pick<Journal, 'path' | 'report' | 'row' | 'rows' | 'care' | 'stretches'>
  readonly importForeign: (wish: {
    readonly file: string
    readonly by: JournalOperator
  }) => Promise<Result<ImportedJournal>>
  /** Called when a cluster's connection or roles changed, or it is gone: cached views are invalid. */
  readonly onReachChanged: (cluster: string) => void
  readonly onInstancesTouched: (cluster: string, ids: readonly string[]) => void
  readonly clusters: Omit<Clusters, 'open' | 'closeAll'>
  readonly secrets: SignalSecrets
  readonly commands: CommandPort
  readonly runs: RunService
  readonly agreedStarts: Pick<AgreedStarts, 'shown' | 'agree' | 'takeBack' | 'attend'>
  readonly others: OtherDrivers
  readonly plans: ShownPlans
  readonly controllers: ControllersHost
  /** Opens the world of a cluster; a later context switch does not affect it. */
  readonly worlds: Pick<Clusters, 'open'>
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}
