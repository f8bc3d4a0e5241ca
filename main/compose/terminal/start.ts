import { reportCrashes } from '../../faces/cli/report-crashes.ts'
import { runCli } from '../../faces/cli/run-cli.ts'
import { terminalOf } from './command-table.ts'
import { processSurroundings } from './this-process.ts'

const crashes = reportCrashes()
const terminal = terminalOf(async request => (await import('./runner-process.ts')).runnerProcess(request, crashes))
// Not awaited here: the modules that a command loads import some that are bundled with this one, and would wait for it.
void runCli(process.argv.slice(2), terminal, processSurroundings(crashes)).then(code =>
  // Flushes the output, then exits even if a keep-alive socket still holds the event loop.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code))),
)
