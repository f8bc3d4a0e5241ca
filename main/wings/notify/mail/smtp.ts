import { type MailSettings, type SendOutcome, whyNotMailed } from '../../../../shared/domain/mail.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { type Finding, namesOf } from '../../../../shared/words/steps/coded.ts'
import { trustThisMachine } from '../../../adapters/http/system-trust.ts'
import type { SendMail } from '../ports/mail.ts'
import { mailFile } from './mail-file.ts'

/** The outcome of a message. */
type Sent = Awaited<ReturnType<SendMail>>

/** Sending fails when the server is silent for this long. */
const SILENT_MS = 20_000

/** Sends over SMTP, one connection for each message. With `starttls` it sends nothing to a server that does not offer it. Verifies certificates. */
export const sendOverSmtp: SendMail = async (settings, password, mail) => {
  const refused = whyNotMailed(settings)
  if (refused !== null) return came('failed', because(refused.code, { host: refused.host }))
  // Loaded only when a mail is sent.
  const { createTransport } = await import('nodemailer')
  const { host, port, security, user } = settings
  const { from, to } = mail
  const raw = await mailFile(mail)
  // Whether the server is trusted must not depend on earlier connections.
  if (security !== 'plain') trustThisMachine()
  // Only this shows which command was reached: the error of a broken connection is the same before and after the message.
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
 * The outcome of a failed attempt. The server did not take the message if it answered with an error code, or if the message was not announced yet. If the
 * connection broke later, the server may have taken it.
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

/** One line, without the password: a server may repeat it, or the login that contains it. */
function clean(text: string, { user }: Pick<MailSettings, 'user'>, password: string | null): string {
  const secrets = password === null || password === '' ? [] : [`\0${user ?? ''}\0${password}`, password]
  const spellings = secrets.flatMap(secret => [secret, Buffer.from(secret).toString('base64')])
  // Secrets are hidden before the text is cut: the beginning of a secret cannot be recognised.
  return spellings
    .reduce((rest, spelling) => rest.replaceAll(spelling, '(hidden)'), text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300)
}
