import type { Json } from '../../../../shared/domain/json.ts'
import type { Mail, MailSettings, SendOutcome } from '../../../../shared/domain/mail.ts'

/** Sends mail; main/wings/notify/mail implements it. `words`: the server's answer or the problem, as a code with values; never the password. */
export type SendMail = (
  settings: MailSettings,
  password: string | null,
  mail: Mail & { readonly from: string },
) => Promise<{
  readonly outcome: SendOutcome
  readonly words: string
  readonly code?: string
  readonly values?: { readonly [name: string]: Json }
}>
