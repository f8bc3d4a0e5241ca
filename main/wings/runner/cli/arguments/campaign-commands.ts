import type { CommandSpec, OperandSpec } from '../../../../faces/cli/arguments/argument-specs.ts'
import { cluster, reason, yes } from '../../../../faces/cli/arguments/argument-words.ts'

const campaign: OperandSpec = { name: 'NAME', required: true, help: 'the campaign' }
const ofCampaign = [{ ...cluster, help: 'a registered cluster (`cluster list`) of the runner' }, campaign]

/** Commands about campaigns: the order in which a runner starts runs of many clouds (docs/runner.md). */
export const campaignCommands: readonly CommandSpec[] = [
  {
    path: ['runner', 'campaign', 'create'],
    summary: 'set the order in which a runner starts runs of many clouds',
    about: [
      'Creates a MaintenanceCampaign beside the MaintenanceRuns of the runner of CLUSTER. --batch names its runs, in order: a batch starts when all runs of the batch before have ended.',
      'It plans nothing and starts only confirmed runs: submit each run with --in-cluster --campaign NAME, before or after; it waits until the campaign releases it.',
      'If more runs fail than --failure-budget allows, no further run starts; running ones finish.',
    ],
    operands: ofCampaign,
    flags: [
      {
        name: 'batch',
        value: { kind: 'text', placeholder: 'RUNS' },
        repeatable: true,
        help: 'names of MaintenanceRuns, separated by commas; batches run in the order given',
      },
      {
        name: 'at-once',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 500 },
        help: 'how many runs of a batch run at a time (default: all)',
      },
      {
        name: 'failure-budget',
        value: { kind: 'count', placeholder: 'N', least: 0, most: 500 },
        help: 'how many runs may fail before the campaign stops (default 0: the first failure stops it)',
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
    summary: "list the campaigns of a cluster's runner",
    about: [],
    operands: [{ ...cluster, help: 'a cluster of the runner' }],
    flags: [],
    examples: ['runner campaign list lab', 'runner campaign list lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).listCampaigns,
  },
  {
    path: ['runner', 'campaign', 'show'],
    summary: 'show a campaign, its batches and the state of each run',
    about: ['Exit code 0 when all is done, 1 when it failed or was stopped, 4 while it is running.'],
    operands: ofCampaign,
    flags: [],
    examples: ['runner campaign show lab night'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).showCampaign,
  },
  {
    path: ['runner', 'campaign', 'pause'],
    summary: 'pause a campaign: no further run starts; running ones finish',
    about: [],
    operands: ofCampaign,
    flags: [reason],
    examples: ['runner campaign pause lab night --reason "change freeze"'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).pauseCampaign,
  },
  {
    path: ['runner', 'campaign', 'resume'],
    summary: 'resume a campaign that was paused or stopped',
    about: [
      'If failed runs stopped the campaign, resume those runs first. It continues when the failures are within the budget.',
    ],
    operands: ofCampaign,
    flags: [reason],
    examples: ['runner campaign resume lab night'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).resumeCampaign,
  },
  {
    path: ['runner', 'campaign', 'abort'],
    summary: 'stop a campaign: its waiting runs never start',
    about: ['Running runs finish; `run abort` stops one of them.'],
    operands: ofCampaign,
    flags: [reason, yes],
    examples: ['runner campaign abort lab night --reason "storm warning" --yes'],
    needs: 'contract',
    load: async () => (await import('../commands/campaign.ts')).abortCampaign,
  },
]
