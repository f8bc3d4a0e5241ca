import type { Parts } from '../../../faces/cli/command.ts'

export { mailCommands } from './arguments/mail-commands.ts'
export { signalCommands } from './arguments/signal-commands.ts'

/** What commands of the core ask of mail. It is loaded only when a command asks. */
export const mailsPart: Parts['mails'] = {
  writeMails: async (folder, context) => (await import('./write-mails.ts')).writeMails(folder, context),
}
