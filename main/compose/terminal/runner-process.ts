import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { inClusterNamespaceFile } from '../../adapters/kubernetes/in-cluster.ts'
import { createApp } from '../../app.ts'
import { dataDirectoryPath } from '../../clusters/data-directory-path.ts'
import type { CrashReporter } from '../../faces/cli/report-crashes.ts'
import { serveContract } from '../../faces/serve/serve-contract.ts'
import type { RunnerRunRequest, StartedRunner } from '../../wings/runner/cli/door.ts'
import { startRunner } from '../../wings/runner/door.ts'

/** Starts the runner in this process; it logs JSON lines to standard output. */
export async function runnerProcess(request: RunnerRunRequest, crashes: CrashReporter): Promise<Result<StartedRunner>> {
  const namespace = request.namespace ?? namespaceOfPod()
  if (namespace === null) {
    return failed(refusal('bad-input', because('RunnerNamespaceUnknown')))
  }
  const places = { environment: process.env, home: homedir(), currentDirectory: process.cwd() }
  const dataDirectory = dataDirectoryPath(request.dataDirectory, places)
  const started = await startRunner(
    {
      ...request,
      namespace,
      dataDirectory,
      secretsDirectory: request.secretsDirectory ?? dataDirectory,
      writeLine: line => process.stdout.write(`${line}\n`),
    },
    createApp,
    async ({ contract, log }) => {
      const served = await serveContract({ contract, log, ...attachPort() })
      if (served.ok) return served
      // Runs continue even if consoles cannot attach.
      log.error('consoles cannot attach', { why: served.failure.message })
      return ok(null)
    },
  )
  if (!started.ok) return started
  crashes.know(started.value.app)
  return ok(started.value)
}

/** The port where consoles attach: LOCKKEEPER_ATTACH_PORT, so that tests can run two runners on one machine (0: any free port); otherwise the default port. */
function attachPort(): { readonly port?: number } {
  const port = Number(process.env.LOCKKEEPER_ATTACH_PORT || Number.NaN)
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? { port } : {}
}

function namespaceOfPod(): string | null {
  try {
    return readFileSync(inClusterNamespaceFile({}), 'utf8').trim() || null
  } catch {
    return null
  }
}
