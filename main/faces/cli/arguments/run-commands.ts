import { GateChoice } from '../../../../shared/domain/gate-choice.ts'
import { InstanceChoice } from '../../../../shared/domain/instance-choice.ts'
import { INSTANCE_CHOICE_WORDS } from '../../../../shared/words/instance-choices.ts'
import type { CommandSpec } from './argument-specs.ts'
import {
  answer,
  attempts,
  cluster,
  concurrency,
  confirmCluster,
  node,
  reason,
  run,
  runOrAsked,
  UNATTENDED,
  yes,
} from './argument-words.ts'
import { dryRun, homeFlags, startInstances } from './role-words.ts'

export const runCommands: readonly CommandSpec[] = [
  {
    path: ['undo'],
    summary: 'undo the changes of a run that was stopped, failed or waits',
    about: [
      "Makes a plan from the run's changes in the journal and changes nothing else. Shows the plan, asks, carries it out and verifies it. A run that still waits ends first.",
      'Evicted pods do not come back. Moved instances come back as `home` would bring them; stopped instances start only with --start-instances.',
      'A run over many nodes is undone node by node; without NODE the command lists them. A run that still waits ends for all its nodes.',
      UNATTENDED,
    ],
    operands: [run, { ...node, required: false, help: 'for a run over many nodes: the node to bring back' }],
    flags: [
      concurrency,
      attempts,
      { name: 'instances-stay', value: { kind: 'switch' }, help: 'leave moved instances where they are' },
      ...homeFlags,
      startInstances,
      reason,
      dryRun,
      yes,
      answer,
      confirmCluster,
    ],
    examples: ['undo 4f1c --dry-run', 'undo 4f1c', 'undo 4f1c cmp-02', 'undo 4f1c --start-instances --yes -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/undo.ts')).undoRun,
  },
  {
    path: ['runs'],
    summary: 'list the runs, newest first, then requests that runners have not started',
    about: [
      "A MaintenanceRun that has not started appears under its object's name, with what it waits for. If such objects cannot be read within a few seconds, the command says so.",
      'JSON contains the runs; with --asked, the MaintenanceRuns that are not runs here yet, and the clouds where they could not be read.',
    ],
    operands: [{ ...cluster, required: false }],
    flags: [
      {
        name: 'asked',
        value: { kind: 'switch' },
        help: 'only requests that runners have not started or have refused, or whose runs are not read here; exit code 1 if they could not be read',
      },
    ],
    examples: ['runs', 'runs lab -o json', 'runs --asked'],
    needs: 'contract',
    load: async () => (await import('../commands/runs.ts')).listRuns,
  },
  {
    path: ['run', 'show'],
    summary: 'show a run with its steps; -v shows every event',
    about: ['For a MaintenanceRun that has not started: its request, its author, and what it waits for.'],
    operands: [runOrAsked],
    flags: [],
    examples: ['run show 4f1c', 'run show 4f1c -v', 'run show enter-cmp-01-0123456789ab'],
    needs: 'contract',
    load: async () => (await import('../commands/run-show.ts')).showRun,
  },
  {
    path: ['run', 'resume'],
    summary: 'resume a run that was interrupted, detached or paused',
    about: ['Checks the cloud first; steps that are done are not repeated.'],
    operands: [run],
    flags: [answer],
    examples: ['run resume 4f1c', 'run resume 4f1c --answer rebalance-instances=skip'],
    needs: 'contract',
    load: async () => (await import('../commands/run-resume.ts')).resumeRun,
  },
  {
    path: ['run', 'pause'],
    summary: 'pause a run, also one that runs on another console',
    about: ['No further step starts. Running steps finish; Nova completes live migrations. `run resume` continues.'],
    operands: [run],
    flags: [],
    examples: ['run pause 4f1c'],
    needs: 'contract',
    load: async () => (await import('../commands/run-control.ts')).pauseRun,
  },
  {
    path: ['run', 'abort'],
    summary: 'stop a run and show what stays changed',
    about: [
      'Nothing is undone automatically: `undo` reverts its changes, `leave` brings the node back into service.',
      'Withdraws a MaintenanceRun that has not started: its runner never starts it. This requires the Role lockkeeper-steerer.',
    ],
    operands: [runOrAsked],
    flags: [reason, yes],
    examples: [
      'run abort 4f1c --reason "wrong node"',
      'run abort enter-cmp-01-0123456789ab --reason "change freeze" --yes',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/run-control.ts')).abortRun,
  },
]

/** Commands that answer what a run asks. */
export const runAnswerCommands: readonly CommandSpec[] = [
  {
    path: ['run', 'answer'],
    summary: 'answer the question that a run waits for',
    about: [
      '`run show RUN` shows the question, its gate and its choices. On a production cloud a skip needs a reason.',
      'A run on another console continues there. A detached run resumes here: its step is tried again and gets the answer when it asks again.',
    ],
    operands: [
      run,
      { name: 'GATE', required: true, help: 'the gate that `run show RUN` names.' },
      {
        name: 'CHOICE',
        required: true,
        choices: GateChoice.options,
        help: 'continue, retry, skip or abort.',
      },
    ],
    flags: [reason],
    examples: ['run answer 4f1c gate-1 retry', 'run answer 4f1c gate-1 skip --reason "vm-07 may go down"'],
    needs: 'contract',
    load: async () => (await import('../commands/run-answer.ts')).answerRun,
  },
  {
    path: ['run', 'decide'],
    summary: 'decide about one instance while the others continue',
    about: [
      'The instance moves, waits for its turn, or has a question. The run keeps the decision and follows it at its next check.',
      ...InstanceChoice.options.map(choice => `${choice}: ${INSTANCE_CHOICE_WORDS[choice]}.`),
    ],
    operands: [
      run,
      { name: 'INSTANCE', required: true, help: 'its id, or its name if only one instance of the run has it.' },
      {
        name: 'CHOICE',
        required: true,
        choices: InstanceChoice.options,
        help: 'what to do with it.',
      },
    ],
    flags: [reason],
    examples: [
      'run decide 4f1c vm-07 force-complete --reason "agreed with its owner"',
      'run decide 4f1c vm-07 skip --reason "it may go down"',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/run-decide.ts')).decideAboutInstance,
  },
]
