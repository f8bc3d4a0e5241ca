/** What the code of one folder may import (docs/architecture.md, "Import rules"). What is not listed is not allowed. */
export interface Room {
  /** A folder, a file or the beginning of file names; the longest path that matches a file counts. */
  readonly path: string
  /** Folders and files it may import. Its own folder needs no mention. */
  readonly imports: readonly string[]
  /** Folders and files of which it may import types only. */
  readonly types?: readonly string[]
  /** npm packages. */
  readonly packages?: readonly string[]
  /** Node's own modules, without `node:`. */
  readonly builtins?: readonly string[]
  /** True when the machine's clock and chance may be used here (docs/style.md G23). */
  readonly ownClock?: boolean
}

const FILES = ['fs', 'fs/promises', 'os', 'path', 'url'] as const
const NETWORK = ['crypto', 'events', 'http', 'https', 'net', 'stream', 'stream/promises', 'tls', 'zlib'] as const

const PAGE = [
  'fuzzysort',
  '@blueprintjs/core',
  '@blueprintjs/icons',
  '@blueprintjs/select',
  '@tanstack/react-virtual',
  'react',
  'react-dom',
  'recharts',
  'zustand',
] as const
const BELOW_UI = ['renderer/bridge', 'renderer/geometry', 'renderer/stores'] as const
const FEATURES = [
  'clusters',
  'history',
  'instances',
  'plan',
  'runs',
  'settings',
  'timeline',
  'topology',
  'windows',
] as const

/** Codes with their texts, which each room gives for what it refuses or cannot do. */
const REASONS = ['shared/words/reasons.ts', 'shared/words/refusal.ts', 'shared/words/steps/coded.ts'] as const

