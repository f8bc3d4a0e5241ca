import type { CommandSpec } from '../../../../faces/cli/arguments/argument-specs.ts'
import { yes } from '../../../../faces/cli/arguments/argument-words.ts'
import { windowOperand } from '../../../../faces/cli/arguments/window-commands.ts'

export const mailCommands: readonly CommandSpec[] = [
  {
    path: ['window', 'notify'],
    summary: 'mail the owners of each project that a window affects',
    about: [
      'Shows the messages and their recipients, and asks. Lists and skips projects without an address; never guesses one.',
      'Skips a project that got, or may have got, a message before, unless you give --again or confirm it when asked.',
      'Journal and report record what was sent, when, to whom, and what failed. Exit code 1 when any message may not have been sent.',
    ],
    operands: [windowOperand],
    flags: [{ name: 'again', value: { kind: 'switch' }, help: 'also send to projects that already got it' }, yes],
    examples: ['window notify 4f1c', 'window notify 4f1c --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/window-notify.ts')).notifyWindow,
  },
  {
    path: ['mail', 'set'],
    summary: 'set the mail server, the sender, and the file with the addresses of projects',
    about: [
      'Settings that you do not give stay as they are. The password is a separate file in the data directory that only you can read, sealed if the desktop app has a keychain, and never shown. Give it again for another host.',
      'The file of addresses is YAML: `projects:` maps a project (its id or name) to one address or a list; the optional `template: "{project}@tenants.example.com"` is for all others.',
    ],
    operands: [],
    flags: [
      { name: 'host', value: { kind: 'text', placeholder: 'HOST' }, help: 'the mail server' },
      {
        name: 'port',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 65_535 },
        help: 'its port (default: 587 with starttls, 465 with tls, 25 with plain)',
      },
      {
        name: 'security',
        value: { kind: 'choice', choices: ['starttls', 'tls', 'plain'] },
        help: 'default: starttls; plain only to this machine',
      },
      { name: 'user', value: { kind: 'text', placeholder: 'USER' }, help: 'the user of its login' },
      { name: 'no-user', value: { kind: 'switch' }, help: 'no login; removes a stored password' },
      {
        name: 'password-file',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'a file whose first line is the password',
      },
      { name: 'from', value: { kind: 'text', placeholder: 'ADDRESS' }, help: 'the sender' },
      {
        name: 'addresses',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'the file with the addresses of projects',
      },
    ],
    examples: [
      'mail set --host mail.example.com --user ops --password-file ~/mail.password --from ops@example.com --addresses ~/owners.yaml',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/mail.ts')).setMail,
  },
  {
    path: ['mail', 'show'],
    summary: 'show the mail settings',
    about: [],
    operands: [],
    flags: [],
    examples: ['mail show', 'mail show -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/mail.ts')).showMail,
  },
]
