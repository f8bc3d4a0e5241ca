import type { CommandSpec, OperandSpec } from './argument-specs.ts'
import { cluster } from './argument-words.ts'

const anyCluster: OperandSpec = { ...cluster, required: false, help: `${cluster.help} Without one: all clusters.` }

/** Commands about what happened on all clusters. */
export const historyCommands: readonly CommandSpec[] = [
  {
    path: ['history'],
    summary: 'runs and maintenance windows, newest first',
    about: [
      'Finds by words in clusters, nodes, operators, machines, reasons, titles, tickets, summaries and ids; each word has to occur somewhere.',
    ],
    operands: [anyCluster],
    flags: [
      { name: 'text', value: { kind: 'text', placeholder: 'WORDS' }, help: 'words to look for' },
      {
        name: 'from',
        value: { kind: 'text', placeholder: 'DAY' },
        help: 'what was under way on or after this day, such as 2026-11-01, or time (ISO 8601)',
      },
      { name: 'to', value: { kind: 'text', placeholder: 'DAY' }, help: 'what was under way until the end of this day' },
      {
        name: 'limit',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 1000 },
        help: 'so many at most; 50 where nothing is said',
      },
    ],
    examples: ['history', 'history east --text "rabbitmq olga" --from 2026-10-01', 'history --limit 1000 -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/history.ts')).searchHistory,
  },
  {
    path: ['history', 'durations'],
    summary: 'how long the work on nodes took: median and what nine in ten stayed within',
    about: ['Estimates of windows are made from these. JSON has every single measurement.'],
    operands: [anyCluster],
    flags: [],
    examples: ['history durations east'],
    needs: 'contract',
    load: async () => (await import('../commands/history.ts')).listDurations,
  },
  {
    path: ['history', 'blockers'],
    summary: 'checks that stood in the way of two runs or more',
    about: [],
    operands: [anyCluster],
    flags: [],
    examples: ['history blockers'],
    needs: 'contract',
    load: async () => (await import('../commands/history.ts')).listBlockers,
  },
]
