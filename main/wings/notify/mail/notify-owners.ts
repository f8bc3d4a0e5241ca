import type { MailSettings, OwnerMessage, SentMessage } from '../../../../shared/domain/mail.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { WindowJournal } from '../../../journal/window-journal.ts'
import { type Clock, isoNow } from '../../../platform/clock/clock.ts'
import type { SendMail } from '../ports/mail.ts'

interface NotifyOptions {
  readonly window: { readonly id: string; readonly cluster: string; readonly revision: number }
  readonly messages: readonly OwnerMessage[]
  readonly digestOf: (message: OwnerMessage) => string
  readonly settings: MailSettings
  readonly password: string | null
  readonly send: SendMail
  readonly windows: Pick<WindowJournal, 'record'>
  readonly clock: Clock
  readonly newId: () => string
  readonly by: string
  readonly onWritten: () => void
}

/**
 * Sends messages one after another. Each is journaled before it is sent, at the revision that was read: of two consoles one continues, and after a
 * crash the journal says that it may have been sent. When the journal refuses an entry, sending stops.
 */
export async function notifyOwners(options: NotifyOptions): Promise<Result<readonly SentMessage[]>> {
  const { window, windows, clock, settings, by } = options
  const sent: SentMessage[] = []
  let { revision } = window
  for (const message of options.messages) {
    const { projectId, projectName, to, subject, text } = message
    const noticeId = options.newId()
    const digest = options.digestOf(message)
    const begun = windows.record(
      window,
      { kind: 'notifying', noticeId, projectId, projectName, to, subject, digest, by },
      revision,
    )
    if (!begun.ok) {
      if (sent.length === 0) return begun
      const why = because('MailNotSent', { cause: begun.failure.message })
      return ok([...sent, { projectId, projectName, to, outcome: 'failed', ...wordsOf(why) }])
    }
    options.onWritten()
    const mail = {
      from: settings.from,
      to,
      subject,
      text,
      at: isoNow(clock),
      id: `${noticeId}.${window.id}@lockkeeper`,
    }
    const came = await options.send(settings, options.password, mail)
    sent.push({ projectId, projectName, to, ...came })
    const ended = windows.record(window, { kind: 'notified', noticeId, ...came, by }, null)
    options.onWritten()
    if (!ended.ok) {
      // The journal then says "may have been sent", which is correct.
      const said = because('MailNotJournaled', { outcome: came.words, cause: ended.failure.message })
      return ok([...sent.slice(0, -1), { projectId, projectName, to, outcome: came.outcome, ...wordsOf(said) }])
    }
    revision = ended.value.seq
  }
  return ok(sent)
}

function wordsOf({ code, values, message }: Finding): Pick<SentMessage, 'code' | 'values' | 'words'> {
  return { words: message, code, values }
}
