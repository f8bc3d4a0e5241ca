import type { Finding, OfPath, TextsOf } from '../steps/coded.ts'

/** Faults of the settings of this console. */
export const SETTINGS_REASONS = {
  AddressFileIssue: ({ at, problem }: { readonly at: string; readonly problem: string }) =>
    `${at === '' ? 'its beginning' : at}: ${problem}`,
  AddressFileUnusable: ({ path, fault }: OfPath & { readonly fault: Finding }) =>
    `The file of addresses ${path} is unusable: ${fault.message}.`,
  AddressFromTemplate: ({ path }: OfPath) => `by the template of ${path}`,
  AddressInFile: ({ path }: OfPath) => `as ${path} says`,
  FeedSecretExposed: ({ path }: OfPath) =>
    `Other users can read ${path}, so its secret does not protect anything. Make a new one: \`lockkeeper window feed --renew\`.`,
  HeadAnchorChanged: ({ path }: OfPath) => `${anchorAt(path)} has a wrong signature: Lockkeeper did not write it.`,
  HeadAnchorMissing: ({ path }: OfPath) =>
    `${anchorAt(path)} no longer exists, although this installation was used before.`,
  HeadAnchorUnreadable: ({ path }: OfPath) => `${anchorAt(path)} cannot be read.`,
  InstallationKeyExposed: ({ path }: OfPath) =>
    `Other users can read ${path}, the key of this installation, so its signatures prove nothing. Make it readable only for you (chmod 600), or move it away to get a new one.`,
  InstallationKeyNotMade: ({ path }: OfPath) => `Cannot create the key of this installation, ${path}.`,
  InstallationKeyStrange: ({ path }: OfPath) =>
    `${path} is no longer the key of this installation. Lockkeeper did not change it. Restore a copy of it, or move it away to get a new one; then earlier signatures are known only by their fingerprint.`,
  MailNotEncrypted: ({ host }: { readonly host: string }) =>
    `Mail to ${host} must be encrypted (tls or starttls): plain is only for a server on this machine.`,
  MailPasswordOfOtherServer: ({ host }: { readonly host: string }) =>
    `The stored password was given for another server than ${host}. Give it again to confirm the new server.`,
  MailPasswordSealed: () =>
    'The keychain of the desktop app sealed the password of the mail server, so it cannot be opened here. Send from there, or set it again here.',
  MailPasswordUnprotected: () =>
    'The keychain is not available now, so Lockkeeper did not store the password. Unlock it, then try again.',
  NoAddressByTemplate: ({ path }: OfPath) => `the template in ${path} gives no address for its name`,
  NoAddressFile: () => 'no file with addresses was named (`lockkeeper mail set --addresses FILE`)',
  NoAddressInFile: ({ path }: OfPath) => `${path} has no address for it`,
  NoNameForTemplate: () => 'the template needs its name, which is unknown',
} satisfies TextsOf<string>

function anchorAt(path: string): string {
  return `${path}, which records the head of the journal,`
}
