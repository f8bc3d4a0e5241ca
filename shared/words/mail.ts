import type { NotMailed } from '../domain/mail.ts'

/** Why settings of mail may not be used. */
export function notMailedWords({ host }: NotMailed): string {
  return `Mail to ${host} has to be encrypted (tls or starttls): plain is for a server on this machine.`
}
