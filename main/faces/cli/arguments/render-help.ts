import type { CommandSpec, FlagSpec } from './argument-specs.ts'
import { globalFlags } from './global-flags.ts'
import { flagsLeft, usageOfFlag } from './parse-arguments.ts'

const EXIT_CODES =
  '0 done and verified, 1 failed, 2 wrong usage, 3 checks failed (nothing changed), 4 interrupted or waiting, 5 finished, but the node is not empty or not yet ready for work'

export function renderHelp(path: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  const command = commands.find(candidate => candidate.path.join(' ') === path.join(' '))
  const group = commands.filter(candidate => candidate.path.slice(0, path.length).join(' ') === path.join(' '))
  return command === undefined ? groupHelp(path, group) : commandHelp(command, group)
}

function usageOfCommand(command: CommandSpec): string {
  return ['lockkeeper', signature(command), ...(command.flags.length > 0 ? ['[flags]'] : [])].join(' ')
}

function groupHelp(path: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  const intro =
    path.length === 0
      ? [
          'Lockkeeper: the maintenance console for OpenStack clouds that run on Kubernetes.',
          '',
          'Usage: lockkeeper COMMAND [flags]',
        ]
      : [`Usage: lockkeeper ${path.join(' ')} COMMAND [flags]`]
  return [
    ...intro,
    '',
    'Commands:',
    ...pairs(commands.map(command => [signature(command), command.summary])),
    '',
    'Flags of every command:',
    ...flagLines(globalFlags),
    '',
    'lockkeeper COMMAND --help explains one command.',
    `Exit codes: ${EXIT_CODES}.`,
  ]
}

function commandHelp(command: CommandSpec, group: readonly CommandSpec[]): readonly string[] {
  const below = group.filter(other => other !== command)
  return [
    `${capital(command.summary)}.`,
    '',
    `Usage: ${usageOfCommand(command)}`,
    ...(command.about.length === 0 ? [] : ['', ...command.about]),
    ...section('Arguments:', pairs(command.operands.map(({ name, help }) => [name, help]))),
    ...section('Flags:', flagLines(command.flags)),
    ...section('Flags of every command:', flagLines(flagsLeft(globalFlags, command.flags))),
    ...section('See also:', pairs(below.map(other => [signature(other), other.summary]))),
    ...section(
      'Examples:',
      command.examples.map(example => `  lockkeeper ${example}`),
    ),
    '',
    `Exit codes: ${EXIT_CODES}.`,
  ]
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines]
}

function signature({ path, operands }: CommandSpec): string {
  const words = operands.map(({ name, required, several }) => {
    const word = several === true ? `${name}...` : name
    return required ? word : `[${word}]`
  })
  return [...path, ...words].join(' ')
}

function flagLines(flags: readonly FlagSpec[]): readonly string[] {
  return pairs(flags.map(flag => [usageOfFlag(flag), flag.help]))
}

const WIDEST_LEFT = 34

function pairs(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.min(WIDEST_LEFT, Math.max(0, ...rows.map(([left]) => left.length)))
  return rows.flatMap(([left, right]) =>
    left.length > width ? [`  ${left}`, `  ${' '.repeat(width)}  ${right}`] : [`  ${left.padEnd(width)}  ${right}`],
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
