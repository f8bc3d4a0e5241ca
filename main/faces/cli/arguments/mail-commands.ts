import type { CommandSpec } from './argument-specs.ts'
import { yes } from './argument-words.ts'
import { windowOperand } from './window-commands.ts'

/** Commands about mail to the owners of instances. */
export const mailCommands: readonly CommandSpec[] = [
  {
    path: ['window', 'notify'],
    summary: 'send the message to the owners of each project of a window by mail',
    about: [
      'Shows the messages and whom they go to, and asks. A project without an address is named and left out; nobody is guessed.',
      'A project to which something was sent, or may have been, is left out until --again is given, or a person says so when asked.',
      'What was sent, when and to whom, and what failed, is in the journal and in the report. Exit code 1 when something was not sent for certain.',
    ],
    operands: [windowOperand],
    flags: [{ name: 'again', value: { kind: 'switch' }, help: 'also to those to whom it was sent before' }, yes],
    examples: ['window notify 4f1c', 'window notify 4f1c --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/window-notify.ts')).notifyWindow,
  },
  {
    path: ['mail', 'set'],
    summary: 'how mail is sent: the server, the sender, the file with the addresses of projects',
    about: [
      'Only what is given changes. The password lies apart in the data directory, for you only, sealed where the desktop app has a keychain; it is never shown. For another host it has to be given again.',
      'The file of addresses is YAML: `projects:` with a project (its id or name) and an address or a list of them, and `template: "{project}@tenants.example.com"` for all others, if you want one.',
    ],
    operands: [],
    flags: [
      { name: 'host', value: { kind: 'text', placeholder: 'HOST' }, help: 'the mail server' },
      {
        name: 'port',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 65_535 },
        help: 'its port (else 587 with starttls, 465 with tls, 25 plain)',
      },
      {
        name: 'security',
        value: { kind: 'choice', choices: ['starttls', 'tls', 'plain'] },
        help: 'starttls is the default; plain only to this machine itself',
      },
      { name: 'user', value: { kind: 'text', placeholder: 'USER' }, help: 'who logs in to it' },
      { name: 'no-user', value: { kind: 'switch' }, help: 'nobody logs in; a kept password is taken away' },
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
    summary: 'how mail is sent',
    about: [],
    operands: [],
    flags: [],
    examples: ['mail show', 'mail show -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/mail.ts')).showMail,
  },
]
