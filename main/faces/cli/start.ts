import { reportCrashes } from './report-crashes.ts'
import { runCli } from './run-cli.ts'
import { processSurroundings } from './this-process.ts'

const code = await runCli(process.argv.slice(2), processSurroundings(reportCrashes()))
// Whatever still holds the event loop (a keep-alive socket) must not hold the shell; written output is flushed first.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
