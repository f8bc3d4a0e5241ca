import type { Events } from '../../api/events.ts'
import type { ApiServices } from '../../api/services.ts'
import type { SecretBox } from '../../platform/files/secret-box.ts'
import { openMailStore } from './mail/mail-settings.ts'
import { sendOverSmtp } from './mail/smtp.ts'
import { type MailHandlers, mailHandlers } from './mail-handlers.ts'
import { openSignals, type SignalParts } from './open-signals.ts'
import { type SignalHandlers, signalHandlers } from './signal-handlers.ts'

/** What this console sends during runs: to webhooks, Alertmanager and the owners of instances. */
interface Notify {
  /** Answers requests about webhooks, Alertmanager, health gates and mail. */
  handlers(services: NotifyServices): SignalHandlers & MailHandlers
  /** Ends it; what could not be sent in a few seconds is left to the next console. */
  close(): Promise<void>
}

type NotifyServices = Pick<
  ApiServices,
  'clock' | 'clusters' | 'edits' | 'emit' | 'log' | 'newId' | 'runs' | 'secrets' | 'windows' | 'worlds'
>

/** Hears of every event of this console's journal, and sends what clusters want to know of it. */
export function openNotify(
  parts: SignalParts & {
    readonly events: Pick<Events, 'internal'>
    /** Where the settings of mail are kept. */
    readonly dataDirectory: string
    /** The keychain that protects the password of mail; null: this face has none. */
    readonly box: SecretBox | null
  },
): Notify {
  const { events, dataDirectory, box, registerSecret } = parts
  const signals = openSignals(parts)
  const mail = { store: openMailStore(dataDirectory, box, registerSecret), send: sendOverSmtp }
  events.internal.on('journal.event', signals.received)
  events.internal.on('window.waits', ({ window, seq, words }) => signals.windowWaits(window, { seq, words }))
  return {
    handlers: services => ({
      ...signalHandlers({ ...services, signals }),
      ...mailHandlers({ ...services, mail }),
    }),
    close: signals.close,
  }
}
