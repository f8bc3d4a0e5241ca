import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok } from '../../shared/domain/result.ts'
import { createMachineCommands } from '../adapters/commands/machine-commands.ts'
import { describeContexts } from '../adapters/kubernetes/describe-contexts.ts'
import { defaultKubeconfigPaths } from '../adapters/kubernetes/kubeconfig.ts'
import { createClusters } from '../clusters/clusters.ts'
import { dataDirectoryPath } from '../clusters/data-directory-path.ts'
import type { FilePlaces } from '../clusters/file-places.ts'
import { openRegistry } from '../clusters/registry.ts'
import type { TokenFiles } from '../clusters/token-files.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { silentLogger } from '../platform/log/logger.ts'
import { isProgram } from '../platform/print/machine-printer.ts'
import { accessQuestionsOf } from '../procedures/steps/general/access-questions.ts'
import { openConnectors } from './connectors.ts'
import { addDemoClusters } from './demo-clusters.ts'
import { examine } from './doctor/examine.ts'
import type { Examination, Finding } from './doctor/finding.ts'
import { driverOfThisProcess, pidAlive } from './own-process.ts'

export interface DoctorRequest {
  readonly dataDirectory: string | null
  /** Starts demo clouds in a temporary folder instead of using registered clusters. */
  readonly demo: boolean
  readonly cluster: string | null
  readonly hasPage: boolean
  readonly onFindings: (findings: readonly Finding[]) => void
}

/** Neither loads nor saves tokens. */
const NO_TOKENS: TokenFiles = { of: () => ({ load: () => null, save: () => {} }), clear: () => {} }

/** The doctor runs nothing, so it starts no commands. */
const NO_COMMANDS = createMachineCommands({
  directory: tmpdir(),
  machine: { name: '', id: null, boot: null },
  keeper: null,
  canSeal: false,
  isSealed: () => false,
  redact: text => text,
  holdsSecret: () => true,
  environment: {},
})

/** Examines this machine, its data directory and its clusters. Writes nothing. Works without the application, which cannot start when something is broken and would create what is missing. */
export async function examineHere(request: DoctorRequest): Promise<Examination> {
  const clock = systemClock
  const places: FilePlaces = { environment: process.env, home: homedir(), currentDirectory: process.cwd() }
  const dataDirectory = dataDirectoryPath(request.dataDirectory, places)
  const thrownAway = request.demo ? await mkdtemp(join(tmpdir(), 'lockkeeper-demo-')) : null
  const registry = openRegistry({ directory: thrownAway ?? dataDirectory, clock })
  const demo =
    thrownAway === null || !registry.ok
      ? null
      : await addDemoClusters(join(thrownAway, 'clouds'), registry.value, clock)
  // A build without the embedded clouds says so in the place of them.
  const reached = demo?.ok === false ? demo : registry
  const connectors = openConnectors({ clock, log: silentLogger, tokens: NO_TOKENS, registerSecret: () => {} })
  const clusters = reached.ok
    ? ok(
        createClusters({
          ...connectors,
          registry: reached.value,
          places,
          describeContexts,
          defaultKubeconfigPaths: () => defaultKubeconfigPaths(places.environment, places.home),
          accessQuestions: cluster => accessQuestionsOf(cluster),
          commands: NO_COMMANDS,
          registerSecret: () => {},
          clock,
          log: silentLogger,
        }),
      )
    : reached
  try {
    return await examine({
      ...request,
      machine: {
        platform: process.platform,
        env: process.env,
        isProgram,
        nodeVersion: process.versions.node,
        hasPage: request.hasPage,
        timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
      dataDirectory,
      ownUser: process.getuid?.() ?? null,
      clock,
      liveness: { clock, self: driverOfThisProcess(request), pidAlive, heartbeats: new Map() },
      clusters,
      withLeases: async (cluster, work) => {
        const connection = await connectors.connectKubernetes(
          cluster,
          plugin => registry.ok && registry.value.isConsented(plugin.fingerprint),
        )
        if (!connection.ok) return connection
        try {
          return ok(await work(connection.value.port.leases))
        } finally {
          connection.value.close()
        }
      },
    })
  } finally {
    if (clusters.ok) clusters.value.closeAll()
    if (demo?.ok) await demo.value.stop()
    if (thrownAway !== null) await rm(thrownAway, { recursive: true, force: true })
  }
}
