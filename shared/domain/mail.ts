import { z } from 'zod'
import { CODED } from './coded.ts'

/** Without characters that could end a header, start another or need quoting. */
export const MailAddress = z
  .string()
  .max(254)
  .regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/,
    'an address such as ops@example.com',
  )

export interface Mail {
  readonly from: string | null
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly at: string
  /** Null means a draft that is not sent from here. */
  readonly id: string | null
}

/** The password is stored separately. */
export const MailSettings = z.strictObject({
  host: z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/, 'a host name or address'),
  port: z.number().int().min(1).max(65_535),
  /** `plain` is allowed only to this machine. */
  security: z.enum(['tls', 'starttls', 'plain']),
  user: z.string().min(1).max(200).nullable(),
  from: MailAddress,
  /** A file with the addresses of projects; null if there is none, so that no owner gets mail. */
  addresses: z.string().nullable(),
})
export type MailSettings = z.infer<typeof MailSettings>

interface NotMailed {
  readonly code: 'MailNotEncrypted'
  readonly host: string
}

export function whyNotMailed({ host, security }: Pick<MailSettings, 'host' | 'security'>): NotMailed | null {
  if (security !== 'plain' || ['localhost', '127.0.0.1', '::1'].includes(host)) return null
  return { code: 'MailNotEncrypted', host }
}

export const OwnerMessage = z.strictObject({
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  instances: z.number().int(),
  to: z.array(MailAddress),
  why: z.string(),
  ...CODED,
  subject: z.string(),
  text: z.string(),
  /** Earlier messages to this project in this window, sent or possibly sent; oldest first. */
  before: z.array(
    z.strictObject({ at: z.string(), to: z.array(z.string()), outcome: z.enum(['sent', 'unknown']), by: z.string() }),
  ),
})
export type OwnerMessage = z.infer<typeof OwnerMessage>

export const OwnerMessages = z.strictObject({
  messages: z.array(OwnerMessage),
  /** The send request repeats it, so that only the shown messages are sent. */
  digest: z.string(),
  unreachable: z.array(z.string()),
})
export type OwnerMessages = z.infer<typeof OwnerMessages>

/** `unknown`: the connection broke when the server may already have accepted it. */
export const SendOutcome = z.enum(['sent', 'failed', 'unknown'])
export type SendOutcome = z.infer<typeof SendOutcome>

export const SentMessage = z.strictObject({
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  to: z.array(MailAddress),
  outcome: SendOutcome,
  words: z.string(),
  ...CODED,
})
export type SentMessage = z.infer<typeof SentMessage>
