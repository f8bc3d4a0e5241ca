import type { CommandSpec } from './argument-specs.ts'

export const reportCommands: readonly CommandSpec[] = [
  {
    path: ['report'],
    summary: 'write the report of a run or a maintenance window to a file',
    about: [
      'Made from the journal alone. The report marks what is running or interrupted.',
      'Overwrites a file only with --force; only you can read the report.',
      'html prints well and needs no network; json and html can be verified; csv has one table (--table).',
    ],
    operands: [
      {
        name: 'RUN|WINDOW',
        required: true,
        help: 'the id of a run (`runs`) or of a window (`window list`), or the beginning of one.',
      },
    ],
    flags: [
      {
        name: 'format',
        value: { kind: 'choice', choices: ['html', 'pdf', 'json', 'csv', 'md'] },
        help: 'format of the file (default: html, or the extension given with -o)',
      },
      {
        name: 'output',
        short: 'o',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'where to write it; - is standard output (default: a file here, named after the run or window)',
      },
      {
        name: 'table',
        value: { kind: 'choice', choices: ['instances', 'nodes', 'events'] },
        help: 'the table of a csv (default: instances)',
      },
      {
        name: 'redact',
        value: { kind: 'switch' },
        help: 'replace names and ids of instances and projects, and leave out text that people wrote',
      },
      { name: 'force', value: { kind: 'switch' }, help: 'overwrite an existing file' },
    ],
    examples: [
      'report 4f1c --format html -o window.html',
      'report 4f1c --format csv --table nodes -o -',
      'report 4f1c --redact -o for-the-customer.pdf',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/report-make.ts')).makeReport,
  },
  {
    path: ['report', 'verify'],
    summary: 'check that a report (json or html) is unchanged: exit code 0 genuine, 1 changed or not verified',
    about: [
      'Recomputes every digest and the chain, rebuilds the report from its entries, and compares it with the journal of this data directory if that has the same entries.',
    ],
    operands: [{ name: 'FILE', required: true, help: 'a report in format json or html.' }],
    flags: [
      {
        name: 'key',
        value: { kind: 'text', placeholder: 'FINGERPRINT' },
        help: 'the key that must have signed it, as `journal status` of its console shows it; exit code 1 if another key or no key signed it',
      },
    ],
    examples: ['report verify window.html', 'report verify window.json -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/report-verify.ts')).verifyReport,
  },
]
