import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { inClusterNamespaceFile } from '../../adapters/kubernetes/in-cluster.ts'
import { createApp } from '../../app.ts'
import { dataDirectoryPath } from '../../clusters/data-directory.ts'
import { startRunner } from '../../wings/runner/door.ts'
import { serveContract } from '../serve/serve-contract.ts'
import type { RunnerRunRequest, StartedRunner } from './process-io.ts'
import type { CrashReporter } from './report-crashes.ts'

/** Starts the runner in this process; its log goes to standard output, a line of JSON each. */
export async function runnerProcess(request: RunnerRunRequest, crashes: CrashReporter): Promise<Result<StartedRunner>> {
  const namespace = request.namespace ?? namespaceOfPod()
  if (namespace === null) {
    return failed(
      failure(
        'bad-input',
        'In which namespace the runner lives is not known. Name it with --namespace, or start it as a pod.',
      ),
    )
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
      // Runs go on whether or not somebody can look at them from here.
      log.error('consoles cannot attach', { why: served.failure.message })
      return ok(null)
    },
  )
  if (!started.ok) return started
  crashes.know(started.value.app)
  return ok(started.value)
}

/**
 * The port at which consoles attach: LOCKKEEPER_ATTACH_PORT, so that tests run two runners on one machine (0: any free port); without it the usual
 * one, which is the one that a console asks for.
 */
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
