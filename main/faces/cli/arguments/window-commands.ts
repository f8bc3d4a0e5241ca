import { LATE_BY_MINUTES } from '../../../../shared/domain/agreed-start.ts'
import type { CommandOutline, FlagSpec, OperandSpec } from './argument-specs.ts'
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

export const windowOperand: OperandSpec = {
  name: 'WINDOW',
  required: true,
  help: 'the id of a maintenance window, or the beginning of one (`window list`).',
}

const timeFlags: readonly FlagSpec[] = [
  {
    name: 'start',
    value: { kind: 'text', placeholder: 'TIME' },
    help: 'start, in the time zone of --zone: "2035-11-24 22:00", or with an offset: "2035-10-28 02:30 +01:00"',
  },
  { name: 'end', value: { kind: 'text', placeholder: 'TIME' }, help: 'end, written like --start' },
  {
    name: 'zone',
    value: { kind: 'text', placeholder: 'ZONE' },
    help: 'the time zone of start and end, such as Europe/Berlin or UTC',
  },
]

const wordFlags: readonly FlagSpec[] = [
  { name: 'title', value: { kind: 'text', placeholder: 'TEXT' }, help: 'its title' },
  {
    name: 'ticket',
    value: { kind: 'text', placeholder: 'TEXT' },
    help: 'number or address of the change in your ticket system',
  },
  { name: 'notes', value: { kind: 'text', placeholder: 'TEXT' }, help: 'further notes' },
]