export const ROOMS: readonly Room[] = [
  // Both sides of the contract.
  // Counts, lists, durations and times in words: no rule of the field, so that every rule may use them.
  { path: 'shared/grammar', imports: [] },
  { path: 'shared/domain', imports: ['shared/grammar'], packages: ['zod'] },
  { path: 'shared/words', imports: ['shared/contract', 'shared/domain', 'shared/grammar'] },
  // One file joins the texts of the core and of the wings.
  {
    path: 'shared/words/reasons.ts',
    imports: ['shared/words', 'shared/wings/notify/door.ts', 'shared/wings/runner/door.ts'],
  },
  ...['notify', 'runner'].map(wing => ({
    path: `shared/wings/${wing}`,
    imports: ['shared/contract', 'shared/domain', 'shared/grammar', 'shared/words'],
  })),
  { path: 'shared/contract', imports: ['shared/domain'], packages: ['zod'] },
  // The page. A feature is one screen: what two of them share is in ui.
  { path: 'renderer/geometry', imports: ['shared'] },
  {
    path: 'renderer/stores',
    imports: ['shared', 'renderer/geometry'],
    packages: ['react', 'zustand'],
    ownClock: true,
  },
  {
    path: 'renderer/bridge',
    imports: ['shared', 'renderer/stores'],
    packages: ['zod'],
    ownClock: true,
  },
  { path: 'renderer/icons', imports: [], packages: ['react'] },
  {
    path: 'renderer/ui',
    imports: ['shared', ...BELOW_UI],
    packages: PAGE,
    ownClock: true,
  },
  ...FEATURES.map(feature => ({
    path: `renderer/features/${feature}`,
    imports: ['shared', 'renderer/ui', ...BELOW_UI],
    packages: PAGE,
    ownClock: true,
  })),
  {
    path: 'renderer/app',
    imports: ['shared', ...FEATURES.map(feature => `renderer/features/${feature}`), 'renderer/ui', ...BELOW_UI],
    packages: PAGE,
    ownClock: true,
  },
  // Screens and fields of a wing. Only one file of the core imports their doors.
  ...['notify', 'runner', 'simulators'].map(wing => ({
    path: `renderer/wings/${wing}`,
    imports: ['shared', 'renderer/ui', ...BELOW_UI],
    packages: PAGE,
    ownClock: true,
  })),
  {
    path: 'renderer/app/wings.tsx',
    imports: [
      'renderer/stores',
      'renderer/ui',
      ...['notify', 'runner', 'simulators'].map(wing => `renderer/wings/${wing}/door.tsx`),
    ],
    packages: ['react'],
  },
  {
    path: 'renderer/index.tsx',
    imports: ['shared', 'renderer/app', 'renderer/ui', ...BELOW_UI],
    packages: [...PAGE, '@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'],
    ownClock: true,
  },
  { path: 'renderer/environment.d.ts', imports: [] },

  // The machine's own clock, and the log, which everything may have handed to it.
  { path: 'main/platform/clock', imports: ['shared'], builtins: ['async_hooks'], ownClock: true },
  {
    path: 'main/platform/log',
    imports: ['shared', 'main/platform/clock'],
    builtins: [...FILES, 'async_hooks', 'util'],
  },

  // Files that a person, a page or another file named: one way to read them. How long one may hang is the machine's own time.
  {
    path: 'main/platform/files',
    imports: [...REASONS, 'shared/domain'],
    packages: ['yaml', 'zod'],
    // sqlite: the only file locks of Node that a killed process releases.
    builtins: ['crypto', 'fs', 'fs/promises', 'path', 'sqlite'],
    ownClock: true,
  },

  // What the product needs from the systems around it and from the journal: adapters implement it, procedures use it, and it imports neither.
  // stream: a connection to a port of a pod is one of Node's own.
  { path: 'main/ports', imports: ['shared/domain'], builtins: ['stream'] },

  // A typed emitter, by which services hear of each other.
  { path: 'main/platform/events', imports: [] },

  // What is installed in a cluster for the runner, as objects: data, and nothing that acts.
  {
    path: 'main/wings/runner/manifests',
    imports: ['shared/wings/runner', 'shared/domain', 'shared/grammar', 'main/version.ts'],
    packages: ['yaml', 'zod'],
  },

  // One look at a cluster for all who judge by it.
  { path: 'main/platform/reading', imports: ['shared', 'main/platform/clock', 'main/ports'] },

  // The engine knows no Kubernetes, no cloud, no file. A log is handed to it; it knows its shape.
  {
    path: 'main/runs/engine',
    imports: ['shared', 'main/platform/clock', 'main/ports/journal.ts'],
    types: ['main/platform/log/logger.ts'],
  },
  // The runs of this process and those that the journal knows.
  {
    path: 'main/runs',
    imports: ['shared', 'main/platform/clock', 'main/ports', 'main/runs/engine'],
    builtins: ['crypto', 'zlib'],
    types: ['main/journal', 'main/platform/log/logger.ts'],
  },
  { path: 'main/procedures', imports: ['shared', 'main/platform/clock', 'main/runs/engine', 'main/ports'] },
  {
    path: 'main/lcm',
    imports: ['shared', 'main/platform/clock', 'main/runs/engine', 'main/procedures', 'main/ports'],
    types: ['main/platform/log/logger.ts'],
  },
  {
    // The manifest of a Job, as the operator wrote it.
    path: 'main/procedures/steps/rolling/job-manifest.ts',
    imports: ['shared', 'main/platform/files/yaml-text.ts', 'main/procedures/answers.ts'],
  },
  {
    // Windows, batches, estimates and owners: what many nodes take, and when.
    path: 'main/windows',
    imports: ['shared', 'main/platform/clock', 'main/procedures', 'main/ports', 'main/runs'],
    types: ['main/clusters/clusters.ts', 'main/journal', 'main/platform/log/logger.ts'],
    // The seal of what was confirmed for later.
    builtins: ['crypto'],
  },
  {
    path: 'main/clusters/view',
    // These rules are needed on both sides: which records belong to a node, and what happens to an instance.
    imports: [
      'shared',
      'main/platform/clock',
      'main/procedures/steps/compute/agent-records.ts',
      'main/procedures/steps/compute/classify-instances.ts',
      'main/procedures/steps/compute/compute-host.ts',
      'main/procedures/steps/compute/hypervisor-records.ts',
    ],
    types: ['main/clusters/clusters.ts', 'main/runs', 'main/platform/log/logger.ts', 'main/ports'],
  },
  {
    path: 'main/reports',
    imports: ['shared', 'main/platform/clock', 'main/platform/settings/signature.ts', 'main/ports/journal.ts'],
    builtins: ['crypto'],
  },
  {
    // The page of a report is drawn with React, which escapes whatever it is given, and its timeline is the screen's own.
    path: 'main/reports/html-',
    imports: ['shared', 'main/reports', 'renderer/geometry', 'renderer/ui/timeline-figure.tsx'],
    packages: ['react', 'react-dom'],
  },
  {
    path: 'main/reports/html.ts',
    imports: ['shared', 'main/reports'],
    packages: ['react', 'react-dom'],
  },

  // Adapters: the outside world. They implement ports and import no other room.
  {
    // How all of them speak HTTP: connections, time limits, retries, and the words for a connection that breaks.
    path: 'main/adapters/http',
    imports: [...REASONS, 'shared/domain', 'main/platform/clock', 'main/platform/log'],
    builtins: NETWORK,
  },
  {
    path: 'main/adapters/kubernetes',
    imports: [
      ...REASONS,
      'shared/domain',
      'shared/grammar',
      'shared/words/definition-fields.ts',
      'main/adapters/http',
      'main/platform/clock',
      'main/platform/files',
      'main/platform/log',
    ],
    types: ['main/ports'],
    // ws: commands in pods speak over a WebSocket (v5.channel.k8s.io), which Node's own client cannot open with a client certificate.
    packages: ['@kubernetes/client-node', 'ws', 'yaml', 'zod'],
    builtins: [...FILES, ...NETWORK, 'child_process', 'util'],
  },
  {
    path: 'main/adapters/openstack',
    imports: [
      ...REASONS,
      'shared/domain',
      'shared/grammar',
      'main/adapters/http',
      'main/platform/clock',
      'main/platform/files',
      'main/platform/log',
    ],
    types: ['main/ports', 'shared/words/reasons'],
    packages: ['yaml', 'zod'],
    builtins: [...FILES, ...NETWORK],
  },
  {
    path: 'main/adapters/ceph',
    imports: [
      ...REASONS,
      'shared/domain',
      'shared/grammar',
      'main/adapters/http',
      'main/platform/clock',
      'main/platform/log',
    ],
    types: ['main/ports'],
    packages: ['zod'],
  },
  {
    // A runner's contract over a stream.
    path: 'main/wings/runner/attach-stream',
    imports: ['shared', 'main/platform/clock'],
    types: ['main/ports'],
    packages: ['ws'],
    builtins: ['stream'],
  },
  {
    // The operator's own commands, by the shell of this machine.
    path: 'main/adapters/commands',
    imports: [
      ...REASONS,
      'shared/domain',
      'shared/words/command-output.ts',
      'main/platform/clock',
      'main/platform/files',
      'main/platform/log',
    ],
    types: ['main/ports'],
    packages: ['zod'],
    // A command prints into a pipe.
    builtins: [...FILES, 'child_process', 'net'],
  },
  {
    path: 'main/adapters/juju',
    imports: [
      ...REASONS,
      'shared/domain',
      'shared/grammar',
      'main/adapters/http',
      'main/platform/clock',
      'main/platform/log',
    ],
    types: ['main/ports'],
    packages: ['@canonical/jujulib', 'ws', 'zod'],
    builtins: NETWORK,
  },
  {
    path: 'main/wings/notify/alertmanager',
    imports: [...REASONS, 'shared/domain', 'main/adapters/http'],
    types: ['main/wings/notify/ports', 'main/ports'],
    packages: ['zod'],
  },
  {
    path: 'main/wings/notify/prometheus',
    imports: [...REASONS, 'shared/domain', 'main/adapters/http'],
    types: ['main/ports'],
    packages: ['zod'],
  },
  {
    path: 'main/wings/notify/webhooks',
    imports: [...REASONS, 'shared/domain', 'main/adapters/http', 'main/platform/clock'],
    types: ['main/wings/notify/ports', 'main/ports'],
    builtins: ['crypto'],
  },
  {
    // Mail to the owners of instances.
    path: 'main/wings/notify/mail',
    imports: ['shared', 'main/adapters/http/system-trust.ts', 'main/platform/clock', 'main/platform/files'],
    types: ['main/wings/notify/ports', 'main/journal/window-journal.ts', 'main/ports'],
    packages: ['nodemailer', 'zod'],
    builtins: ['buffer', 'path'],
  },
  {
    path: 'main/journal',
    // It throws what the engine's port says it throws.
    imports: [
      'shared',
      'main/platform/clock',
      'main/platform/files',
      'main/platform/log',
      'main/ports/head-anchor.ts',
      'main/ports/journal.ts',
    ],
    packages: ['zod'],
    // A separate process reads the journals of others.
    builtins: ['child_process', 'crypto', 'fs', 'os', 'path', 'sqlite', 'url'],
  },
  {
    path: 'main/clusters',
    imports: ['shared', 'main/platform/clock', 'main/platform/files', 'main/platform/log'],
    types: [
      'main/adapters/kubernetes',
      'main/adapters/openstack/resolved-cloud.ts',
      'main/adapters/juju/resolved-juju.ts',
      'main/ports',
    ],
    packages: ['yaml', 'zod'],
    // sqlite: the only file locks of Node that a killed process releases.
    builtins: [...FILES, 'crypto', 'sqlite'],
  },

  // What the operator set on this console: preferences.
  {
    path: 'main/platform/settings',
    imports: ['shared', 'main/platform/clock', 'main/platform/files', 'main/platform/log'],
    types: ['main/ports/commands.ts', 'main/ports/head-anchor.ts'],
    packages: ['zod'],
    builtins: [...FILES, 'crypto'],
  },

  // Prints a page as PDF with a browser of this machine, for faces without a browser.
  {
    path: 'main/platform/print',
    imports: ['shared', 'main/platform/clock'],
    builtins: ['child_process', 'fs', 'fs/promises', 'os', 'path', 'url'],
  },

  // What works and what is missing. It does not import the application, because it must answer where that cannot start.
  {
    path: 'main/compose/doctor',
    imports: [
      'shared',
      'main/platform/clock',
      'main/platform/files/file-words.ts',
      'main/journal',
      'main/platform/print/find-chromium.ts',
      'main/runs/engine/liveness.ts',
      'main/platform/settings/head-anchor.ts',
    ],
    types: ['main/clusters', 'main/ports'],
    builtins: ['fs', 'path'],
  },

  // Runners in clusters: connected to, mirrored, asked by objects of their cluster; runs that are handed to them.
  {
    path: 'main/wings/runner/attach',
    imports: [
      'shared',
      'main/run-control/confirm-typed.ts',
      'main/platform/clock',
      'main/platform/events',
      'main/platform/files',
      'main/ports',
      'main/procedures/steps/general/health-gates.ts',
      'main/procedures/steps/rolling/commands-of-steps.ts',
      'main/runs',
      'main/windows',
      'main/wings/runner/attach-stream',
      'main/wings/runner/kubernetes',
      'main/wings/runner/mirrors',
    ],
    types: [
      'main/wings/runner/ports',
      'main/api',
      'main/clusters/clusters.ts',
      'main/journal',
      'main/platform/log/logger.ts',
    ],
    builtins: ['crypto', 'path', 'stream'],
  },
  {
    // The process of a runner: its rules over the real adapters, health, metrics, its end. The application is handed to it.
    path: 'main/wings/runner/process',
    imports: [
      'shared',
      'main/adapters/kubernetes',
      'main/clusters/secret-files.ts',
      'main/platform/clock',
      'main/platform/files',
      'main/wings/runner',
    ],
    types: ['main/api/face.ts', 'main/clusters/session-ports.ts', 'main/platform/log'],
    packages: ['prom-client'],
    builtins: ['crypto', 'fs', 'http', 'net', 'os', 'path'],
  },

  // What a runner needs of a cluster, and what implements it.
  { path: 'main/wings/runner/ports', imports: ['shared/domain'], builtins: ['stream'] },
  {
    path: 'main/wings/runner/kubernetes',
    imports: [...REASONS, 'shared/domain', 'shared/wings/runner', 'main/adapters/kubernetes', 'main/platform/clock'],
    types: ['main/wings/runner/ports'],
    // @kubernetes/client-node: types of Kubernetes' own kinds alone.
    packages: ['@kubernetes/client-node', 'ws', 'zod'],
    builtins: ['stream', 'util'],
  },
  {
    // Journals of runners, as far as this console received them.
    path: 'main/wings/runner/mirrors',
    imports: ['shared', 'main/journal', 'main/platform/clock'],
    packages: ['zod'],
    builtins: ['fs', 'path', 'sqlite'],
  },

  // What a runner starts, refuses and reports about MaintenanceRuns.
  {
    path: 'main/wings/runner',
    imports: [
      'shared',
      'main/platform/clock',
      'main/platform/files',
      'main/ports',
      'main/procedures',
      'main/runs/engine',
      // Whether two plans are the same.
      'main/windows/plan-seal.ts',
    ],
    types: ['main/clusters', 'main/platform/log/logger.ts', 'main/runs', 'main/windows/plan-estimate.ts'],
    packages: ['zod'],
    builtins: ['crypto', 'path', 'util'],
  },

  // What other systems receive during runs, and the settings of that.
  { path: 'main/wings/notify/ports', imports: ['shared/domain'] },
  {
    path: 'main/wings/notify',
    imports: [
      'shared',
      'main/api/note-edit.ts',
      'main/platform/clock',
      'main/platform/files',
      'main/ports',
      'main/windows',
    ],
    types: ['main/api', 'main/clusters', 'main/journal', 'main/platform/log/logger.ts', 'main/runs'],
    builtins: ['buffer', 'crypto', 'path'],
  },

  {
    // The rules between a request and the engine: what is planned, started, resumed, steered and undone.
    path: 'main/run-control',
    imports: [
      'shared',
      'main/platform/clock',
      'main/platform/reading',
      'main/ports',
      'main/procedures',
      'main/runs',
      'main/windows',
    ],
    packages: ['zod'],
  },

  // The one router, and the faces in front of it.
  {
    path: 'main/api',
    imports: [
      'shared',
      'main/platform/clock',
      'main/platform/events',
      'main/platform/log',
      'main/clusters',
      'main/runs/engine',
      'main/platform/files',
      'main/lcm',
      'main/ports',
      'main/procedures',
      'main/platform/reading',
      'main/reports',
      'main/run-control',
      'main/runs',
      'main/platform/settings',
      'main/clusters/view',
      'main/windows',
    ],
    types: ['main/journal'],
    packages: ['zod'],
    builtins: ['buffer', 'crypto', 'path'],
  },
  {
    // The files of the page, for the two faces that serve it.
    path: 'main/api/page-files.ts',
    imports: [],
    builtins: ['fs/promises', 'path'],
  },
  {
    path: 'main/faces/electron',
    imports: ['shared', 'main/api', 'main/app.ts', 'main/platform/log'],
    packages: ['electron', 'electron-updater'],
    builtins: ['fs/promises', 'path'],
    ownClock: true,
  },
  {
    path: 'main/faces/serve',
    imports: [
      'shared',
      'main/api',
      'main/app.ts',
      'main/platform/clock',
      'main/platform/log',
      'main/platform/settings/calendar-feed.ts',
    ],
    packages: ['open', 'ws'],
    builtins: [...FILES, ...NETWORK],
    ownClock: true,
  },
  {
    path: 'main/faces/cli',
    imports: [
      'shared',
      'main/api',
      'main/build-stamp.ts',
      'main/platform/clock',
      'main/platform/files',
      'main/platform/log',
      'main/version.ts',
    ],
    types: ['main/compose/doctor/finding.ts', 'main/platform/settings/calendar-feed.ts', 'main/ports/demo-clouds.ts'],
    builtins: [...FILES, 'process', 'readline', 'readline/promises', 'stream', 'tty', 'util'],
    ownClock: true,
  },
  {
    // Commands of a wing, and what commands of the core ask of it.
    path: 'main/wings/runner/cli',
    imports: ['shared', 'main/faces/cli', 'main/wings/runner/manifests'],
    builtins: ['path'],
  },
  {
    path: 'main/wings/notify/cli',
    imports: [
      'shared',
      'main/faces/cli',
      'main/platform/clock',
      'main/platform/files',
      'main/wings/notify/mail/mail-file.ts',
    ],
    builtins: [...FILES],
  },
  {
    // What a printed command needs to be pasted: one place defines the default data directory.
    path: 'main/faces/cli/words/commands-here.ts',
    imports: ['shared', 'main/clusters/data-directory-path.ts', 'main/clusters/file-places.ts'],
    builtins: ['path'],
  },
  // Where the terminal program is put together: its process, and the commands of the core and of the wings.
  {
    path: 'main/compose/terminal',
    imports: [
      'shared',
      'main/api/face.ts',
      'main/app.ts',
      'main/compose/doctor.ts',
      'main/compose/reading-app.ts',
      'main/faces/cli',
      'main/faces/serve',
      'main/platform/clock',
      'main/platform/print',
      // Where a pod reads its namespace.
      'main/adapters/kubernetes/in-cluster.ts',
      // What is started beside a command of the operator's.
      'main/adapters/commands/keep-command.ts',
      'main/clusters/data-directory-path.ts',
      // What is started to read a journal of somebody else.
      'main/journal/copy-foreign.ts',
      // A wing has one door for its services, and one for its commands.
      'main/wings/notify/cli/door.ts',
      'main/wings/runner/cli/door.ts',
      'main/wings/runner/door.ts',
      'main/wings/simulators/door.ts',
    ],
    builtins: ['fs', 'fs/promises', 'os', 'path', 'process', 'readline'],
    ownClock: true,
  },

  // The embedded clouds, and who may start them.
  {
    path: 'main/wings/simulators',
    // A demo cluster has the same definitions that an installation would bring.
    imports: [
      'shared',
      'main/platform/clock',
      'main/platform/log',
      'main/adapters/kubernetes/definition-manifests.ts',
      'main/adapters/kubernetes/foreign-kinds.ts',
      'main/adapters/kubernetes/model-fields.ts',
    ],
    types: ['main/api/serve.ts', 'main/ports/demo-clouds.ts'],
    // @kubernetes/client-node: types of Kubernetes' own kinds alone. ws: commands in pods (pods/exec).
    packages: ['@kubernetes/client-node', 'ws', 'yaml', 'zod'],
    // child_process: the controllers of demo-mosk run in a separate process.
    builtins: [...FILES, ...NETWORK, 'child_process', 'process', 'timers/promises', 'util'],
    ownClock: true,
  },
  {
    // What app.ts opens: one file a service.
    path: 'main/compose',
    imports: [
      'shared',
      'main/api',
      'main/adapters',
      'main/clusters',
      'main/compose/doctor',
      'main/journal',
      'main/platform',
      'main/procedures',
      'main/run-control',
      'main/runs',
      'main/version.ts',
      'main/clusters/view',
      'main/windows',
      // A wing has one door.
      'main/wings/notify/door.ts',
      'main/wings/runner/door.ts',
      'main/wings/simulators/door.ts',
    ],
    types: ['main/ports'],
    // child_process: the history of the demo is played in a separate process.
    builtins: ['child_process', 'crypto', 'fs', 'fs/promises', 'os', 'path', 'process', 'readline'],
  },
  { path: 'main/version.ts', imports: ['package.json'] },
  { path: 'main/build-stamp.ts', imports: [] },
  {
    path: 'main/app.ts',
    imports: ['shared', 'main', 'package.json'],
    builtins: [...FILES, 'crypto', 'process'],
    ownClock: true,
  },
]
