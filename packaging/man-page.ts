import { commandTable } from '../main/compose/terminal/command-table.ts'
import type { CommandSpec, FlagSpec } from '../main/faces/cli/arguments/argument-specs.ts'
import { globalFlags } from '../main/faces/cli/arguments/global-flags.ts'
import { usageOfFlag } from '../main/faces/cli/arguments/parse-arguments.ts'
import type { BuildFacts } from './build-facts.ts'
import { ABOUT } from './project.ts'

/** The manual page of the terminal, in roff: every command, as its help tells it. */
export function manPage({ version, at }: BuildFacts): string {
  return [
    `.TH LOCKKEEPER 1 "${at.slice(0, 10)}" "lockkeeper ${version}" "User Commands"`,
    '.SH NAME',
    'lockkeeper \\- maintenance console for OpenStack clouds that run on Kubernetes',
    '.SH SYNOPSIS',
    '.B lockkeeper',
    '.I COMMAND',
    '[\\fIFLAGS\\fR]',
    '.SH DESCRIPTION',
    text(ABOUT.join(' ')),
    '.SH FLAGS OF EVERY COMMAND',
    ...globalFlags.flatMap(flag),
    '.SH COMMANDS',
    ...commandTable.flatMap(command),
    '.SH EXIT STATUS',
    ...[
      '0:done and verified',
      '1:failed',
      '2:usage',
      '3:checks failed, nothing was touched',
      '4:interrupted or waiting',
    ].flatMap(line => ['.TP', `.B ${line.slice(0, 1)}`, text(line.slice(2))]),
    '.SH FILES',
    '.TP',
    '.I ~/.local/share/lockkeeper',
    text('the journal, the clusters and the settings, where LOCKKEEPER_DATA_DIR and XDG_DATA_HOME say nothing else'),
    '.SH SEE ALSO',
    '.BR kubectl (1)',
    '',
  ].join('\n')
}

function command({ path, summary, about, operands, flags, examples }: CommandSpec): readonly string[] {
  const words = operands.map(({ name, required, several }) => {
    const word = several === true ? `${name}...` : name
    return required ? word : `[${word}]`
  })
  return [
    `.SS "${roff(['lockkeeper', ...path, ...words].join(' '))}"`,
    text(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    ...about.flatMap(paragraph => ['.PP', text(paragraph)]),
    ...operands.flatMap(({ name, help }) => ['.TP', `.I ${roff(name)}`, text(help)]),
    ...flags.flatMap(flag),
    ...(examples.length === 0
      ? []
      : ['.PP', 'Examples:', '.PP', '.nf', ...examples.map(example => text(`    lockkeeper ${example}`)), '.fi']),
  ]
}

function flag(spec: FlagSpec): readonly string[] {
  return ['.TP', `.B ${roff(usageOfFlag(spec).trim())}`, text(spec.help)]
}

/** A line of text, escaped if it begins like a request of roff. */
function text(line: string): string {
  const safe = roff(line)
  return /^[.']/.test(safe) ? `\\&${safe}` : safe
}

function roff(line: string): string {
  return line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq')
}
