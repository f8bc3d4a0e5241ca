import type { FlagSpec } from './argument-specs.ts'

/** Flags that every command takes. */
export const globalFlags: readonly FlagSpec[] = [
  {
    name: 'output',
    short: 'o',
    value: { kind: 'choice', choices: ['table', 'json'] },
    help: 'json: JSON on standard output, messages for people on standard error',
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
    help: 'use demo clouds in this process, new ones for each command; --data-dir keeps their runs, marked as demo',
  },
  {
    name: 'data-dir',
    value: { kind: 'text', placeholder: 'DIR' },
    help: 'the folder of clouds and journal (default: LOCKKEEPER_DATA_DIR, then the XDG data folder)',
  },
  { name: 'no-color', value: { kind: 'switch' }, help: 'no colours and no redrawing (NO_COLOR does the same)' },
  { name: 'help', short: 'h', value: { kind: 'switch' }, help: 'this help' },
  { name: 'version', value: { kind: 'switch' }, help: 'the version' },
]
