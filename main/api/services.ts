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
import type { MailStore } from '../platform/settings/mail-settings.ts'
import type { MaintenanceQueues } from '../platform/settings/maintenance-queues.ts'
import type { PreferencesStore } from '../platform/settings/preferences.ts'
import type { Signer } from '../platform/settings/signature.ts'
import type { CommandPort } from '../ports/commands.ts'
import type { SendMail } from '../ports/mail.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ShownPlans } from '../runs/shown-plans.ts'
import type { AgreedStarts } from '../windows/agreed-starts.ts'
import type { Signals } from '../wings/notify/signals.ts'
import type { Attached } from '../wings/runner/attach/attached.ts'
import type { Face } from './face.ts'
import type { Emit } from './serve.ts'

/** Everything that the handlers need; main/app.ts builds it. */
export interface ApiServices {
  /** This installation's key for signatures; null: none, and the log says why. */
  readonly signer: Signer | null
  readonly face: Face
  readonly installation: Pick<ConsoleDescription, 'version' | 'demo' | 'dataDirectory'>
  /** The folder of the cluster registry and of copies of dropped files; a demo's is deleted with it. */
  readonly registryFolder: string
  readonly preferences: PreferencesStore
  readonly queues: MaintenanceQueues
  readonly mail: { readonly store: MailStore; readonly send: SendMail }
  readonly emit: Emit
  readonly edits: EditJournal
  readonly windows: WindowJournal
  /** The journal: the source of reports, and its maintenance. */
  readonly journal: Pick<Journal, 'path' | 'report' | 'row' | 'rows' | 'care' | 'stretches'>
  readonly importForeign: (wish: { readonly file: string; readonly by: Carer }) => Promise<Result<ImportedJournal>>
  /** Called when a cluster's connection or roles changed, or it is gone: cached views are invalid. */
  readonly onReachChanged: (cluster: string) => void
  readonly onInstancesTouched: (cluster: string, ids: readonly string[]) => void
  readonly clusters: Omit<Clusters, 'open' | 'closeAll'>
  readonly secrets: SignalSecrets
  readonly signals: Pick<Signals, 'test' | 'alertmanagerOf' | 'prometheusOf'>
  readonly commands: CommandPort
  readonly runs: RunService
  /** Windows that start automatically. */
  readonly agreedStarts: Pick<AgreedStarts, 'shown' | 'agree' | 'takeBack' | 'attend'>
  readonly attached: Omit<Attached, 'mirrored' | 'close'>
  /** Checks whether a handed-over run (null: any) was refused; takes a few seconds at most. */
  readonly settleHandOvers: (runId: string | null) => Promise<void>
  readonly plans: ShownPlans
  readonly controllers: ControllersHost
  /** Opens the world of a cluster; a later context switch does not affect it. */
  readonly worlds: Pick<Clusters, 'open'>
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
}
