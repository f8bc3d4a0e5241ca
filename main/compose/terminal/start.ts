import { reportCrashes } from '../../faces/cli/report-crashes.ts'
import { runCli } from '../../faces/cli/run-cli.ts'
import { processSurroundings } from './this-process.ts'

const code = await runCli(process.argv.slice(2), processSurroundings(reportCrashes()))
// Flushes the output, then exits even if a keep-alive socket still holds the event loop.
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
