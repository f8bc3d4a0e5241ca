import type { CommandSpec, OperandSpec } from './argument-specs.ts'
import { cluster, reason, yes } from './argument-words.ts'

const campaign: OperandSpec = { name: 'NAME', required: true, help: 'the campaign' }
const ofCampaign = [{ ...cluster, help: 'a registered cluster (`cluster list`) that the runner knows' }, campaign]

/** Commands about campaigns: in what order a runner begins runs of many clouds (docs/runner.md). */
export const campaignCommands: readonly CommandSpec[] = [
  {
    path: ['runner', 'campaign', 'create'],
    summary: 'say in what order a runner begins runs of many clouds',
    about: [
      'Makes a MaintenanceCampaign beside the MaintenanceRuns of the runner that knows CLUSTER. Its runs are named by --batch, in order: a batch is begun when all runs of the one before have ended.',
      'It plans nothing and begins nothing that was not confirmed: each run is submitted with --in-cluster --campaign NAME, before or after, and waits until the campaign releases it.',
      'Nothing more is begun when more runs failed than --failure-budget says; those under way go on to their end.',
    ],
    operands: ofCampaign,
    flags: [
      {
        name: 'batch',
        value: { kind: 'text', placeholder: 'RUNS' },
        repeatable: true,
        help: 'names of MaintenanceRuns with commas between; batches follow each other in the order given',
      },
      {
        name: 'at-once',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 500 },
        help: 'how many runs of a batch are under way at once (all of it)',
      },
      {
        name: 'failure-budget',
        value: { kind: 'count', placeholder: 'N', least: 0, most: 500 },
        help: 'how many runs may end other than done while the others go on being begun (0: the first stops it)',
      },
    ],
    examples: [
      'runner campaign create lab night --batch enter-cmp-01-0123456789ab --batch enter-cmp-02-123456789abc,enter-cmp-03-23456789abcd --failure-budget 1',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).createCampaign,
  },
  {
    path: ['runner', 'campaign', 'list'],
    summary: 'the campaigns of the runner that knows a cluster',
    about: [],
    operands: [{ ...cluster, help: 'a cluster that the runner knows' }],
    flags: [],
    examples: ['runner campaign list lab', 'runner campaign list lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).listCampaigns,
  },
  {
    path: ['runner', 'campaign', 'show'],
    summary: 'a campaign with its batches, and where each run stands',
    about: ['Exit 0 when all is done, 1 when it failed or was aborted, 4 while it is not over.'],
    operands: ofCampaign,
    flags: [],
    examples: ['runner campaign show lab night'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).showCampaign,
  },
  {
    path: ['runner', 'campaign', 'pause'],
    summary: 'have a campaign begin nothing more; runs under way go on to their end',
    about: [],
    operands: ofCampaign,
    flags: [reason],
    examples: ['runner campaign pause lab night --reason "change freeze"'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).pauseCampaign,
  },
  {
    path: ['runner', 'campaign', 'resume'],
    summary: 'have a campaign that was paused or stopped begin its runs again',
    about: [
      'One that stopped because runs failed goes on when no more of them are failed than may: resume those first.',
    ],
    operands: ofCampaign,
    flags: [reason],
    examples: ['runner campaign resume lab night'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).resumeCampaign,
  },
  {
    path: ['runner', 'campaign', 'abort'],
    summary: 'end a campaign: runs that were not begun never are',
    about: ['Runs under way go on to their end; `run abort` ends one of them.'],
    operands: ofCampaign,
    flags: [reason, yes],
    examples: ['runner campaign abort lab night --reason "storm warning" --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).abortCampaign,
  },
]
