import { resolve } from 'node:path'
import type { ReportFile } from '../../../../shared/contract/index.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import { CsvTable, ReportFormat } from '../../../../shared/domain/report.ts'
import { replaceFile, writeFresh } from '../../../files/write-whole.ts'
import type { Command, CommandContext } from '../command.ts'
import { findReportSubject } from '../find-report-subject.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { cleanText, oneLine } from '../words/clean-text.ts'

/** `report`: the report of a run or a window in one format, into a file or to standard output. */
export const makeReport: Command = async context => {
  const { args, contract, printer, io } = context
  const output = args.text('output')
  const wrong = misuse(output)
  if (wrong !== null) return reportUsage(context, wrong)
  const format = ReportFormat.parse(args.text('format') ?? formatOfName(output) ?? 'html')
  if (args.isSet('table') && format !== 'csv') {
    return reportUsage(context, `--table is for --format csv; ${format} holds every table.`)
  }
  if (output === '-' && format === 'pdf') {
    return reportUsage(context, 'A PDF cannot be written to standard output: name a file with -o.')
  }
  const subject = await findReportSubject(contract, args.operand('RUN|WINDOW'))
  if (!subject.ok) return reportFailure(context, subject.failure)
  const made = await contract.ask('report.make', {
    subject: subject.value,
    format,
    table: CsvTable.parse(args.text('table') ?? 'instances'),
    redact: args.isSet('redact'),
  })
  if (!made.ok) return reportFailure(context, made.failure)
  const file = made.value
  if (output === '-') {
    const { out } = io
    // On a terminal a name from a cloud must not move the cursor; into a pipe goes what was made, letter by letter.
    out.write(out.isTTY ? cleanText(file.content) : file.content)
    return 0
  }
  const path = resolve(io.workDirectory, output ?? file.name)
  const refused = await save(path, file, context)
  if (refused !== null) return reportFailure(context, refused)
  printer.say(
    `Written: ${oneLine(path)}`,
    `Hash of the journal it stands on: ${file.hash}`,
    ...(format === 'json' || format === 'html'
      ? ['Keep that hash elsewhere too, such as in the ticket; `lockkeeper report verify FILE` checks the file.']
      : []),
  )
  return 0
}

/** `-o json` means something else with every other command. */
function misuse(output: string | null): string | null {
  if (output !== 'json' && output !== 'table') return null
  return `Here -o names a file. For a report in JSON give --format json; for a file of that name, -o ./${output}.`
}

function formatOfName(output: string | null): ReportFormat | null {
  const end = output === null ? undefined : /\.([a-z]+)$/i.exec(output)?.[1]?.toLowerCase()
  return ReportFormat.options.find(format => format === end || (format === 'html' && end === 'htm')) ?? null
}

async function save(path: string, file: ReportFile, { args }: CommandContext): Promise<Failure | null> {
  const bytes = Buffer.from(file.content, file.encoding)
  try {
    if (args.isSet('force')) await replaceFile(path, bytes)
    else await writeFresh(path, bytes)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const target = { target: path }
    if (code === 'EEXIST') {
      return failure(
        'conflict',
        `${path} is there already and was left as it is. Name another file with -o, or overwrite it with --force.`,
        target,
      )
    }
    const fault = DISK_FAULTS.has(code) ? 'server-fault' : 'bad-input'
    return failure(fault, `${path} could not be written (${code}): ${whyNotWritten(code)}`, target)
  }
}

/** What no other words of the operator would mend. */
const DISK_FAULTS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO'])

function whyNotWritten(code: string): string {
  switch (code) {
    case 'ENOENT':
      return 'its folder does not exist. Make it, or name another file with -o.'
    case 'EISDIR':
      return 'it is a folder. Name a file in it with -o.'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'you may not write there. Name another file with -o.'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full; nothing of it was left. Make room, then try again.'
    case 'EIO':
      return "the disk fails. Look at the kernel's log, or name a file on another disk with -o."
    case 'EFTYPE':
      return 'it is a device or a pipe, which is not replaced. Name a file with -o.'
    default:
      return 'name another file with -o.'
  }
}
