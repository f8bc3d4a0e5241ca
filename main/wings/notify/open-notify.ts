import type { Events } from '../../api/events.ts'
import type { ApiServices } from '../../api/services.ts'
import type { SecretBox } from '../../platform/files/secret-box.ts'
import { openMailStore } from './mail/mail-settings.ts'
import { sendOverSmtp } from './mail/smtp.ts'
import { type MailHandlers, mailHandlers } from './mail-handlers.ts'
import { openSignals, type SignalParts } from './open-signals.ts'
import { type SignalHandlers, signalHandlers } from './signal-handlers.ts'

/** The messages and silences that this console sends during runs. */
interface Notify {
  handlers(services: NotifyServices): SignalHandlers & MailHandlers
  /** The next console sends what could not be sent within a few seconds. */
  close(): Promise<void>
}

type NotifyServices = Pick<
  ApiServices,
  'clock' | 'clusters' | 'edits' | 'emit' | 'log' | 'newId' | 'runs' | 'secrets' | 'windows' | 'worlds'
>

/** Receives every event of this console's journal, and sends the messages that the settings of clusters ask for. */
export function openNotify(
  parts: SignalParts & {
    readonly events: Pick<Events, 'internal'>
    readonly dataDirectory: string
    /** Protects the mail password; null if this face has no keychain. */
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
