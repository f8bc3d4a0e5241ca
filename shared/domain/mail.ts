import { z } from 'zod'
import { CODED } from './coded.ts'

/** One address of a mailbox, plain: what could end a header, name another or need quoting is not in it. */
export const MailAddress = z
  .string()
  .max(254)
  .regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/,
    'an address such as ops@example.com',
  )

/** A mail, and what it says of itself. Its addresses are as {@link MailAddress} has them. */
export interface Mail {
  readonly from: string | null
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly at: string
  /** Unique; null where it is not sent from here: it is marked as a draft. */
  readonly id: string | null
}

/** How mail leaves this console. Its password is not in here. */
export const MailSettings = z.strictObject({
  host: z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/, 'a host name or address'),
  port: z.number().int().min(1).max(65_535),
  /** `plain` only to this machine itself. */
  security: z.enum(['tls', 'starttls', 'plain']),
  user: z.string().min(1).max(200).nullable(),
  from: MailAddress,
  /** Absolute path of the file with the addresses of projects; null: there is none, and nobody is written to. */
  addresses: z.string().nullable(),
})
export type MailSettings = z.infer<typeof MailSettings>

/** Settings that may not be used: mail would go to another machine as plain text. */
interface NotMailed {
  readonly code: 'MailNotEncrypted'
  readonly host: string
}

/** Why settings may not be used; null: they may. */
export function whyNotMailed({ host, security }: Pick<MailSettings, 'host' | 'security'>): NotMailed | null {
  if (security !== 'plain' || ['localhost', '127.0.0.1', '::1'].includes(host)) return null
  return { code: 'MailNotEncrypted', host }
}

/** The message to the owners of one project, with where it would go. */
export const OwnerMessage = z.strictObject({
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  instances: z.number().int(),
  to: z.array(MailAddress),
  /** Where the addresses are from, or why there is none. */
  why: z.string(),
  ...CODED,
  subject: z.string(),
  text: z.string(),
  /** What was sent to this project before, or may have been, in this window; oldest first. */
  before: z.array(
    z.strictObject({ at: z.string(), to: z.array(z.string()), outcome: z.enum(['sent', 'unknown']), by: z.string() }),
  ),
})
export type OwnerMessage = z.infer<typeof OwnerMessage>

/** The messages of a window as they would be sent now. */
export const OwnerMessages = z.strictObject({
  messages: z.array(OwnerMessage),
  /** What all of them come to: sending asks for it, so that nothing else is sent than was shown. */
  digest: z.string(),
  unreachable: z.array(z.string()),
})
export type OwnerMessages = z.infer<typeof OwnerMessages>

/** What came of a message. `unknown`: the connection broke when it may have been taken already. */
export const SendOutcome = z.enum(['sent', 'failed', 'unknown'])
export type SendOutcome = z.infer<typeof SendOutcome>

/** One message that was tried. */
export const SentMessage = z.strictObject({
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  to: z.array(MailAddress),
  outcome: SendOutcome,
  words: z.string(),
  ...CODED,
})
export type SentMessage = z.infer<typeof SentMessage>
