import type { CommandSpec } from './argument-specs.ts'

/** Commands about reports. */
export const reportCommands: readonly CommandSpec[] = [
  {
    path: ['report'],
    summary: 'the report of a run or a maintenance window, as a file',
    about: [
      'Made from the journal alone. The report says what is under way or interrupted.',
      'A file that is there is never overwritten without --force; only you can read what is written.',
      'html prints well and needs no network; json and html can be verified; csv is one table (--table).',
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
        help: 'of the file; html is the default, or what the name given with -o ends with',
      },
      {
        name: 'output',
        short: 'o',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'where it goes: - is standard output; without it, a file named after the run or window, here',
      },
      {
        name: 'table',
        value: { kind: 'choice', choices: ['instances', 'nodes', 'events'] },
        help: 'which table a csv holds (the default: instances)',
      },
      {
        name: 'redact',
        value: { kind: 'switch' },
        help: 'replace names and ids of instances and projects, and leave out what people wrote',
      },
      { name: 'force', value: { kind: 'switch' }, help: 'overwrite the file if it is there' },
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
    summary: 'whether a report (json or html) is as it was made: exit code 0 genuine, 1 changed or not verified',
    about: [
      'Recomputes every digest and the chain, makes the report again from the entries it carries, and compares it with the journal of this data directory where that has the same entries.',
    ],
    operands: [{ name: 'FILE', required: true, help: 'a report in format json or html.' }],
    flags: [
      {
        name: 'key',
        value: { kind: 'text', placeholder: 'FINGERPRINT' },
        help: 'the key that has to have signed it, as `journal status` of its console shows it: exit code 1 when another one did, or none',
      },
    ],
    examples: ['report verify window.html', 'report verify window.json -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/report-verify.ts')).verifyReport,
  },
]
