import type { Json } from '../../shared/domain/json.ts'
import type { MailSettings, SendOutcome } from '../../shared/domain/mail.ts'

/** A message as it goes to the server, whole. */
interface OutgoingMail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

/** How mail is sent; main/wings/notify/mail implements it. `words`: what the server said, or what broke, by a code with values; never the password. */
export type SendMail = (
  settings: MailSettings,
  password: string | null,
  mail: OutgoingMail,
) => Promise<{
  readonly outcome: SendOutcome
  readonly words: string
  readonly code?: string
  readonly values?: { readonly [name: string]: Json }
}>
