import type { Finding, TextsOf } from '../steps/coded.ts'

type OfPath = { readonly path: string }

/** Texts of settings of this console. */
export const SETTINGS_REASONS = {
  AddressFileIssue: ({ at, problem }: { readonly at: string; readonly problem: string }) =>
    `${at === '' ? 'its beginning' : at}: ${problem}`,
  AddressFileUnusable: ({ path, fault }: OfPath & { readonly fault: Finding }) =>
    `The addresses in ${path} cannot be used: ${fault.message}.`,
  AddressFromTemplate: ({ path }: OfPath) => `by the template of ${path}`,
  AddressInFile: ({ path }: OfPath) => `as ${path} says`,
  FeedSecretExposed: ({ path }: OfPath) =>
    `${path} can be read by others, so its secret protects nothing. Make a new one: \`lockkeeper window feed --renew\`.`,
  HeadAnchorChanged: ({ path }: OfPath) => `${anchorAt(path)} was changed by another hand: its signature is wrong.`,
  HeadAnchorMissing: ({ path }: OfPath) =>
    `${anchorAt(path)} is not there any more, though this installation was used before.`,
  HeadAnchorUnreadable: ({ path }: OfPath) => `${anchorAt(path)} cannot be read.`,
  InstallationKeyExposed: ({ path }: OfPath) =>
    `The key of this installation, ${path}, can be read by others: what it signs proves nothing. Make it readable by you only (chmod 600), or move it away to get a new one.`,
  InstallationKeyNotMade: ({ path }: OfPath) => `Cannot make the key of this installation, ${path}.`,
  InstallationKeyStrange: ({ path }: OfPath) =>
    `${path} is not the key of this installation any more. It was left as it is: put back a copy of it, or move it away to get a new one; what was signed before is then known by its fingerprint only.`,
  MailNotEncrypted: ({ host }: { readonly host: string }) =>
    `Mail to ${host} has to be encrypted (tls or starttls): plain is for a server on this machine.`,
  MailPasswordOfOtherServer: ({ host }: { readonly host: string }) =>
    `The password that is kept was given for another server than ${host}. Give it again, so that it goes there by your word.`,
  MailPasswordSealed: () =>
    'The password of the mail server was sealed by the keychain of the desktop app, and cannot be opened here. Send from there, or set it again here.',
  MailPasswordUnprotected: () =>
    'The keychain does not protect anything now, so the password was not kept. Unlock it, then try again.',
  NoAddressByTemplate: ({ path }: OfPath) => `the template of ${path} makes no address of its name`,
  NoAddressFile: () => 'no file with addresses was named (`lockkeeper mail set --addresses FILE`)',
  NoAddressInFile: ({ path }: OfPath) => `${path} names nobody for it`,
  NoNameForTemplate: () => 'its name, which the template needs, is not known',
} satisfies TextsOf<string>

function anchorAt(path: string): string {
  return `${path}, which says how far the journal went,`
}