export const planFlags: readonly FlagSpec[] = [
  {
    name: 'nodes',
    value: { kind: 'text', placeholder: 'NODES' },
    help: 'nodes to work on; Lockkeeper makes batches that keep every rule (`window batches` shows them)',
  },
  {
    name: 'batches',
    value: { kind: 'choice', choices: ['auto'] },
    help: 'auto: Lockkeeper makes the batches (--nodes implies this)',
  },
  {
    name: 'batch',
    value: { kind: 'text', placeholder: 'NODES' },
    repeatable: true,
    help: 'nodes of one batch that you define; batches run in the order given',
  },
  {
    name: 'zones',
    value: { kind: 'choice', choices: ['one-at-a-time', 'spread'] },
    help: 'with --nodes: one-at-a-time (the default): a batch has nodes of one availability zone; spread: of as many as possible',
  },
  {
    name: 'scope',
    value: { kind: 'choice', choices: ['drain', 'os'] },
    help: 'drain: instances stay; os (the default): instances move away, so that the nodes may reboot',
  },
  ...workFlags,
  {
    name: 'work-minutes',
    value: { kind: 'count', placeholder: 'N', least: 1, most: 10_000 },
    help: 'how long you expect the work on one node to take (default: as measured)',
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

/** Choices for the start of a window's run; its plan has the scope and how nodes are emptied. */
const startFlags: readonly FlagSpec[] = [
  ...choiceFlags.filter(({ name }) => name !== 'scope'),
  ...[...enterRoleFlags, ...leaveRoleFlags].filter(
    ({ name }, at, all) => OF_BATCHES.includes(name) && all.findIndex(flag => flag.name === name) === at,
  ),
]

const whenItBegins: FlagSpec = {
  name: 'when-it-begins',
  value: { kind: 'switch' },
  help: 'start automatically at the beginning of the window, after you confirm the plan',
}
const lateBy: FlagSpec = {
  name: 'late-by',
  value: { kind: 'duration', placeholder: 'DURATION' },
  help: `with --when-it-begins: how late it may start (default ${LATE_BY_MINUTES.usual}m, at most ${LATE_BY_MINUTES.most}m)`,
}
const noWait: FlagSpec = {
  name: 'no-wait',
  value: { kind: 'switch' },
  help: 'with --when-it-begins: do not wait here; the desktop app or `serve` starts it',
}

export const windowCommands: readonly CommandOutline[] = [
  {
    path: ['window', 'create'],
    summary: 'announce a maintenance window of a cluster',
    about: [
      'Its plan is batches of nodes (--batch, or --nodes for automatic batches), the update of the whole cluster (--update), or nothing: then you start runs one by one while it is open.',
      'Times are in the time zone of --zone. A time that clocks there show twice or never is refused.',
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
    summary: 'list maintenance windows of one cluster or all, latest first',
    about: [],
    operands: [{ ...cluster, required: false }],
    flags: [],
    examples: ['window list', 'window list lab -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/window-show.ts')).listWindows,
  },
  {
    path: ['window', 'show'],
    summary: 'show a maintenance window: its plan, its runs, its notes',
    about: [],
    operands: [windowOperand],
    flags: [],
    examples: ['window show 4f1c', 'window show 4f1c -o json'],
    needs: 'contract',
    load: async () => (await import('../commands/window-show.ts')).showWindow,
  },
  {
    path: ['window', 'change'],
    summary: 'change a maintenance window',
    about: [
      'Settings that you do not give stay as they are. Refused if another operator changed the window meanwhile.',
    ],
    operands: [windowOperand],
    flags: [...wordFlags, ...timeFlags, ...planFlags],
    examples: ['window change 4f1c --end "2035-11-25 05:00"', 'window change 4f1c --batch cmp-1 --batch cmp-2,cmp-3'],
    needs: 'contract',
    load: async () => (await import('../commands/window-create.ts')).changeWindow,
  },
  {
    path: ['window', 'note'],
    summary: 'add a note to a window: an incident or a remark',
    about: ['Both are in the report; incidents in a separate list.'],
    operands: [windowOperand],
    flags: [
      { name: 'incident', value: { kind: 'text', placeholder: 'TEXT' }, help: 'what went wrong' },
      { name: 'remark', value: { kind: 'text', placeholder: 'TEXT' }, help: 'any other note' },
    ],
    examples: ['window note 4f1c --incident "cmp-2 needed a second reboot"'],
    needs: 'contract',
    load: async () => (await import('../commands/window-end.ts')).noteWindow,
  },
  {
    path: ['window', 'start'],
    summary: 'carry out the plan of a window as one run',
    about: [
      'Shows the plan with every check, asks, and follows the run to its end. The window must be open; the run belongs to it even past its end.',
      UNATTENDED,
      'One such run per cluster at a time. Ctrl-C asks whether to detach (resume with `update resume`), pause or abort.',
      'With --when-it-begins a planned window starts automatically: you confirm the plan now, and Lockkeeper checks it again at the beginning. If anything blocks or differs, it does not start and says so. Lockkeeper must be open on this computer at that time.',
    ],
    operands: [windowOperand],
    flags: [...startFlags, reason, all, yes, answer, inClusterFlags, confirmCluster, whenItBegins, lateBy, noWait],
    examples: ['window start 4f1c', 'window start 4f1c --yes --concurrency 4', 'window start 4f1c --when-it-begins'],
    needs: 'contract',
    load: async () => (await import('../commands/window-start.ts')).startWindow,
  },
  {
    path: ['window', 'wait'],
    summary: 'wait until a window starts automatically, and follow its run',
    about: [
      'For a window confirmed with `window start --when-it-begins` or on screen. Ctrl-C does not withdraw the confirmation.',
    ],
    operands: [windowOperand],
    flags: [],
    examples: ['window wait 4f1c'],
    needs: 'contract',
    load: async () => (await import('../commands/window-agree.ts')).waitForWindow,
  },
  {
    path: ['window', 'take-back'],
    summary: 'withdraw the confirmation of an automatic start',
    about: [],
    operands: [windowOperand],
    flags: [{ name: 'why', value: { kind: 'text', placeholder: 'TEXT' }, help: 'the reason; kept with the window' }],
    examples: ['window take-back 4f1c --why "the spare part is late"'],
    needs: 'contract',
    load: async () => (await import('../commands/window-agree.ts')).takeBackStart,
  },
  {
    path: ['window', 'close'],
    summary: 'close a window, with a summary',
    about: ['Refused while one of its runs has not ended.'],
    operands: [windowOperand],
    flags: [{ name: 'summary', value: { kind: 'text', placeholder: 'TEXT' }, help: 'the result, in one sentence' }],
    examples: ['window close 4f1c --summary "All nodes on the new kernel."'],
    needs: 'contract',
    load: async () => (await import('../commands/window-end.ts')).closeWindow,
  },
  {
    path: ['window', 'cancel'],
    summary: 'cancel a window',
    about: [],
    operands: [windowOperand],
    flags: [{ name: 'why', value: { kind: 'text', placeholder: 'TEXT' }, help: 'why it is cancelled' }],
    examples: ['window cancel 4f1c --why "the vendor withdrew the release"'],
    needs: 'contract',
    load: async () => (await import('../commands/window-end.ts')).cancelWindow,
  },
  {
    path: ['window', 'calendar'],
    summary: 'write windows as a calendar file (iCalendar)',
    about: [
      'Windows of all clusters, of one cluster, or a single window. Events keep their identity: importing the file again updates them.',
      'Overwrites a file only with --force; only you can read the file.',
    ],
    operands: [
      {
        name: 'CLUSTER|WINDOW',
        required: false,
        help: 'a registered cluster, or the id of a window or its beginning (default: all windows).',
      },
    ],
    flags: [
      {
        name: 'output',
        short: 'o',
        value: { kind: 'text', placeholder: 'FILE' },
        help: 'where to write it; - is standard output (the default)',
      },
      { name: 'force', value: { kind: 'switch' }, help: 'overwrite an existing file' },
    ],
    examples: ['window calendar -o windows.ics', 'window calendar lab -o lab.ics', 'window calendar 4f1c'],
    needs: 'contract',
    load: async () => (await import('../commands/window-calendar.ts')).writeCalendar,
  },
  {
    path: ['window', 'feed'],
    summary: 'print the address where a calendar on this machine reads the windows from `serve`',
    about: [
      '`serve` answers calendars only after you ran this command once. The address contains a secret that gives access to windows and nothing else. It is in the data directory; only you can read it.',
      'It works while `lockkeeper serve` runs, on 127.0.0.1 only. Start `serve` with a fixed port and give the same port here.',
    ],
    operands: [],
    flags: [
      {
        name: 'port',
        value: { kind: 'count', placeholder: 'N', least: 1, most: 65_535 },
        help: 'the port of `serve`',
      },
      { name: 'renew', value: { kind: 'switch' }, help: 'make a new secret; the old address stops working' },
      { name: 'off', value: { kind: 'switch' }, help: 'stop serving calendars' },
    ],
    examples: ['window feed --port 8080', 'window feed --renew', 'window feed --off'],
    needs: 'nothing',
    load: async () => (await import('../commands/window-feed.ts')).showFeed,
  },
]
