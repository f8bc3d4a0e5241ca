import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { replaceFile, writeFresh } from '../../platform/files/write-whole.ts'

/** How an operator gets around a path where nothing is written, in the flags of their command. */
interface WaysAround {
  readonly another: string
  readonly whereOneIs: string
}

/** Of commands that name the file itself. */
const BY_OUTPUT: WaysAround = {
  another: 'name another file with -o',
  whereOneIs: 'Name another file with -o, or overwrite it with --force.',
}

/** Writes a file that the operator named, readable by them only; one that is there stays unless they said otherwise. Null: it is written. */
export async function saveFile(
  path: string,
  bytes: Buffer,
  overwrite: boolean,
  around: WaysAround = BY_OUTPUT,
): Promise<Failure | null> {
  try {
    if (overwrite) await replaceFile(path, bytes)
    else await writeFresh(path, bytes)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const target = { target: path }
    if (code === 'EEXIST') {
      return failure('conflict', `${path} is there already and was left as it is. ${around.whereOneIs}`, target)
    }
    const fault = DISK_FAULTS.has(code) ? 'server-fault' : 'bad-input'
    return failure(fault, `${path} could not be written (${code}): ${whyNotWritten(code, around)}`, target)
  }
}

/** `-o json` means something else with every other command; null: it is a file's name. `instead`: how what was meant is written. */
export function notAFile(output: string | null, instead: string): string | null {
  if (output !== 'json' && output !== 'table') return null
  return `Here -o names a file. ${instead}; for a file of that name, -o ./${output}.`
}

/** What no other words of the operator would mend. */
const DISK_FAULTS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO'])

function whyNotWritten(code: string, { another }: WaysAround): string {
  switch (code) {
    case 'ENOENT':
      return `its folder does not exist. Make it, or ${another}.`
    case 'EISDIR':
      return `it is a folder: ${another}.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `you may not write there: ${another}.`
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full; nothing of it was left. Make room, then try again.'
    case 'EIO':
      return `the disk fails. Look at the kernel's log, or ${another}, on another disk.`
    case 'EFTYPE':
      return `it is a device or a pipe, which is not replaced: ${another}.`
    default:
      return `${another}.`
  }
}
