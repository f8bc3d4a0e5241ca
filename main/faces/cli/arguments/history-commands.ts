import type { CommandSpec, OperandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

const anyCluster: OperandSpec = { ...cluster, required: false, help: `${cluster.help} Without one: all clouds.` }

export const historyCommands: readonly CommandSpec[] = [
  {
    path: ['history'],
    summary: 'list runs and maintenance windows, newest first',
    about: [
      'Searches clouds, nodes, operators, machines, reasons, titles, tickets, summaries and ids. A result contains every word.',
    ],
    operands: [anyCluster],
    flags: [
      { name: 'text', value: { kind: 'text', placeholder: 'WORDS' }, help: 'words to search for' },
      {
        name: 'from',
        value: { kind: 'text', placeholder: 'DAY' },
        help: 'only what was still running on or after this day, such as 2026-11-01, or time (ISO 8601)',
      },
      { name: 'to', value: { kind: 'text', placeholder: 'DAY' }, help: 'only what had started by the end of this day' },
      {
        name: 'limit',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 1000 },
        help: 'maximum number of results (default 50)',
      },
    ],
    examples: ['history', 'history east --text "rabbitmq olga" --from 2026-10-01', 'history --limit 1000 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/history.ts')).searchHistory,
  },
  {
    path: ['history', 'durations'],
    summary: 'show how long work on nodes took: median and 90th percentile',
    about: ['Lockkeeper estimates windows from these. JSON has every measurement.'],
    operands: [anyCluster],
    flags: [],
    examples: ['history durations east'],
    needs: 'contract',
    load: async () => (await import('../commands/history.ts')).listDurations,
  },
  {
    path: ['history', 'blockers'],
    summary: 'list checks that blocked two runs or more',
    about: [],
    operands: [anyCluster],
    flags: [],
    examples: ['history blockers'],
    needs: 'contract',
    load: async () => (await import('../commands/history.ts')).listBlockers,
  },
]
