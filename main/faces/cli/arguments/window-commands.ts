import { LATE_BY_MINUTES } from '../../../../shared/domain/agreed-start.ts'
import type { CommandSpec, FlagSpec, OperandSpec } from './argument-specs.ts'
import {
  all,
  answer,
  choiceFlags,
  cluster,
  confirmCluster,
  inClusterFlags,
  reason,
  UNATTENDED,
  yes,
} from './argument-words.ts'
import { enterRoleFlags, leaveRoleFlags } from './role-words.ts'
import { updateOnlyFlags, workFlags } from './update-commands.ts'

/** The window a command works on. */
export const windowOperand: OperandSpec = {
  name: 'WINDOW',
  required: true,
  help: 'the id of a maintenance window, or the beginning of one (`window list`).',
}

const timeFlags: readonly FlagSpec[] = [
  {
    name: 'start',
    value: { kind: 'text', placeholder: 'TIME' },
    help: 'when it begins, on the clocks of --zone: "2035-11-24 22:00", or with an offset: "2035-10-28 02:30 +01:00"',
  },
  { name: 'end', value: { kind: 'text', placeholder: 'TIME' }, help: 'when it ends' },
  {
    name: 'zone',
    value: { kind: 'text', placeholder: 'ZONE' },
    help: 'the time zone of both, such as Europe/Berlin or UTC',
  },
]

const wordFlags: readonly FlagSpec[] = [
  { name: 'title', value: { kind: 'text', placeholder: 'TEXT' }, help: 'what it is called' },
  {
    name: 'ticket',
    value: { kind: 'text', placeholder: 'TEXT' },
    help: 'number or address of the change in your own system',
  },
  { name: 'notes', value: { kind: 'text', placeholder: 'TEXT' }, help: 'what else is to be known' },
]

/** What is to be done within a window. */
export const planFlags: readonly FlagSpec[] = [
  {
    name: 'nodes',
    value: { kind: 'text', placeholder: 'NODES' },
    help: 'nodes to be worked on; Lockkeeper makes batches of them that keep every rule (`window batches` shows them)',
  },
  {
    name: 'batches',
    value: { kind: 'choice', choices: ['auto'] },
    help: 'auto: batches are made by the rules (which --nodes means by itself)',
  },
  {
    name: 'batch',
    value: { kind: 'text', placeholder: 'NODES' },
    repeatable: true,
    help: 'nodes of one batch, as you want them; batches follow each other in the order given',
  },
  {
    name: 'zones',
    value: { kind: 'choice', choices: ['one-at-a-time', 'spread'] },
    help: 'with --nodes: a batch holds nodes of one availability zone (the default), or takes from as many as it can',
  },
  {
    name: 'scope',
    value: { kind: 'choice', choices: ['drain', 'os'] },
    help: 'drain: instances stay; os: the nodes may reboot, instances are moved away (the default)',
  },
  ...workFlags,
  {
    name: 'work-minutes',
    value: { kind: 'count', placeholder: 'N', least: 1, most: 10_000 },
    help: 'how long the work on one node takes, as you expect it; else as it was measured',
  },
  { name: 'pause-between-batches', value: { kind: 'switch' }, help: 'ask before every next batch' },
  { name: 'update', value: { kind: 'switch' }, help: 'plan the update of the whole cluster instead of batches' },
  ...updateOnlyFlags,
]

const OF_BATCHES = [
  'stuck',
  'disable-migration',
  'cold-migration',
  'stop-osds',
  'enable-ceph-crush-rebalancing',
  'no-wait-for-clean',
]

/** What is chosen when the run of a window is started; its scope and how nodes are emptied are of its plan. */
const startFlags: readonly FlagSpec[] = [
  ...choiceFlags.filter(({ name }) => name !== 'scope'),
  ...[...enterRoleFlags, ...leaveRoleFlags].filter(
    ({ name }, at, all) => OF_BATCHES.includes(name) && all.findIndex(flag => flag.name === name) === at,
  ),
]

