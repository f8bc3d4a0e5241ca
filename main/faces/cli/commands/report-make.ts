import { resolve } from 'node:path'
import { CsvTable, ReportFormat } from '../../../../shared/domain/report.ts'
import type { Command } from '../command.ts'
import { findReportSubject } from '../find-report-subject.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'
import { notAFile, saveFile } from '../save-file.ts'
import { cleanText, oneLine } from '../words/clean-text.ts'

export const makeReport: Command = async context => {
  const { args, contract, printer, io } = context
  const output = args.text('output')
  const wrong = notAFile(output, 'For a report in JSON give --format json')
  if (wrong !== null) return reportUsage(context, wrong)
  const format = ReportFormat.parse(args.text('format') ?? formatOfName(output) ?? 'html')
  if (args.isSet('table') && format !== 'csv') {
    return reportUsage(context, `--table is for --format csv; ${format} has every table.`)
  }
  if (output === '-' && format === 'pdf') {
    return reportUsage(context, 'A PDF cannot be written to standard output: name a file with -o.')
  }
  await context.parts.runners?.connect(context)
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
    // On a terminal, control characters in names of a cloud are replaced; a pipe gets the exact bytes.
    out.write(out.isTTY ? cleanText(file.content) : file.content)
    return 0
  }
  const path = resolve(io.workDirectory, output ?? file.name)
  const refused = await saveFile(path, Buffer.from(file.content, file.encoding), args.isSet('force'))
  if (refused !== null) return reportFailure(context, refused)
  printer.say(
    `Written: ${oneLine(path)}`,
    `Hash of its journal: ${file.hash}`,
    ...(format === 'json' || format === 'html'
      ? ['Keep that hash elsewhere, such as in the ticket. `lockkeeper report verify FILE` checks the file.']
      : []),
  )
  return 0
}

function formatOfName(output: string | null): ReportFormat | null {
  const end = output === null ? undefined : /\.([a-z]+)$/i.exec(output)?.[1]?.toLowerCase()
  return ReportFormat.options.find(format => format === end || (format === 'html' && end === 'htm')) ?? null
}
