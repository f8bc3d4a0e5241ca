import type { FlagSpec } from './argument-specs.ts'

/** Flags that every command takes. */
export const globalFlags: readonly FlagSpec[] = [
  {
    name: 'output',
    short: 'o',
    value: { kind: 'choice', choices: ['table', 'json'] },
    help: 'json: only JSON goes to standard output, everything for people goes to standard error',
  },
  {
    name: 'verbose',
    short: 'v',
    value: { kind: 'switch' },
    help: 'show the evidence behind checks and the technical detail of failures',
  },
  {
    name: 'demo',
    value: { kind: 'switch' },
    help: 'run against embedded demo clouds started in this process, new ones for each command; with --data-dir its runs are kept there, marked as of a demo',
  },
  {
    name: 'data-dir',
    value: { kind: 'text', placeholder: 'DIR' },
    help: 'where clusters and the journal are kept (else LOCKKEEPER_DATA_DIR, else the XDG data folder)',
  },
  { name: 'no-color', value: { kind: 'switch' }, help: 'no colours and no redrawing (NO_COLOR does the same)' },
  { name: 'help', short: 'h', value: { kind: 'switch' }, help: 'this help' },
  { name: 'version', value: { kind: 'switch' }, help: 'the version' },
]
