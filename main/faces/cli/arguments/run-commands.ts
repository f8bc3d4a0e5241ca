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

/** Commands about runs. */
export const runCommands: readonly CommandSpec[] = [
  {
    path: ['undo'],
    summary: 'take back what a run did that was aborted, failed or waits',
    about: [
      'The plan of the way back is made of what the journal says that the run did: nothing else is touched. It is shown, confirmed, carried out and verified; a run that still waits is ended first.',
      'Pods that left do not come back. Instances that were moved come home as far as `home` brings them; those that were stopped are started with --start-instances only.',
      'A run over many nodes is undone node by node: without NODE it is said which there are. One that still waits is ended for all of them.',
      UNATTENDED,
    ],
    operands: [run, { ...node, required: false, help: 'of a run over many nodes: the node that is brought back' }],
    flags: [
      concurrency,
      attempts,
      { name: 'instances-stay', value: { kind: 'switch' }, help: 'instances that were moved stay where they are' },
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
    summary: 'the runs, newest first; what was asked of runners and is not begun comes below',
    about: [
      'A MaintenanceRun that no runner has begun is shown by the name of its object, with what it waits for. Where such objects cannot be read within a few seconds, that is said.',
      'JSON holds the runs; with --asked instead the MaintenanceRuns that are no runs here, and where they could not be read.',
    ],
    operands: [{ ...cluster, required: false }],
    flags: [
      {
        name: 'asked',
        value: { kind: 'switch' },
        help: 'only what was asked of runners and not begun, or refused, or is not read here; exit code 1 where it could not be read',
      },
    ],
    examples: ['runs', 'runs lab -o json', 'runs --asked'],
    needs: 'contract',
    load: async () => (await import('../commands/runs.ts')).listRuns,
  },
  {
    path: ['run', 'show'],
    summary: 'a run with its steps; -v shows every event',
    about: ['Of a MaintenanceRun that is not begun: what it asks for, by whom, and what it waits for.'],
    operands: [runOrAsked],
    flags: [],
    examples: ['run show 4f1c', 'run show 4f1c -v', 'run show enter-cmp-01-0123456789ab'],
    needs: 'contract',
    load: async () => (await import('../commands/run-show.ts')).showRun,
  },
  {
    path: ['run', 'resume'],
    summary: 'drive an interrupted, left or paused run on',
    about: ['Looks at the world first: what is done already is not done twice.'],
    operands: [run],
    flags: [answer],
    examples: ['run resume 4f1c', 'run resume 4f1c --answer rebalance-instances=skip'],
    needs: 'contract',
    load: async () => (await import('../commands/run-resume.ts')).resumeRun,
  },
  {
    path: ['run', 'pause'],
    summary: 'pause a run, also one that another console drives',
    about: ['No further step is begun. What is under way is finished, live migrations by Nova; `run resume` goes on.'],
    operands: [run],
    flags: [],
    examples: ['run pause 4f1c'],
    needs: 'contract',
    load: async () => (await import('../commands/run-control.ts')).pauseRun,
  },
  {
    path: ['run', 'abort'],
    summary: 'end a run where it is; says what stays changed',
    about: [
      'Nothing is rolled back by itself: `undo` takes back what it did, `leave` brings the node back into service.',
      'A MaintenanceRun that is not begun is withdrawn: its runner never begins it. That takes the Role lockkeeper-steerer.',
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
  {
    path: ['run', 'hand-over'],
    summary: 'have the runner in the cluster go on with a run of this console',
    about: [
      'A run that moves is paused first: what is under way comes to its end. Then its story and its plan are handed over as a MaintenanceRun; the runner looks at everything afresh, verifies again what was done, and goes on with the rest.',
      'Here it is over, and `run show` tells what the runner does. Where the runner refuses it, `run resume` takes it back.',
      'It takes the rights to create maintenanceruns and maintenanceruncontrols. An undo, health gates and work by a command of this machine or by a Job stay here.',
    ],
    operands: [run],
    flags: [
      {
        name: 'not-after',
        value: { kind: 'text', placeholder: 'TIME' },
        help: 'no other node is begun that would not be finished by then',
      },
      {
        name: 'resume-policy',
        value: { kind: 'choice', choices: ['always', 'never'] },
        help: 'whether the runner takes the run up again by itself after a crash (always); never: a person resumes it',
      },
      answer,
      yes,
      confirmCluster,
    ],
    examples: ['run hand-over 4f1c', 'run hand-over 4f1c --yes --not-after 2035-11-25T05:00+01:00'],
    needs: 'contract',
    load: async () => (await import('../commands/run-hand-over.ts')).handOverRun,
  },
  {
    path: ['run', 'answer'],
    summary: 'answer what a run waits for',
    about: [
      '`run show RUN` tells the question, the gate and the choices it takes. A skip needs a reason.',
      'A run that somebody drives goes on there. One that was left is driven on from here: its step is tried again, and the answer is given when it asks again.',
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
    summary: 'decide about one instance while the others go on',
    about: [
      'An instance that moves, waits for its turn, or about which the run asks. What is decided is kept with the run and heeded at its next look.',
      ...InstanceChoice.options.map(choice => `${choice}: ${INSTANCE_CHOICE_WORDS[choice]}.`),
    ],
    operands: [
      run,
      { name: 'INSTANCE', required: true, help: 'its id, or its name where the run has one of that name.' },
      {
        name: 'CHOICE',
        required: true,
        choices: InstanceChoice.options,
        help: 'what is to be done about it.',
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
