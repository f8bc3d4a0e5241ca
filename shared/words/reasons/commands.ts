import type { Finding, TextsOf } from '../steps/coded.ts'

/** `fault`: why it cannot be used, as a clause. */
type OfFault = { readonly fault: Finding }
type OfPath = OfFault & { readonly path: string }
type OfDirectory = { readonly directory: string }
type OfGroup = { readonly group: number }
type OfMachine = { readonly machine: string }

const INTO_SCRIPT = 'Put it into a script, and name the script.'

/** Texts of commands on this machine. */
export const COMMANDS_REASONS = {
  CommandBegunElsewhere: ({ machine }: OfMachine) =>
    `It was begun on ${machine}, whose processes are not seen from here.`,
  CommandBegunInOtherContainer: ({ machine }: OfMachine) =>
    `It was begun in another container of ${machine}, whose processes are not seen from here.`,
  CommandEmpty: () => 'The command is empty.',
  CommandEndNoteTorn: ({ why }: { readonly why: Finding }) => `${why.message} The note of its end is not whole.`,
  CommandFolderIsNone: ({ directory }: OfDirectory) => `${directory}, where the command is to run, is no folder.`,
  CommandFolderNotEntered: ({ directory, fault }: OfDirectory & OfFault) =>
    `${directory}, where the command is to run, cannot be entered: ${fault.message}.`,
  CommandFolderNotWhole: ({ directory }: OfDirectory) =>
    `"${directory}" does not say in which folder the command is to run.`,
  CommandGroupGone: () => 'None of its processes is there any more.',
  CommandGroupHidden: ({ group }: OfGroup) =>
    `A process of its group ${group} is there, which this user may not look at.`,
  CommandGroupNotNoted: () => 'Which process it is nobody noted: the console ended just as it began.',
  CommandGroupReused: ({ group }: OfGroup) => `Number ${group} belongs to another process by now.`,
  CommandHasSecret: () =>
    'The command holds what looks like a secret, and the journal would keep it. Put it into a script, or a file that the script reads.',
  CommandMachineRestarted: ({ machine }: OfMachine) => `${machine} was started again since.`,
  CommandNameUnusable: ({ name }: { readonly name: string }) => `"${name}" is no name for a command.`,
  CommandNotConfirmedHere: () =>
    'The work is a command that was not confirmed by this installation on this machine for this run: the run was taken over from another journal, its data directory was moved or copied, or its plan was changed.',
  CommandNotOneLine: () => `The command has more than one line, or characters that no screen shows. ${INTO_SCRIPT}`,
  CommandNotStarted: ({ fault }: OfFault) => `Nothing was started: ${fault.message}.`,
  CommandPlaceNotWritten: ({ path, fault }: OfPath) =>
    `Nothing was started: ${path} cannot be written, ${fault.message}.`,
  CommandStandingNotRead: ({ path, fault }: OfPath) =>
    `How the command stands cannot be read in ${path}: ${fault.message}.`,
  CommandTooLong: ({ longest }: { readonly longest: number }) =>
    `The command is longer than ${longest} characters. ${INTO_SCRIPT}`,
  NoKeyForCommands: () =>
    'This installation has no key by which it would know a command that was confirmed here: the log says why.',
  NoProcessForCommand: () => 'Nothing was started: the system gave no process.',
  NoShell: ({ shell }: { readonly shell: string }) => `This machine has no ${shell}, by which commands are run.`,
  NothingWasStarted: ({ why }: { readonly why: Finding }) => `${why.message} Nothing was started.`,
  OnlyTerminalRunsCommands: () =>
    'The work is a command, and only a terminal has its machine run one: a run with one is planned, and driven on until it was started, at the terminal of the machine on which it is to run.',
} satisfies TextsOf<string>
