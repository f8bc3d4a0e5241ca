import { type MailSettings, type SendOutcome, whyNotMailed } from '../../../../shared/domain/mail.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { type Finding, namesOf } from '../../../../shared/words/steps/coded.ts'
import { trustThisMachine } from '../../../adapters/http/system-trust.ts'
import { mailFile } from '../../../platform/files/mail-file.ts'
import type { SendMail } from '../../../ports/mail.ts'

/** What came of a message. */
type Sent = Awaited<ReturnType<SendMail>>

/** A server that says nothing for so long is given up. */
const SILENT_MS = 20_000

/** Sends over SMTP, one connection a message. With `starttls` nothing is said to a server that does not offer it; certificates are verified. */
export const sendOverSmtp: SendMail = async (settings, password, mail) => {
  const refused = whyNotMailed(settings)
  if (refused !== null) return came('failed', because(refused.code, { host: refused.host }))
  // Only who sends loads it.
  const { createTransport } = await import('nodemailer')
  const { host, port, security, user } = settings
  const { from, to } = mail
  const raw = await mailFile(mail)
  // Whether the server is trusted must not depend on what was connected to before.
  if (security !== 'plain') trustThisMachine()
  // Which command was reached is told nowhere else: a connection that breaks is told alike before and after the message.
  let isAnnounced = false
  const listen = (entry: unknown, said: unknown) => {
    const isOurs = typeof entry === 'object' && entry !== null && 'tnx' in entry && entry.tnx === 'client'
    if (isOurs && String(said).startsWith('DATA')) isAnnounced = true
  }
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'plain',
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: SILENT_MS,
    greetingTimeout: SILENT_MS,
    socketTimeout: SILENT_MS,
    debug: true,
    logger: { level: () => {}, trace: listen, debug: listen, info: listen, warn: listen, error: listen, fatal: listen },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const sent = await transport.sendMail({ envelope: { from, to: [...to] }, raw })
    const rejected = sent.rejected.map(String)
    const output = clean(sent.response, settings, password)
    const taken = because('MailTaken', { output })
    return came(
      'sent',
      rejected.length === 0 ? taken : because('MailTakenNotForAll', { output, rejected: namesOf(rejected) }),
    )
  } catch (error) {
    return outcomeOf(error, text => clean(text, settings, password), isAnnounced)
  } finally {
    transport.close()
  }
}

/**
 * What a failed sending came to. A server that answered with a code did not take it, and before the message was announced there is nothing that it
 * could have taken; a connection that broke after that leaves it open.
 */
function outcomeOf(error: unknown, cleaned: (text: string) => string, isAnnounced: boolean): Sent {
  const output = cleaned(error instanceof Error ? error.message : 'the connection broke')
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : null
  return !isAnnounced || (typeof code === 'number' && code >= 400)
    ? came('failed', because('MailFailed', { output }))
    : came('unknown', because('MailMayBeTaken', { output }))
}

function came(outcome: SendOutcome, { code, values, message }: Finding): Sent {
  return { outcome, words: message, code, values }
}

/** One line, without the password, should a server repeat it or the login that has it in it. */
function clean(text: string, { user }: Pick<MailSettings, 'user'>, password: string | null): string {
  const secrets = password === null || password === '' ? [] : [`\0${user ?? ''}\0${password}`, password]
  const spellings = secrets.flatMap(secret => [secret, Buffer.from(secret).toString('base64')])
  // Before it is cut: the beginning of a secret is known to nobody as one.
  return spellings
    .reduce((rest, spelling) => rest.replaceAll(spelling, '(hidden)'), text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
}