const whenItBegins: FlagSpec = {
  name: 'when-it-begins',
  value: { kind: 'switch' },
  help: 'start by itself at its announced beginning, once what is shown is confirmed',
}
const lateBy: FlagSpec = {
  name: 'late-by',
  value: { kind: 'duration', placeholder: 'DURATION' },
  help: `with --when-it-begins: not later than so long after its beginning, ${LATE_BY_MINUTES.usual}m if you say nothing, ${LATE_BY_MINUTES.most}m at most`,
}
const noWait: FlagSpec = {
  name: 'no-wait',
  value: { kind: 'switch' },
  help: 'with --when-it-begins: do not wait here for it; the desktop app or `serve` starts it',
}

/** Commands about maintenance windows. */
export const windowCommands: readonly CommandSpec[] = [
  {
    path: ['window', 'create'],
    summary: 'announce a maintenance window of a cluster',
    about: [
      'Its plan is batches of nodes (--batch, or --nodes for batches made by the rules), the update of the whole cluster (--update), or nothing yet: then runs are started one by one while it is open.',
      'Times are those of the clocks of --zone; one that these clocks show twice or never is refused in words.',
    ],
    operands: [cluster],
    flags: [...wordFlags, ...timeFlags, ...planFlags],
    examples: [
      'window create lab --title "Kernel" --ticket CHG-4711 --start "2035-11-24 22:00" --end "2035-11-25 04:00" --zone Europe/Berlin --nodes cmp-1,cmp-2',
      'window create lab --title "Rack 1" --start "2035-11-24 22:00" --end "2035-11-25 04:00" --zone UTC --batch cmp-1,cmp-2 --batch cmp-3 --work boot-id',
      'window create mosk --title "25.2" --start "2035-11-24 22:00" --end "2035-11-25 04:00" --zone UTC --update --release 25.2',
    ],
    needs: 'contract',
    load: async () => (await import('../commands/window-create.ts')).createWindow,
  },
  {
    path: ['window', 'list'],
    summary: 'maintenance windows of a cluster, or of all, latest first',
    about: [],
    operands: [{ ...cluster, required: false }],
    flags: [],
    examples: ['window list', 'window list lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/window-show.ts')).listWindows,
  },
  {
    path: ['window', 'show'],
    summary: 'a maintenance window: its plan, its runs, its notes',
    about: [],
    operands: [windowOperand],
    flags: [],
    examples: ['window show 4f1c', 'window show 4f1c -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/window-show.ts')).showWindow,
  },
  {
    path: ['window', 'change'],
    summary: 'change what was announced of a window',
    about: ['Only what is given changes. Refused when somebody else changed it meanwhile.'],
    operands: [windowOperand],
    flags: [...wordFlags, ...timeFlags, ...planFlags],
    examples: ['window change 4f1c --end "2035-11-25 05:00"', 'window change 4f1c --batch cmp-1 --batch cmp-2,cmp-3'],
    needs: 'contract',
    load: async () => (await import('../commands/window-create.ts')).changeWindow,
  },
  {
    path: ['window', 'note'],
    summary: 'keep what was seen: an incident, or a remark',
    about: ['Both are in the report; incidents in a list of their own.'],
    operands: [windowOperand],
    flags: [
      { name: 'incident', value: { kind: 'text', placeholder: 'TEXT' }, help: 'something that went wrong' },
      { name: 'remark', value: { kind: 'text', placeholder: 'TEXT' }, help: 'anything else' },
    ],
    examples: ['window note 4f1c --incident "cmp-2 needed a second reboot"'],
    needs: 'contract',
    load: async () => (await import('../commands/window-end.ts')).noteWindow,
  },
  {
    path: ['window', 'start'],
    summary: 'carry out what a window is for, as one run',
    about: [
      'Shows the plan with every check, asks, and follows the run to its end. The window has to be open; the run belongs to it, also past its end.',
      UNATTENDED,
      'One driver a cluster. Ctrl-C asks whether to detach (the run stays, resumable with `update resume`), pause or abort.',
      'With --when-it-begins a planned window starts by itself at its beginning: the plan that is confirmed now, checked afresh then. If anything blocks or is not what was confirmed, it does not start, and says so. Lockkeeper has to be open on this computer then.',
    ],
    operands: [windowOperand],
    flags: [...startFlags, reason, all, yes, answer, ...inClusterFlags, confirmCluster, whenItBegins, lateBy, noWait],
    examples: ['window start 4f1c', 'window start 4f1c --yes --concurrency 4', 'window start 4f1c --when-it-begins'],
    needs: 'contract',
    load: async () => (await import('../commands/window-start.ts')).startWindow,
  },
  {
    path: ['window', 'wait'],
    summary: 'stay until a window starts by itself, and follow its run',
    about: [
      'For a window that was agreed to with `window start --when-it-begins` or on the screen. Ctrl-C takes nothing back.',
    ],
    operands: [windowOperand],
    flags: [],
    examples: ['window wait 4f1c'],
    needs: 'contract',
    load: async () => (await import('../commands/window-agree.ts')).waitForWindow,
  },
  {
    path: ['window', 'take-back'],
    summary: 'take back the confirmation that a window starts by itself',
    about: [],
    operands: [windowOperand],
    flags: [{ name: 'why', value: { kind: 'text', placeholder: 'TEXT' }, help: 'why; kept with the window' }],
    examples: ['window take-back 4f1c --why "the spare part is late"'],
    needs: 'contract',
    load: async () => (await import('../commands/window-agree.ts')).takeBackStart,
  },
  {
    path: ['window', 'close'],
    summary: 'end a window, with what came of it',
    about: ['Refused while a run of it is not over.'],
    operands: [windowOperand],
    flags: [{ name: 'summary', value: { kind: 'text', placeholder: 'TEXT' }, help: 'what came of it, in a sentence' }],
    examples: ['window close 4f1c --summary "All nodes on the new kernel."'],
    needs: 'contract',
    load: async () => (await import('../commands/window-end.ts')).closeWindow,
  },
  {
    path: ['window', 'cancel'],
    summary: 'call a window off',
    about: [],
    operands: [windowOperand],
    flags: [{ name: 'why', value: { kind: 'text', placeholder: 'TEXT' }, help: 'why it is called off' }],
    examples: ['window cancel 4f1c --why "the vendor withdrew the release"'],
    needs: 'contract',
    load: async () => (await import('../commands/window-end.ts')).cancelWindow,
  },
  {
    path: ['window', 'calendar'],
    summary: 'windows as a file for calendars (iCalendar)',
    about: [
      'Of all clusters, of one, or one window. An event keeps its identity, so that a calendar changes what it has when the file is imported again.',
      'A file that is there is never overwritten without --force; only you can read what is written.',
    ],
    operands: [
      {
        name: 'CLUSTER|WINDOW',
        required: false,
        help: 'a registered cluster, or the id of a window or the beginning of one (else all windows).',
      },
    ],
    flags: [
      {
        name: 'output',
        short: 'o',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'where it goes; without it, or as -, standard output',
      },
      { name: 'force', value: { kind: 'switch' }, help: 'overwrite a file that is there' },
    ],
    examples: ['window calendar -o windows.ics', 'window calendar lab -o lab.ics', 'window calendar 4f1c'],
    needs: 'contract',
    load: async () => (await import('../commands/window-calendar.ts')).writeCalendar,
  },
  {
    path: ['window', 'feed'],
    summary: 'the address at which a calendar of this machine reads the windows from `serve`',
    about: [
      'Calendars are answered only after this was asked for once. The address holds a secret that reads windows and nothing else; it is kept in the data directory, for you only.',
      'It is answered while `lockkeeper serve` runs, on 127.0.0.1 like all of it: give `serve` a port of its own, and the same here.',
    ],
    operands: [],
    flags: [
      {
        name: 'port',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 65_535 },
        help: 'the port that `serve` is started with',
      },
      { name: 'renew', value: { kind: 'switch' }, help: 'make a new secret; the address before is no longer good' },
      { name: 'off', value: { kind: 'switch' }, help: 'stop serving calendars' },
    ],
    examples: ['window feed --port 8080', 'window feed --renew', 'window feed --off'],
    needs: 'nothing',
    load: async () => (await import('../commands/window-feed.ts')).showFeed,
  },
]
